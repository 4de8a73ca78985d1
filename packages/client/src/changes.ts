import { readEvents } from './server-sent-events.ts';
import { pause, type Transport } from './transport.ts';

export type ConnectionState = 'connecting' | 'open' | 'lost';

export interface ChangeListener {
  /** A change of the account: what a `GET` of it would give now. */
  onChange(type: string, value: unknown): void;
  onState?(state: ConnectionState): void;
}

const longestPauseMs = 15_000;

/**
 * Follows the changes of the caller's account until the returned function is called. A lost connection is made again,
 * and what happened meanwhile is sent first.
 */
export function followChanges(transport: Transport, listener: ChangeListener): () => void {
  const stopped = new AbortController();
  follow(transport, listener, stopped.signal).catch(() => {});
  return () => stopped.abort();
}

async function follow(transport: Transport, listener: ChangeListener, signal: AbortSignal): Promise<void> {
  let lastId = '';
  let failures = 0;
  listener.onState?.('connecting');
  while (!signal.aborted) {
    try {
      const response = await transport.open('/v1/changes', {
        signal,
        headers: { accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) },
      });
      failures = 0;
      listener.onState?.('open');
      for await (const event of readEvents(response.body!)) {
        if (event.id) lastId = event.id;
        listener.onChange(event.type, JSON.parse(event.data));
      }
    } catch {
      // Why it ended does not matter: it is made again.
    }
    if (signal.aborted) return;
    listener.onState?.('lost');
    await pause(Math.min(longestPauseMs, 500 * 2 ** failures++) * (0.75 + Math.random() / 2), signal);
  }
}

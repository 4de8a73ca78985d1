import { limitSilence, readEvents } from './server-sent-events.ts';
import { pause, type Transport } from './transport.ts';

export type ConnectionState = 'connecting' | 'open' | 'lost';

export interface ChangeListener {
  /** A change of the account: what a `GET` of it would give now. Another stream can go on after its id. */
  onChange(type: string, value: unknown, id: string): void;
  onState?(state: ConnectionState): void;
  /** Why a connection ended or was refused. It is made again all the same, until it is stopped. */
  onError?(error: unknown): void;
}

const longestPauseMs = 15_000;
/** Twice the time within which the server sends something, if only a comment. */
const silenceMs = 30_000;

/**
 * Follows the changes of the caller's account until the returned function is called. A lost connection is made again,
 * and what happened meanwhile is sent first; with `lastId`, also what happened after that change.
 */
export function followChanges(transport: Transport, listener: ChangeListener, lastId = ''): () => void {
  return followStream(transport, { path: '/v1/changes', headers: {}, lastId }, listener);
}

/**
 * Follows the pictures of a wall until the returned function is called: at first `pictures`, then each `picture` that
 * comes and each that is `removed`. After a lost connection, all pictures come again.
 */
export function followWall(transport: Transport, token: string, listener: ChangeListener): () => void {
  return followStream(transport, { path: '/v1/wall/changes', headers: { 'x-wall-token': token } }, listener);
}

interface Stream {
  path: string;
  headers: Record<string, string>;
  /** The id of the change that it goes on after. */
  lastId?: string;
}

function followStream(transport: Transport, stream: Stream, listener: ChangeListener): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  follow(transport, stream, listener, signal).catch(() => {});
  return () => stopped.abort();
}

async function follow(
  transport: Transport,
  { path, headers, lastId = '' }: Stream,
  listener: ChangeListener,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  listener.onState?.('connecting');
  while (!signal.aborted) {
    const limit = limitSilence(silenceMs, signal);
    try {
      const accept = { accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) };
      const response = await transport.open(path, {
        signal: limit.signal,
        headers: { ...headers, ...accept },
      });
      failures = 0;
      listener.onState?.('open');
      for await (const event of readEvents(response.body!, limit.heard)) {
        if (event.id) lastId = event.id;
        listener.onChange(event.type, JSON.parse(event.data), event.id);
      }
    } catch (error) {
      if (!signal.aborted) listener.onError?.(error);
    } finally {
      limit.end();
    }
    if (signal.aborted) return;
    listener.onState?.('lost');
    await pause(Math.min(longestPauseMs, 500 * 2 ** failures++) * (0.75 + Math.random() / 2), signal);
  }
}

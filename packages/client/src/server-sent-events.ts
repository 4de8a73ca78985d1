import { networkError } from './guise-error.ts';

export interface ServerSentEvent {
  id: string;
  type: string;
  data: string;
}

/** The events of a `text/event-stream`, as they come. `heard` is called for everything, comments included. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void = () => {},
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      heard();
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Nothing for a comment, which keeps the connection open. */
function parseEvent(block: string): ServerSentEvent | undefined {
  const event = { id: '', type: 'message', data: '' };
  let hasData = false;
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    if (at <= 0) continue;
    const value = line.slice(at + 1).replace(/^ /, '');
    const field = line.slice(0, at);
    if (field === 'id') event.id = value;
    else if (field === 'event') event.type = value;
    else if (field === 'data') {
      event.data = hasData ? `${event.data}\n${value}` : value;
      hasData = true;
    }
  }
  return hasData ? event : undefined;
}

/** Ends a request by its signal when the other end says nothing for too long, or when its caller aborts it. */
export interface SilenceLimit {
  signal: AbortSignal;
  /** Something came, though it may have been a comment: the time begins anew. */
  heard(): void;
  /** The request is over. What is left of it is aborted. */
  end(): void;
}

/** A connection that was lost without a word is noticed after `ms`; nothing at all may come for `firstMs`. */
export function limitSilence(ms: number, caller?: AbortSignal, firstMs = ms): SilenceLimit {
  const stop = new AbortController();
  const abort = () => stop.abort(caller?.reason);
  const silent = () => stop.abort(networkError(new Error('The connection is silent.')));
  caller?.addEventListener('abort', abort);
  let timer = setTimeout(silent, firstMs);
  return {
    signal: stop.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(silent, ms);
    },
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
      stop.abort();
    },
  };
}

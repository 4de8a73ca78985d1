import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Event {
  id: string;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is what the tests look into.
  data: any;
}

export interface EventStream {
  /** Every event so far. */
  seen: Event[];
  /** The first event that fits, waited for if there is none yet. */
  find(fits: (event: Event) => boolean): Promise<Event>;
  /** Settles when the server ends the stream. */
  ended: Promise<void>;
  close(): Promise<void>;
}

const limitMs = 15_000;

/**
 * Reads server-sent events as a page would. Rejects when the answer is not a stream of them. Each has a connection of its
 * own, without an agent: `fetch` may open a spare one, which a server that stops has to wait for.
 */
export async function openEvents(url: string, headers: Record<string, string>): Promise<EventStream> {
  const call = get(url, { headers, agent: false });
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  if (!answer.headers['content-type']?.startsWith('text/event-stream')) {
    throw new Error(`${answer.statusCode} ${await textOf(answer)}`);
  }
  let closed = false;
  const seen: Event[] = [];
  let changed = Promise.withResolvers<void>();
  const read = async () => {
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop()!;
      seen.push(...blocks.flatMap(eventIn));
      changed.resolve();
      changed = Promise.withResolvers();
    }
  };
  const ended = read().catch((error) => {
    if (!closed) throw error;
  });
  return {
    seen,
    ended,
    async find(fits) {
      const end = performance.now() + limitMs;
      for (;;) {
        const found = seen.find(fits);
        if (found) return found;
        if (performance.now() > end) throw new Error(`no such event among ${JSON.stringify(seen)}`);
        await Promise.race([changed.promise, sleep(200)]);
      }
    },
    async close() {
      closed = true;
      answer.destroy();
      await ended;
    },
  };
}

function eventIn(block: string): Event[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const [id = '', type, data] = [field('id'), field('event'), field('data')];
  return type && data ? [{ id, type, data: JSON.parse(data) }] : [];
}

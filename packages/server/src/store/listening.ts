import type pg from 'pg';
import type { PostgresDb } from './postgres.ts';

/** Hears what is said on PostgreSQL's channels, over one connection of its own that is renewed when it breaks. */
export interface Listening {
  /** Calls back for every word, and without one when words may have been missed. Returns the way to stop. */
  on(channel: string, heard: (word: string | undefined) => void): () => void;
  close(): Promise<void>;
}

const firstRetryMs = 100;
const lastRetryMs = 2000;

export function listening(db: PostgresDb): Listening {
  const listeners = new Map<string, Set<(word: string | undefined) => void>>();
  const quote = (channel: string) => `"${channel.replaceAll('"', '""')}"`;
  let client: pg.Client | null = null;
  let connecting: Promise<void> = Promise.resolve();
  let closed = false;
  let retryMs = firstRetryMs;
  let timer: NodeJS.Timeout | undefined;

  const tell = (channel: string, word: string | undefined) => {
    for (const heard of listeners.get(channel) ?? []) heard(word);
  };
  const lost = (broken: pg.Client) => {
    if (client === broken) client = null;
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      connecting = connect();
    }, retryMs);
    retryMs = Math.min(lastRetryMs, retryMs * 2);
  };
  const connect = async () => {
    const made = db.connection();
    made.on('error', () => lost(made));
    made.on('end', () => lost(made));
    made.on('notification', ({ channel, payload }) => tell(channel, payload));
    try {
      await made.connect();
      for (const channel of listeners.keys()) await made.query(`listen ${quote(channel)}`);
    } catch {
      lost(made);
      return;
    }
    client = made;
    retryMs = firstRetryMs;
    for (const channel of listeners.keys()) tell(channel, undefined);
  };
  connecting = connect();

  return {
    on(channel, heard) {
      const those = listeners.get(channel) ?? new Set();
      listeners.set(channel, those.add(heard));
      // A connection on its way listens to everything that is here by then, and to this after it.
      if (those.size === 1) {
        connecting = connecting.then(async () => {
          await client?.query(`listen ${quote(channel)}`).catch(() => {});
          heard(undefined);
        });
      }
      return () => those.delete(heard);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await connecting;
      await client?.end().catch(() => {});
    },
  };
}

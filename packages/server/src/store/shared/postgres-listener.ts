import type pg from 'pg';
import type { PostgresDb } from './postgres.ts';

/** Receives what is sent to PostgreSQL's channels, over one connection of its own that is opened anew when it breaks. */
export interface PostgresListener {
  /**
   * Calls back for every message, and with `undefined` when messages may have been missed. Returns the function that
   * unsubscribes.
   */
  subscribe(channel: string, onMessage: OnMessage): () => void;
  close(): Promise<void>;
}

type OnMessage = (message: string | undefined) => void;

const firstRetryMs = 100;
const maxRetryMs = 2000;

export function postgresListener(db: PostgresDb): PostgresListener {
  const subscribers = new Map<string, Set<OnMessage>>();
  let client: pg.Client | null = null;
  let connecting: Promise<void> = Promise.resolve();
  let closed = false;
  let retryMs = firstRetryMs;
  let timer: NodeJS.Timeout | undefined;

  const notify = (channel: string, message: string | undefined) => {
    for (const onMessage of subscribers.get(channel) ?? []) onMessage(message);
  };
  const reconnectAfter = (broken: pg.Client) => {
    if (client === broken) client = null;
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      connecting = connect();
    }, retryMs);
    retryMs = Math.min(maxRetryMs, retryMs * 2);
  };
  const connect = async () => {
    const connection = db.connection();
    connection.on('error', () => reconnectAfter(connection));
    connection.on('end', () => reconnectAfter(connection));
    connection.on('notification', ({ channel, payload }) => notify(channel, payload));
    try {
      await connection.connect();
      for (const channel of subscribers.keys()) await connection.query(listenTo(channel));
    } catch {
      reconnectAfter(connection);
      return;
    }
    client = connection;
    retryMs = firstRetryMs;
    for (const channel of subscribers.keys()) notify(channel, undefined);
  };
  connecting = connect();

  return {
    subscribe(channel, onMessage) {
      const those = subscribers.get(channel) ?? new Set();
      subscribers.set(channel, those.add(onMessage));
      // A connection that is being opened listens to the channels known by then; this one is added after it.
      if (those.size === 1) {
        connecting = connecting.then(async () => {
          await client?.query(listenTo(channel)).catch(() => {});
          onMessage(undefined);
        });
      }
      return () => those.delete(onMessage);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await connecting;
      await client?.end().catch(() => {});
    },
  };
}

const listenTo = (channel: string) => `listen "${channel.replaceAll('"', '""')}"`;

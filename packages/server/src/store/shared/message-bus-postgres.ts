import type { MessageBus } from '../message-bus.ts';
import type { PostgresDb } from './postgres.ts';
import type { PostgresListener } from './postgres-listener.ts';

const channel = 'guise';

/** Messages by PostgreSQL's `NOTIFY`. */
export function postgresMessageBus(db: PostgresDb, postgres: PostgresListener): MessageBus {
  const listeners = new Set<(message: string) => void>();
  const unsubscribe = postgres.subscribe(channel, (message) => {
    if (message === undefined) return;
    for (const listener of listeners) listener(message);
  });
  return {
    async publish(message) {
      await db.executeSql('select pg_notify($1, $2)', [channel, message]);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      unsubscribe();
    },
  };
}

import type { Listening } from './listening.ts';
import type { PostgresDb } from './postgres.ts';
import type { Wire } from './wire.ts';

const channel = 'guise';

/** Words over PostgreSQL's NOTIFY. */
export function postgresWire(db: PostgresDb, ear: Listening): Wire {
  return {
    async say(text) {
      await db.executeSql('select pg_notify($1, $2)', [channel, text]);
    },
    hear: (listener) =>
      ear.on(channel, (word) => {
        if (word !== undefined) listener(word);
      }),
    async close() {},
  };
}

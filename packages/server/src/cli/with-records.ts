import type { Db } from '../store/db.ts';
import { readSettings } from './read-settings.ts';

/** Opens the records of the installation for as long as `work` takes. */
export async function withRecords<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const { openStore } = await import('../app/storage.ts');
  const db = await openStore(await readSettings());
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

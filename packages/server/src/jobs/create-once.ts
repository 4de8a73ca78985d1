import { z } from 'zod';
import type { Db, Queries } from '../store/db.ts';
import { insertIdempotency } from '../store/idempotency-records.ts';
import { readJson } from '../store/json-column.ts';
import { earlierText, type Idempotency, idempotencyMs, KeyTaken } from './submit.ts';

/** What is kept with the key of a creation. */
const Created = z.object({ id: z.string() });

/** Keeps the caller's key with the id of what is made. Part of the transaction that makes it. */
export type KeepKey = (tx: Queries, id: string) => Promise<void>;

interface Creation<T> {
  accountId: string;
  idempotency: Idempotency | null;
  create(keepKey: KeepKey): Promise<T>;
  /** What an earlier request with the same key made. */
  find(id: string): Promise<T>;
}

/** Makes a thing once for each `Idempotency-Key`, however often and however concurrently it is asked for. */
export async function createOnce<T>(
  db: Db,
  { accountId, idempotency, create, find }: Creation<T>,
): Promise<T> {
  if (!idempotency) return create(async () => {});
  const earlier = await earlierText(db, db.now(), accountId, idempotency);
  if (earlier !== undefined) return find(readJson(Created, earlier).id);
  try {
    return await create(async (tx, id) => {
      const now = db.now();
      const row = { ...idempotency, account_id: accountId, job_id: id, answer: JSON.stringify({ id }) };
      const rows = await tx.run(insertIdempotency, { ...row, expires_at: now + idempotencyMs, now });
      if (rows === 0) throw new KeyTaken((await earlierText(tx, now, accountId, idempotency))!);
    });
  } catch (error) {
    if (error instanceof KeyTaken) return find(readJson(Created, error.earlier).id);
    throw error;
  }
}

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createAccount } from '../../src/accounts/accounts.ts';
import { openStorage, type Storage } from '../../src/app/storage.ts';
import { createCustomFilter } from '../../src/catalog/custom-filters.ts';
import type { DefinitionChecks } from '../../src/catalog/definitions.ts';
import { chooseDraft } from '../../src/catalog/draft-versions.ts';
import { changedElsewhere } from '../../src/precondition.ts';
import { changePhotoSet, createPhotoSet, removePhotoSet } from '../../src/qa/photo-sets.ts';
import {
  changeQuickTestLink,
  createQuickTestLink,
  removeQuickTestLink,
} from '../../src/quick-tests/quick-test-links.ts';
import type { Db } from '../../src/store/db.ts';
import { temporaryConfig } from '../support/harness.ts';
import { startPostgres, type TestPostgres } from '../support/postgres-server.ts';

// What callers of two nodes do to the same thing at the same moment: PostgreSQL runs their transactions side by side.

let server: TestPostgres;
let storage: Storage;
const config = temporaryConfig();
before(async () => {
  server = await startPostgres();
  storage = await openStorage({ ...config, databaseUrl: await server.database() });
});
after(async () => {
  await storage.close();
  await server.stop();
  rmSync(config.dataDir, { recursive: true, force: true });
});

const onlyFirst = (version: number) => {
  if (version !== 1) throw changedElsewhere();
};
const unconditional = async () => {};
let accounts = 0;
const newAccount = async () =>
  (await createAccount(storage.db, { email: `node${++accounts}@example.com`, credits: 0 })).id;

/** Begins `second` when `first` has written and not committed, and tells how each of them ended. */
async function overlapping(first: (db: Db) => Promise<void>, second: (db: Db) => Promise<void>) {
  const written = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  const slow: Db = {
    ...storage.db,
    transaction: (work) =>
      storage.db.transaction(async (tx) => {
        const result = await work(tx);
        written.resolve();
        await Promise.race([read.promise, new Promise((resolve) => setTimeout(resolve, 300))]);
        return result;
      }),
  };
  const begun = first(slow);
  await written.promise;
  const ended = second(storage.db).finally(read.resolve);
  return (await Promise.allSettled([begun, ended])).map((end) =>
    end.status === 'fulfilled' ? 'done' : end.reason.code,
  );
}

test('of two who rename a photo set that both have read, one learns of the other', async () => {
  const accountId = await newAccount();
  const id = await createPhotoSet(storage.db, accountId, { name: 'Staff' }, unconditional);
  const rename = (name: string) => (db: Db) => changePhotoSet(db, { accountId, id }, { name }, onlyFirst);
  assert.deepEqual(await overlapping(rename('One'), rename('Two')), ['done', 'CHANGED_ELSEWHERE']);
});

test('a photo set that is renamed meanwhile is not deleted by whoever has read it before', async () => {
  const accountId = await newAccount();
  const id = await createPhotoSet(storage.db, accountId, { name: 'Staff' }, unconditional);
  const ref = { accountId, id };
  const ends = await overlapping(
    (db) => changePhotoSet(db, ref, { name: 'One' }, onlyFirst),
    (db) => removePhotoSet({ db, blobs: storage.blobs }, ref, onlyFirst),
  );
  assert.deepEqual(ends, ['done', 'CHANGED_ELSEWHERE']);
});

async function newFilter(accountId: string): Promise<string> {
  const parts = { ...storage, checks: {} as DefinitionChecks, maxFilters: 0 };
  const definition = { kind: 'prompt', prompt: 'in the snow' } as const;
  return (await createCustomFilter(parts, accountId, { name: 'Snow', filter_type: 'face_swap', definition }))
    .id;
}

test('a quick test link that is changed meanwhile is not deleted by whoever has read it before', async () => {
  const accountId = await newAccount();
  const maker = { id: accountId, maker_id: null };
  const expires_at = new Date(Date.now() + 3600_000).toISOString();
  const wanted = { filter_id: await newFilter(accountId), name: '', runs: 1, expires_at };
  const { id } = await createQuickTestLink(storage.db, maker, wanted, unconditional);
  const change = async (db: Db) =>
    db.transaction((tx) => changeQuickTestLink({ ...db, ...tx }, maker, id, { runs: 2 }, onlyFirst));
  const remove = (db: Db) => removeQuickTestLink(db, accountId, id, onlyFirst);
  assert.deepEqual(await overlapping(change, remove), ['done', 'CHANGED_ELSEWHERE']);
});

test('a number that no version has is no draft', async () => {
  const accountId = await newAccount();
  const address = { accountId, id: await newFilter(accountId) };
  await assert.rejects(chooseDraft(storage, address, 2 ** 40), { code: 'NOT_FOUND' });
});

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createAccount } from '../../src/accounts/accounts.ts';
import { openStorage, type Storage } from '../../src/app/storage.ts';
import { changeAlias, createAlias } from '../../src/catalog/aliases.ts';
import { changeCustomFilter, createCustomFilter } from '../../src/catalog/custom-filters.ts';
import type { DefinitionChecks } from '../../src/catalog/definitions.ts';
import type { Db } from '../../src/store/db.ts';
import { temporaryConfig } from '../support/harness.ts';

const config = temporaryConfig();
let storage: Storage;
before(async () => {
  storage = await openStorage(config);
});
after(async () => {
  await storage.close();
  rmSync(config.dataDir, { recursive: true, force: true });
});

const wanted = (name: string) => ({
  ...{ name, filter_type: 'face_swap' as const },
  definition: { kind: 'prompt' as const, prompt: 'in the snow' },
});

test('aliases and filters bear the time of the database, by which streams of changes find them', async () => {
  const { blobs } = storage;
  const { id, email } = await createAccount(storage.db, { email: 'clock@example.com', credits: 0 });
  // A machine whose clock is an hour behind that of the database.
  const now = storage.db.now() + 3600_000;
  const db: Db = { ...storage.db, now: () => now };
  const parts = { db, blobs, checks: {} as DefinitionChecks, maxFilters: 0 };
  const made = await createCustomFilter(parts, id, wanted('Snow'));
  const address = { accountId: id, id: made.id };
  const changed = await changeCustomFilter(parts, address, { name: 'Ice' }, () => {});
  assert.deepEqual([made.created_at, changed.updated_at], [now, now]);
  const caller = { id, email } as Parameters<typeof createAlias>[1];
  const { alias } = await createAlias(db, caller, { ai_filter: made.id, project: '' });
  const moved = await changeAlias(db, caller, alias.id, { project: 'Gala' }, () => {});
  const iso = new Date(now).toISOString();
  assert.deepEqual([alias.created_at, moved.alias.updated_at], [iso, iso]);
});

test('filters that are made at once are no more than an account may have', async () => {
  const { db, blobs } = storage;
  const { id } = await createAccount(db, { email: 'limit@example.com', credits: 0 });
  const parts = { db, blobs, checks: {} as DefinitionChecks, maxFilters: 3 };
  const names = Array.from({ length: 8 }, (_, at) => `Filter ${at}`);
  const ends = await Promise.allSettled(names.map((name) => createCustomFilter(parts, id, wanted(name))));
  const refused = ends.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 5);
  assert.ok(refused.every((end) => end.status === 'rejected' && end.reason.code === 'LIMIT_REACHED'));
});

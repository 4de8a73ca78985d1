import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openStorage, type Storage } from '../../src/app/storage.ts';
import { renderWaiting } from '../../src/catalog/filter-renders.ts';
import { newId } from '../../src/ids.ts';
import { createChanges } from '../../src/jobs/changes.ts';
import { previewQueue } from '../../src/previews/preview-queue.ts';
import type { Db } from '../../src/store/db.ts';
import { insertRender } from '../../src/store/render-records.ts';
import { temporaryConfig } from '../support/harness.ts';
import { testEngine } from '../support/test-engine.ts';

const config = temporaryConfig();
let storage: Storage;
before(async () => {
  storage = await openStorage(config);
});
after(async () => {
  await storage.close();
  rmSync(config.dataDir, { recursive: true, force: true });
});

const families = ['face_swap_v6', 'multi_swap_v5'];
const insert = (wants: string) =>
  storage.db.run(insertRender, {
    id: newId(),
    filter_id: newId(),
    account_id: newId(),
    purpose: 'preview',
    wants,
  });

test('an idle worker asks the database for previews once, and again when one is enqueued', async () => {
  let asked = 0;
  const db: Db = {
    ...storage.db,
    one(statement, params) {
      asked++;
      return storage.db.one(statement, params);
    },
  };
  const changes = createChanges();
  const queue = previewQueue({ db, changes, shared: false }, [testEngine()]);
  let told = 0;
  const unsubscribe = queue.onEnqueued(() => told++);
  assert.equal(await queue.claim(families), undefined);
  const first = asked;
  for (let n = 0; n < 5; n++) assert.equal(await queue.claim(families), undefined);
  assert.equal(asked, first);

  await insert('face_swap_v6:prompt');
  changes.publish(renderWaiting);
  assert.equal(told, 1);
  // Those of families without a free slot stay where they are.
  assert.equal(await queue.claim(['multi_swap_v5']), undefined);
  assert.equal((await queue.claim(families))?.wants, 'face_swap_v6:prompt');
  unsubscribe();
  changes.publish(renderWaiting);
  assert.equal(told, 1);
});

test('what is enqueued while the queue is found empty is not missed', async () => {
  const changes = createChanges();
  const queue = previewQueue({ db: storage.db, changes, shared: false }, [testEngine()]);
  const unsubscribe = queue.onEnqueued(() => {});
  const claiming = queue.claim(families);
  await insert('multi_swap_v5:prompt');
  changes.publish(renderWaiting);
  const render = (await claiming) ?? (await queue.claim(families));
  assert.equal(render?.wants, 'multi_swap_v5:prompt');
  unsubscribe();
});

test('a worker of a shared installation claims what its engines make, a server of its own everything', async () => {
  const changes = createChanges();
  const engine = {
    ...testEngine(),
    abilities: [{ family: 'face_swap_v6' as const, kinds: ['scene' as const] }],
  };
  await insert('face_swap_v6:workflow');
  const shared = previewQueue({ db: storage.db, changes, shared: true }, [engine]);
  assert.equal(await shared.claim(families), undefined);
  assert.equal(await shared.claim(['video_v1']), undefined);
  const embedded = previewQueue({ db: storage.db, changes, shared: false }, [engine]);
  assert.equal((await embedded.claim(families))?.wants, 'face_swap_v6:workflow');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccount } from '../../src/accounts/accounts.ts';
import { newId } from '../../src/ids.ts';
import { countQuickTestRun, returnQuickTestRun } from '../../src/quick-tests/count-runs.ts';
import type { Db } from '../../src/store/db.ts';
import { insertJob } from '../../src/store/job-records.ts';
import {
  countPhotoSets,
  countPhotos,
  deletePhotosOf,
  insertPhoto,
  insertPhotoSet,
  listPhotoSets,
  listPhotos,
  renamePhotoSet,
  touchPhotoSet,
} from '../../src/store/qa/photo-set-records.ts';
import {
  countVerdicts,
  findQaCell,
  insertQaCell,
  judgeCell,
  listQaCells,
  setCellError,
  setCellJob,
} from '../../src/store/qa/qa-run-records.ts';
import type { QaCellRow } from '../../src/store/qa/qa-schema.ts';
import {
  findQuickTestLink,
  findQuickTestLinkByToken,
  findQuickTestRun,
  insertQuickTestLink,
  listQuickTestLinks,
  purgeQuickTestRuns,
  updateQuickTestLink,
} from '../../src/store/qa/quick-test-records.ts';
import { waitingJob } from '../jobs/queued-job.ts';

let emails = 0;

/** Photo sets, QA runs and quick test links, on the database that a suite has opened. */
export function testQaRecords(open: () => Db): void {
  const account = () => createAccount(open(), { email: `qa${++emails}@example.com`, credits: 10 });

  const newLink = async (runs: number) => {
    const { id: account_id } = await account();
    const link = {
      id: newId(),
      account_id,
      made_by: null,
      filter_id: newId(),
      filter_name: 'Snow',
      name: '',
      token_hash: newId(),
      runs,
      runs_used: 0,
      expires_at: 1000,
      version: 1,
      created_at: 0,
      last_used: null,
    };
    await open().run(insertQuickTestLink, link);
    return link;
  };

  const newCell = (run_id: string, account_id: string, fields: Partial<QaCellRow> = {}): QaCellRow => ({
    id: newId(),
    run_id,
    account_id,
    position: 0,
    photo_id: newId(),
    photo_name: 'Photo',
    people: null,
    version: 1,
    job_id: null,
    submits: 0,
    error: null,
    verdict: null,
    note: '',
    revision: 1,
    ...fields,
  });

  test('photo sets are listed newest first with their number of photos, and a change raises the version', async () => {
    const db = open();
    const { id: account_id } = await account();
    const [first, second] = [newId(1), newId(2)];
    for (const id of [first, second])
      await db.run(insertPhotoSet, { id, account_id, name: 'S', version: 1, created_at: 1, updated_at: 1 });
    const photo = { account_id, set_id: first, name: 'P', people: null, width: 3, height: 2, created_at: 1 };
    const photos = [newId(3), newId(4)];
    for (const id of photos) await db.run(insertPhoto, { ...photo, id });
    const listed = await db.all(listPhotoSets, { account_id, before: '~', limit: 9 });
    assert.deepEqual(
      listed.map(({ id, photo_count }) => [id, photo_count]),
      [
        [second, 0],
        [first, 2],
      ],
    );
    assert.equal((await db.one(countPhotoSets, { account_id }))?.count, 2);
    await db.run(renamePhotoSet, { id: first, account_id, name: 'T', now: 5 });
    assert.equal((await db.one(touchPhotoSet, { id: first, account_id, now: 6 }))?.version, 3);
    assert.equal(await db.one(touchPhotoSet, { id: first, account_id: newId(), now: 6 }), undefined);
    const read = await db.all(listPhotos, { set_id: first, account_id, limit: 9 });
    assert.deepEqual(
      read.map(({ id }) => id),
      photos,
    );
    const deleted = await db.all(deletePhotosOf, { set_id: first, account_id });
    assert.deepEqual(deleted.map(({ id }) => id).sort(), photos);
    assert.equal((await db.one(countPhotos, { set_id: first }))?.count, 0);
  });

  test('of ten who submit a cell at once one names its job, which forgets error and verdict', async () => {
    const db = open();
    const { id: account_id } = await account();
    const cell = newCell(newId(), account_id, { error: 'full', verdict: 'bad', note: 'kept' });
    await db.run(insertQaCell, cell);
    const named = await Promise.all(
      Array.from({ length: 10 }, () => db.run(setCellJob, { id: cell.id, submits: 0, job_id: newId() })),
    );
    assert.equal(
      named.reduce((sum, rows) => sum + rows, 0),
      1,
    );
    assert.equal(await db.run(setCellError, { id: cell.id, submits: 0, error: 'late' }), 0);
    const found = (await db.one(findQaCell, { id: cell.id, run_id: cell.run_id, account_id }))!;
    assert.deepEqual([found.submits, found.error, found.verdict, found.note], [1, null, null, 'kept']);
  });

  test('cells are listed in order with what is left of job and photo, and verdicts counted by version', async () => {
    const db = open();
    const { id: account_id } = await account();
    const run_id = newId();
    const job = waitingJob(account_id);
    await db.one(insertJob, job);
    const cells = [
      newCell(run_id, account_id, { position: 1, version: 2, job_id: newId() }),
      newCell(run_id, account_id, { position: 0, job_id: job.id }),
    ];
    for (const cell of cells) await db.run(insertQaCell, cell);
    const listed = await db.all(listQaCells, { run_id, account_id });
    assert.deepEqual(
      listed.map(({ position, job_state, kept_photo_id }) => [position, job_state, kept_photo_id]),
      [
        [0, 'queued', null],
        [1, null, null],
      ],
    );
    const judged = { id: cells[0]!.id, account_id, verdict: 'good', note: '', revision: 1 } as const;
    assert.equal(await db.run(judgeCell, judged), 1);
    assert.equal(await db.run(judgeCell, judged), 0);
    const counts = await db.all(countVerdicts, { run_id });
    const byVersion = counts.sort((one, other) => one.version - other.version);
    assert.deepEqual(
      byVersion.map(({ version, verdict, count }) => [version, verdict, count]),
      [
        [1, null, 1],
        [2, 'good', 1],
      ],
    );
  });

  test('of twenty runs at once on a link of seven, seven are counted; a failed one is given back once', async () => {
    const db = open();
    const link = await newLink(7);
    const count = async () => {
      const job_id = newId();
      const counted = await db.transaction((tx) => countQuickTestRun(tx, link.id, job_id, 500));
      return counted ? job_id : null;
    };
    const runs = await Promise.all(Array.from({ length: 20 }, count));
    const jobs = runs.filter((job) => job !== null);
    assert.equal(jobs.length, 7);
    const usedBy = async () => (await db.one(findQuickTestLink, link))?.runs_used;
    assert.equal(await usedBy(), 7);
    await Promise.all(
      Array.from({ length: 5 }, () => db.transaction((tx) => returnQuickTestRun(tx, jobs[0]!))),
    );
    await db.transaction((tx) => returnQuickTestRun(tx, newId()));
    assert.equal(await usedBy(), 6);
    assert.ok(await count());
    assert.equal(await count(), null);
    const run = { job_id: jobs[1]!, link_id: link.id };
    assert.equal((await db.one(findQuickTestRun, run))?.counted, 1);
    assert.equal(await db.one(findQuickTestRun, { ...run, link_id: newId() }), undefined);
    await db.run(purgeQuickTestRuns, { before: 501 });
    assert.equal(await db.one(findQuickTestRun, run), undefined);
    assert.equal(await usedBy(), 7);
  });

  test('a link that has expired counts no run, and is changed by whoever has its version', async () => {
    const db = open();
    const link = await newLink(2);
    const countAt = (now: number) => db.transaction((tx) => countQuickTestRun(tx, link.id, newId(), now));
    assert.deepEqual([await countAt(999), await countAt(1000)], [true, false]);
    const changed = { ...link, name: 'Later', expires_at: 2000 };
    const rows = await Promise.all([1, 2, 3].map(() => db.run(updateQuickTestLink, changed)));
    assert.deepEqual(rows.sort(), [0, 0, 1]);
    assert.equal(await countAt(1000), true);
    const found = await db.one(findQuickTestLinkByToken, { token_hash: link.token_hash });
    assert.deepEqual([found?.id, found?.name, found?.last_used], [link.id, 'Later', 1000]);
    const listed = await db.all(listQuickTestLinks, { account_id: link.account_id, before: '~', limit: 5 });
    assert.deepEqual(
      listed.map(({ id, current_name }) => [id, current_name]),
      [[link.id, null]],
    );
  });
}

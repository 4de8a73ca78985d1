import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { QaCell } from '@guise/contract/qa-runs.ts';
import { AppError } from '../../src/errors.ts';
import { newId } from '../../src/ids.ts';
import type { EndParts } from '../../src/jobs/end.ts';
import { type QaParts, submitCells } from '../../src/qa/qa-cells.ts';
import { removeQaRun } from '../../src/qa/qa-runs.ts';
import { sampleSet } from '../../src/qa/sample-set.ts';
import type { Db } from '../../src/store/db.ts';
import { findJob } from '../../src/store/job-records.ts';
import {
  findQaCell,
  findQaRun,
  insertQaCell,
  insertQaRun,
  setCellJob,
} from '../../src/store/qa/qa-run-records.ts';
import { startTestServer, type TestAccount, type TestServer } from '../support/harness.ts';

let server: TestServer;
let account: TestAccount;
let filter_id: string;
before(async () => {
  server = await startTestServer({ testsPerMinute: 0, maxQueued: 10_000 });
  account = await server.account();
  const definition = { kind: 'prompt', prompt: 'in the snow' };
  const body = { name: 'Snow', filter_type: 'face_swap', definition };
  filter_id = (await account.call('POST', filters, body)).body.id;
});
after(() => server.stop());

const runs = '/v1/qa_runs';
const filters = '/v1/users/me/my-custom-filters';
const photo_set_id = sampleSet.id;

test('a cell that does not get its turn in time says so', async () => {
  const photo_ids = [sampleSet.photos[0].id];
  const { id, cells } = (await account.call('POST', runs, { filter_id, photo_set_id, photo_ids })).body;
  const run = { ...(await server.db.one(findQaRun, { id, account_id: account.id }))!, id: newId() };
  const wanted = { id: (cells as [QaCell])[0].id, run_id: id, account_id: account.id };
  const cell = { ...(await server.db.one(findQaCell, wanted))!, id: newId(), run_id: run.id };
  await server.db.run(insertQaRun, run);
  await server.db.run(insertQaCell, { ...cell, job_id: null });
  const sentence = 'The server has too much to do.';
  const busy = async () => {
    throw new AppError('OVERLOADED', sentence);
  };
  const parts = { db: server.db, admission: { qa_cells: { limits: { atOnceOfOwner: 4 }, run: busy } } };
  await submitCells(parts as unknown as QaParts, run, null);
  const shown = (await account.call('GET', `${runs}/${run.id}`)).body.cells[0] as QaCell;
  assert.deepEqual([shown.status, shown.error], ['FAILED', sentence]);
});

test('deleting a run cancels the job of a cell that is submitted at the same moment', async () => {
  const made = (await account.call('POST', runs, { filter_id, photo_set_id })).body;
  const wanted = { id: (made.cells as [QaCell])[0].id, run_id: made.id, account_id: account.id };
  const cell = (await server.db.one(findQaCell, wanted))!;
  const run = { ...(await server.db.one(findQaRun, { id: made.id, account_id: account.id }))!, id: newId() };
  const waiting = { ...cell, id: newId(), run_id: run.id, job_id: null, submits: 0 };
  await server.db.run(insertQaRun, run);
  await server.db.run(insertQaCell, waiting);
  const asked: unknown[] = [];
  const db: Db = {
    ...server.db,
    async one(statement, params) {
      if ((statement as unknown) === findJob) asked.push((params as { id: string }).id);
      return (statement as unknown) === findJob ? undefined : server.db.one(statement, params);
    },
    async transaction(work) {
      await server.db.run(setCellJob, { id: waiting.id, submits: 0, job_id: cell.job_id! });
      return server.db.transaction(work);
    },
  };
  await removeQaRun({ db } as EndParts, account.id, run.id);
  assert.deepEqual(asked, [cell.job_id], 'it is looked for, to be cancelled');
});

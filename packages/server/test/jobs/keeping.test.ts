import assert from 'node:assert/strict';
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { sweep } from '../../src/jobs/sweep.ts';
import { diskBlobs } from '../../src/store/embedded/blobs-disk.ts';
import { statement } from '../../src/store/statement.ts';
import { caseOf } from '../support/contract-cases.ts';
import { filesBelow, startTestServer, type TestAccount, type TestServer } from '../support/harness.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
  account = await server.account();
});
after(() => server.stop());

const { run, status, body } = caseOf('self_prompt_v2');
const day = 24 * 3600_000;
const expireNow = statement((db, p: { id: string }) =>
  db.updateTable('jobs').set({ expires_at: 1 }).where('id', '=', p.id),
);
const claimAgain = statement((db, p: { id: string }) =>
  db.updateTable('jobs').set({ claim: 3 }).where('id', '=', p.id),
);

function files(): string[] {
  const folder = server.config.dataDir;
  return filesBelow(folder)
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
const holding = (marker: string) => files().filter((path) => readFileSync(path).includes(marker));

async function finished(prompt: string): Promise<string> {
  const { id } = (await account.call('POST', run, { ...body, prompt })).body;
  const done = await account.call('POST', status + id, undefined, { prefer: 'wait=20' });
  assert.equal(done.body.status, 'COMPLETED');
  return id;
}
const sweepAt = (now: number) => {
  const blobs = diskBlobs(join(server.config.dataDir, 'blobs'));
  return sweep({ db: server.db, blobs, log: pino({ level: 'silent' }) }, now);
};

test('an erased job leaves nothing of its prompt and its result in any file, nor of a run that was killed', async () => {
  const id = await finished('MARKER-of-a-guest-who-wants-out');
  const [result] = files().filter((path) => path.includes(`${id}-1`));
  await server.db.run(claimAgain, { id });
  writeFileSync(result!.replace(`${id}-1`, `${id}-2`), 'what a killed run had stored');
  assert.notDeepEqual(holding('MARKER-of-a-guest'), []);
  assert.equal((await account.call('DELETE', `/v1/jobs/${id}`)).status, 204);
  assert.deepEqual(holding('MARKER-of-a-guest'), []);
  assert.deepEqual(
    files().filter((path) => path.includes(id)),
    [],
  );
});

test('after its time a job’s result and prompt are gone, it is 410, and a month later it never was', async () => {
  const id = await finished('MARKER-of-last-week');
  await sweepAt(Date.now() + 6 * day);
  assert.equal((await account.call('POST', status + id)).body.status, 'COMPLETED');
  await sweepAt(Date.now() + 8 * day);
  assert.deepEqual(holding('MARKER-of-last-week'), []);
  assert.deepEqual(
    files().filter((path) => path.includes(id)),
    [],
  );
  // Only the sweep's clock is ahead: the row's own time has to pass too.
  await server.db.run(expireNow, { id });
  const gone = await account.call('POST', status + id);
  assert.deepEqual([gone.status, gone.body.error_code], [410, 'JOB_EXPIRED']);
  await sweepAt(Date.now() + 38 * day);
  assert.equal((await account.call('POST', status + id)).status, 404);
});

test('blobs that no row names are swept after an hour; those of live jobs and of results stay', async () => {
  const id = await finished('kept');
  const orphan = join(server.config.dataDir, 'blobs/inputs/ab/01890000-0000-7000-8000-0000000000ab-0');
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(orphan, '..'), { recursive: true });
  writeFileSync(orphan, 'left by a crash');
  await sweepAt(Date.now());
  assert.ok(files().includes(orphan));
  const old = (Date.now() - 2 * 3600_000) / 1000;
  for (const path of files().filter((name) => name.includes('/blobs/'))) utimesSync(path, old, old);
  await sweepAt(Date.now());
  assert.ok(!files().includes(orphan));
  assert.equal((await account.call('POST', status + id)).body.output.images.length, 1);
});

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { openStore } from '@guise/server/app/storage.ts';
import { caseOf } from '../../packages/server/test/support/contract-cases.ts';
import { request, temporaryConfig, until } from '../../packages/server/test/support/harness.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const callers = 1000;
const { run, status, body } = caseOf('face_swap_v6');
const config = temporaryConfig();
let server: ServerProcess;
let url: string;
let headers: Record<string, string>;
before(async () => {
  const db = await openStore(config);
  const { api_key } = await createAccount(db, { email: 'waiting@example.com', credits: 100 });
  await db.close();
  headers = { 'x-api-key': api_key };
  server = startServerProcess(config.dataDir, '3600000-3600000');
  url = await server.url;
});
after(() => {
  server.kill('SIGKILL');
  rmSync(config.dataDir, { recursive: true, force: true });
});

/** Megabytes that a process holds; undefined where the system does not tell. */
function heldBy(pid: number): number | undefined {
  const file = `/proc/${pid}/status`;
  const kilobytes = existsSync(file) && /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1];
  return kilobytes ? Number(kilobytes) / 1024 : undefined;
}

/** Open files and connections of a process; undefined where the system does not tell. */
const openFilesOf = (pid: number) =>
  existsSync(`/proc/${pid}/fd`) ? readdirSync(`/proc/${pid}/fd`).length : undefined;

test('a thousand status calls that wait cost less than 50 MB, and all are answered when the server stops', async () => {
  const { id } = (await request(url, 'POST', run, body, headers)).body;
  // The first calls load and compile what the others use.
  const ask = (wait?: string) =>
    request(url, 'POST', status + id, undefined, { ...headers, ...(wait && { prefer: wait }) });
  for (let i = 0; i < 200; i++) await ask('wait=0');

  const idle = heldBy(server.pid);
  const filesBefore = openFilesOf(server.pid);
  const answers = Array.from({ length: callers }, () => ask());
  // One of them has the connection of the calls before. On a busy machine some connect a second later than the others.
  if (filesBefore !== undefined)
    await until(async () => openFilesOf(server.pid)! >= filesBefore + callers - 1, 30_000);
  // Behind the thousand: when these are answered, those have been read.
  for (let i = 0; i < 20; i++) await ask('wait=0');
  const held = heldBy(server.pid);
  if (idle !== undefined && held !== undefined) {
    const cost = held - idle;
    assert.ok(cost < 50, `${cost.toFixed(0)} MB`);
    if (process.env.GUISE_TEST_FIGURES) console.log(`${callers} calls that wait: ${cost.toFixed(1)} MB`);
  }

  const told = performance.now();
  server.kill('SIGTERM');
  const seen = await Promise.all(answers);
  const seconds = (performance.now() - told) / 1000;
  assert.deepEqual(
    [...new Set(seen.map((answer) => `${answer.status} ${answer.body.status}`))],
    ['200 IN_QUEUE'],
  );
  assert.ok(seconds < 10, `answered after ${seconds} s`);
});

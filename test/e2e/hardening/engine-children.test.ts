import assert from 'node:assert/strict';
import { readFileSync, readlinkSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { networkIsolation } from '@guise/server/platform.ts';
import sharp from 'sharp';
import { onePerson } from '../../../packages/engine/test/support/sample-photos.ts';
import { filesBelow, until } from '../../../packages/server/test/support/harness.ts';
import { descendantsOf } from '../../../packages/server/test/support/processes.ts';
import { type GuiseProcess, startGuise } from './guise-process.ts';
import { internetSocketsOf, packetsTriedBy } from './sockets.ts';

/** What an operator's environment holds beside settings: none of it is an engine's business. */
const secrets = {
  GUISE_SECRET: 'marker-that-signs-links-0123456789abcdef',
  GUISE_S3_SECRET: 'marker-of-the-bucket',
  AWS_SECRET_ACCESS_KEY: 'marker-of-the-cloud',
  PGPASSWORD: 'marker-of-the-database',
  RUNPOD_API_KEY: 'marker-of-the-gpu-servers',
};

const ownNetwork = readlinkSync('/proc/self/ns/net');

let guise: GuiseProcess;
/** Seen from the start to the end of two jobs, each once. */
const seen = { commands: new Set<string>(), ofServer: new Set<string>(), ofChildren: new Set<string>() };
const environments = new Map<number, string>();
/** Packets tried by children that have a network namespace of their own. */
const packets = new Map<number, number>();

before(async () => {
  guise = await startGuise(secrets);
  const watch = setInterval(look, 200);
  try {
    const small = sharp(await onePerson()).resize({ width: 240 });
    const photo = (await small.jpeg().toBuffer()).toString('base64');
    const picture = { filter_id: 1, gender: 4, base64: photo };
    await complete('/v6/run/face_swap', '/v6/status/', picture);
    const video = { prompt_image: photo, prompt: 'zoom in', model: 'simple', duration: '4s' };
    await complete('/v1/run/single_frame_video', '/v1/status/single_frame_video/', video);
    const { id } = (await guise.account.call('POST', '/v1/photo_sets', { name: 'guests' })).body;
    const added = await guise.account.call('POST', `/v1/photo_sets/${id}/photos`, { image: photo });
    assert.equal(added.status, 201);
  } finally {
    clearInterval(watch);
  }
  await guise.stop();
});
after(async () => {
  await guise.stop();
  guise.remove();
});

function look(): void {
  for (const socket of internetSocketsOf(guise.pid)) seen.ofServer.add(socket);
  for (const { pid, command } of descendantsOf(guise.pid)) {
    seen.commands.add(command);
    for (const socket of internetSocketsOf(pid)) seen.ofChildren.add(`${command}: ${socket}`);
    try {
      environments.set(pid, readFileSync(`/proc/${pid}/environ`, 'utf8'));
      if (readlinkSync(`/proc/${pid}/ns/net`) !== ownNetwork) packets.set(pid, packetsTriedBy(pid));
    } catch {
      // It has ended.
    }
  }
}

async function complete(run: string, status: string, body: unknown): Promise<void> {
  const { id } = (await guise.account.call('POST', run, body)).body;
  await until(async () => {
    const answer = await guise.account.call('POST', status + id, undefined, { prefer: 'wait=20' });
    assert.equal(answer.status, 200);
    assert.notEqual(answer.body.status, 'FAILED', JSON.stringify(answer.body));
    return answer.body.status === 'COMPLETED';
  }, 150_000);
}

test('a start, a face swap and a video open no socket but the server’s own', () => {
  assert.ok([...seen.commands].some((command) => command.startsWith('ffmpeg')));
  const port = Number(new URL(guise.url).port).toString(16).toUpperCase().padStart(4, '0');
  assert.deepEqual([...seen.ofChildren], []);
  assert.deepEqual(
    [...seen.ofServer].filter((socket) => !socket.endsWith(`:${port}`)),
    [],
  );
});

test('where the system allows it, the engine’s processes have no network, and try none', () => {
  const isolated = networkIsolation().length > 0;
  assert.equal(packets.size > 0, isolated);
  for (const [pid, tried] of packets) assert.equal(tried, 0, `process ${pid}`);
});

test('they write nothing outside of the data folder', () => {
  const { data, ...others } = guise.folders;
  assert.ok(filesBelow(data).includes('cache'), 'the engine’s own cache stands in the data folder');
  for (const [name, folder] of Object.entries(others)) assert.deepEqual(filesBelow(folder), [], name);
});

test('no process that decodes pictures or videos has a secret of the server', () => {
  assert.ok(environments.size >= 3);
  for (const environment of environments.values()) assert.doesNotMatch(environment, /marker/);
});

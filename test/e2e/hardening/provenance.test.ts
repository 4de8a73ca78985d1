import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { findFfmpeg } from '@guise/engine/runtime/ffmpeg.ts';
import { digitalSourceType } from '@guise/engine/runtime/provenance.ts';
import { localEngine } from '@guise/server/engines/local/local-engine.ts';
import { replacePngMetadata } from '@guise/server/media/png-metadata.ts';
import { loadC2pa } from '@guise/server/provenance/c2pa-library.ts';
import { readProvenance } from '@guise/server/provenance/read-provenance.ts';
import sharp from 'sharp';
import {
  type CommandOutput,
  guiseInProcess,
  guiseProcess,
} from '../../../packages/server/test/support/command-line.ts';
import {
  samplePhoto,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../../../packages/server/test/support/harness.ts';
import { tinyPng } from '../../../packages/server/test/support/test-engine.ts';
import { resultOf } from './job-result.ts';

const ownCertificate = { certificateFile: '', keyFile: '' };
const folder = mkdtempSync(join(tmpdir(), 'guise-provenance-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}
const ended = (printed: Promise<CommandOutput>): Promise<Ended> =>
  printed.then(
    (output) => ({ code: 0, ...output }),
    (error: Ended) => error,
  );
const guise = (words: string[], env: Record<string, string> = {}) => ended(guiseInProcess(env, ...words));

const written = (name: string, bytes: Uint8Array) => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
};
/** The file with one bit of one byte turned over. */
function altered(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = copy[at]! ^ 1;
  return copy;
}

describe('results of a real server with the real engine', () => {
  const prompt = 'a snowy cabin at dusk';
  let server: TestServer;
  let account: TestAccount;
  let png: Buffer;
  let mp4: Buffer;
  before(async () => {
    server = await startTestServer({ c2pa: ownCertificate }, (config) => [localEngine(config)]);
    account = await server.account();
    const photo = await sharp(samplePhoto()).resize({ width: 640 }).jpeg().toBuffer();
    const video = {
      prompt: 'zoom in',
      model: 'simple',
      duration: '4s',
      prompt_image: photo.toString('base64'),
    };
    const single = '/v1/status/single_frame_video/';
    [png, mp4] = await Promise.all([
      resultOf(account, '/v2/run/self-prompt', '/v2/status/', { prompt, ratio: 'square' }),
      resultOf(account, '/v1/run/single_frame_video', single, video),
    ]);
  });
  after(() => server.stop());

  test('a picture and a video say what made them and when, and C2PA’s own reader finds them valid', async () => {
    const library = await loadC2pa();
    for (const [type, bytes] of [['image/png', png] as const, ['video/mp4', mp4] as const]) {
      const report = await readProvenance(library, type, bytes);
      assert.deepEqual([report.state, report.known, report.problems], ['valid', false, []]);
      assert.match(report.signer!.name, /^Guise installation [0-9a-f]{8}$/);
      assert.match(report.software!, /^Guise \d+\.\d+\.\d+$/);
      const [{ action, when, digitalSourceType: kind }, ...others] = report.actions as [never];
      assert.deepEqual([action, kind, others.length], ['c2pa.created', digitalSourceType, 0]);
      assert.ok(Math.abs(Date.parse(when) - Date.now()) < 10 * 60_000, when);
    }
  });

  test('they still have their XMP, and decode', async () => {
    assert.match((await sharp(png).metadata()).xmpAsString!, /compositeWithTrainedAlgorithmicMedia/);
    await sharp(png).raw().toBuffer();
    assert.ok(mp4.includes('compositeWithTrainedAlgorithmicMedia'));
    const { command } = await findFfmpeg();
    const file = written('plays.mp4', mp4);
    await promisify(execFile)(command, ['-loglevel', 'error', '-xerror', '-i', file, '-f', 'null', '-']);
  });

  test('they tell nothing of the account, the guest or the request', () => {
    for (const bytes of [png, mp4])
      for (const secret of [account.id, account.email, prompt, 'zoom in', tmpdir()])
        assert.equal(bytes.includes(secret), false, secret);
    assert.equal(png.includes('thumbnail') || mp4.includes('thumbnail'), false);
  });

  test('one altered byte anywhere in the pixels, the frames or the manifest is found', async () => {
    const library = await loadC2pa();
    const stateOf = async (type: string, bytes: Buffer) => (await readProvenance(library, type, bytes)).state;
    const claim = Buffer.from('c2pa.created');
    for (const at of [png.length - 100, png.length >> 1, png.indexOf(claim)])
      assert.equal(await stateOf('image/png', altered(png, at)), 'altered', `PNG, byte ${at}`);
    for (const at of [mp4.indexOf('mdat') + 1000, mp4.indexOf('avcC') + 6, mp4.indexOf(claim)])
      assert.equal(await stateOf('video/mp4', altered(mp4, at)), 'altered', `MP4, byte ${at}`);
  });

  test('guise provenance verify ends with 0 for what is intact, with 1 for what is altered or not signed', async () => {
    const shown = JSON.parse((await guise(['provenance', 'init', '--json'], server.env)).stdout);
    const certificates = written('certificates.pem', Buffer.from(shown.certificates));
    const verify = ['provenance', 'verify'];
    const intact = await guise([...verify, written('intact.png', png), '--trust', certificates]);
    const alteredFile = written('altered.png', altered(png, png.length - 100));
    const broken = await ended(guiseProcess({}, ...verify, alteredFile));
    const bare = await guise([...verify, written('bare.png', await sharp(png).png().toBuffer())]);
    const video = await guise([...verify, written('intact.mp4', mp4), '--json']);
    assert.equal(intact.code, 0, intact.stderr);
    assert.match(intact.stdout, /^The file is as it was signed\.\nsigned by +Guise installation /);
    assert.ok(intact.stdout.includes(shown.signer));
    assert.match(intact.stdout, /\nknown +yes\n.*\naction +c2pa\.created, 2\d{3}-.*Z, compositeWithTrained/s);
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /^The file was ALTERED .*\n +assertion\.dataHash\.mismatch: /);
    assert.deepEqual([bare.code, bare.stdout], [1, 'The file has no C2PA manifest.\n']);
    assert.equal(video.code, 0);
    assert.deepEqual([JSON.parse(video.stdout).state, JSON.parse(video.stdout).known], ['valid', false]);
  });

  test('guise provenance init --renew makes another certificate, which init then shows without its key', async () => {
    const renewed = await guise(['provenance', 'init', '--renew', '--json'], server.env);
    const { fingerprint, signer } = JSON.parse(renewed.stdout);
    const { stdout } = await guise(['provenance', 'init'], server.env);
    assert.ok(stdout.startsWith(`signer       ${signer}\n`), stdout);
    assert.ok(stdout.includes(fingerprint) && stdout.includes('BEGIN CERTIFICATE'));
    assert.equal(`${stdout}${renewed.stdout}`.includes('PRIVATE'), false);
    const before = (await readProvenance(await loadC2pa(), 'image/png', png)).signer!.name;
    assert.notEqual(signer, before);
  });
});

test('a file that names a manifest elsewhere makes the check fetch nothing', async () => {
  let calls = 0;
  const elsewhere = createServer((_, response) => response.end(String(++calls))).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => elsewhere.once('listening', resolve));
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/manifest.c2pa`;
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" dcterms:provenance="${url}"/></rdf:RDF></x:xmpmeta>`;
    const file = written('remote.png', replacePngMetadata(tinyPng, xmp));
    const { code, stdout } = await guise(['provenance', 'verify', file]);
    assert.deepEqual([code, stdout, calls], [1, 'The file has no C2PA manifest.\n', 0]);
  } finally {
    elsewhere.close();
  }
});

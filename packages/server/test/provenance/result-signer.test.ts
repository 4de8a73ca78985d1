import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { after, test } from 'node:test';
import { pino } from 'pino';
import sharp from 'sharp';
import { loadC2pa } from '../../src/provenance/c2pa-library.ts';
import { makeIdentity } from '../../src/provenance/make-certificate.ts';
import { readProvenance } from '../../src/provenance/read-provenance.ts';
import { resultSigner } from '../../src/provenance/result-signer.ts';
import { caseOf } from '../support/contract-cases.ts';
import { startTestServer } from '../support/harness.ts';
import { tinyMp4, tinyPng } from '../support/test-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-signer-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const fileOf = (name: string, bytes: Buffer) => {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
};

/** A signer and the lines that it logs. */
function signerWith(identity = makeIdentity(new Date())) {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  return { signer: resultSigner(identity, log), lines };
}

test('signing eleven megabytes leaves the event loop free', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const size = { width: 2048, height: 2048, channels: 3, background: '#000', noise } as const;
  const png = await sharp({ create: size }).png({ compressionLevel: 1 }).toBuffer();
  const { signer, lines } = signerWith();
  try {
    await signer.check();
    const files = [1, 2, 3].map((i) => fileOf(`noise-${i}.png`, png));
    const before = performance.eventLoopUtilization();
    await Promise.all(files.map((file) => signer.sign({ file, type: 'image/png' })));
    const { utilization } = performance.eventLoopUtilization(before);
    assert.ok(
      utilization < 0.4,
      `the event loop was busy for ${Math.round(utilization * 100)} % of the time`,
    );
    for (const file of files) assert.ok(statSync(file).size > png.length);
    assert.deepEqual(lines, []);
  } finally {
    await signer.stop();
  }
});

test('a file that cannot be signed stays as it is, and the next one is signed', async () => {
  const { signer, lines } = signerWith();
  try {
    const broken = fileOf('broken.mp4', tinyMp4);
    const good = fileOf('good.png', tinyPng);
    await Promise.all([
      signer.sign({ file: broken, type: 'video/mp4' }),
      signer.sign({ file: good, type: 'image/png' }),
    ]);
    assert.deepEqual(readFileSync(broken), tinyMp4);
    const report = await readProvenance(await loadC2pa(), 'image/png', readFileSync(good));
    assert.equal(report.state, 'valid');
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /a result has no C2PA manifest/);
  } finally {
    await signer.stop();
  }
});

test('a file of more than 50 MB and one after the certificate has expired stay as they are', async () => {
  const { signer, lines } = signerWith();
  const large = fileOf('large.png', tinyPng);
  truncateSync(large, 50 * 1024 * 1024 + 1);
  await signer.sign({ file: large, type: 'image/png' });
  await signer.stop();
  assert.match(lines[0]!, /at most 52428800 are signed/);
  const expired = signerWith(makeIdentity(new Date('2001-01-01')));
  const late = fileOf('late.png', tinyPng);
  await expired.signer.sign({ file: late, type: 'image/png' });
  await expired.signer.stop();
  assert.match(expired.lines[0]!, /the certificate expired on 2011/);
  assert.deepEqual(readFileSync(late), tinyPng);
});

test('a job whose result cannot be signed completes with its result', async () => {
  const server = await startTestServer({ c2pa: { certificateFile: '', keyFile: '' } });
  try {
    const account = await server.account();
    const { run, status, body } = caseOf('single_frame_video');
    const { id } = (await account.call('POST', run, body)).body;
    const answer = await account.call('POST', status + id, undefined, { prefer: 'wait=20' });
    assert.equal(answer.body.status, 'COMPLETED');
    const video = await (await fetch(answer.body.output.video_url)).arrayBuffer();
    assert.deepEqual(Buffer.from(video), tinyMp4);
  } finally {
    await server.stop();
  }
});

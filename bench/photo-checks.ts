import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplePhotos } from '@guise/engine/samples.ts';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { startApp } from '@guise/server/app/all-in-one.ts';
import { openStore } from '@guise/server/app/storage.ts';
import { readConfig } from '@guise/server/config.ts';
import sharp, { type Sharp } from 'sharp';
import { treeCpuSeconds } from './process-usage.ts';

/**
 * How long a booth waits for the check of a photo, over HTTP on this machine, without jobs beside it: of one as the
 * booth page sends it, and of 12 megapixels. `npm run bench:photo-checks`. Bar: the median of a photo of one person, as
 * the page sends it, within 150 ms.
 */

const barMs = 150;
const times = 25;
/** Until the code of a process that has just started is compiled. */
const cold = 5;

/** A camera's photo of 12 megapixels: with noise, because its JPEG is what takes the time. */
async function cameraPhoto(photo: Sharp): Promise<Buffer> {
  const size = { width: 4000, height: 3000 };
  const noise = { type: 'gaussian', mean: 128, sigma: 9 } as const;
  const grain = await sharp({ create: { ...size, channels: 3, background: '#808080', noise } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const enlarged = await photo.resize({ ...size, fit: 'contain', background: '#707880' }).toBuffer();
  return sharp(enlarged)
    .composite([{ input: grain, blend: 'hard-light' }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** As the booth page reduces a photo: packages/booth/src/booth/camera/take-photo.ts. */
async function pagePhoto(photo: Buffer): Promise<Buffer> {
  return sharp(photo)
    .resize({ width: 2048, height: 2048, fit: 'inside', kernel: 'linear' })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Of the processes that this one has started: client and server share this one. */
const childCpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return treeCpuSeconds(process.pid) - (user + system) / 1e6;
};

const onePerson = await cameraPhoto(sharp(samplePhotos.onePerson));
const twoPeople = await cameraPhoto(sharp(samplePhotos.twoPeople));
const noFace = await cameraPhoto(sharp(samplePhotos.onePerson).blur(90));
/** The blurred person is taken for a face by the detector, which ends its search; here it finds nothing. */
const nobody = await cameraPhoto(
  sharp({ create: { width: 512, height: 512, channels: 3, background: '#8090a0' } }).png(),
);
const photos: readonly { name: string; photo: Buffer; hasBar: boolean }[] = [
  { name: 'one person, as the booth page sends it', photo: await pagePhoto(onePerson), hasBar: true },
  { name: 'two people, as the booth page sends it', photo: await pagePhoto(twoPeople), hasBar: false },
  { name: 'no face, as the booth page sends it', photo: await pagePhoto(noFace), hasBar: false },
  { name: 'nobody, as the booth page sends it', photo: await pagePhoto(nobody), hasBar: false },
  { name: 'one person, 12 megapixels', photo: onePerson, hasBar: false },
  { name: 'two people, 12 megapixels', photo: twoPeople, hasBar: false },
  { name: 'no face, 12 megapixels', photo: noFace, hasBar: false },
];

const dataDir = mkdtempSync(join(tmpdir(), 'guise-bench-'));
const env = { PORT: '0', GUISE_LOG_LEVEL: 'silent', GUISE_DEMO: 'false' };
const config = { ...readConfig(env), dataDir };
const app = await startApp(config, () => []);
try {
  const db = await openStore(config);
  const account = await createAccount(db, { email: 'bench@example.com', credits: 10 });
  await db.close();
  const call = async (path: string, key: string, body?: unknown) => {
    const response = await fetch(app.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    // biome-ignore lint/suspicious/noExplicitAny: what this bench reads of an answer is what it asked for.
    return response.json() as any;
  };
  const hour = 3600_000;
  const event = await call('/v1/events', account.api_key, {
    name: 'Bench',
    starts_at: new Date(Date.now() - hour).toISOString(),
    ends_at: new Date(Date.now() + hour).toISOString(),
    offers: [{ id: 'all', kind: 'group', filter_id: 3, labels: { en: 'All' } }],
  });
  for (const { name, photo, hasBar } of photos) {
    // A key has 60 checks a minute.
    const { secret } = await call(`/v1/events/${event.id}/keys`, account.api_key, { name });
    await call('/v1/booth', secret);
    // As bytes: a client's own encoding of 5 MB is not the server's time.
    const body = Buffer.from(JSON.stringify({ image: photo.toString('base64'), offer_id: 'all' }));
    const took: number[] = [];
    let answer = '';
    let cpuBefore = 0;
    for (let i = 0; i < times; i++) {
      if (i === cold) cpuBefore = childCpuSeconds();
      const start = performance.now();
      const { faces, problems } = await call('/v1/booth/photo_checks', secret, body);
      took.push(performance.now() - start);
      answer = `${faces.length} faces ${problems.map(({ code }: { code: string }) => code).join()}`;
    }
    const cpuMs = (1000 * (childCpuSeconds() - cpuBefore)) / (times - cold);
    const warm = took.slice(cold).toSorted((a, b) => a - b);
    const at = (share: number) => `${Math.round(warm[Math.floor(share * (warm.length - 1))]!)} ms`;
    const bytes = `${(photo.length / 1e6).toFixed(1)} MB`;
    console.log(
      `${name.padEnd(39)} ${bytes}  first ${Math.round(took[0]!)} ms, then least ${at(0)}, median ${at(0.5)}, 95% ${at(0.95)}, processor of the check ${Math.round(cpuMs)} ms  ${answer}`,
    );
    if (hasBar && warm[warm.length >> 1]! > barMs) process.exitCode = 1;
  }
} finally {
  await app.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

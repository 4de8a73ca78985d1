import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplePhotos } from '@guise/engine/samples.ts';
import { startApp } from '@guise/server/app/all-in-one.ts';
import { readConfig } from '@guise/server/config.ts';
import { localEngine } from '@guise/server/engines/local/local-engine.ts';
import sharp from 'sharp';

/** A face swap, a multi swap and a stylized one, end to end over HTTP, from the sample photos. */

const out = join(import.meta.dirname, '../out/demo');
const photo = (file: string) => readFileSync(file).toString('base64');

const runs = [
  {
    name: 'face-swap',
    run: '/v6/run/face_swap',
    status: '/v6/status/',
    body: { filter_id: 1, gender: 1, base64: photo(samplePhotos.onePerson) },
  },
  {
    name: 'multi-swap',
    run: '/v5/run/multi_swap',
    status: '/v5/status_multi_swap/',
    body: { style_id: 2, outpaint: false, input_image: photo(samplePhotos.twoPeople) },
  },
  {
    name: 'stylized',
    run: '/v1/run/stylized_multi_swap',
    status: '/v1/status_stylized_multi_swap/',
    body: { style_id: 4, input_image: photo(samplePhotos.twoPeople) },
  },
];

interface Status {
  status: string;
  progress: number;
  error?: string;
  output: { images?: string[] };
}

function bar(name: string, progress: number, seconds: number): void {
  const filled = Math.round(progress * 30);
  const line = `${name.padEnd(12)} ${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${seconds.toFixed(1)} s`;
  if (process.stdout.isTTY) process.stdout.write(`\r${line}`);
  else if (progress === 1) console.log(line);
}

async function sheet(files: string[]): Promise<string> {
  const height = 600;
  const tiles = await Promise.all(
    files.map((file) => sharp(file).resize({ height }).png().toBuffer({ resolveWithObject: true })),
  );
  let left = 0;
  const composite = tiles.map(({ data, info }) => {
    const tile = { input: data, left, top: 0 };
    left += info.width + 12;
    return tile;
  });
  const path = join(out, 'contact-sheet.png');
  await sharp({ create: { width: left - 12, height, channels: 3, background: '#181818' } })
    .composite(composite)
    .png()
    .toFile(path);
  return path;
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const config = {
  ...readConfig({ ...process.env, PORT: '0' }),
  host: '127.0.0.1',
  dataDir: join(out, 'data'),
};
const app = await startApp(config, (settings) => [localEngine(settings)]);
const headers = { 'x-api-key': app.demoKey!, 'content-type': 'application/json', prefer: 'wait=0' };
const post = async (path: string, body?: object) => {
  const response = await fetch(app.url + path, {
    method: 'POST',
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Status & { id: string; error?: string };
};

try {
  const files: string[] = [];
  for (const { name, run, status, body } of runs) {
    const started = performance.now();
    const submitted = await post(run, body);
    if (!submitted.id) throw new Error(submitted.error);
    let job: Status = submitted;
    while (job.status !== 'COMPLETED') {
      if (job.status === 'FAILED') throw new Error(`${name}: ${job.error}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
      job = await post(status + submitted.id);
      bar(name, job.progress, (performance.now() - started) / 1000);
    }
    if (process.stdout.isTTY) process.stdout.write('\n');
    const file = join(out, `${name}.png`);
    writeFileSync(file, Buffer.from(job.output.images![0]!, 'base64'));
    files.push(file);
  }
  console.log(
    `\nPictures and a contact sheet:\n${[...files, await sheet(files)].map((file) => `  ${file}`).join('\n')}`,
  );
} finally {
  await app.stop();
  rmSync(config.dataDir, { recursive: true, force: true });
}

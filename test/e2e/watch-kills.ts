import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { startTestServer, until } from '../../packages/server/test/support/harness.ts';

/**
 * Kills `guise watch` with SIGKILL again and again while photos appear, and then counts the pictures:
 * `npm run test:watch -- --photos 200 --kills 20`.
 */
export interface WatchReport {
  kills: number;
  pictures: number;
  jobs: number;
  seconds: number;
  violations: string[];
}

export async function watchRun(wanted: { photos: number; kills: number }): Promise<WatchReport> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'guise-watch-'));
  const [input, output] = [join(folder, 'in'), join(folder, 'out')];
  const server = await startTestServer({ runsPerMinute: 0 });
  server.engine.before = async () => void (await sleep(20 + Math.random() * 60));
  const account = await server.account(10 * wanted.photos);
  const credits = await account.credits();
  const start = () =>
    spawn(
      process.execPath,
      [
        'packages/server/src/cli/main.ts',
        ...['watch', input, output, '--filter', '12', '--gender', 'female', '--url', server.url],
      ],
      { env: { ...process.env, GUISE_API_KEY: account.api_key }, stdio: ['ignore', 'ignore', 'pipe'] },
    );
  let child: ChildProcess = start();
  try {
    await until(
      async () => readdirSync(folder).includes('in') && readdirSync(folder).includes('out'),
      60_000,
    );
    const adding = addPhotos(input, folder, wanted.photos);
    const made = () => pictures(output).length;
    for (let kill = 0; kill < wanted.kills; kill++) {
      const goal = Math.min(wanted.photos - 1, made() + (Math.random() * 2 * wanted.photos) / wanted.kills);
      await until(async () => made() >= goal, 120_000);
      await sleep(Math.random() * 300);
      child.kill('SIGKILL');
      await once(child, 'exit');
      child = start();
    }
    await adding;
    const done = join(input, 'done');
    await until(async () => existsSync(done) && readdirSync(done).length === wanted.photos, 180_000);
    child.kill('SIGINT');
    await once(child, 'exit');
    const jobs = (credits - (await account.credits())) / 2;
    const names = pictures(output).toSorted();
    const expected = Array.from({ length: wanted.photos }, (_, i) => `photo-${i}.png`).toSorted();
    const violations = [
      ...(JSON.stringify(names) === JSON.stringify(expected) ? [] : [`the pictures are ${names.join(' ')}`]),
      ...(jobs === wanted.photos ? [] : [`${jobs} jobs were paid for ${wanted.photos} photos`]),
      ...names
        .filter((name) => readFileSync(join(output, name)).toString('latin1', 1, 4) !== 'PNG')
        .map((name) => `${name} is no PNG`),
      // A kill between moving a photo away and removing its record leaves the record, which nothing reads again.
      ...(readdirSync(join(output, '.guise-watch')).length <= wanted.kills ? [] : ['records are left']),
    ];
    const seconds = Math.round((performance.now() - began) / 1000);
    return { kills: wanted.kills, pictures: names.length, jobs, seconds, violations };
  } finally {
    child.kill('SIGKILL');
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const pictures = (output: string) => readdirSync(output).filter((name) => name.endsWith('.png'));

/** Every third photo is written in two halves, with a pause in between; the others are moved in. */
async function addPhotos(input: string, beside: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const background = { r: i % 256, g: (i * 7) % 256, b: (i * 31) % 256 };
    const bytes = await sharp({ create: { width: 48, height: 64, channels: 3, background } })
      .jpeg()
      .toBuffer();
    const path = join(input, `photo-${i}.jpg`);
    if (i % 3 === 0) {
      writeFileSync(path, bytes.subarray(0, bytes.length / 2));
      await sleep(i % 2 === 0 ? 1300 : 50);
      writeFileSync(path, bytes);
    } else {
      writeFileSync(join(beside, 'new.jpg'), bytes);
      renameSync(join(beside, 'new.jpg'), path);
    }
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { photos: { type: 'string', default: '200' }, kills: { type: 'string', default: '20' } },
  });
  const report = await watchRun({ photos: Number(values.photos), kills: Number(values.kills) });
  console.log(report);
  process.exitCode = report.violations.length === 0 ? 0 : 1;
}

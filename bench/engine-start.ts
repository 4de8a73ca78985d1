import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cost } from './engine-child.ts';

/**
 * The start of an engine's process: until its models are loaded, and its first picture. Models are converted in memory,
 * converted and kept, or read from where the second row kept them.
 *
 *   BENCH_ROUNDS=5 npm run bench:engine-start
 */

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const photo = new URL('../node_modules/@vladmandic/face-api/demo/sample4.jpg', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'guise-bench-'));
const cacheDir = join(folder, 'models');
const clockTicks = 100;

async function start(settings: { cacheDir?: string }) {
  const started = performance.now();
  const child = fork(new URL('./engine-child.ts', import.meta.url), [JSON.stringify(settings)]);
  await once(child, 'message');
  const seconds = (performance.now() - started) / 1000;
  const times = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  const cpu = (Number(times[11]) + Number(times[12])) / clockTicks;
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024;
  const memory = { resident: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  child.send({
    jobId: 'bench',
    family: 'multi_swap_v5',
    params: { outpaint: false },
    filter: { kind: 'scene', scene: 'great-hall' },
    images: [photo],
    scratch: folder,
  });
  const [first] = (await once(child, 'message')) as [Cost];
  child.kill('SIGKILL');
  await once(child, 'exit');
  return { seconds, cpu, ...memory, picture: first.seconds, pictureCpu: first.cpu };
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

const rows = {
  'converted in memory': () => start({}),
  'converted and kept': () => {
    rmSync(cacheDir, { recursive: true, force: true });
    return start({ cacheDir });
  },
  'read from the cache': () => start({ cacheDir }),
};

try {
  // The rows take turns, so that whatever else the machine does meets all of them.
  const measured = Object.keys(rows).map((name) => ({
    name,
    starts: [] as Awaited<ReturnType<typeof start>>[],
  }));
  for (let round = 0; round < rounds; round++)
    for (const { name, starts } of measured) starts.push(await rows[name as keyof typeof rows]());
  console.log('| models | ready | CPU | resident | peak | first picture | CPU |');
  console.log('|---|---|---|---|---|---|---|');
  for (const { name, starts } of measured) {
    const of = (key: keyof (typeof starts)[number]) => median(starts.map((one) => one[key]));
    const cells = [
      name,
      `${of('seconds').toFixed(2)} s`,
      `${of('cpu').toFixed(2)} s`,
      `${of('resident').toFixed(0)} MB`,
      `${of('peak').toFixed(0)} MB`,
      `${of('picture').toFixed(1)} s`,
      `${of('pictureCpu').toFixed(1)} s`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

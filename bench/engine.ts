import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { EngineRequest } from '../src/engines/engine.ts';
import { readSample, samplePhotos } from '../src/engines/samples.ts';

/** The local engine: what each kind of picture costs, warm, with the memory its process came to. */

const samples = new URL('../node_modules/@vladmandic/face-api/demo/', import.meta.url);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

interface Case {
  name: string;
  goal: number | null;
  photo: string | null;
  request: Pick<EngineRequest, 'family' | 'params' | 'filter'>;
}

const scene = (name: string, look?: string) => ({
  kind: 'scene' as const,
  scene: name,
  ...(look && { look }),
});
const single = { gender: 1, ratio: 'portrait' };

const cases: Case[] = [
  {
    name: 'compose, 1 person (v6.1)',
    goal: 4,
    photo: 'one.jpg',
    request: {
      family: 'face_swap_v6',
      params: { ...single, quality_mode: 'v6.1' },
      filter: scene('great-hall'),
    },
  },
  {
    name: 'compose, 1 person (v6)',
    goal: 4,
    photo: 'one.jpg',
    request: {
      family: 'face_swap_v6',
      params: { ...single, quality_mode: 'v6' },
      filter: scene('great-hall'),
    },
  },
  {
    name: 'compose, group of 4',
    goal: 6,
    photo: 'sample4.jpg',
    request: { family: 'multi_swap_v5', params: { outpaint: false }, filter: scene('great-hall') },
  },
  {
    name: 'compose, group of 4, photo of 12 megapixels',
    goal: 6,
    photo: 'large.jpg',
    request: { family: 'multi_swap_v5', params: { outpaint: false }, filter: scene('great-hall') },
  },
  {
    name: 'outpaint, group of 4',
    goal: 6,
    photo: 'sample4.jpg',
    request: { family: 'multi_swap_v5', params: { outpaint: true }, filter: { kind: 'look', look: 'oil' } },
  },
  ...['comic', 'oil', 'watercolour', 'ink', 'stained-glass'].map((look) => ({
    name: `stylise, ${look}`,
    goal: null,
    photo: 'sample4.jpg',
    request: {
      family: 'stylized_multi_swap_v1',
      params: { outpaint: false },
      filter: { kind: 'look' as const, look },
    },
  })),
];

async function measure(entry: Case, folder: string) {
  const child = fork(new URL('../src/engines/pool-child.ts', import.meta.url), [
    new URL('../src/engines/local/worker.ts', import.meta.url).href,
  ]);
  await once(child, 'message');
  const own = join(folder, entry.photo ?? '');
  const path = entry.photo?.startsWith('sample') ? new URL(entry.photo, samples).pathname : own;
  const request = { ...entry.request, jobId: 'bench', images: entry.photo ? [path] : [], scratch: folder };
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const started = performance.now();
    child.send({ type: 'run', request, handle: null });
    for (;;) {
      const [message] = (await once(child, 'message')) as [{ type: string; trace?: string }];
      if (message.type === 'error') throw new Error(message.trace);
      if (message.type === 'result') break;
    }
    times.push((performance.now() - started) / 1000);
  }
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const peak = Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024;
  child.kill('SIGKILL');
  const [cold, ...warm] = times as [number, ...number[]];
  warm.sort((a, b) => a - b);
  return { cold, warm: warm[Math.floor(warm.length / 2)]!, peak };
}

const folder = mkdtempSync(join(tmpdir(), 'guise-bench-'));
try {
  await sharp(new URL('sample4.jpg', samples).pathname)
    .resize({ width: 4240 })
    .jpeg()
    .toFile(join(folder, 'large.jpg'));
  writeFileSync(join(folder, 'one.jpg'), await readSample(samplePhotos.onePerson));
  console.log('| operation | first, models cold | warm | goal | peak memory |\n|---|---|---|---|---|');
  for (const entry of cases) {
    const { cold, warm, peak } = await measure(entry, folder);
    const goal = entry.goal === null ? '' : `≤ ${entry.goal} s`;
    console.log(
      `| ${entry.name} | ${cold.toFixed(1)} s | ${warm.toFixed(1)} s | ${goal} | ${peak.toFixed(0)} MB |`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { lookNames } from '@guise/engine/looks/looks.ts';
import type { EngineRequest } from '@guise/server/engines/engine.ts';
import sharp from 'sharp';
import type { Cost } from './engine-child.ts';

/**
 * The local engine: what each kind of picture costs, warm, stage by stage, with the memory its process came to; then
 * the cost against the photo's size and the number of faces. Each row is a process of its own.
 *
 *   BENCH_ROUNDS=3 node bench/engine.ts [part of a row's name]
 */

const samples = new URL('../node_modules/@vladmandic/face-api/demo/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'guise-bench-'));
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const only = process.argv[2] ?? '';

interface Case {
  name: string;
  goal?: number;
  photo: string;
  request: Pick<EngineRequest, 'family' | 'params' | 'filter'>;
}

const hall = { kind: 'scene', scene: 'great-hall' } as const;
const one = (quality_mode: string, filter: FilterDefinition = hall) => ({
  family: 'face_swap_v6',
  params: { gender: 1, ratio: 'portrait', quality_mode },
  filter,
});
const group = { family: 'multi_swap_v5', params: { outpaint: false }, filter: hall };
const look = (name: string, outpaint = false) => ({
  family: 'stylized_multi_swap_v1',
  params: { outpaint },
  filter: { kind: 'look', look: name } as const,
});

const operations: Case[] = [
  { name: 'compose, 1 person (v6.1)', goal: 4, photo: 'one.jpg', request: one('v6.1') },
  { name: 'compose, 1 person (v6)', goal: 4, photo: 'one.jpg', request: one('v6') },
  {
    name: 'head in costume',
    goal: 4,
    photo: 'one.jpg',
    request: one('v6.1', { ...hall, costume: 'knight' }),
  },
  { name: 'compose, group of 4', goal: 6, photo: 'sample4.jpg', request: group },
  { name: 'outpaint, group of 4 (duotone)', goal: 6, photo: 'sample4.jpg', request: look('duotone', true) },
  {
    name: 'swap into a template',
    goal: 3,
    photo: 'one.jpg',
    request: one('v6.1', { kind: 'template', image: join(folder, 'template.jpg') }),
  },
  ...lookNames.map((name) => ({
    name: `stylise, ${name}`,
    goal: 2,
    photo: 'sample4.jpg',
    request: look(name),
  })),
];

/** The same picture from photos of other sizes, and the same operation with more people. */
const sizes: Case[] = ['2 MP', '6 MP', '12 MP', '24 MP'].map((size) => ({
  name: `group of 4, ${size}`,
  goal: 6,
  photo: `${size}.jpg`,
  request: group,
}));
const faces: Case[] = [
  { name: '1 face', goal: 4, photo: 'one.jpg', request: { ...group, family: 'multi_swap_v5' } },
  { name: '3 faces', goal: 6, photo: 'sample3.jpg', request: group },
  { name: '4 faces', goal: 6, photo: 'sample4.jpg', request: group },
  { name: '5 faces', goal: 6, photo: 'sample5.jpg', request: group },
];

async function measure({ photo, request }: Case) {
  const child = fork(new URL('./engine-child.ts', import.meta.url));
  await once(child, 'message');
  const path = photo.startsWith('sample') ? new URL(photo, samples).pathname : join(folder, photo);
  const costs: Cost[] = [];
  for (let round = 0; round <= rounds; round++) {
    child.send({ ...request, jobId: 'bench', images: [path], scratch: folder });
    const [cost] = (await Promise.race([once(child, 'message'), died(child)])) as [Cost];
    costs.push(cost);
  }
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  child.kill('SIGKILL');
  const [cold, ...warm] = costs as [Cost, ...Cost[]];
  warm.sort((a, b) => a.seconds - b.seconds);
  return {
    cold: cold.seconds,
    warm: warm[warm.length >> 1]!,
    peak: Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024,
  };
}

async function died(child: ReturnType<typeof fork>): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`The engine's process ended with ${code}.`);
}

async function table(title: string, cases: readonly Case[]): Promise<void> {
  const wanted = cases.filter(({ name }) => name.includes(only));
  if (wanted.length === 0) return;
  console.log(`\n| ${title} | first | warm | goal | CPU | peak memory | stages, in seconds |`);
  console.log('|---|---|---|---|---|---|---|');
  for (const entry of wanted) {
    const { cold, warm, peak } = await measure(entry);
    const parts = warm.stages.filter(([, seconds]) => seconds >= 0.05);
    const cells = [
      entry.name,
      `${cold.toFixed(1)} s`,
      `${warm.seconds.toFixed(1)} s`,
      entry.goal === undefined ? '' : `≤ ${entry.goal} s`,
      `${warm.cpu.toFixed(1)} s`,
      `${peak.toFixed(0)} MB`,
      parts.map(([name, seconds]) => `${name} ${seconds.toFixed(1)}`).join(', '),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

try {
  const group4 = sharp(new URL('sample4.jpg', samples).pathname);
  for (const [name, width] of Object.entries({ '2 MP': 1640, '6 MP': 2840, '12 MP': 4000, '24 MP': 5640 })) {
    await group4
      .clone()
      .resize({ width })
      .jpeg()
      .toFile(join(folder, `${name}.jpg`));
  }
  const persons = {
    one: { left: 20, top: 300, width: 640, height: 1237 },
    template: { left: 900, top: 60, width: 1020, height: 1477 },
  };
  for (const [name, crop] of Object.entries(persons)) {
    await sharp(new URL('sample6.jpg', samples).pathname)
      .extract(crop)
      .jpeg({ quality: 92 })
      .toFile(join(folder, `${name}.jpg`));
  }
  await table('operation', operations);
  await table('photo', sizes);
  await table('people', faces);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

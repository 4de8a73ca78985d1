import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QualityMode } from '@guise/contract/families/face-swap.ts';
import { type GenerationRequest, requestFor } from '@guise/contract/families/requests.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { lookNames } from '@guise/engine/looks/look-names.ts';
import { childEnvironment } from '@guise/engine/runtime/child-environment.ts';
import sharp from 'sharp';
import type { Cost } from './engine-child.ts';
import { median, megabytes, newGoals, printHead, printMachine, printRow, seconds, times } from './goals.ts';
import { peakMemory } from './process-usage.ts';

/**
 * The local engine: what each kind of picture costs, warm, stage by stage, with the memory its process came to; then
 * the cost against the photo's size and the number of faces. Each row is a process of its own, in turns with a floor
 * (engine-floor.ts), so that slow cores slow both alike. Ends with 1 when a goal is missed.
 *
 *   BENCH_ROUNDS=5 npm run bench:engine -- [part of a row's name]
 *
 * With BENCH_MODELS, a folder with sam2, one guest of a group is cut out with it.
 */

const samples = new URL('../node_modules/@vladmandic/face-api/demo/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'guise-bench-'));
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const only = process.argv[2] ?? '';
const floorPhoto = join(folder, 'one.jpg');

/** From the start of the engine's process to its first picture, on the cores that goals are set for. */
const mostColdSeconds = 15;
const mostMemory = 1100;
const goals = newGoals();

/**
 * The seconds of a floor on the cores that goals are set for: those on which all of them were first reached by the clock
 * (docs/performance.md says how it was measured). It turns seconds into floors.
 */
const floorSeconds = 0.5;

interface Case {
  name: string;
  /** The most seconds that a picture may take on those cores once the models are loaded. */
  goal: number;
  photo: string;
  request: GenerationRequest;
  /** MB; without it, as all others. */
  memory?: number;
  /** The folder of models that were fetched; without it there are none. */
  modelsDir?: string;
}

const hall = { kind: 'scene', scene: 'great-hall' } as const;
const one = (quality_mode: QualityMode, filter: FilterDefinition = hall) =>
  requestFor('face_swap_v6', { gender: 1, ratio: 'portrait', quality_mode }, filter);
const group = requestFor('multi_swap_v5', { outpaint: false }, hall);
const look = (name: string, outpaint = false) =>
  requestFor('stylized_multi_swap_v1', { outpaint }, { kind: 'look', look: name });

const operations: Case[] = [
  { name: 'compose, 1 person (v6.1)', goal: 1.7, photo: 'one.jpg', request: one('v6.1') },
  { name: 'compose, 1 person (v6)', goal: 1.7, photo: 'one.jpg', request: one('v6') },
  {
    name: 'head in costume',
    goal: 2,
    photo: 'one.jpg',
    request: one('v6.1', { ...hall, costume: 'knight' }),
  },
  { name: 'compose, 1 guest of 4', goal: 3, photo: 'sample4.jpg', request: one('v6.1') },
  ...(process.env.BENCH_MODELS
    ? [
        {
          name: 'compose, 1 guest of 4 (SAM 2)',
          goal: 9,
          photo: 'sample4.jpg',
          request: one('v6.1'),
          modelsDir: process.env.BENCH_MODELS,
          memory: 2000,
        },
      ]
    : []),
  { name: 'compose, group of 4', goal: 3, photo: 'sample4.jpg', request: group },
  {
    name: 'group of 4 in costumes',
    goal: 5,
    photo: 'sample4.jpg',
    request: requestFor('multi_swap_v5', { outpaint: false }, { ...hall, costume: 'knight' }),
  },
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
  goal: 3,
  photo: `${size}.jpg`,
  request: group,
}));
const faces: Case[] = [
  { name: '1 face', goal: 1.7, photo: 'one.jpg', request: group },
  { name: '3 faces', goal: 3, photo: 'sample3.jpg', request: group },
  { name: '4 faces', goal: 3, photo: 'sample4.jpg', request: group },
  { name: '5 faces', goal: 3.4, photo: 'sample5.jpg', request: group },
  { name: '15 faces', goal: 7, photo: 'fifteen.jpg', request: group },
];

/** A process that makes pictures: it answers each message when it is done. */
class PictureProcess {
  readonly child: ChildProcess;
  readonly #died: Promise<never>;

  constructor(file: string, args: readonly string[] = []) {
    this.child = fork(new URL(file, import.meta.url), args, { env: childEnvironment() });
    this.#died = once(this.child, 'exit').then(([code]) => {
      throw new Error(`${file} ended with ${code}.`);
    });
    // It is killed when nobody waits for an answer any more.
    this.#died.catch(() => {});
  }

  async answer() {
    return (await Promise.race([once(this.child, 'message'), this.#died]))[0];
  }

  ask(message: Serializable) {
    this.child.send(message);
    return this.answer();
  }
}

async function measure({ photo, request, modelsDir }: Case, floor: PictureProcess) {
  const started = performance.now();
  const engine = new PictureProcess('./engine-child.ts', modelsDir ? [modelsDir] : []);
  await engine.answer();
  const path = photo.startsWith('sample') ? new URL(photo, samples).pathname : join(folder, photo);
  const images = [path];
  const render = (): Promise<Cost> => engine.ask({ ...request, jobId: 'bench', images, scratch: folder });
  await render();
  const cold = (performance.now() - started) / 1000;
  const warm: Cost[] = [];
  const floors: number[] = [];
  for (let round = 0; round < rounds; round++) {
    floors.push(await floor.ask(floorPhoto));
    warm.push(await render());
  }
  const inFloors = {
    cold: cold / median(floors),
    warm: median(warm.map(({ seconds }, i) => seconds / floors[i]!)),
  };
  const peak = peakMemory(engine.child.pid!);
  engine.child.kill('SIGKILL');
  warm.sort((a, b) => a.seconds - b.seconds);
  return { cold, warm: warm[warm.length >> 1]!, inFloors, peak };
}

async function measureAll(title: string, cases: readonly Case[], floor: PictureProcess): Promise<void> {
  const chosen = cases.filter(({ name }) => name.includes(only));
  if (chosen.length === 0) return;
  console.log();
  printHead([
    title,
    'start to first',
    'warm',
    'CPU',
    'floors',
    'goal',
    'peak memory',
    'reached',
    'stages, in seconds',
  ]);
  for (const entry of chosen) {
    const { name } = entry;
    const { cold, warm, inFloors, peak } = await measure(entry, floor);
    const mostFloors = entry.goal / floorSeconds;
    const checked = [
      goals.atMost(`${name}, in floors`, inFloors.warm, mostFloors, times),
      goals.atMost(
        `${name}, start to first picture, in floors`,
        inFloors.cold,
        mostColdSeconds / floorSeconds,
        times,
      ),
      goals.atMost(`${name}, peak memory`, peak, entry.memory ?? mostMemory, megabytes),
    ];
    const stages = warm.stages.filter(([, took]) => took >= 0.05);
    printRow([
      name,
      seconds(cold),
      seconds(warm.seconds),
      seconds(warm.cpu),
      times(inFloors.warm),
      `≤ ${times(mostFloors)} (${entry.goal} s)`,
      megabytes(peak),
      checked.every(({ reached }) => reached) ? 'yes' : 'NO',
      stages.map(([stage, took]) => `${stage} ${took.toFixed(1)}`).join(', '),
    ]);
  }
}

/** Fifteen people in four rows, of two group photos. */
async function stackRows(file: string): Promise<void> {
  const four = { photo: 'sample4.jpg', height: 700 };
  const rows = [four, { ...four, mirrored: true }, four, { photo: 'sample3.jpg', height: 1250 }];
  const parts = await Promise.all(
    rows.map(({ photo, height, mirrored }: { photo: string; height: number; mirrored?: boolean }) =>
      sharp(new URL(photo, samples).pathname)
        .extract({ left: 0, top: 100, width: 1920, height })
        .flop(mirrored === true)
        .toBuffer(),
    ),
  );
  const layers = parts.map((input, i) => ({ input, left: 0, top: i * four.height }));
  const height = rows.reduce((sum, row) => sum + row.height, 0);
  await sharp({ create: { width: 1920, height, channels: 3, background: '#000' } })
    .composite(layers)
    .jpeg({ quality: 92 })
    .toFile(file);
}

try {
  printMachine();
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
  await stackRows(join(folder, 'fifteen.jpg'));
  const floor = new PictureProcess('./engine-floor.ts');
  try {
    await floor.answer();
    // Its models are loaded by its first picture.
    await floor.ask(floorPhoto);
    await measureAll('operation', operations, floor);
    await measureAll('photo', sizes, floor);
    await measureAll('people', faces, floor);
  } finally {
    floor.child.kill('SIGKILL');
  }
  goals.report();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

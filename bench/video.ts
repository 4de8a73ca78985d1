import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GenerationRequest, requestFor } from '@guise/contract/families/requests.ts';
import type { Duration, VideoModel } from '@guise/contract/families/video.ts';
import { childEnvironment } from '@guise/engine/runtime/child-environment.ts';
import type { EngineRequest, EngineResult } from '@guise/server/engines/engine.ts';
import type { FromChild } from '@guise/server/engines/pool/child-messages.ts';
import sharp, { type Region } from 'sharp';
import { median, megabytes, newGoals, printHead, printMachine, printRow, seconds, times } from './goals.ts';
import { peakMemory, processTree, programOf, treeCpuSeconds } from './process-usage.ts';

/**
 * Videos on the local engine, each against its own floor: the same frames, already rendered, encoded after one remap
 * each. All in one run and in turns, so that a busy machine slows all of them alike; only the ratios mean something.
 * Ends with 1 when a goal is missed.
 *
 *   BENCH_ROUNDS=3 npm run bench:video -- [part of a row's name …]
 */

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const engineModule = new URL(import.meta.resolve('@guise/server/engines/local/local-runner.ts'));
const floorModule = new URL('./video-floor.ts', import.meta.url);
const poolChild = new URL(import.meta.resolve('@guise/server/engines/pool/pool-child.ts'));

interface Case {
  name: string;
  request: GenerationRequest;
  /** Which photos it is made of: one or both of a pair unless told. */
  photos?: keyof BenchPhotos;
  /** The most floors that it may take; without it there is no floor to measure. */
  goal?: number;
  /** The most seconds of CPU: what two quiet cores give in half of them. */
  mostCpu?: number;
  /** In MB, where it is another than that of most. */
  mostMemory?: number;
}

const prompt = 'slow dolly in, dust in the light';
const single = (model: VideoModel, duration: Duration = '4s') =>
  requestFor('single_frame_video', { prompt, model, duration, aspect_ratio: 'auto' }, null);
const living = (people: { gender: 1; ratio: 'portrait' } | { gender: 4; ratio: 'landscape' }) =>
  requestFor(
    'living_portrait',
    { seconds: 3, loop: 'ping_pong', format: 'mp4', stylized: false, filter_id: 1, ...people },
    { kind: 'scene', scene: 'vintage-studio' },
  );
const cases: Case[] = [
  { name: 'simple, 4 s', request: single('simple'), goal: 1.5 },
  { name: 'advanced, 4 s', request: single('advanced'), goal: 2.5 },
  {
    name: 'first to last, 4 s',
    request: requestFor('first_last_frame_video', { prompt, model: 'advanced', duration: '4s' }, null),
    goal: 4.5,
  },
  { name: 'advanced, 8 s', request: single('advanced', '8s') },
  { name: 'performance, 4 s', request: single('performance') },
  {
    name: 'living portrait of 4 shots, 3 s',
    request: living({ gender: 1, ratio: 'portrait' }),
    photos: 'burst',
    goal: 3,
    mostCpu: 50,
    mostMemory: 1300,
  },
  {
    name: 'living portrait of three people, 4 shots, 3 s',
    request: living({ gender: 4, ratio: 'landscape' }),
    photos: 'groupBurst',
    mostCpu: 80,
    mostMemory: 1500,
  },
];
/** As for pictures, in MB: people are cut out and classified for both. */
const mostMemory = 1100;

interface Run {
  wall: number;
  cpu: number;
  file: string;
}

/** An engine's process, measured from the outside. */
class MeasuredProcess {
  readonly child: ChildProcess;
  readonly #request: EngineRequest;
  readonly #died: Promise<never>;
  /** The peak of ffmpeg beside it, in MB. */
  ffmpegPeak = 0;

  constructor(module: URL, request: EngineRequest) {
    const settings = '{}';
    this.child = fork(poolChild, [module.href, settings], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: childEnvironment(),
    });
    this.#request = request;
    this.#died = once(this.child, 'exit').then(([code]) => {
      throw new Error(`The engine's process ended with ${code}.`);
    });
  }

  async message(): Promise<FromChild> {
    const [message] = await Promise.race([once(this.child, 'message'), this.#died]);
    return message;
  }

  async run(): Promise<Run> {
    const watch = setInterval(() => {
      const encoders = processTree(this.child.pid!).filter((pid) => programOf(pid).startsWith('ffmpeg'));
      this.ffmpegPeak = Math.max(this.ffmpegPeak, ...encoders.map(peakMemory));
    }, 100);
    try {
      const cpu = treeCpuSeconds(this.child.pid!);
      const began = performance.now();
      this.child.send({ type: 'run', request: this.#request, handle: null });
      for (;;) {
        const message = await this.message();
        if (message.type === 'error') throw new Error(message.trace);
        if (message.type !== 'result') continue;
        return {
          wall: (performance.now() - began) / 1000,
          cpu: treeCpuSeconds(this.child.pid!) - cpu,
          file: (message.result as EngineResult).file,
        };
      }
    } finally {
      clearInterval(watch);
    }
  }
}

interface Bench {
  entry: Case;
  video: MeasuredProcess;
  floor: MeasuredProcess | null;
  /** The warm rounds. */
  runs: Run[];
  floorRuns: Run[];
}

const folder = mkdtempSync(join(tmpdir(), 'guise-bench-'));
const processes: MeasuredProcess[] = [];

async function startProcess(module: URL, request: GenerationRequest, images: string[]) {
  const ids = { jobId: 'bench', filterRef: null, via: [] };
  const started = new MeasuredProcess(module, { ...request, ...ids, images, scratch: folder });
  processes.push(started);
  await started.message();
  return started;
}

/** Starts a video's process and its floor's. The first video, with cold models, is what the floor is made of. */
async function prepare(entry: Case, photos: BenchPhotos): Promise<Bench> {
  const { name, request } = entry;
  const chosen = photos[entry.photos ?? 'pair'];
  const images = request.family === 'single_frame_video' ? chosen.slice(0, 1) : chosen;
  const video = await startProcess(engineModule, request, images);
  const first = await video.run();
  const bench = { entry, video, floor: null, runs: [], floorRuns: [] };
  if (entry.goal === undefined) return bench;
  const frames = join(folder, `${name}.mp4`);
  copyFileSync(first.file, frames);
  const floor = await startProcess(floorModule, request, [frames, ...images]);
  await floor.run();
  return { ...bench, floor };
}

interface BenchPhotos {
  /** The sample as a 16:9 photo, so that `auto` makes it 1280×720, and the same a little closer. */
  pair: string[];
  /** One person of it, who moves from shot to shot. */
  burst: string[];
  /** All three of it, who do the same. */
  groupBurst: string[];
}

async function writePhotos(): Promise<BenchPhotos> {
  const sample = new URL('../node_modules/@vladmandic/face-api/demo/sample1.jpg', import.meta.url).pathname;
  const wide = await sharp(sample)
    .resize({ width: 1920, height: 1080, fit: 'cover', position: 'top' })
    .toBuffer();
  const closer = await sharp(wide)
    .extract({ left: 96, top: 54, width: 1728, height: 972 })
    .resize({ width: 1920 })
    .toBuffer();
  const shotsOf = (part: Region) =>
    Promise.all(
      [0, 8, 14, 20].map((away) =>
        sharp(sample)
          .extract({ ...part, left: part.left + away, top: part.top + (away >> 1) })
          .toBuffer(),
      ),
    );
  const burst = await shotsOf({ left: 1290, top: 0, width: 610, height: 1200 });
  const groupBurst = await shotsOf({ left: 0, top: 0, width: 1900, height: 1200 });
  const write = (name: string) => (bytes: Buffer, i: number) => {
    const file = join(folder, `${name}-${i}.jpg`);
    writeFileSync(file, bytes);
    return file;
  };
  return {
    pair: [wide, closer].map(write('photo')),
    burst: burst.map(write('shot')),
    groupBurst: groupBurst.map(write('group')),
  };
}

const wanted = process.argv.slice(2);
const chosen = cases.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
try {
  printMachine();
  const photos = await writePhotos();
  const benches: Bench[] = [];
  for (const entry of chosen) benches.push(await prepare(entry, photos));
  for (let round = 0; round < rounds; round++) {
    for (const { video, floor, runs, floorRuns } of benches) {
      runs.push(await video.run());
      if (floor) floorRuns.push(await floor.run());
    }
  }
  const goals = newGoals();
  printHead([
    'video',
    'wall, warm',
    'CPU',
    'its floor',
    'floors',
    'floors by CPU',
    'goal',
    'engine, peak',
    'ffmpeg, peak',
    'reached',
  ]);
  for (const { entry, video, floor, runs, floorRuns } of benches) {
    const { name, goal, mostCpu } = entry;
    const memoryGoal = entry.mostMemory ?? mostMemory;
    const peak = peakMemory(video.child.pid!);
    const ratioBy = (of: 'wall' | 'cpu') => median(runs.map((run, i) => run[of] / floorRuns[i]![of]));
    const checked = [
      ...(goal === undefined ? [] : [goals.atMost(`${name}, in floors`, ratioBy('wall'), goal, times)]),
      ...(mostCpu === undefined
        ? []
        : [goals.atMost(`${name}, CPU`, median(runs.map((run) => run.cpu)), mostCpu, seconds)]),
      goals.atMost(`${name}, peak memory`, peak, memoryGoal, megabytes),
    ];
    printRow([
      name,
      seconds(median(runs.map((run) => run.wall))),
      seconds(median(runs.map((run) => run.cpu))),
      floor ? seconds(median(floorRuns.map((run) => run.wall))) : '',
      floor ? times(ratioBy('wall')) : '',
      floor ? times(ratioBy('cpu')) : '',
      goal === undefined ? '' : `≤ ${goal}`,
      megabytes(peak),
      megabytes(video.ffmpegPeak),
      checked.every(({ reached }) => reached) ? 'yes' : 'NO',
    ]);
  }
  goals.report();
} finally {
  for (const { child } of processes) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

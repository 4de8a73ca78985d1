import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GenerationRequest, requestFor } from '@guise/contract/requests.ts';
import type { Duration, VideoModel } from '@guise/contract/video.ts';
import { readSample, samplePhotos } from '@guise/engine/samples.ts';
import type { EngineRequest } from '@guise/server/engines/engine.ts';
import sharp from 'sharp';

/**
 * Videos on the local engine against their floor: the same frames, already rendered, encoded after one remap each.
 * All in one run and in turns, so that a busy machine slows all of them alike; only the ratios mean something.
 */

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const engine = new URL(import.meta.resolve('@guise/server/engines/local/local-runner.ts'));
const floorModule = new URL('./video-floor.ts', import.meta.url);

interface Case {
  name: string;
  module: URL;
  photos: number;
  request: GenerationRequest;
  goal: number | null;
}

const prompt = 'slow dolly in, dust in the light';
const single = (model: VideoModel, duration: Duration = '4s') => ({
  module: engine,
  photos: 1,
  request: requestFor('single_frame_video', { prompt, model, duration, aspect_ratio: 'auto' }, null),
});
const cases: Case[] = [
  { ...single('advanced'), name: 'floor', module: floorModule, goal: null },
  { ...single('simple'), name: 'simple, 4 s', goal: 1.5 },
  { ...single('advanced'), name: 'advanced, 4 s', goal: 3 },
  {
    name: 'first to last, 4 s',
    module: engine,
    photos: 2,
    request: requestFor('first_last_frame_video', { prompt, model: 'advanced', duration: '4s' }, null),
    goal: 4.5,
  },
  { ...single('advanced', '8s'), name: 'advanced, 8 s', goal: null },
  { ...single('performance'), name: 'performance, 4 s', goal: null },
];
const mostMemory = 700;

interface Measured {
  seconds: number;
  /** MB of the engine's process, and of ffmpeg beside it. */
  engine: number;
  ffmpeg: number;
}

class Bench {
  readonly entry: Case;
  readonly child: ChildProcess;
  readonly measured: Measured[] = [];

  constructor(entry: Case) {
    this.entry = entry;
    this.child = fork(
      new URL(import.meta.resolve('@guise/server/engines/pool/pool-child.ts')),
      [entry.module.href, '{}'],
      {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
  }

  async run(photos: string[], scratch: string): Promise<void> {
    const request: EngineRequest = {
      ...this.entry.request,
      jobId: 'bench',
      filterRef: null,
      images: photos.slice(0, this.entry.photos),
      scratch,
    };
    let ffmpeg = 0;
    const watch = setInterval(() => {
      ffmpeg = Math.max(ffmpeg, ...childrenOf(this.child.pid!).map((pid) => memoryOf(pid, 'VmHWM')));
    }, 100);
    const started = performance.now();
    this.child.send({ type: 'run', request, handle: null });
    for (;;) {
      const [message] = (await once(this.child, 'message')) as [{ type: string; trace?: string }];
      if (message.type === 'error') throw new Error(message.trace);
      if (message.type === 'result') break;
    }
    const seconds = (performance.now() - started) / 1000;
    clearInterval(watch);
    this.measured.push({ seconds, engine: memoryOf(this.child.pid!, 'VmHWM'), ffmpeg });
  }

  /** The median of the warm rounds, and the most memory of all. */
  result(): Measured {
    const warm = this.measured.slice(1).map(({ seconds }) => seconds);
    warm.sort((a, b) => a - b);
    return {
      seconds: warm[warm.length >> 1]!,
      engine: Math.max(...this.measured.map((one) => one.engine)),
      ffmpeg: Math.max(...this.measured.map((one) => one.ffmpeg)),
    };
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function memoryOf(pid: number, field: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'guise-bench-'));
const wanted = process.argv.slice(2);
const chosen = cases.filter(
  ({ name }) => name === 'floor' || wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
const benches: Bench[] = [];
try {
  // The sample as a 16:9 photo, so that `auto` makes it 1280×720, and the same a little closer.
  const sample = await readSample(samplePhotos.threePeople);
  const wide = await sharp(sample)
    .resize({ width: 1920, height: 1080, fit: 'cover', position: 'top' })
    .toBuffer();
  const closer = await sharp(wide)
    .extract({ left: 96, top: 54, width: 1728, height: 972 })
    .resize({ width: 1920 })
    .toBuffer();
  const photos = [join(folder, 'one.jpg'), join(folder, 'two.jpg')];
  writeFileSync(photos[0]!, wide);
  writeFileSync(photos[1]!, closer);
  for (const entry of chosen) {
    const bench = new Bench(entry);
    benches.push(bench);
    await once(bench.child, 'message');
  }
  for (let round = 0; round <= rounds; round++) {
    for (const bench of benches) await bench.run(photos, folder);
  }
  const floor = benches[0]!.result().seconds;
  let failed = false;
  console.log(
    '| video | wall, warm | floors | goal | engine, peak | ffmpeg, peak |\n|---|---|---|---|---|---|',
  );
  for (const bench of benches) {
    const { name, goal } = bench.entry;
    const { seconds, engine: mb, ffmpeg } = bench.result();
    const ratio = seconds / floor;
    failed ||= (goal !== null && ratio > goal) || (name !== 'floor' && mb > mostMemory);
    console.log(
      `| ${name} | ${seconds.toFixed(1)} s | ${ratio.toFixed(2)} | ${goal === null ? '' : `≤ ${goal}`} | ${mb.toFixed(0)} MB | ${ffmpeg.toFixed(0)} MB |`,
    );
  }
  if (failed) process.exitCode = 1;
} finally {
  for (const { child } of benches) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

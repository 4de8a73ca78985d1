import type { Size } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { beginStage } from '../runtime/stages.ts';
import { type Encoder, openEncoder } from '../video/encoder.ts';
import type { VideoFile } from '../video/file-provenance.ts';
import { frameBytes } from '../video/frame.ts';
import type { FrameThreads } from '../video/frame-threads.ts';
import { eyesOf } from './eye-motion.ts';
import type { FlowFinder } from './frame-flow.ts';
import { type LivingLoop, planFrames } from './frame-times.ts';
import { cropGuide } from './keyframe.ts';
import type { LivingScene, LivingStage } from './living-stage.ts';
import type { DrawnShot } from './shot.ts';

export interface LivingClipOptions {
  file: string;
  format: VideoFile;
  frames: number;
  loop: LivingLoop;
  /** Closed at the end. */
  threads: FrameThreads;
  find: FlowFinder;
  signal: AbortSignal;
  /** 0 to 1. */
  progress(done: number): void;
}

const quality = { preset: 'faster', crf: 18 } as const;

/**
 * Makes the frames between the shots and encodes them. The network finds the flow of one frame while threads make those
 * before it. Frames that the clip shows twice are kept until it does.
 */
export async function makeLivingClip(
  shots: readonly DrawnShot[],
  scene: LivingScene,
  window: Window,
  options: LivingClipOptions,
): Promise<void> {
  const { threads, signal, frames, loop, file, format } = options;
  beginStage('frames');
  const size = { width: scene.width, height: scene.height };
  const { times, order } = planFrames(shots.length, frames, loop);
  const flows = Array.from({ length: threads.count + 1 }, () => sharedFlow(window));
  const stage: LivingStage = {
    scene,
    keyframes: shots.map(({ keyframe }) => keyframe),
    eyes: shots.map(({ faces }) => eyesOf(faces)),
    times,
    window,
    factor: shots[0]!.guide.factor,
    flows,
  };
  threads.begin(stage, size);
  const encoder = await openEncoder({ file, size, frames, quality, signal, format });
  const orders = orderFrames(shots, stage, options);
  try {
    await writeFrames(encoder, order, orders.made, options);
  } finally {
    // The network must not be closed while it runs.
    await orders.stop();
    await encoder.close();
  }
}

function sharedFlow({ width, height }: Size): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * 5 * width * height));
}

/** A frame that is being made. */
type MadeFrame = Promise<Uint8Array>;

interface FrameOrders {
  made: MadeFrame[];
  /** Finds no further flows, and settles when the network has ended. */
  stop(): Promise<void>;
}

/** Starts to make all frames, each as soon as its flow is known. */
function orderFrames(
  shots: readonly DrawnShot[],
  { scene, times, window, flows }: LivingStage,
  { threads, find, signal }: LivingClipOptions,
): FrameOrders {
  const guides = shots.map(({ guide }) => cropGuide(guide, window));
  const made: MadeFrame[] = [];
  const rendered: Promise<void>[] = [];
  let found: Promise<void> = Promise.resolve();
  let isStopped = false;
  for (const [index, { shot, time }] of times.entries()) {
    const before = found;
    found = (async () => {
      await before;
      // The place of a flow is free when the frame that used it has been made.
      await rendered[index - flows.length];
      signal.throwIfAborted();
      if (isStopped) throw new Error('no further frames are wanted');
      if (time === 0) return;
      const { flow, share } = await find(guides[shot]!, guides[shot + 1]!, window, time);
      const place = flows[index % flows.length]!;
      place.set(flow);
      place.set(share, flow.length);
    })();
    const ready = found;
    const buffer = new SharedArrayBuffer(frameBytes(scene));
    const frame = (async () => {
      await ready;
      await threads.render(index, buffer);
    })();
    // Told when its turn comes.
    frame.catch(() => {});
    rendered.push(frame);
    made.push(frame.then(() => new Uint8Array(buffer)));
    made[index]!.catch(() => {});
  }
  const lastFound = found;
  return {
    made,
    async stop() {
      isStopped = true;
      await lastFound.catch(() => {});
    },
  };
}

async function writeFrames(
  encoder: Encoder,
  order: readonly number[],
  made: readonly MadeFrame[],
  { signal, progress }: LivingClipOptions,
): Promise<void> {
  for (const [written, index] of order.entries()) {
    const frame = await made[index]!;
    signal.throwIfAborted();
    await encoder.write(frame);
    progress((written + 1) / order.length);
  }
  await encoder.finish();
}

import type { Size } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { beginStage } from '../runtime/stages.ts';
import { type Encoder, openEncoder } from '../video/encoder.ts';
import type { VideoFile } from '../video/file-provenance.ts';
import type { VideoQuality } from '../video/formats.ts';
import { frameBytes } from '../video/frame.ts';
import type { FrameThreads } from '../video/frame-threads.ts';
import { eyesOf } from './eye-motion.ts';
import { askedTimes, askedUntil } from './flow-between.ts';
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
  quality: Pick<VideoQuality, 'preset' | 'crf'>;
  /** Closed at the end. */
  threads: FrameThreads;
  find: FlowFinder;
  signal: AbortSignal;
  /** 0 to 1. */
  progress(done: number): void;
}

/**
 * Makes the frames between the shots and encodes them. The network finds flows while threads make the frames
 * before them. Frames that the clip shows twice are kept until it does.
 */
export async function makeLivingClip(
  shots: readonly DrawnShot[],
  scene: LivingScene,
  window: Window,
  options: LivingClipOptions,
): Promise<void> {
  const { threads, signal, frames, loop, file, format, quality } = options;
  beginStage('frames');
  const size = { width: scene.width, height: scene.height };
  const { times, order } = planFrames(shots.length, frames, loop);
  const flows = shots.slice(1).map(() => askedTimes.map(() => sharedFlow(window)));
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

/** Starts to make all frames, each as soon as the flows beside it are known. */
function orderFrames(
  shots: readonly DrawnShot[],
  { scene, times, window, flows }: LivingStage,
  { threads, find, signal }: LivingClipOptions,
): FrameOrders {
  const guides = shots.map(({ guide }) => cropGuide(guide, window));
  let isStopped = false;
  let last: Promise<void> = Promise.resolve();
  const found = flows.map((pair, shot) =>
    pair.map((place, k) => {
      const before = last;
      last = (async () => {
        await before;
        signal.throwIfAborted();
        if (isStopped) throw new Error('no further frames are wanted');
        const { flow, share } = await find(guides[shot]!, guides[shot + 1]!, window, askedTimes[k]!);
        place.set(flow);
        place.set(share, flow.length);
      })();
      // Told by the frames that wait for it.
      last.catch(() => {});
      return last;
    }),
  );
  const made = times.map(async ({ shot, time }, index): MadeFrame => {
    if (time > 0) await found[shot]![askedUntil(time) - 1];
    const buffer = new SharedArrayBuffer(frameBytes(scene));
    await threads.render(index, buffer);
    return new Uint8Array(buffer);
  });
  // Told when its turn comes.
  for (const frame of made) frame.catch(() => {});
  return {
    made,
    async stop() {
      isStopped = true;
      await last.catch(() => {});
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

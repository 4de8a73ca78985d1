import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { findFfmpeg } from '../../src/runtime/ffmpeg.ts';
import { type Frame, frameBytes, frameOver } from '../../src/video/frame.ts';
import { readMp4 } from './mp4.ts';

/** Every frame of a video as it was encoded, one after another, by ffmpeg. */
export async function* decodeFrames(file: string): AsyncGenerator<Frame> {
  const size = readMp4(await readFile(file));
  const { command } = await findFfmpeg();
  const child = spawn(
    command,
    [
      ...['-hide_banner', '-loglevel', 'error', '-i', file],
      ...['-f', 'rawvideo', '-pix_fmt', 'yuv420p', 'pipe:1'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'close');
  const length = frameBytes(size);
  let frame = new Uint8Array(length);
  let filled = 0;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; ) {
        const part = chunk.subarray(at, at + length - filled);
        frame.set(part, filled);
        at += part.length;
        filled += part.length;
        if (filled < length) continue;
        yield frameOver(frame.buffer, size);
        frame = new Uint8Array(length);
        filled = 0;
      }
    }
    const [code] = await ended;
    if (code !== 0 || filled > 0) throw new Error(`ffmpeg could not decode ${file}: ${code}`);
  } finally {
    child.kill('SIGKILL');
  }
}

export interface Seen {
  first: Frame;
  last: Frame;
  count: number;
  /** The mean change of luma from each frame to the next, in levels of 255. */
  steps: number[];
}

/** Looks through a whole video once. */
export async function watch(file: string): Promise<Seen> {
  let first: Frame | undefined;
  let last: Frame | undefined;
  let count = 0;
  const steps: number[] = [];
  for await (const frame of decodeFrames(file)) {
    first ??= frame;
    if (last) steps.push(meanChange(last, frame));
    last = frame;
    count++;
  }
  if (!first || !last) throw new Error('the video has no frames');
  return { first, last, count, steps };
}

function meanChange(a: Frame, b: Frame): number {
  let sum = 0;
  for (let i = 0; i < a.y.length; i++) sum += Math.abs(a.y[i]! - b.y[i]!);
  return sum / a.y.length;
}

/** Where the change from frame to frame jumps: steps that are out of line with the four around them. */
export function jumpsOf(steps: readonly number[]): number[] {
  return steps.flatMap((step, i) => {
    const around = [steps[i - 2], steps[i - 1], steps[i + 1], steps[i + 2]].filter(
      (one) => one !== undefined,
    );
    return step > jumpFactor * Math.max(...around) + jumpSlack ? [i] : [];
  });
}

/**
 * Motion is smooth when no step is larger than this many times the largest of its neighbours, plus some: a full frame,
 * every two seconds, is encoded anew and differs from the one before by up to a level.
 */
export const jumpFactor = 1.6;
export const jumpSlack = 1.2;

import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { burstLimits } from '@guise/contract/families/living-portrait.ts';
import { childEnvironment } from '@guise/engine/runtime/child-environment.ts';
import { findFfmpeg } from '@guise/engine/runtime/ffmpeg.ts';
import { invalidVideo } from '../../../media/image-errors.ts';

const run = promisify(execFile);

/** Frames that are looked at: a burst has its shots further apart than this. */
const framesPerSecond = 10;
const mostFrames = burstLimits.videoSeconds * framesPerSecond;
/** A video whose length is said as 10 s may be a frame or two longer. */
const spareFrames = 5;
const leastFrames = framesPerSecond / 2;
/** How far apart the shots of a burst are, as long as there are not too many. */
const shotSeconds = 0.4;
/** What sharpness is measured on: all frames of 10 s are 15 MB. */
const side = 384;
/** Frames of 4K are larger than what pictures are made of. */
const longestSide = 2160;
/**
 * A little more than 4K, 4096×2304. ffmpeg holds 17 frames and more of a video that refers to so many: 0.36 GB of these,
 * and 1.7 GB of 8192×8192, which are 200 KB when they are black.
 */
const mostPixels = 9_500_000;

/** What says which of ffmpeg's readers a file is for: one that reads lists of other files is never chosen by its content. */
const containers = [
  { at: 4, signature: 'ftyp', reader: 'mov' },
  { at: 0, signature: '\x1a\x45\xdf\xa3', reader: 'matroska' },
] as const;

export async function takeShots({ video, folder }: { video: string; folder: string }): Promise<string[]> {
  const bounds = ['-protocol_whitelist', 'file', '-max_pixels', String(mostPixels), '-threads', '2'];
  const input = [...bounds, '-f', await readerOf(video), '-i', video];
  const frames = await readSharpness(input);
  if (frames.length === 0) throw unreadable();
  if (frames.length > mostFrames + spareFrames)
    throw invalidVideo(`The video is longer than ${burstLimits.videoSeconds} s.`);
  if (frames.length < leastFrames) throw invalidVideo('The video is shorter than 0.5 s.');
  const chosen = sharpestFrames(frames);
  const within = `scale=w=min(${longestSide}\\,iw):h=min(${longestSide}\\,ih):force_original_aspect_ratio=decrease`;
  const isChosen = chosen.map((frame) => `eq(n\\,${frame})`).join('+');
  // Times without gaps: for a gap, ffmpeg would write the frame before it again.
  const filters = `fps=${framesPerSecond},select=${isChosen},setpts=N/${framesPerSecond}/TB,${within}`;
  const count = ['-frames:v', String(chosen.length), '-r', String(framesPerSecond)];
  const jpeg = ['-pix_fmt', 'yuvj420p', '-q:v', '2', '-f', 'image2'];
  await ffmpeg([...input, '-an', '-vf', filters, ...count, ...jpeg, join(folder, 'shot-%d.jpg')]);
  return chosen.map((_, i) => join(folder, `shot-${i + 1}.jpg`));
}

async function readerOf(video: string): Promise<string> {
  const head = Buffer.alloc(12);
  const file = await open(video, 'r');
  await file.read(head, 0, head.length, 0).finally(() => file.close());
  const found = containers.find(
    ({ at, signature }) => head.toString('latin1', at, at + signature.length) === signature,
  );
  if (!found) throw invalidVideo('The video must be an MP4, MOV or WebM file.');
  return found.reader;
}

/** How sharp each frame is, as far as a video may go and a little further. */
async function readSharpness(input: readonly string[]): Promise<number[]> {
  const seconds = String((mostFrames + 2 * spareFrames) / framesPerSecond);
  const filters = `fps=${framesPerSecond},scale=${side}:${side}:flags=area`;
  const grey = ['-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'];
  const pixels = await ffmpeg([...input, '-an', '-t', seconds, '-vf', filters, ...grey]);
  const frameBytes = side * side;
  return Array.from({ length: Math.floor(pixels.length / frameBytes) }, (_, i) =>
    sharpnessOf(pixels.subarray(i * frameBytes, (i + 1) * frameBytes)),
  );
}

/** The mean square of the Laplacian: motion and missed focus take the edges away that it is made of. */
function sharpnessOf(grey: Buffer): number {
  let sum = 0;
  for (let y = 1; y < side - 1; y++) {
    for (let x = 1; x < side - 1; x++) {
      const at = y * side + x;
      const around = grey[at - 1]! + grey[at + 1]! + grey[at - side]! + grey[at + side]!;
      sum += (4 * grey[at]! - around) ** 2;
    }
  }
  return sum / (side - 2) ** 2;
}

/** The sharpest frame of each of so many stretches of one length. */
function sharpestFrames(sharpness: readonly number[]): number[] {
  const { leastShots, mostShots } = burstLimits;
  const wanted = Math.round(sharpness.length / framesPerSecond / shotSeconds) + 1;
  const shots = Math.min(mostShots, Math.max(leastShots, wanted));
  return Array.from({ length: shots }, (_, i) => {
    const from = Math.floor((i * sharpness.length) / shots);
    const stretch = sharpness.slice(from, Math.floor(((i + 1) * sharpness.length) / shots));
    return from + stretch.indexOf(Math.max(...stretch));
  });
}

async function ffmpeg(args: readonly string[]): Promise<Buffer> {
  const { command } = await findFfmpeg();
  const limits = { maxBuffer: (mostFrames + 3 * spareFrames) * side * side, encoding: 'buffer' } as const;
  const words = ['-hide_banner', '-nostdin', '-v', 'error', ...args];
  const { stdout, stderr, error } = await run(command, words, { ...limits, env: childEnvironment() }).then(
    (said) => ({ ...said, error: undefined }),
    (error) => ({ stdout: Buffer.alloc(0), stderr: error.stderr ?? '', error }),
  );
  if (/max pixel count/.test(String(stderr))) throw invalidVideo('The video has more than 9.5 megapixels.');
  if (error) throw unreadable(error);
  return stdout;
}

const unreadable = (cause?: unknown) => invalidVideo('The video is damaged and cannot be read.', cause);

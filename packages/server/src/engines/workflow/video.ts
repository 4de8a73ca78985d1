import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { Size } from '@guise/contract/families/canvas.ts';
import { shapeProblem } from '@guise/contract/families/image-shape.ts';
import type { Note } from '@guise/contract/notes.ts';
import { type EngineContext, engineBroke } from '../engine.ts';
import { fillVideo } from './fill-video.ts';
import type { Shape } from './picture-shape.ts';
import { ffmpeg } from './run-ffmpeg.ts';

/** The demuxer for what a file begins with. Named, so that a playlist can never make ffmpeg open other files. */
const containers: { demuxer: string; at: number; bytes: string }[] = [
  { demuxer: 'mov', at: 4, bytes: 'ftyp' },
  { demuxer: 'matroska', at: 0, bytes: '\x1a\x45\xdf\xa3' },
  { demuxer: 'gif', at: 0, bytes: 'GIF8' },
];

const provenance = ['-metadata', 'comment=Made with trained models (compositeWithTrainedAlgorithmicMedia)'];
const mp4 = [
  '-map_metadata',
  '-1',
  '-map_chapters',
  '-1',
  ...provenance,
  '-movflags',
  '+faststart',
  '-f',
  'mp4',
  '-y',
];
const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '19', '-pix_fmt', 'yuv420p'];
const evenSides = ['-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2'];

/** Far more than any family asks for. What a server sends decides what decoding it costs here. */
const mostPixels = 9_000_000;
const mostSeconds = 120;
/** Frame n of an animated WebP is decoded from all frames before it. */
const mostFrames = 600;

const notAVideo = (cause?: unknown) => engineBroke('The engine made a video that cannot be read.', cause);

/**
 * What a server sent, as an MP4 that plays everywhere, without its metadata. H.264 in 4:2:0 is copied into a fresh
 * file; anything else is encoded again.
 */
export async function finishVideo(files: Files, shape: Shape, context: Context): Promise<Note[]> {
  const { source, target } = files;
  const { signal } = context;
  const head = await firstBytes(source);
  const animated = head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP';
  const made = animated
    ? await encodeWebp(files, context)
    : await encodeContainer({ ...files, head }, shape, signal);
  if (!made.ok) throw notAVideo(new Error('ffmpeg could not read it'));
  const result = probe((await ffmpeg(['-f', 'mov', '-i', target], signal)).said);
  if (!result || result.seconds <= 0) throw notAVideo(new Error('no video in the result'));
  const wanted = shape.seconds ?? result.seconds;
  if (made.slowed !== undefined)
    return [{ kind: 'input', value: 'duration', reason: slowedReason(made.slowed, wanted) }];
  return Math.abs(result.seconds - wanted) > 0.75
    ? [{ kind: 'input', value: 'duration', reason: `the video has ${result.seconds.toFixed(1)} s` }]
    : [];
}

type Context = Pick<EngineContext, 'signal' | 'decoder'>;

/** What a server sent, and the file that is made of it. */
interface Files {
  source: string;
  target: string;
}

interface Made {
  ok: boolean;
  /** Seconds that the model made, where they were slowed down to those asked for. */
  slowed?: number | undefined;
}

const slowedReason = (made: number, wanted: number) =>
  `the model makes ${made.toFixed(1)} s of motion, which are slowed down to ${wanted} s`;

async function encodeContainer(
  { source, target, head }: Files & { head: string },
  { seconds, fill }: Shape,
  signal: AbortSignal,
): Promise<Made> {
  const container = containers.find(({ at, bytes }) => head.startsWith(bytes, at));
  if (!container) throw notAVideo(new Error('an unknown kind of file'));
  const bounds = ['-protocol_whitelist', 'file', '-max_pixels', String(mostPixels)];
  const input = [...bounds, '-f', container.demuxer, '-i', source];
  const found = probe((await ffmpeg(input, signal)).said);
  if (!found) throw notAVideo(new Error('no video stream'));
  if (isTooMuch(found) || found.seconds > mostSeconds)
    throw notAVideo(new Error(`${found.width}×${found.height}, ${found.seconds} s`));
  if (fill && seconds !== null) {
    const { filters, frames, slowed } = fillVideo(found, fill, seconds);
    const exact = ['-map', '0:v:0', '-vf', filters, '-frames:v', String(frames), '-g', String(fill.fps * 2)];
    return { ...(await ffmpeg([...input, ...exact, ...h264, ...mp4, target], signal)), slowed };
  }
  const streams = ['-map', '0:v:0', '-map', '0:a:0?'];
  const copy = container.demuxer === 'mov' && found.codec === 'h264' && found.pixels === 'yuv420p';
  const encode = copy ? ['-c', 'copy'] : [...h264, ...evenSides, '-c:a', 'aac', '-b:a', '160k'];
  const length = ['-t', String(mostSeconds)];
  return ffmpeg([...input, ...streams, ...length, ...encode, ...mp4, target], signal);
}

/** What is decoded at once: 32 MB of frames lie on the disk while ffmpeg reads them. */
const batchBytes = 32 * 2 ** 20;

/** ffmpeg does not read animated WebP, which ComfyUI's own node saves. */
async function encodeWebp({ source, target }: Files, context: Context): Promise<Made> {
  const { signal, decoder } = context;
  const found = await decoder.measureAnimation({ file: source });
  if (!found) throw notAVideo(new Error('not an animation'));
  const { width, height, frames, fps } = found;
  if (frames > mostFrames || isTooMuch(found))
    throw notAVideo(new Error(`${frames} frames of ${width}×${height}`));
  const count = Math.max(1, Math.floor(batchBytes / (width * height * 3)));
  async function* batches() {
    const batch = `${source}.frames`;
    for (let from = 0; from < frames; from += count) {
      await decoder.decodeFrames({
        file: source,
        target: batch,
        from,
        count: Math.min(count, frames - from),
      });
      yield* createReadStream(batch);
      await rm(batch);
    }
  }
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', String(fps)];
  return ffmpeg([...raw, '-i', 'pipe:0', ...h264, ...evenSides, ...mp4, target], signal, batches());
}

function isTooMuch(size: Size): boolean {
  return size.width * size.height > mostPixels || shapeProblem(size) !== null;
}

async function firstBytes(file: string): Promise<string> {
  const handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0).finally(() => handle.close());
  return buffer.toString('latin1', 0, bytesRead);
}

interface Probed extends Size {
  codec: string;
  pixels: string;
  seconds: number;
  /** 0 where ffmpeg does not say. */
  fps: number;
}

/** What ffmpeg says of a file: its first video stream and how long it lasts. */
function probe(said: string): Probed | null {
  const stream = /Stream #0:\d+.*?: Video: (\w+).*?, (\w+)(?:\(.*?\))?, (\d+)x(\d+)/.exec(said);
  const time = /Duration: (\d+):(\d+):([\d.]+)/.exec(said);
  if (!stream) return null;
  const seconds = time ? Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3]) : 0;
  const [, codec, pixels, width, height] = stream;
  const fps = Number(/([\d.]+) fps/.exec(said)?.[1] ?? 0);
  return { codec: codec!, pixels: pixels!, width: Number(width), height: Number(height), seconds, fps };
}

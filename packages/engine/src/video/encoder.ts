import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import type { Size } from '../pixels/plane.ts';
import { childEnvironment } from '../runtime/child-environment.ts';
import { findFfmpeg } from '../runtime/ffmpeg.ts';
import { renderFailed } from '../runtime/render-error.ts';
import { addProvenance, type VideoFile } from './file-provenance.ts';
import type { VideoQuality } from './formats.ts';
import { frameBytes, framesPerSecond } from './frame.ts';

export interface EncoderOptions {
  /** Where the video is when it is finished; nothing is there before. */
  file: string;
  size: Size;
  frames: number;
  quality: Pick<VideoQuality, 'preset' | 'crf'>;
  signal: AbortSignal;
  /** MP4 unless told. */
  format?: VideoFile;
}

export interface Encoder {
  /** Takes one frame; settles when its bytes may be written over, which is as fast as ffmpeg reads. */
  write(frame: Uint8Array): Promise<void>;
  /** Ends the video and puts it in its place. */
  finish(): Promise<void>;
  /** Ends ffmpeg, whatever it is doing, and leaves no file; harmless after `finish`. */
  close(): Promise<void>;
}

/**
 * ffmpeg as a child that reads raw frames. It ends by itself when its input does, so a killed engine leaves none
 * behind.
 */
export async function openEncoder(options: EncoderOptions): Promise<Encoder> {
  const { file, size, frames, signal } = options;
  const { command } = await findFfmpeg();
  signal.throwIfAborted();
  const unfinished = `${file}.part`;
  const child = spawn(command, commandLine(options, unfinished), {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: childEnvironment(),
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000);
  });
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, by) => resolve(code === 0 ? null : `exit ${code ?? by}: ${said.trim()}`));
  });
  // A broken pipe is told by how ffmpeg ended, which says more.
  child.stdin.on('error', () => {});
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const broken = async () => {
    signal.throwIfAborted();
    return renderFailed('The video could not be encoded.', new Error((await ended) ?? 'ffmpeg ended early'));
  };
  let written = 0;

  return {
    async write(frame) {
      if (frame.byteLength !== frameBytes(size)) throw new Error('a frame of another size');
      const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
      const failed = await new Promise((resolve) => child.stdin.write(bytes, resolve));
      if (failed) throw await broken();
      written++;
    },
    async finish() {
      if (written !== frames) throw new Error(`${written} of ${frames} frames were made`);
      child.stdin.end();
      if ((await ended) !== null) throw await broken();
      await addProvenance(unfinished, options.format ?? 'mp4');
      signal.throwIfAborted();
      await rename(unfinished, file);
    },
    async close() {
      signal.removeEventListener('abort', kill);
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        kill();
        await once(child, 'exit');
      }
      await rm(unfinished, { force: true });
    },
  };
}

function commandLine({ size, quality, frames, format = 'mp4' }: EncoderOptions, file: string): string[] {
  const colour = ['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709'];
  const tags = [...colour, '-color_trc', 'bt709'];
  const input = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${size.width}x${size.height}`];
  const fps = String(framesPerSecond);
  const outputs: Record<VideoFile, string[]> = {
    mp4: [
      ...['-c:v', 'libx264', '-profile:v', 'high', '-preset', quality.preset, '-crf', String(quality.crf)],
      // Two seconds between full frames: players seek to them.
      ...['-g', String(2 * framesPerSecond), '-pix_fmt', 'yuv420p', '-r', fps, ...tags],
      ...['-metadata', 'comment=Made with Guise from photographs by algorithms and trained models.'],
      ...['-movflags', '+faststart', '-f', 'mp4'],
    ],
    gif: ['-filter_complex', gifFilter(size), '-loop', '0', '-f', 'gif'],
    webp: [
      ...['-c:v', 'libwebp_anim', '-pix_fmt', 'yuv420p', '-quality', '80', '-compression_level', '3'],
      ...['-loop', '0', '-f', 'webp'],
    ],
  };
  return [
    ...['-hide_banner', '-loglevel', 'error', '-y'],
    ...[...input, '-r', fps, ...tags, '-i', 'pipe:0', '-an', '-frames:v', String(frames)],
    ...outputs[format],
    file,
  ];
}

/** The shorter side of a GIF, and its frames a second: more of either is more than phones send. */
const gifSide = 480;
const gifFrames = 12.5;

/** One palette for the whole file, and dots that stand still. */
function gifFilter({ width, height }: Size): string {
  const scale = Math.min(1, gifSide / Math.min(width, height));
  const [w, h] = [2 * Math.round((width * scale) / 2), 2 * Math.round((height * scale) / 2)];
  const reduced = `[0:v]fps=${gifFrames},scale=${w}:${h}:flags=lanczos:in_color_matrix=bt709,split[a][b]`;
  return `${reduced};[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle`;
}

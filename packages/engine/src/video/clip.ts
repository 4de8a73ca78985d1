import type { Size } from '../pixels/plane.ts';
import { beginStage } from '../runtime/stages.ts';
import { type Encoder, openEncoder } from './encoder.ts';
import type { VideoQuality } from './formats.ts';
import { frameBytes } from './frame.ts';
import type { FrameThreads } from './frame-threads.ts';

export interface ClipOptions {
  file: string;
  size: Size;
  frames: number;
  quality: Pick<VideoQuality, 'preset' | 'crf'>;
  /** Closed at the end. */
  threads: FrameThreads;
  /** What the frames are made of. */
  data: unknown;
  signal: AbortSignal;
  /** 0 to 1, by frames that the encoder has taken. */
  progress(done: number): void;
}

/**
 * Renders a clip in threads while ffmpeg encodes it. A few frames are made ahead, in buffers that are used over and
 * over: memory does not grow with the duration. However it ends, no thread and no ffmpeg is left.
 */
export async function makeClip(options: ClipOptions): Promise<void> {
  const { file, size, frames, quality, threads, data, signal } = options;
  beginStage('frames');
  const stop = () => void threads.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    threads.begin(data, size);
    const encoder = await openEncoder({ file, size, frames, quality, signal });
    try {
      await renderInto(encoder, options);
    } finally {
      await encoder.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await threads.close();
  }
}

async function renderInto(
  encoder: Encoder,
  { size, frames, threads, signal, progress }: ClipOptions,
): Promise<void> {
  const buffers = Array.from({ length: threads.count + 2 }, () => new SharedArrayBuffer(frameBytes(size)));
  const bufferOf = (index: number) => buffers[index % buffers.length]!;
  const ahead: Promise<void>[] = [];
  const order = (index: number) => {
    if (index >= frames) return;
    const made = threads.render(index, bufferOf(index));
    // Told when its turn comes.
    made.catch(() => {});
    ahead.push(made);
  };
  for (let index = 0; index < buffers.length; index++) order(index);
  for (let index = 0; index < frames; index++) {
    await ahead.shift();
    signal.throwIfAborted();
    await encoder.write(new Uint8Array(bufferOf(index)));
    order(index + buffers.length);
    progress((index + 1) / frames);
  }
  await encoder.finish();
}

import type { Size } from '../pixels/plane.ts';
import { beginStage } from '../runtime/stages.ts';
import { type Encoder, openEncoder } from './encoder.ts';
import type { VideoFile } from './file-provenance.ts';
import type { VideoQuality } from './formats.ts';
import { frameBytes } from './frame.ts';
import type { FrameThreads } from './frame-threads.ts';

export interface ClipOptions {
  file: string;
  /** MP4 unless told. */
  format?: VideoFile | undefined;
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
  const { file, format = 'mp4', size, frames, quality, threads, data, signal } = options;
  beginStage('frames');
  const stop = () => void threads.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    threads.begin(data, size);
    // The first frames are rendered while ffmpeg starts.
    const orders = orderFrames(options);
    const encoder = await openEncoder({ file, format, size, frames, quality, signal });
    try {
      await writeFrames(encoder, orders, options);
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

/** Frames that are being made ahead, in the order of the clip. */
interface FrameOrders {
  /** The next frame, when it is made; its bytes are written over once `again` is called. */
  next(): Promise<Uint8Array>;
  /** Has the frame's buffer filled with a later one. */
  again(): void;
}

function orderFrames({ size, frames, threads }: ClipOptions): FrameOrders {
  const buffers = Array.from({ length: threads.count + 2 }, () => new SharedArrayBuffer(frameBytes(size)));
  const ahead: { made: Promise<void>; buffer: SharedArrayBuffer }[] = [];
  let ordered = 0;
  const order = () => {
    if (ordered >= frames) return;
    const buffer = buffers[ordered % buffers.length]!;
    const made = threads.render(ordered++, buffer);
    // Told when its turn comes.
    made.catch(() => {});
    ahead.push({ made, buffer });
  };
  for (let i = 0; i < buffers.length; i++) order();
  return {
    async next() {
      const { made, buffer } = ahead.shift()!;
      await made;
      return new Uint8Array(buffer);
    },
    again: order,
  };
}

async function writeFrames(
  encoder: Encoder,
  orders: FrameOrders,
  { frames, signal, progress }: ClipOptions,
): Promise<void> {
  for (let index = 0; index < frames; index++) {
    const frame = await orders.next();
    signal.throwIfAborted();
    await encoder.write(frame);
    orders.again();
    progress((index + 1) / frames);
  }
  await encoder.finish();
}

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import type { Animation } from '../../../media/decoder.ts';

/** ffmpeg does not read animated WebP, which ComfyUI's own node saves. */
export async function measureAnimation({ file }: { file: string }): Promise<Animation | null> {
  const metadata = await sharp(file, { pages: -1 })
    .metadata()
    .catch(() => null);
  if (!metadata?.pageHeight || (metadata.pages ?? 1) < 2) return null;
  const { width, pageHeight, pages = 1, delay = [] } = metadata;
  const meanDelay = delay.reduce((sum, ms) => sum + ms, 0) / delay.length || 1000 / 16;
  return { width, height: pageHeight, frames: pages, fps: 1000 / meanDelay };
}

export async function decodeFrames(asked: {
  file: string;
  target: string;
  from: number;
  count: number;
}): Promise<void> {
  async function* frames() {
    for (let page = asked.from; page < asked.from + asked.count; page++)
      yield await sharp(asked.file, { page, failOn: 'error' })
        .toColourspace('srgb')
        .removeAlpha()
        .raw()
        .toBuffer();
  }
  await pipeline(Readable.from(frames()), createWriteStream(asked.target));
}

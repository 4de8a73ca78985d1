import type { GifFrame } from './frame.ts';
import { writeGif } from './write-gif.ts';

/** Makes a GIF of shots beside the page, so that the screen stays smooth. */

/** The longer side in pixels: five shots of that have about 1 MB. */
const longestSide = 440;

async function readFrame(shot: Blob, size: { width: number; height: number } | null): Promise<GifFrame> {
  const picture = await createImageBitmap(shot);
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const width = size?.width ?? Math.round(picture.width * scale);
  const height = size?.height ?? Math.round(picture.height * scale);
  const context = new OffscreenCanvas(width, height).getContext('2d', { alpha: false })!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { data, width, height };
}

addEventListener('message', async ({ data: shots }: MessageEvent<Blob[]>) => {
  const first = await readFrame(shots[0]!, null);
  const others = await Promise.all(shots.slice(1).map((shot) => readFrame(shot, first)));
  const gif = writeGif([first, ...others]);
  postMessage(gif, { transfer: [gif.buffer] });
});

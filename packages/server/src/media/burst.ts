import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Size } from '@guise/contract/families/canvas.ts';
import type { Decoder, DecodingCaller } from './decoder.ts';
import { videoKind } from './file-kind.ts';
import { invalidImage } from './image-errors.ts';
import { decodeImageText, isImageUrl } from './image-input.ts';
import type { FetchUrl } from './safe-fetch.ts';
import type { Upload } from './upload.ts';

/** Sides of a photo that was cropped by a pixel or two are still of one shape. */
const tolerance = 0.02;

/**
 * Refuses photos that are not of one burst by their shape. They may differ in size, and lie on their sides, which cameras
 * note in the file.
 */
export function assertOneShape(photos: readonly Size[]): void {
  const [first, ...others] = photos;
  if (!first) return;
  const shape = elongation(first);
  const odd = others.findIndex((photo) => Math.abs(elongation(photo) / shape - 1) > tolerance);
  if (odd < 0) return;
  const { width, height } = others[odd]!;
  throw invalidImage(
    `Photo ${odd + 2} measures ${width}×${height} and the first ${first.width}×${first.height}. The photos of a burst must have one size.`,
  );
}

const elongation = ({ width, height }: Size) => Math.max(width, height) / Math.min(width, height);

/** What the shots of a video are taken with. */
export interface VideoParts {
  fetchVideo: FetchUrl;
  decoder: Pick<Decoder, 'inTurn'>;
}

/** The sharpest frames of a video that a caller sends in place of photos, as JPEG files in their order. */
export async function readShots(
  input: string | Upload,
  { fetchVideo, decoder }: VideoParts,
  asked: DecodingCaller,
): Promise<Buffer[]> {
  const bytes = await videoBytesOf(input, fetchVideo, asked);
  return decoder.inTurn(asked, async (tasks, folder) => {
    const video = join(folder, 'video');
    await writeFile(video, bytes);
    const shots = await tasks.takeShots({ video, folder });
    return Promise.all(shots.map((shot) => readFile(shot)));
  });
}

async function videoBytesOf(input: string | Upload, fetchVideo: FetchUrl, asked: DecodingCaller) {
  if (typeof input !== 'string') return input.videoBytes();
  const text = input.trim();
  return isImageUrl(text) ? fetchVideo(text, asked) : decodeImageText(text, videoKind);
}

import type { Ratio } from '../common.ts';
import type { AspectRatio } from './video.ts';

export interface Size {
  width: number;
  height: number;
}

/** The pictures that a `ratio` asks for. */
export const canvasSizes: Readonly<Record<Ratio, Size>> = {
  portrait: { width: 1200, height: 1800 },
  landscape: { width: 1800, height: 1200 },
  square: { width: 1280, height: 1280 },
};

/** The canvas whose shape is nearest to that of a picture. */
export function ratioOf(width: number, height: number): Ratio {
  const shape = Math.log(width / height);
  if (Math.abs(shape) < Math.log(1.5) / 2) return 'square';
  return shape > 0 ? 'landscape' : 'portrait';
}

/** A shape that a video can have; `auto` is the one nearest to the photo. */
export type VideoFormat = Exclude<AspectRatio, 'auto'>;

export const videoSizes: Readonly<Record<VideoFormat, Size>> = {
  '16:9': { width: 1280, height: 720 },
  '9:16': { width: 720, height: 1280 },
  '3:2': { width: 1152, height: 768 },
  '2:3': { width: 768, height: 1152 },
};

import { z } from 'zod';
import type { EngineRequest } from '../engine.ts';

export interface Size {
  width: number;
  height: number;
}

/** What a run's result looks like, whoever makes it. */
export interface Shape extends Size {
  type: 'image/png' | 'video/mp4';
  /** Pictures of single guests have exactly this size; of groups, this longest side and their own shape. */
  exact: boolean;
  /** Of a video. */
  seconds: number | null;
}

const pictures: Record<string, Size> = {
  portrait: { width: 1200, height: 1800 },
  landscape: { width: 1800, height: 1200 },
  square: { width: 1280, height: 1280 },
};

const videos: Record<string, Size> = {
  '16:9': { width: 1280, height: 720 },
  '9:16': { width: 720, height: 1280 },
  '3:2': { width: 1152, height: 768 },
  '2:3': { width: 768, height: 1152 },
};

const Params = z.looseObject({
  ratio: z.enum(['portrait', 'landscape', 'square']).optional(),
  aspect_ratio: z.string().optional(),
  duration: z.string().optional(),
});

/** `photo` is the size of the first photo, which decides where nothing was asked for. */
export function shapeOf(
  { family, params }: Pick<EngineRequest, 'family' | 'params'>,
  photo: Size | null,
): Shape {
  const { ratio, aspect_ratio: aspect, duration } = Params.parse(params);
  if (family.endsWith('_video')) {
    const size = videos[aspect ?? 'auto'] ?? nearest(videos, photo ?? videos['16:9']!);
    return { ...size, type: 'video/mp4', exact: false, seconds: Number.parseInt(duration ?? '4', 10) };
  }
  const size = ratio ? pictures[ratio]! : nearest(pictures, photo ?? pictures.landscape!);
  return { ...size, type: 'image/png', exact: ratio !== undefined, seconds: null };
}

function nearest(sizes: Record<string, Size>, photo: Size): Size {
  const distance = ({ width, height }: Size) =>
    Math.abs(Math.log(width / height / (photo.width / photo.height)));
  return Object.values(sizes).reduce((best, size) => (distance(size) < distance(best) ? size : best));
}

/** The size to generate at: of the same shape, about so many megapixels, both sides in steps of `multiple`. */
export function generatedSize(shape: Size, megapixels: number | undefined, multiple: number): Size {
  const scale = megapixels === undefined ? 1 : Math.sqrt((megapixels * 1e6) / (shape.width * shape.height));
  const step = (side: number) => Math.max(multiple, Math.round((side * scale) / multiple) * multiple);
  return { width: step(shape.width), height: step(shape.height) };
}

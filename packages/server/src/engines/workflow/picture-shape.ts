import { canvasSizes, type Size, videoSizes } from '@guise/contract/families/canvas.ts';
import { mediaTypes, type OutputKind } from '@guise/contract/families/families.ts';
import type { GenerationRequest } from '@guise/contract/families/requests.ts';
import { secondsOf, type VideoModel } from '@guise/contract/families/video.ts';

/** What a run's result looks like, whoever makes it. */
export interface Shape extends Size {
  type: (typeof mediaTypes)[OutputKind];
  /** Pictures of single guests have exactly this size; of groups, this longest side and their own shape. */
  exact: boolean;
  /** Of a video. */
  seconds: number | null;
  /** What a video is brought to whose model makes frames of its own number, rate and size. */
  fill?: VideoFill;
}

export interface VideoFill extends Size {
  fps: number;
}

/** `photo` is the size of the first photo, which decides where nothing was asked for. */
export function shapeOf(request: GenerationRequest, photo: Size | null): Shape {
  const type = mediaTypes[request.output];
  if (request.output === 'video') {
    const size = request.size ?? nearest(videoSizes, photo ?? videoSizes['16:9']);
    return { ...size, type, exact: false, seconds: secondsOf(request.params.duration) };
  }
  const size = request.size ?? nearest(canvasSizes, photo ?? canvasSizes.landscape);
  return { ...size, type, exact: request.size !== null, seconds: null };
}

/** What docs/video.md promises of a video: 24 frames a second, and the model `performance` at full HD. */
export function fillOf({ width, height }: Size, model: VideoModel | undefined): VideoFill {
  const scale = model === 'performance' ? 1.5 : 1;
  return { width: width * scale, height: height * scale, fps: 24 };
}

function nearest(sizes: Readonly<Record<string, Size>>, photo: Size): Size {
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

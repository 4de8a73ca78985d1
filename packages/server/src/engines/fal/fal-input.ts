import type { Size } from '@guise/contract/families/canvas.ts';
import type { PhotoToSend } from '../../media/decoder.ts';
import type { EngineRequest } from '../engine.ts';
import { hostedSeedOf, promptOf } from '../hosted/hosted-words.ts';
import { generatedSize, type Shape } from '../workflow/picture-shape.ts';

/** How a model of fal names what it is given. */
export interface FalFields {
  /** The field with the list of photos, or a field for each of them. */
  photos: string | readonly string[];
  most_photos: number;
  size: 'image_size' | 'aspect_ratio' | 'omit';
  megapixels?: number | undefined;
  seed: boolean;
  /** The lengths that a video model makes, as it writes them. */
  durations?: readonly (string | number)[] | undefined;
  /** Whether a picture comes in the answer instead of as a public link. */
  sync_mode: boolean;
  extra: Record<string, unknown>;
}

/** The input of a model. Photos go as data URIs: uploaded files would have public addresses. */
export function falInputOf(
  request: EngineRequest,
  photos: readonly PhotoToSend[],
  shape: Shape,
  fields: FalFields,
): Record<string, unknown> {
  const seconds = fields.durations && durationOf(shape.seconds, fields.durations);
  return {
    prompt: promptOf(request),
    ...photoFields(photos, fields),
    ...sizeFields(shape, fields),
    ...(fields.seed && { seed: hostedSeedOf(request) }),
    ...(seconds !== undefined && { duration: seconds }),
    ...(fields.sync_mode && request.output === 'image' && { sync_mode: true }),
    ...fields.extra,
  };
}

function photoFields(
  photos: readonly PhotoToSend[],
  { photos: names }: FalFields,
): Record<string, string | string[]> {
  if (photos.length === 0) return {};
  const urls = photos.map(
    ({ bytes, extension }) =>
      `data:image/${extension === 'png' ? 'png' : 'jpeg'};base64,${bytes.toString('base64')}`,
  );
  if (typeof names === 'string') return { [names]: urls };
  return Object.fromEntries(urls.map((url, i) => [names[i]!, url]));
}

function sizeFields(shape: Shape, { size, megapixels }: FalFields): Record<string, unknown> {
  if (size === 'omit') return {};
  if (size === 'image_size') return { image_size: generatedSize(shape, megapixels, 16) };
  return { aspect_ratio: ratioOf(shape) };
}

function ratioOf({ width, height }: Size): string {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  const common = divisor(width, height);
  return `${width / common}:${height / common}`;
}

/** The shortest that is long enough, else the longest. */
function durationOf(
  seconds: number | null,
  durations: readonly (string | number)[],
): string | number | undefined {
  const sorted = durations.toSorted((a, b) => secondsIn(a) - secondsIn(b));
  return sorted.find((each) => secondsIn(each) >= (seconds ?? 0)) ?? sorted.at(-1);
}

const secondsIn = (duration: string | number): number => Number.parseFloat(String(duration));

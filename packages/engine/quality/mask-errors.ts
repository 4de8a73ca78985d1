import type { Face } from '../src/faces/face.ts';
import { boxMean } from '../src/pixels/box-mean.ts';
import type { Plane } from '../src/pixels/plane.ts';
import { either, type LabelMap } from './reference-photos.ts';

/** Shares of the area that the people have in their reference mask. */
export interface MaskErrors {
  /** People who are missing. */
  lost: number;
  /** What is not these people and was kept. */
  foreign: number;
}

/** How much of a photo's point is people in what is measured; null where that shows nothing of it. */
export type MatteSampler = (x: number, y: number) => number | null;

export interface MeasuredPeople {
  /** Who is meant to be kept. */
  isMeant(label: number): boolean;
  /** Their faces, in photo pixels. */
  faces: readonly Face[];
  /** Only points of the photo that this says yes to. */
  within?(x: number, y: number): boolean;
}

/**
 * A contour is not known better than to this share of a face's height, and hair has none: what lies nearer to the
 * contour than this is not counted. Edges are what the readings of halos are for.
 */
const tolerance = 0.06;

export function measureMask(mask: LabelMap, sampleMatte: MatteSampler, people: MeasuredPeople): MaskErrors {
  const { width, height, labels, factor } = mask;
  const { isMeant, faces, within = () => true } = people;
  const meant = Float32Array.from(labels, (label) => (label !== either && isMeant(label) ? 1 : 0));
  const possible = Float32Array.from(labels, (label) => (label === either || isMeant(label) ? 1 : 0));
  const heights = faces.map((face) => face.height).toSorted((a, b) => a - b);
  const reach = Math.max(2, Math.round((tolerance * (heights[heights.length >> 1] ?? 0)) / factor));
  const surely = boxMean({ width, height, data: meant }, reach).data;
  const possibly = boxMean({ width, height, data: possible }, reach).data;
  let all = 0;
  let lost = 0;
  let foreign = 0;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const [px, py] = [(x + 0.5) * factor, (y + 0.5) * factor];
      const kept = within(px, py) ? sampleMatte(px, py) : null;
      if (kept === null) continue;
      all += meant[i]!;
      if (surely[i]! > 0.999 && kept < 0.5) lost++;
      if (possibly[i]! < 0.001 && kept > 0.5) foreign++;
    }
  }
  return all === 0 ? { lost: Number.NaN, foreign: Number.NaN } : { lost: lost / all, foreign: foreign / all };
}

/** Reads a matte of the photo. */
export function keptInMatte({ width, height, data, factor }: Plane & { factor: number }): MatteSampler {
  return (x, y) => {
    const column = Math.min(width - 1, Math.floor(x / factor));
    const row = Math.min(height - 1, Math.floor(y / factor));
    return data[row * width + column]!;
  };
}

/** Reads the people of a canvas, where the photo was placed so that a face of it became another one. */
export function keptOnCanvas({ width, height, data }: Plane, face: Face, placed: Face): MatteSampler {
  const scale = placed.height / face.height;
  return (x, y) => {
    const column = Math.round(placed.center.x + (x - face.center.x) * scale - 0.5);
    const row = Math.round(placed.center.y + (y - face.center.y) * scale - 0.5);
    if (column < 0 || row < 0 || column >= width || row >= height) return null;
    return data[row * width + column]!;
  };
}

import type { Face } from '../faces/face.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { hiddenShare, type OverlayCoverage } from './coverage.ts';
import type { ShareBox } from './locate-people.ts';

/** What a crop must keep, and what it must leave out. */
export interface CropLimits {
  /** Width by height of the whole picture, and of the crop. */
  shape: number;
  cropShape: number;
  /** Must be within the crop. */
  keep: ShareBox;
  /** Must be outside of it: half a logo looks like a mistake. */
  overlay: OverlayCoverage | null;
}

/** A head with hair, hat and neck, in face heights and widths from the middle of the face. */
const head = { above: 1.15, below: 0.8, aside: 0.9 };

export const whole: ShareBox = { x: 0, y: 0, width: 1, height: 1 };

/** The pixels of a part of a picture. */
export function pixelsOfBox(box: ShareBox, { width, height }: Size) {
  const [left, top] = [Math.floor(box.x * width), Math.floor(box.y * height)];
  return {
    left,
    top,
    width: Math.min(width - left, Math.round(box.width * width)),
    height: Math.min(height - top, Math.round(box.height * height)),
  };
}

/** The part of a picture that the heads of people take. */
export function headsBox(people: readonly Face[], picture: Picture): ShareBox {
  const left = Math.min(...people.map(({ center, width }) => center.x - head.aside * width));
  const right = Math.max(...people.map(({ center, width }) => center.x + head.aside * width));
  const top = Math.min(...people.map(({ center, height }) => center.y - head.above * height));
  const bottom = Math.max(...people.map(({ center, height }) => center.y + head.below * height));
  const within = (value: number, most: number) => Math.min(1, Math.max(0, value / most));
  const [x, y] = [within(left, picture.width), within(top, picture.height)];
  return {
    x,
    y,
    width: within(right, picture.width) - x,
    height: within(bottom, picture.height) - y,
  };
}

/** Crops get smaller in steps of this, as long as part of an overlay is in them. */
const step = 0.04;
/** A smaller crop would be enlarged until it is blurred. */
const leastScale = 0.55;
const places = 12;

/** The largest crop within the limits, with the heads a little above its middle; null where there is none. */
export function cropAroundHeads({ shape, cropShape, keep, overlay }: CropLimits): ShareBox | null {
  const largest =
    cropShape < shape ? { width: cropShape / shape, height: 1 } : { width: 1, height: shape / cropShape };
  for (let scale = 1; scale >= leastScale; scale -= step) {
    const [width, height] = [largest.width * scale, largest.height * scale];
    if (width < keep.width - 1e-6 || height < keep.height - 1e-6) return null;
    const wanted = {
      x: keep.x + keep.width / 2 - width / 2,
      y: keep.y + 0.5 * keep.height - 0.45 * height,
    };
    const xs = placesFor(wanted.x, width, keep.x, keep.width);
    const ys = placesFor(wanted.y, height, keep.y, keep.height);
    const candidates = xs
      .flatMap((x) => ys.map((y) => ({ x, y, width, height })))
      .toSorted((a, b) => distance(a, wanted) - distance(b, wanted));
    const crop = candidates.find((box) => !overlay || hiddenShare(overlay, box, 'rectangle') === 0);
    if (crop) return crop;
  }
  return null;
}

/** Where a crop may begin so that it holds what is to be kept: the wanted place, and others spread over the rest. */
function placesFor(wanted: number, length: number, keepFrom: number, keepLength: number): number[] {
  const least = Math.max(0, keepFrom + keepLength - length);
  const most = Math.max(least, Math.min(1 - length, keepFrom));
  const spread = Array.from({ length: places + 1 }, (_, i) => least + ((most - least) * i) / places);
  return [Math.min(most, Math.max(least, wanted)), ...spread];
}

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

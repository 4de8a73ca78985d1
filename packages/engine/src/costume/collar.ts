import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import type { Cutout } from '../matting/cutout.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Plane } from '../pixels/plane.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import { type HeadCutout, hairWidening } from './costume-head.ts';
import type { CostumeMeasures } from './costume-layers.ts';
import { neckHalfWidthAt } from './neck.ts';

/** How a head narrows into its collar, in pixels of the head's area. */
interface Taper {
  faceHeight: number;
  eyes: number;
  mouth: number;
  /** The collar's opening: its middle, half of its width, its lowest row at the sides and how much it sags. */
  center: number;
  halfWidth: number;
  rim: number;
  sag: number;
  /** How far the head reaches to either side, and how far it may. */
  reaches: readonly [number, number];
  sides: readonly [number, number];
  /** The rows between which it narrows. */
  from: number;
  to: number;
}

/**
 * Narrows the silhouette below the mouth into the collar, in place. Hair that hangs beside the collar stays: it falls
 * behind the shoulders of the costume, which is drawn over it. All other hair is tucked in.
 */
export function taperIntoCollar(head: HeadCutout, measures: CostumeMeasures): void {
  const { width, height, alpha, hangingHair } = head;
  const taper = taperOf(head, measures);
  const { center, halfWidth, faceHeight, reaches, sides, from } = taper;
  const kept = new Float32Array(alpha.length).fill(1);
  for (let y = 0; y < height; y++) {
    const bottom = smoothstep(height, height - 0.2 * faceHeight, y);
    for (let x = 0; x < width; x++) {
      const side = x < center ? 0 : 1;
      if (y < from && reaches[side] <= sides[side]) continue;
      const i = y * width + x;
      const beside = smoothstep(0.85, 1, Math.abs(x - center) / halfWidth) * bottom;
      const hanging = beside * smoothstep(0.4, 0.7, hangingHair[i]!) * ownHair(taper, x, y);
      kept[i] = Math.max(hanging, insideCollar(taper, x, y));
    }
  }
  const soft = gaussianBlur({ width, height, data: kept }, 3).data;
  for (let i = 0; i < alpha.length; i++) alpha[i] = alpha[i]! * soft[i]!;
}

function taperOf(head: HeadCutout, { faceHeight, halfWidth, sag, ...measures }: CostumeMeasures): Taper {
  const [face] = head.faces as [Face];
  const mouth = pointOf(face, 13).y - head.y;
  const eyes = pointOf(face, 159).y - head.y;
  const center = measures.centerX - head.x;
  const rim = measures.rim - head.y;
  const rows = { from: eyes, to: mouth };
  const reaches = [reachOf(head, rows, center, -1), reachOf(head, rows, center, 1)] as const;
  // Long hair of a head that was turned upright sticks out to one side: it is cut to about the other side's length.
  const longest = Math.max(0.8 * faceHeight, 1.4 * Math.min(...reaches));
  const sides = [Math.min(reaches[0], longest), Math.min(reaches[1], longest)] as const;
  const [from, to] = [mouth - 0.05 * faceHeight, rim + 0.1 * sag];
  return { faceHeight, eyes, mouth, center, halfWidth, rim, sag, reaches, sides, from, to };
}

/** How much of a pixel is within the narrowing outline and above the collar's opening. */
function insideCollar(taper: Taper, x: number, y: number): number {
  const { faceHeight, eyes, center, halfWidth, rim, sag, sides, from, to } = taper;
  const off = Math.abs(x - center);
  const down = smoothstep(from, to, y);
  // The limit is rounded towards the crown.
  const up = Math.max(0, eyes - y) / (1.4 * faceHeight);
  const wide = (sides[x < center ? 0 : 1] + 0.02 * faceHeight) * Math.sqrt(Math.max(0, 1 - up * up));
  const limit = wide + (Math.min(wide, 0.93 * halfWidth) - wide) * down;
  const beyond = (off - limit) / faceHeight;
  const inside = beyond < -0.1 ? 1 : beyond > 0.08 ? 0 : cutUnevenly(beyond, x, y, y < from ? 0.6 : down);
  const across = clamp(off / halfWidth, 0, 1);
  const lip = rim + sag * Math.sqrt(1 - across * across);
  return inside * smoothstep(lip + 6, lip - 2, y);
}

/** How likely hair here is the guest's own: further out it is a neighbour's. */
function ownHair({ faceHeight, mouth, center, reaches }: Taper, x: number, y: number): number {
  const furthest = reaches[x < center ? 0 : 1] + hairWidening * Math.max(0, y - mouth);
  return smoothstep(0.05, 0, (Math.abs(x - center) - furthest) / faceHeight);
}

/** What is kept of a pixel so far beyond the limit, in face heights. Two sines make the cut as uneven as strands of hair. */
function cutUnevenly(beyond: number, x: number, y: number, unevenness: number): number {
  const jitter = 0.026 * Math.sin(0.11 * x + 0.031 * y) + 0.016 * Math.sin(0.27 * x - 0.05 * y);
  return smoothstep(0.033, -0.053, beyond + unevenness * jitter);
}

/**
 * Hides hair that lies outside of the hood's opening and shades what is near its edge, in place. `back` and `front` are
 * the alpha of the costume's layers in the head's area.
 */
export function tuckUnderHood(
  head: Cutout,
  { faceHeight }: Pick<CostumeMeasures, 'faceHeight'>,
  { back, front }: { back: Plane; front: Plane },
): void {
  const { alpha, colour } = head;
  for (let i = 0; i < alpha.length; i++) alpha[i] = alpha[i]! * back.data[i]!;
  const shade = gaussianBlur(front, 0.11 * faceHeight).data;
  for (const plane of colour) {
    for (let i = 0; i < plane.length; i++) plane[i] = plane[i]! * (1 - 0.85 * Math.min(shade[i]!, 0.9));
  }
}

/** Shades the neck under the chin and towards the collar, in place. */
export function shadeNeck(head: HeadCutout, measures: CostumeMeasures): void {
  const { faceHeight, centerX, rim, sag } = measures;
  const [face] = head.faces as [Face];
  const [red, green, blue] = head.colour;
  const left = pointOf(face, 172);
  const right = pointOf(face, 397);
  const chin = pointOf(face, 152);
  const jawY = (left.y + right.y) / 2;
  for (let y = 0; y < head.height; y++) {
    const canvasY = y + head.y;
    if (canvasY < jawY - 0.1 * faceHeight) continue;
    const neckHalf = neckHalfWidthAt(head.neck, canvasY, faceHeight);
    const intoCollar = clamp((canvasY - rim + 0.6 * sag) / (1.6 * sag), 0, 1);
    for (let x = 0; x < head.width; x++) {
      const i = y * head.width + x;
      if (head.alpha[i]! < 0.003) continue;
      const canvasX = x + head.x;
      const along = clamp((canvasX - left.x) / (right.x - left.x), 0, 1);
      const jawAt = jawY + (chin.y - jawY) * (1 - (2 * along - 1) ** 2);
      const below = (canvasY - jawAt) / faceHeight;
      const off = Math.abs(canvasX - centerX);
      const onNeck = smoothstep(1.25 * neckHalf, 0.9 * neckHalf, off);
      const underChin = below > 0 ? 0.34 * onNeck * smoothstep(0, 0.05, below) * Math.exp(-below / 0.2) : 0;
      const side = 0.22 * clamp((off / neckHalf - 0.55) / 0.5, 0, 1) * clamp(6 * below, 0, 1);
      const light = (1 - underChin) * (1 - 0.5 * intoCollar * intoCollar) * (1 - side);
      red[i] = red[i]! * light;
      green[i] = green[i]! * light * (0.97 + 0.03 * light);
      blue[i] = blue[i]! * light * (0.95 + 0.05 * light);
    }
  }
}

/** How far the head reaches to a side in these rows. */
function reachOf(
  head: Cutout,
  { from, to }: { from: number; to: number },
  center: number,
  side: -1 | 1,
): number {
  let reach = 0;
  for (let y = Math.max(0, Math.round(from)); y < Math.min(head.height, to); y += 2) {
    for (let x = side < 0 ? 0 : head.width - 1; side * (x - center) > reach; x -= side) {
      if (head.alpha[y * head.width + x]! > 0.5) {
        reach = side * (x - center);
        break;
      }
    }
  }
  return reach;
}

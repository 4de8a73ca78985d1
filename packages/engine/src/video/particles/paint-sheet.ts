import { clamp01, smoothstep } from '../../pixels/scalar.ts';
import { type BytePlane, type Frame, planesOf } from '../frame.ts';
import type { Colour } from './particle-colours.ts';

/** Something flat as it is seen: half of its length and half of its breadth as vectors of the frame. */
export interface SeenSheet {
  outline: 'rectangle' | 'disc' | 'petal' | 'leaf';
  x: number;
  y: number;
  along: readonly [number, number];
  across: readonly [number, number];
  /** Half the breadth that a point of it is blurred to, and its way while the shutter is open. */
  blur: number;
  motion: readonly [number, number];
  opacity: number;
  /** Its colour at both ends of its breadth: bent paper is lit unevenly. */
  colours: readonly [Colour, Colour];
}

export function paintSheet(frame: Frame, sheet: SeenSheet): void {
  for (const [channel, plane] of planesOf(frame).entries()) paintOnPlane(plane, sheet, channel);
}

/** Thinner than this, in pixels, a sheet is an edge: it fades instead of getting thinner. */
const thinnest = 0.35;

function paintOnPlane(
  { data, width, height, reduction }: BytePlane,
  sheet: SeenSheet,
  channel: number,
): void {
  const share = 1 / reduction;
  const x = sheet.x * share;
  const y = reduction === 1 ? sheet.y : (sheet.y - 0.5) * share;
  const blur = Math.max(0.55, sheet.blur * share);
  const ax = sheet.along[0] * share;
  const ay = sheet.along[1] * share;
  const lengthA = Math.hypot(ax, ay) + 1e-6;
  const { bx, by, faded } = breadthOf(sheet.across, share, [ax / lengthA, ay / lengthA], blur);
  const det = ax * by - ay * bx;
  const lengthB = Math.hypot(bx, by);
  // Half the distance between opposite sides, and how far each of them is blurred.
  const halfA = Math.abs(det) / lengthB;
  const halfB = Math.abs(det) / lengthA;
  const [mx, my] = [sheet.motion[0] * share, sheet.motion[1] * share];
  const blurA = blur + 0.5 * Math.abs((mx * by - my * bx) / lengthB);
  const blurB = blur + 0.5 * Math.abs((mx * ay - my * ax) / lengthA);
  const growA = 1 + blurA / halfA;
  const growB = 1 + blurB / halfB;
  const reachX = Math.abs(ax) * growA + Math.abs(bx) * growB;
  const reachY = Math.abs(ay) * growA + Math.abs(by) * growB;
  const left = Math.max(0, Math.ceil(x - reachX));
  const right = Math.min(width - 1, Math.floor(x + reachX));
  const top = Math.max(0, Math.ceil(y - reachY));
  const bottom = Math.min(height - 1, Math.floor(y + reachY));
  const coverage = coverages[sheet.outline];
  const blurred: Blurred = { halfA, halfB, blurA, blurB };
  const from = sheet.colours[0][channel]!;
  const change = 0.5 * (sheet.colours[1][channel]! - from);
  const opacity = sheet.opacity * faded;
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const dx = column - x;
      const dy = row - y;
      const s = (dx * by - dy * bx) / det;
      const t = (dy * ax - dx * ay) / det;
      const covered = opacity * coverage(s, t, blurred);
      if (covered < 0.004) continue;
      const i = row * width + column;
      const value = from + change * (1 + (t < -1 ? -1 : t > 1 ? 1 : t));
      data[i] = data[i]! + Math.round((value - data[i]!) * covered);
    }
  }
}

/**
 * The breadth as it is drawn. The shear of a small sheet would only draw its blur out along its length, and a sheet
 * that is seen from its edge has no breadth at all.
 */
function breadthOf(
  across: readonly [number, number],
  share: number,
  [ux, uy]: readonly [number, number],
  blur: number,
): { bx: number; by: number; faded: number } {
  const shear = (across[0] * ux + across[1] * uy) * share;
  const thick = (across[1] * ux - across[0] * uy) * share;
  const kept = shear * smoothstep(1, 4, Math.abs(thick) / blur);
  const drawn = Math.abs(thick) < thinnest ? thinnest * (thick < 0 ? -1 : 1) : thick;
  return {
    bx: kept * ux - drawn * uy,
    by: kept * uy + drawn * ux,
    faded: Math.min(1, 0.3 + (0.7 * Math.abs(thick)) / thinnest),
  };
}

interface Blurred {
  halfA: number;
  halfB: number;
  blurA: number;
  blurB: number;
}

/** How much of each pixel a sheet covers; (s, t) is the pixel in halves of the sheet's length and breadth. */
const coverages: Record<SeenSheet['outline'], (s: number, t: number, blurred: Blurred) => number> = {
  rectangle: (s, t, { halfA, halfB, blurA, blurB }) =>
    overlap(Math.abs(s) * halfA, halfA, blurA) * overlap(Math.abs(t) * halfB, halfB, blurB),

  disc(s, t, { halfA, halfB, blurA, blurB }) {
    const wideA = Math.hypot(halfA, blurA);
    const wideB = Math.hypot(halfB, blurB);
    const off = Math.hypot((s * halfA) / wideA, (t * halfB) / wideB);
    const soft = Math.max(blurA, blurB) / Math.min(wideA, wideB);
    return ((halfA * halfB) / (wideA * wideB)) * clamp01(0.5 + (1 - off) / (2 * soft));
  },

  // Narrow where it grew, broad at its tip.
  petal: (s, t, blurred) => within(s, t, Math.sqrt(1 - s * s) * (0.84 + 0.3 * s - 0.14 * s * s), blurred),

  // A stalk, then broad, then a pointed tip.
  leaf(s, t, blurred) {
    const blade = Math.max(0, (s + 0.72) / 1.72);
    return within(s, t, Math.max(0.05, 2.45 * Math.sqrt(blade) * (1 - blade)), blurred);
  },
};

/** The coverage of an outline that is `wide` at this place along it. */
function within(s: number, t: number, wide: number, { halfA, halfB, blurA, blurB }: Blurred): number {
  const aside = Math.abs(s) < 1 ? overlap(Math.abs(t) * halfB, halfB * wide, blurB) : 0;
  return aside === 0 ? 0 : aside * overlap(Math.abs(s) * halfA, halfA, blurA);
}

/** The share of a window, `blur` to both sides of a point, that lies within `half` of the middle. */
function overlap(off: number, half: number, blur: number): number {
  const covered = Math.min(off + blur, half) - Math.max(off - blur, -half);
  return covered <= 0 ? 0 : covered / (2 * blur);
}

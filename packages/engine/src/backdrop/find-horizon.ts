import type { Plane } from '../pixels/plane.ts';
import { clamp } from '../pixels/scalar.ts';

/** Rows of a backdrop, as shares of its height. */
export interface Rows {
  horizon: number;
  /** Where feet stand; null where no floor was found. */
  floor: number | null;
}

/** Where the horizon of a photo of a place may be; what lies outside is more likely a cornice or a kerb. */
const horizonRange = { from: 0.28, to: 0.62 };
/** Where it is unless something shows it: a photo taken standing, with the camera nearly level. */
const usualHorizon = 0.44;
/** Further away from there than this, what looks like a horizon is believed half as much, and less and less. */
const usualDistance = 0.11;

/** An edge counts as level when its rows differ by this much all across the picture, of the picture's own contrast. */
const leastLevel = 0.16;

/**
 * Finds the horizon of a small grey picture by the point where lines that run away from the camera meet, else by the
 * strongest level edge, as a sea has one; and the floor by the strongest level edge below it. Rows of a wall without a
 * floor show neither.
 */
export function findRows(grey: Plane): Rows {
  const edges = levelEdges(grey);
  const vanishing = findVanishingRow(grey);
  const usual = edges.map((strength, y) => strength * likelihoodOf(y / edges.length));
  const level = strongestIn(usual, horizonRange.from, horizonRange.to);
  const horizon = vanishing ?? (level.strength > leastLevel ? level.row : usualHorizon);
  const below = strongestIn(edges, Math.min(0.9, horizon + 0.04), 0.93);
  const isOpen = vanishing === null && level.strength > leastLevel;
  if (below.strength <= leastLevel && !isOpen && vanishing === null) return { horizon, floor: null };
  const begins = below.strength > leastLevel ? below.row : horizon;
  return { horizon, floor: clamp(begins + 0.75 * (1 - begins), 0.5, 0.97) };
}

const likelihoodOf = (row: number) => 0.5 ** (((row - usualHorizon) / usualDistance) ** 2);

/**
 * For each row how much lighter or darker it is below than above, all across, 0 to about 1: in the rows beside it, and in
 * the parts of the picture above and below, so that a row of logos on a wall is no level edge.
 */
function levelEdges(grey: Plane): Float32Array {
  const [near, far] = [0.012, 0.08].map((share) => levelSteps(grey, Math.round(share * grey.height)));
  return near!.map((step, y) =>
    Math.sign(step) === Math.sign(far![y]!) ? Math.min(Math.abs(step), 2 * Math.abs(far![y]!)) : 0,
  );
}

/** How much lighter the rows below are, in the picture's own contrast. */
function levelSteps({ data, width, height }: Plane, reach: number): Float32Array {
  // In the thirds apart, so that the edge of something that stands on one side is no level edge.
  const thirds = [0, 1, 2].map((third) => {
    const [from, to] = [Math.floor((third * width) / 3), Math.floor(((third + 1) * width) / 3)];
    const means = Float32Array.from({ length: height }, (_, y) => {
      let sum = 0;
      for (let x = from; x < to; x++) sum += data[y * width + x]!;
      return sum / (to - from);
    });
    return means.map((_, y) =>
      y < reach || y + reach >= height ? 0 : meanOf(means, y, y + reach) - meanOf(means, y - reach, y),
    );
  });
  const contrast = spreadOf(data) + 0.02;
  return Float32Array.from({ length: height }, (_, y) => {
    const steps = thirds.map((third) => third[y]!).sort((a, b) => a - b);
    const isOneWay = steps[0]! > 0 || steps[2]! < 0;
    return (isOneWay ? steps[1]! : 0) / contrast;
  });
}

function strongestIn(edges: Float32Array, from: number, to: number): { row: number; strength: number } {
  let best = { row: from, strength: 0 };
  for (let y = Math.round(from * edges.length); y < to * edges.length; y++)
    if (edges[y]! > best.strength) best = { row: y / edges.length, strength: edges[y]! };
  return best;
}

/** An edge's point and the slope of the line that it is part of, and how strong it is. */
interface EdgePoint {
  x: number;
  y: number;
  slope: number;
  strength: number;
}

/** Slopes of edges that run away from the camera: level ones and upright ones say nothing. */
const slopes = { least: 0.12, most: 4 };
const mostPoints = 1500;
/** The share of the strongest lines' crossings that must meet near one row. */
const leastAgreement = 0.3;

/** The row where most of the slanted lines of the left and the right half cross; null where they do not meet. */
function findVanishingRow(grey: Plane): number | null {
  const points = edgePoints(grey);
  const falling = points.filter(({ slope }) => slope > 0);
  const rising = points.filter(({ slope }) => slope < 0);
  if (Math.min(falling.length, rising.length) < 60) return null;
  const bins = new Float32Array(50);
  let total = 0;
  for (let i = 0; i < 6000; i++) {
    // Steps that share no factor with the lengths pair every point with many others.
    const one = falling[(i * 7919) % falling.length]!;
    const other = rising[(i * 104_729 + 13) % rising.length]!;
    const x = (other.y - one.y + one.slope * one.x - other.slope * other.x) / (one.slope - other.slope);
    const row = (one.y + one.slope * (x - one.x)) / grey.height;
    const weight = Math.sqrt(one.strength * other.strength);
    total += weight;
    if (row < 0 || row >= 1 || x < -0.2 * grey.width || x > 1.2 * grey.width) continue;
    bins[Math.floor(row * bins.length)]! += weight;
  }
  const near = (at: number) => bins[at - 1]! + bins[at]! + bins[at + 1]!;
  let best = 1;
  const likely = (at: number) => near(at) * likelihoodOf((at + 0.5) / bins.length) ** 0.5;
  for (let at = 1; at < bins.length - 1; at++) if (likely(at) > likely(best)) best = at;
  if (near(best) < leastAgreement * total) return null;
  const middle =
    (bins[best - 1]! * (best - 0.5) + bins[best]! * (best + 0.5) + bins[best + 1]! * (best + 1.5)) /
    near(best);
  const row = middle / bins.length;
  return row >= horizonRange.from && row <= horizonRange.to ? row : null;
}

/** The strongest points of slanted edges. */
function edgePoints({ data, width, height }: Plane): EdgePoint[] {
  const points: EdgePoint[] = [];
  const at = (x: number, y: number) => data[y * width + x]!;
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const dx =
        at(x + 1, y - 1) +
        2 * at(x + 1, y) +
        at(x + 1, y + 1) -
        at(x - 1, y - 1) -
        2 * at(x - 1, y) -
        at(x - 1, y + 1);
      const dy =
        at(x - 1, y + 1) +
        2 * at(x, y + 1) +
        at(x + 1, y + 1) -
        at(x - 1, y - 1) -
        2 * at(x, y - 1) -
        at(x + 1, y - 1);
      const strength = Math.hypot(dx, dy);
      if (strength < 0.12) continue;
      const slope = -dx / (dy || 1e-6);
      if (Math.abs(slope) < slopes.least || Math.abs(slope) > slopes.most) continue;
      points.push({ x, y, slope, strength });
    }
  }
  return points.sort((a, b) => b.strength - a.strength).slice(0, mostPoints);
}

function meanOf(values: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i]!;
  return sum / (to - from);
}

/** The standard deviation. */
function spreadOf(values: Float32Array): number {
  const mean = meanOf(values, 0, values.length);
  let sum = 0;
  for (const value of values) sum += (value - mean) ** 2;
  return Math.sqrt(sum / values.length);
}

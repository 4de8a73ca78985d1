import type { Size } from '../../pixels/plane.ts';
import { type Affine, type Field, identity, inverseOf } from './field.ts';
import { applyAffine } from './head-field.ts';

/** How one frame becomes the other; goes to the rendering threads as it is. Lengths are in pixels of the frame. */
export interface Passage {
  kind: 'morph' | 'transition';
  /** The frames as wholes, or what is behind their people. */
  ground: FrameMotions;
  /** Where people go, when they go another way than what is behind them. */
  people: FrameMotions | null;
  /** The width of the blend in shares of the passage: where the frames agree, and where they do not. */
  blend: { agreed: number; doubted: number };
  zoom: Zoom;
  /** Strength of the light that falls in halfway; 0 for none. */
  leak: number;
}

/** From the first frame to the last, and back. */
export interface FrameMotions {
  there: FrameMotion;
  back: FrameMotion;
}

/** Where a frame's pixels go on their way to the other frame: all by one map, and each by a little more. */
export interface FrameMotion {
  map: Affine;
  /** On a coarse grid over the frame; in pixels of the frame. */
  rest: Field;
  /** On the same grid, 0 to 1. */
  trust: Float32Array;
  /** On the same grid: 1 where the frame shows what goes this way, 0 where something else is in front; null: 1. */
  open: Float32Array | null;
}

/** Enlargement over the passage: none at its ends, `most` halfway, about a point that goes from one to the other. */
export interface Zoom {
  most: number;
  from: { x: number; y: number };
  to: { x: number; y: number };
}

/** The map when a share of the way is done. */
export function partOf([a, b, c, d, e, f]: Affine, share: number): Affine {
  return [1 + share * (a - 1), share * b, share * c, share * d, 1 + share * (e - 1), share * f];
}

/** From a point of the picture to where it was before the zoom. */
export function beforeZoom({ most, from, to }: Zoom, phase: number): Affine {
  // Straight at its ends: a passage that sets out with a shift needs room at once. Time is eased, so nothing jerks.
  const shrink = 1 / (1 + (most - 1) * 4 * phase * (1 - phase));
  const x = from.x + (to.x - from.x) * phase;
  const y = from.y + (to.y - from.y) * phase;
  return [shrink, 0, x * (1 - shrink), 0, shrink, y * (1 - shrink)];
}

const mostZoom = 1.9;

/**
 * The least zoom with which neither frame shows its border while it is seen, and as much of the map as that allows.
 * Frames that differ too much are brought together only in part.
 */
export function coveringZoom(
  size: Size,
  map: Affine,
  focus: Pick<Zoom, 'from' | 'to'>,
  { least, blend }: { least: number; blend: number },
): { map: Affine; zoom: Zoom; share: number } {
  for (const share of [1, 0.85, 0.7, 0.55, 0.4, 0.25, 0]) {
    const tried = partOf(map, share);
    for (let most = least; most <= mostZoom + 1e-6; most += 0.03) {
      const zoom = { most, ...focus };
      if (covers(size, tried, zoom, blend)) return { map: tried, zoom, share };
    }
  }
  return { map: identity, zoom: { most: least, ...focus }, share: 0 };
}

function covers(size: Size, map: Affine, zoom: Zoom, blend: number): boolean {
  const steps = 20;
  for (let step = 0; step <= steps; step++) {
    const phase = step / steps;
    const view = beforeZoom(zoom, phase);
    if (phase < 0.5 + blend / 2 && !isInside(size, inverseOf(partOf(map, phase)), view)) return false;
    if (phase > 0.5 - blend / 2 && !isInside(size, inverseOf(partOf(inverseOf(map), 1 - phase)), view))
      return false;
  }
  return true;
}

function isInside({ width, height }: Size, source: Affine, view: Affine): boolean {
  const tolerance = 0.004 * width;
  return [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].every(([u, v]) => {
    const [x, y] = applyAffine(source, ...applyAffine(view, u!, v!));
    return x > -tolerance && x < width + tolerance && y > -tolerance && y < height + tolerance;
  });
}

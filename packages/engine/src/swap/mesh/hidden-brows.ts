import { type LabPicture, mapLab } from '../../pixels/lab.ts';
import { clamp, mix, smoothstep } from '../../pixels/scalar.ts';
import { type BrowPoints, leftBrow, rightBrow } from './features.ts';

/** A place on a brow: how far out, from 0 at the nose to 1 at its end, and how far above its middle. */
interface BrowPlace {
  along: number;
  /** In halves of the brow's thickness. */
  above: number;
}

/** The guest's face at the size of the analysis: as it is lit, its skin alone, and what hair hides of it. */
interface HiddenFace {
  face: LabPicture;
  skin: LabPicture;
  /** How much of each pixel hair hides, 0 to 1. */
  hidden: Float32Array;
  /** The guest's mesh on it. */
  shape: Float32Array;
}

/** How far above and below its middle a brow is read, in halves of its thickness, and in how many steps. */
const reach = 2.2;
const steps = 12;

/** A brow is learnt from at least this share of its length. */
const leastSeen = 0.2;

/** From the first place on a brow becomes lighter outwards, until it ends at the second. */
const taper = { from: 0.4, to: 1 };

/**
 * What brows add to skin, in L*, a* and b*, at every pixel: along the mesh as far as they reach, as dark across as what
 * is seen of them. A brow that is hidden nearly whole is as dark as the other one.
 */
export function browsOverSkin({ face, skin, hidden, shape }: HiddenFace): LabPicture {
  const { width, height } = face;
  const planes = ['lightness', 'a', 'b'] as const;
  const drawn = mapLab(face, (plane) => new Float32Array(plane.length));
  const brows = [leftBrow, rightBrow].map((brow) => placesOn(brow, shape, width, height));
  const seen = brows.map((places) => profileOf(places, face, skin, hidden));
  for (const [i, places] of brows.entries()) {
    const profile = seen[i] ?? seen[1 - i];
    if (!profile) continue;
    for (const [at, { along, above }] of places) {
      const strength =
        smoothstep(taper.to, taper.from, along) * smoothstep(reach, 0.7 * reach, Math.abs(above));
      for (const plane of planes) drawn[plane][at] = strength * readProfile(profile[plane], above);
    }
  }
  return drawn;
}

/** A point on the middle of a brow, with the point above it and half of the brow's thickness there. */
interface Station {
  x: number;
  y: number;
  top: { x: number; y: number };
  half: number;
}

/** The pixels on and around a brow. */
function placesOn(
  { above, below }: BrowPoints,
  shape: Float32Array,
  width: number,
  height: number,
): Map<number, BrowPlace> {
  const point = (i: number) => ({ x: shape[3 * i]!, y: shape[3 * i + 1]! });
  const stations = above.map((upper, i): Station => {
    const [top, bottom] = [point(upper), point(below[i]!)];
    const half = Math.hypot(top.x - bottom.x, top.y - bottom.y) / 2;
    return { x: (top.x + bottom.x) / 2, y: (top.y + bottom.y) / 2, top, half };
  });
  const margin = reach * Math.max(...stations.map(({ half }) => half));
  const xs = stations.map(({ x }) => x);
  const ys = stations.map(({ y }) => y);
  const right = Math.min(width - 1, Math.max(...xs) + margin);
  const bottom = Math.min(height - 1, Math.max(...ys) + margin);
  const places = new Map<number, BrowPlace>();
  for (let y = Math.max(0, Math.floor(Math.min(...ys) - margin)); y <= bottom; y++) {
    for (let x = Math.max(0, Math.floor(Math.min(...xs) - margin)); x <= right; x++) {
      const place = placeAt(stations, x, y);
      if (Math.abs(place.above) < reach) places.set(y * width + x, place);
    }
  }
  return places;
}

/** The place of a pixel, by the nearest piece of the brow; the last one goes on beyond the brow's end. */
function placeAt(stations: readonly Station[], x: number, y: number): BrowPlace {
  const thickest = Math.max(...stations.map(({ half }) => half));
  let nearest = Infinity;
  let place = { along: 0, above: Infinity };
  for (let i = 0; i + 1 < stations.length; i++) {
    const [from, to] = [stations[i]!, stations[i + 1]!];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const most = i + 2 === stations.length ? 2 : 1;
    const share = clamp(((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy), 0, most);
    const [offX, offY] = [x - from.x - share * dx, y - from.y - share * dy];
    const distance = Math.hypot(offX, offY);
    if (distance >= nearest) continue;
    nearest = distance;
    const half = Math.max(0.5 * thickest, mix(from.half, to.half, Math.min(1, share)));
    const isAbove = offX * (from.top.x - from.x) + offY * (from.top.y - from.y) >= 0;
    place = { along: (i + share) / (stations.length - 1), above: (isAbove ? distance : -distance) / half };
  }
  return place;
}

type Profile = Record<'lightness' | 'a' | 'b', Float32Array>;

/** What a brow adds to skin from below its middle to above it; null where too little of it is seen. */
function profileOf(
  places: ReadonlyMap<number, BrowPlace>,
  face: LabPicture,
  skin: LabPicture,
  hidden: Float32Array,
): Profile | null {
  const profile = {
    lightness: new Float32Array(steps),
    a: new Float32Array(steps),
    b: new Float32Array(steps),
  };
  const weights = new Float32Array(steps);
  let whole = 0;
  let bare = 0;
  for (const [at, { along, above }] of places) {
    if (along > 1) continue;
    const weight = hidden[at]! < 0.1 ? 1 : 0;
    whole++;
    bare += weight;
    const step = stepOf(above);
    weights[step]! += weight;
    profile.lightness[step]! += weight * Math.min(0, face.lightness[at]! - skin.lightness[at]!);
    profile.a[step]! += weight * (face.a[at]! - skin.a[at]!);
    profile.b[step]! += weight * (face.b[at]! - skin.b[at]!);
  }
  if (bare < leastSeen * whole || weights.some((weight) => weight === 0)) return null;
  for (const plane of Object.values(profile)) for (let i = 0; i < steps; i++) plane[i]! /= weights[i]!;
  return profile;
}

const stepOf = (above: number) => clamp(Math.floor(((above + reach) / (2 * reach)) * steps), 0, steps - 1);

function readProfile(profile: Float32Array, above: number): number {
  const place = clamp(((above + reach) / (2 * reach)) * steps - 0.5, 0, steps - 1);
  const step = Math.min(steps - 2, Math.floor(place));
  return mix(profile[step]!, profile[step + 1]!, place - step);
}

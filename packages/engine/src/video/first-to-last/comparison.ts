import type { Face } from '../../faces/face.ts';
import type { Size } from '../../pixels/plane.ts';
import { pairFaces } from './faces-between.ts';
import {
  type Affine,
  affineField,
  type Field,
  identity,
  inverseOf,
  newField,
  sharedPlane,
  smoothPlane,
} from './field.ts';
import { applyAffine, type FacePair, fitSimilarity, headField, reversedPair } from './head-field.ts';
import type { Cv, GreyImage } from './opencv.ts';
import { type Flows, measureFlows } from './optical-flow.ts';
import type { FrameMotions } from './passage.ts';
import { type AffineFit, fitMap, isPlausible, isRelated, type Matches, matchCorners } from './relation.ts';

/** Two frames at the grid's size, and the faces in them in its pixels. */
export interface ComparedFrames {
  first: GreyImage;
  last: GreyImage;
  faces: { first: Face[]; last: Face[] };
  /** The frame's pixels for one of the grid. */
  scale: number;
}

/** Where people are in both frames, on the grid, 0 to 1. */
export interface PeopleMasks {
  first: Float32Array;
  last: Float32Array;
}

export interface Relatedness {
  /** Whether the frames show enough of the same for one to be bent into the other. */
  related: boolean;
  inliers: number;
  /** Pairs of faces found in both. */
  faces: number;
  /** Whether people and what is behind them seem to go different ways. */
  apart: boolean;
}

export interface Comparison extends Relatedness {
  /** The frames as wholes; or, when the people go their own way, what is behind them. */
  ground: FrameMotions;
  people: FrameMotions | null;
}

/** Compares two frames, step by step: whether they are related, then where everything goes. */
export interface FrameComparison {
  relatedness: Relatedness;
  /** With masks, people and what is behind them are followed apart when they go apart. */
  compare(masks: PeopleMasks | null): Comparison;
}

/** The most that flow may add to what the map and the faces say, in shares of the grid's longer side. */
const freedom = 0.09;
/** Motions that differ by less than this, in the same shares, are followed as one. */
const leastApart = 0.015;
const leastSecond = 18;

export function frameComparison(cv: Cv, { first, last, faces, scale }: ComparedFrames): FrameComparison {
  const matches = matchCorners(cv, first, last);
  const fit = fitMap(cv, matches);
  const map = fit && isRelated(fit, matches) ? fit.map : null;
  const pairs = pairFaces(faces.first, faces.last, null);
  const placed = map ? pairFaces(faces.first, faces.last, map) : pairs;
  const relatedness: Relatedness = {
    related: map !== null,
    inliers: fit?.inliers ?? 0,
    faces: pairs.length,
    apart: map !== null && pairs.length > 0 && goApart(cv, first, fit!, pairs),
  };
  return {
    relatedness,
    compare(masks) {
      const split = masks && relatedness.apart ? splitMaps(cv, first, matches, masks, pairs) : null;
      if (split) {
        const { ground, people } = split;
        const behind = outside(masks!, first);
        return {
          ...relatedness,
          ground: frameMotionsOf(ground, flowsOf(cv, { first, last }, ground, [], behind), scale, behind),
          people: frameMotionsOf(people, flowsOf(cv, { first, last }, people, pairs, masks), scale),
        };
      }
      const whole = map ?? (pairs.length > 0 ? fitSimilarity(pairs) : identity);
      const flows = map ? flowsOf(cv, { first, last }, map, placed, null) : facesOnly(first, whole, pairs);
      return { ...relatedness, ground: frameMotionsOf(whole, flows, scale), people: null };
    },
  };
}

/** Where nobody is in front, a little away from them. */
function outside(masks: PeopleMasks, size: Size): PeopleMasks {
  const open = (mask: Float32Array) => {
    const near = smoothPlane(mask, size, 2);
    const plane = sharedPlane(mask.length);
    for (let i = 0; i < plane.length; i++) plane[i] = 1 - Math.min(1, 2.5 * near[i]!);
    return plane;
  };
  return { first: open(masks.first), last: open(masks.last) };
}

/** Whether the heads, or many of the corners that the map does not explain, go elsewhere than the map says. */
function goApart(cv: Cv, size: Size, { map, rest }: AffineFit, pairs: readonly FacePair[]): boolean {
  const second = fitMap(cv, rest);
  const other = second && second.inliers >= leastSecond && isPlausible(second.map) ? second.map : null;
  return [fitSimilarity(pairs), ...(other ? [other] : [])].some((one) =>
    gapAt(one, map, middleOf(pairs), size),
  );
}

function gapAt(one: Affine, other: Affine, [x, y]: [number, number], size: Size): boolean {
  const [u, v] = applyAffine(one, x, y);
  const [p, q] = applyAffine(other, x, y);
  return Math.hypot(u - p, v - q) > leastApart * Math.max(size.width, size.height);
}

function middleOf(pairs: readonly FacePair[]): [number, number] {
  const points = pairs.flatMap(({ from }) => [...from]);
  const mean = (offset: number) =>
    points.reduce((sum, value, i) => sum + (i % 2 === offset ? value : 0), 0) / (points.length / 2);
  return [mean(0), mean(1)];
}

/** One map for what is behind the people, one for them; null when they turn out to go together, or cannot be told. */
function splitMaps(
  cv: Cv,
  size: Size,
  matches: Matches,
  masks: PeopleMasks,
  pairs: readonly FacePair[],
): { ground: Affine; people: Affine } | null {
  const maskAt = (mask: Float32Array, x: number, y: number) =>
    mask[Math.min(size.height - 1, Math.round(y)) * size.width + Math.min(size.width - 1, Math.round(x))]!;
  const of = (inside: (share: number) => boolean) =>
    Array.from({ length: matches.length / 4 }, (_, i) => matches.slice(4 * i, 4 * i + 4))
      .filter(([x, y, u, v]) => inside(maskAt(masks.first, x!, y!)) && inside(maskAt(masks.last, u!, v!)))
      .flat();
  const ground = fitMap(
    cv,
    of((share) => share < 0.2),
  );
  const people = fitMap(
    cv,
    of((share) => share > 0.8),
  );
  if (!ground || ground.inliers < leastSecond || !isPlausible(ground.map)) return null;
  const sure = people && people.inliers >= leastSecond && isPlausible(people.map);
  const maps = { ground: ground.map, people: sure ? people.map : fitSimilarity(pairs) };
  return gapAt(maps.people, maps.ground, middleOf(pairs), size) ? maps : null;
}

/** How far the frames move against each other, starting from the map and from the faces that are in both. */
function flowsOf(
  cv: Cv,
  { first, last }: { first: GreyImage; last: GreyImage },
  map: Affine,
  pairs: readonly FacePair[],
  within: PeopleMasks | null,
): Flows {
  return measureFlows(cv, first, last, {
    there: headField(first, map, pairs),
    back: headField(first, inverseOf(map), pairs.map(reversedPair)),
    most: freedom * Math.max(first.width, first.height),
    within,
  });
}

/** Frames with nothing but faces in common agree there. */
function facesOnly(size: Size, map: Affine, pairs: readonly FacePair[]): Flows {
  return {
    there: headField(size, map, pairs),
    back: headField(size, inverseOf(map), pairs.map(reversedPair)),
    trustThere: nearFaces(
      size,
      pairs.map(({ from }) => from),
    ),
    trustBack: nearFaces(
      size,
      pairs.map(({ to }) => to),
    ),
  };
}

/** Fields in the grid's pixels as maps of the frame and what is left beside them. */
function frameMotionsOf(
  map: Affine,
  flows: Flows,
  scale: number,
  open: PeopleMasks | null = null,
): FrameMotions {
  return {
    there: {
      map: toFrame(map, scale),
      rest: restOf(flows.there, map, scale),
      trust: flows.trustThere,
      open: open?.first ?? null,
    },
    back: {
      map: toFrame(inverseOf(map), scale),
      rest: restOf(flows.back, inverseOf(map), scale),
      trust: flows.trustBack,
      open: open?.last ?? null,
    },
  };
}

function restOf(field: Field, map: Affine, scale: number): Field {
  const even = affineField(field, map);
  const rest = newField(field);
  for (let i = 0; i < rest.x.length; i++) {
    rest.x[i] = (field.x[i]! - even.x[i]!) * scale;
    rest.y[i] = (field.y[i]! - even.y[i]!) * scale;
  }
  return rest;
}

/** The middle of the grid's pixel 0 is its 0; the frame's points count from its corner. */
function toFrame([a, b, c, d, e, f]: Affine, scale: number): Affine {
  return [a, b, (c + 0.5 * (1 - a - b)) * scale, d, e, (f + 0.5 * (1 - d - e)) * scale];
}

/** 1 on faces, falling to 0 around them. */
function nearFaces(size: Size, faces: readonly Float32Array[]): Float32Array {
  const trust = sharedPlane(size.width * size.height);
  for (const points of faces) {
    const count = points.length / 2;
    let x = 0;
    let y = 0;
    for (let i = 0; i < points.length; i += 2) {
      x += points[i]! / count;
      y += points[i + 1]! / count;
    }
    let square = 0;
    for (let i = 0; i < points.length; i += 2) square += (points[i]! - x) ** 2 + (points[i + 1]! - y) ** 2;
    const radius = 1.7 * Math.sqrt(square / count);
    for (let row = 0, i = 0; row < size.height; row++) {
      for (let column = 0; column < size.width; column++, i++) {
        const near = 1 / (1 + (Math.hypot(column - x, row - y) / radius) ** 6);
        trust[i] = Math.max(trust[i]!, near);
      }
    }
  }
  return trust;
}

import type { Face } from '../faces/face.ts';
import { medianHeight, moveFace } from '../faces/face-outline.ts';
import { boxMean } from '../pixels/box-mean.ts';
import { toLinear } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { guidedFilter } from '../pixels/guided-filter.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import { clampPlanes, type Placement, type Plane, planeOf, type Size } from '../pixels/plane.ts';
import type { ReducedPlane } from '../pixels/reduce.ts';
import { resample, resamplePicture, type Window } from '../pixels/resample.ts';
import { clamp, mix, smoothstep } from '../pixels/scalar.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { closeGaps, dropSpecks } from './connected-parts.ts';
import { separateColours } from './foreground-colour.ts';
import { removeFringe } from './fringe.ts';
import { findHair, hardenProfiles } from './hair.ts';
import type { Matte } from './matte.ts';
import type { PeoplePhoto } from './people.ts';

const forRows = rowsOf(import.meta.url);

/** People cut out at canvas size, with the colours they have by themselves. */
export interface Cutout extends Window {
  /** Linear light. */
  colour: Planes;
  alpha: Float32Array;
  /** The faces on the canvas. */
  faces: Face[];
}

/** Places a photo on the canvas and cuts its people out there: the cost does not grow with the photo's size. */
export function cutOut(
  { photo, matte, faces, classes }: Pick<PeoplePhoto, 'photo' | 'matte' | 'faces' | 'classes'>,
  placement: Placement,
  canvas: Size,
): Cutout {
  const { scale } = placement;
  const placed = faces.map((face) => moveFace(face, placement));
  const unit = medianHeight(placed);
  const area = coveredArea(matte, placement, canvas, Math.ceil(0.12 * unit));
  const { x, y, width, height } = area;
  const window = {
    x: (x - placement.x) / scale,
    y: (y - placement.y) / scale,
    width: width / scale,
    height: height / scale,
  };
  const sample = (plane: ReducedPlane) => resample(plane, reducedWindow(window, plane.factor), area);
  return withArena(() => {
    const display = resamplePicture(photo, window, { width, height });
    return finishCutout(
      area,
      display,
      { soft: sample(matte), hair: sample(findHair(classes, faces)) },
      placed,
    );
  });
}

const reducedWindow = ({ x, y, width, height }: Window, factor: number): Window => ({
  x: x / factor,
  y: y / factor,
  width: width / factor,
  height: height / factor,
});

/** What is known of the edges of people on the canvas. */
interface Edges {
  /** The matte as the networks left it. */
  soft: Plane;
  /** How near hair is, from 0 to 1. */
  hair: Plane;
}

/** Refines the matte of a photo that is placed on the canvas, and estimates the people's own colours. */
export function finishCutout(area: Window, photo: Picture, { soft, hair }: Edges, faces: Face[]): Cutout {
  const { width, height } = area;
  const unit = medianHeight(faces);
  return withArena(() => {
    clampPlanes([...photo.planes, soft.data, hair.data], area);
    hardenProfiles(hair.data, area, faces);
    const refined = refineMatte(soft, photo, clamp(0.035 * unit, 4, 16), hair);
    dropSpecks(refined, (0.25 * unit) ** 2);
    const here = faces.map((face) => moveFace(face, { scale: 1, x: -area.x, y: -area.y }));
    closeGaps(refined, photo, here, 0.95);
    const { foreground, background } = separateColours(photo, refined.data);
    const fringed = { colour: foreground, background, alpha: refined.data, hair: hair.data, area };
    removeFringe(fringed, Math.max(3, 0.03 * unit));
    for (const plane of foreground) forRows(linearRows, height, { width }, { plane });
    return { ...area, colour: foreground, alpha: softenEdge(refined, hair.data).data, faces };
  });
}

/** From display values to linear light, in place. */
export function linearRows(
  { width }: { width: number },
  { plane }: { plane: Float32Array },
  from: number,
  to: number,
): void {
  const part = plane.subarray(from * width, to * width);
  part.set(toLinear(part));
}

/** The part of the canvas where the placed people can be, with a margin for soft hair. */
export function coveredArea(matte: Matte, placement: Placement, canvas: Size, margin: number): Window {
  const { data: alpha, factor } = matte;
  let left = matte.width;
  let right = 0;
  let top = matte.height;
  let bottom = 0;
  for (let y = 0; y < matte.height; y++) {
    for (let x = 0; x < matte.width; x++) {
      if (alpha[y * matte.width + x]! < 0.02) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  const scale = placement.scale * factor;
  const toX = (value: number) => clamp(Math.round(placement.x + value * scale), 0, canvas.width);
  const toY = (value: number) => clamp(Math.round(placement.y + value * scale), 0, canvas.height);
  const grown = margin / scale;
  const x = toX(Math.max(0, left - grown));
  const y = toY(Math.max(0, top - grown));
  const width = toX(Math.min(matte.width, right + 2 + grown)) - x;
  const height = toY(Math.min(matte.height, bottom + 2 + grown)) - y;
  return { x, y, width, height };
}

/**
 * Lets the matte follow the photo's own edges where it is undecided, and clears faint values that the network leaves.
 * Where `hair` is known, all other edges are made as steep as cloth and skin are: before a background of their own
 * colour the filter leaves them ragged and half transparent.
 */
export function refineMatte(matte: Plane, guide: Picture, radius: number, hair?: Plane): Plane {
  const { width, height, data: alpha } = matte;
  return withArena(() => {
    const guided = guidedFilter({ guide, plane: matte, radius, epsilon: 5e-4 });
    const undecided = allocate(alpha.length);
    for (let i = 0; i < alpha.length; i++) undecided[i] = alpha[i]! > 0.03 && alpha[i]! < 0.97 ? 1 : 0;
    const band = boxMean({ width, height, data: undecided }, Math.round(radius * 0.8)).data;
    forRows(refineRows, height, { alpha, band, hair: hair?.data ?? null, width }, { guided: guided.data });
    return guided;
  });
}

interface Undecided {
  alpha: Float32Array;
  /** The share of undecided pixels around each. */
  band: Float32Array;
  hair: Float32Array | null;
  width: number;
}

export function refineRows(
  { alpha, band, hair, width }: Undecided,
  { guided }: { guided: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const share = clamp(band[i]! * 6, 0, 1);
    const g = guided[i]!;
    const steep = hair ? mix(smoothstep(0.15, 0.85, g), g, hair[i]!) : g;
    guided[i] = clamp((mix(alpha[i]!, steep, share) - 0.04) / 0.92, 0, 1);
  }
}

/**
 * Chokes the edge a little and gives it the softness of a lens. Edges without hair are choked more: they are harder
 * than the network's, and what is left of the old background there is a broad faint rim.
 */
function softenEdge(matte: Plane, hair: Float32Array): Plane {
  const { width, height, data: alpha } = matte;
  return withArena(() => {
    const choked = allocate(alpha.length);
    forRows(chokeRows, height, { alpha, hair, width }, { choked });
    return gaussianBlur(planeOf(choked, matte), 0.7);
  });
}

export function chokeRows(
  { alpha, hair, width }: { alpha: Float32Array; hair: Float32Array; width: number },
  { choked }: { choked: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const a = alpha[i]!;
    if (a <= 0 || a >= 1) {
      choked[i] = a;
      continue;
    }
    const body = 1 - hair[i]!;
    const choke = 0.06 + 0.16 * body;
    choked[i] = clamp((a - choke) / (1 - choke - 0.1 * body), 0, 1);
  }
}

import type { Face } from '../faces/face.ts';
import { mapPlanes, type Planes } from '../pixels/picture.ts';
import { allocatePlane, type Plane, type Size } from '../pixels/plane.ts';
import { enlarge } from '../pixels/reduce.ts';
import type { Window } from '../pixels/resample.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import type { LinearRgb } from './plate-light.ts';

/** The gains are smooth: they are computed at an eighth of the size. */
const factor = 8;

/** A face that gets less than this share of the light on the others is in the photo's shadow. */
const shadowShare = 0.55;
const mostGain = 1.7;

/** Distances from a face, as `bodyDistance` has them: up to which its gain is whole, and from which on there is none. */
const bodyReach = { whole: 0.8, none: 2.6 };

/** Keeps the weight of a face finite at its centre; about the fourth power of a face's half height. */
const weightFloor = 0.05;

/** The distances between which a face's amount falls to nothing: from its shoulders to its feet. */
const lowerBody = { from: 1, to: 5 };

/** A smaller gain is not visible. */
const leastGain = 1.02;

/**
 * A gain for each face from the light that falls on it. Faces in the photo's shadow get part of what they lack, so that
 * they stay the darker ones of their group; a person alone is compared with `leastLight`.
 */
export function faceGains(light: readonly number[], leastLight: number): number[] {
  const median = light.toSorted((a, b) => a - b)[light.length >> 1] ?? 0;
  const wanted = Math.max(leastLight, shadowShare * median);
  return light.map((value) => clamp((wanted / value) ** 0.75, 1, mostGain));
}

/**
 * The faces' gains spread over people: the whole gain on a head and its shoulders, fading over the body, and none
 * where another face is nearer. Null when no face has a gain to speak of.
 */
export function spreadFaceGains(
  area: Window,
  faces: readonly Face[],
  gains: readonly number[],
): Plane | null {
  if (gains.every((gain) => gain < leastGain)) return null;
  const logarithms = gains.map((gain) => (gain < leastGain ? 0 : Math.log(gain)));
  const small = allocatePlane(reducedSize(area));
  eachReduced(area, faces, (distances, i) => {
    let sum = 0;
    for (let f = 0; f < distances.length; f++) {
      const own = distances[f]!;
      if (logarithms[f] === 0 || own > bodyReach.none) continue;
      let other = Infinity;
      for (let g = 0; g < distances.length; g++) if (g !== f) other = Math.min(other, distances[g]!);
      sum +=
        logarithms[f]! *
        smoothstep(bodyReach.none, bodyReach.whole, own) *
        smoothstep(-0.3, 0.6, other - own);
    }
    small.data[i] = Math.exp(sum);
  });
  return enlarge(small, area, factor);
}

/**
 * An amount for each channel of each face spread over their bodies: everywhere the mean, in which nearer faces count
 * more, less and less towards the feet.
 */
export function spreadOverBodies(
  area: Window,
  faces: readonly Face[],
  amounts: readonly LinearRgb[],
): Planes {
  const size = reducedSize(area);
  const small: Planes = [allocatePlane(size).data, allocatePlane(size).data, allocatePlane(size).data];
  eachReduced(area, faces, (distances, i) => {
    let [red, green, blue, total, nearest] = [0, 0, 0, 0, Infinity];
    for (let f = 0; f < distances.length; f++) {
      const weight = 1 / (weightFloor + distances[f]! ** 4);
      const amount = amounts[f]!;
      red += weight * amount[0];
      green += weight * amount[1];
      blue += weight * amount[2];
      total += weight;
      nearest = Math.min(nearest, distances[f]!);
    }
    const share = smoothstep(lowerBody.to, lowerBody.from, nearest) / total;
    small[0][i] = share * red;
    small[1][i] = share * green;
    small[2][i] = share * blue;
  });
  return mapPlanes(small, (data) => enlarge({ ...size, data }, area, factor).data);
}

function reducedSize({ width, height }: Size): Size {
  return { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
}

/** Gives each pixel at a fraction of the size the distances to all faces. */
function eachReduced(
  area: Window,
  faces: readonly Face[],
  visit: (distances: Float32Array, i: number) => void,
): void {
  const { width, height } = reducedSize(area);
  const distances = new Float32Array(faces.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      for (let f = 0; f < distances.length; f++)
        distances[f] = bodyDistance(faces[f]!, area.x + x * factor, area.y + y * factor);
      visit(distances, i);
    }
  }
}

/** Distance from a face in its heights; downwards, where the body is, distances count less. */
function bodyDistance({ center, height }: Face, x: number, y: number): number {
  const across = (x - center.x) / height;
  const below = (y - center.y) / height;
  const down = below > 0 ? below / 1.6 : below;
  return Math.sqrt(across * across + down * down);
}

import type { Face } from '../faces/face.ts';
import type { Cutout } from '../matting/cutout.ts';
import { enlarge } from '../pixels/reduce.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';

const factor = 8;

/** A face in the photo's shadow is lifted when it has less than this share of the light on the others. */
const leastShare = 0.55;
const most = 1.7;

/**
 * How much light each face needs on top, given what falls on each: those in the photo's shadow some of what they lack,
 * so that they stay the darker ones of their group. Whoever is alone is judged by the light that people need at least.
 */
export function liftsFor(lit: readonly number[], least: number): number[] {
  const middle = lit.toSorted((a, b) => a - b)[lit.length >> 1] ?? 0;
  const wanted = Math.max(least, leastShare * middle);
  return lit.map((light) => clamp((wanted / light) ** 0.75, 1, most));
}

/**
 * The lifts as a plane of gains over people: whole on a head and its shoulders, fading over the body, and none where
 * another face is nearer. Null when nobody needs any.
 */
export function liftPlane(area: Cutout, lifts: readonly number[]): Float32Array | null {
  if (lifts.every((lift) => lift < 1.02)) return null;
  const width = Math.ceil(area.width / factor);
  const height = Math.ceil(area.height / factor);
  const gains = new Float32Array(width * height);
  const away = new Float32Array(area.faces.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      for (let f = 0; f < away.length; f++)
        away[f] = distance(area.faces[f]!, area.x + x * factor, area.y + y * factor);
      let gain = 0;
      for (let f = 0; f < away.length; f++) {
        const own = away[f]!;
        if (lifts[f]! < 1.02 || own > 2.6) continue;
        let other = Infinity;
        for (let g = 0; g < away.length; g++) if (g !== f) other = Math.min(other, away[g]!);
        gain += Math.log(lifts[f]!) * smoothstep(2.6, 0.8, own) * smoothstep(-0.3, 0.6, other - own);
      }
      gains[i] = Math.exp(gain);
    }
  }
  return enlarge({ width, height, data: gains }, area, factor).data;
}

/** In face heights; a body goes on below. */
function distance({ center, height }: Face, x: number, y: number): number {
  const across = (x - center.x) / height;
  const below = (y - center.y) / height;
  const down = below > 0 ? below / 1.6 : below;
  return Math.sqrt(across * across + down * down);
}

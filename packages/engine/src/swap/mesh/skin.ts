import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import type { LabPicture } from '../../pixels/lab.ts';
import { planeOf } from '../../pixels/plane.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';
import type { FaceParts } from './face-parts.ts';

/** How far skin strays from its smooth shading, at least and at most, in L*, a* and b*. */
const leastSpread = [6, 3, 3.5] as const;
const mostSpread = [12, 6, 7] as const;

/** A plane first, then a quadratic and a cubic surface: more terms only once hair has been told apart. */
const termsByRound = [3, 6, 6, 10, 10] as const;

/**
 * How far each pixel is from this face's skin: below 1 it is skin, above 1.5 it is not. Skin is learnt from the sample:
 * in each of L*, a* and b* a smooth surface over the face, so that a cheek in shadow or in coloured light is still skin
 * and hair of a cheek's colour is not. Pixels that fit are added to the sample, in five rounds. Features are
 * left out of it.
 */
export function findSkin(
  lab: LabPicture,
  inside: Float32Array,
  sample: Float32Array,
  features: Float32Array,
): Float32Array {
  const { width, height } = lab;
  const channels = [lab.lightness, lab.a, lab.b];
  const strangeness = new Float32Array(width * height).fill(9);
  const weights = new Float32Array(width * height);
  for (let i = 0; i < weights.length; i++) weights[i] = inside[i]! * sample[i]! * (1 - features[i]!);
  let spread: number[] = [10, 5, 6];
  for (let round = 0; round < termsByRound.length; round++) {
    const terms = termsByRound[round]!;
    const surfaces = channels.map((channel) => fitSurface(channel, weights, width, height, terms));
    const errors = [0, 0, 0];
    let count = 1e-6;
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        if (inside[i] === 0) continue;
        let distance = 0;
        const off = surfaces.map((surface, c) => channels[c]![i]! - heightAt(surface, x, y, width, height));
        off.forEach((error, c) => {
          distance += (error / (2.6 * spread[c]!)) ** 2;
        });
        strangeness[i] = Math.sqrt(distance);
        weights[i] = round === 0 && sample[i] === 0 ? 0 : likelihood(strangeness[i]!) * (1 - features[i]!);
        if (weights[i]! > 0.5 && sample[i] === 1) {
          off.forEach((error, c) => {
            errors[c]! += error * error;
          });
          count++;
        }
      }
    }
    spread = errors.map((error, c) => clamp(1.3 * Math.sqrt(error / count), leastSpread[c]!, mostSpread[c]!));
  }
  return strangeness;
}

/** From how far a pixel is from skin to how much it counts as skin, 0 to 1. */
export function likelihood(strangeness: number, limit = 1.5): number {
  return clamp(2 * (limit - strangeness), 0, 1);
}

function termsAt(x: number, y: number, width: number, height: number): number[] {
  const u = (2 * x) / width - 1;
  const v = (2 * y) / height - 1;
  return [1, u, v, u * u, u * v, v * v, u * u * u, u * u * v, u * v * v, v * v * v];
}

function heightAt(surface: Float64Array, x: number, y: number, width: number, height: number): number {
  const terms = termsAt(x, y, width, height);
  let sum = 0;
  for (let k = 0; k < surface.length; k++) sum += surface[k]! * terms[k]!;
  return sum;
}

/** Weighted least squares of a plane (3 terms), a quadratic (6) or a cubic surface (10), on every second pixel each way. */
function fitSurface(
  channel: Float32Array,
  weights: Float32Array,
  width: number,
  height: number,
  count: number,
): Float64Array {
  const rows = Array.from({ length: count }, () => new Float64Array(count + 1));
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const weight = weights[y * width + x]!;
      if (weight <= 0) continue;
      const terms = termsAt(x, y, width, height);
      for (let r = 0; r < count; r++) {
        const row = rows[r]!;
        const weighted = weight * terms[r]!;
        for (let c = 0; c < count; c++) row[c]! += weighted * terms[c]!;
        row[count]! += weighted * channel[y * width + x]!;
      }
    }
  }
  // A little stiffness: a face that is half in hair must not bend the surface out of its range.
  const stiffness = rows.reduce((sum, row, r) => sum + row[r]!, 1e-9) * 2e-4;
  for (let r = 0; r < count; r++) rows[r]![r]! += r === 0 ? 1e-9 : stiffness;
  return solve(rows);
}

/** Gauss–Jordan with pivoting; each row ends with its right-hand side. */
function solve(rows: Float64Array[]): Float64Array {
  const count = rows.length;
  for (let r = 0; r < count; r++) {
    let pivot = r;
    for (let q = r + 1; q < count; q++) {
      if (Math.abs(rows[q]![r]!) > Math.abs(rows[pivot]![r]!)) pivot = q;
    }
    [rows[r], rows[pivot]] = [rows[pivot]!, rows[r]!];
    const row = rows[r]!;
    for (let q = 0; q < count; q++) {
      if (q === r) continue;
      const factor = rows[q]![r]! / row[r]!;
      for (let c = r; c <= count; c++) rows[q]![c]! -= factor * row[c]!;
    }
  }
  return Float64Array.from(rows, (row, r) => row[count]! / row[r]!);
}

/** Skin of the template's face and of the guest's, both on the template's patch. */
export interface BothSkins {
  there: Float32Array;
  guest: Float32Array;
  /** Skin of both that shows how they are lit. */
  lit: Float32Array;
}

export function skinsOf(there: LabPicture, guest: LabPicture, parts: FaceParts, unit: number): BothSkins {
  const find = (lab: LabPicture) => findSkin(lab, parts.oval, parts.skinSample, parts.features);
  const strange = { there: find(there), guest: find(guest) };
  // Near the oval the guest's own hair comes in: only what is surely skin counts there.
  const soft = gaussianBlur(planeOf(parts.oval, there), 0.13 * unit).data;
  const inward = soft.map((value) => smoothstep(0.62, 0.97, value));
  const guestLikes = (from: number, to: number) =>
    strange.guest.map((value, i) => likelihood(value, from + (to - from) * inward[i]!));
  // Light is read from all but hair: highlights and coloured lamps are just what it is about.
  const lit = guestLikes(0.8, 2.3);
  for (let i = 0; i < lit.length; i++) lit[i]! *= likelihood(strange.there[i]!, 2) * (1 - parts.features[i]!);
  return { there: strange.there.map((value) => likelihood(value)), guest: guestLikes(0.95, 1.5), lit };
}

import { mapPlanes, type Picture, type Planes } from '../pixels/picture.ts';
import type { Plane, Size } from '../pixels/plane.ts';
import { clamp01 } from '../pixels/scalar.ts';
import { allocate, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

const regularisation = 1e-5;

/** What the photo shows, and how much of it is people. */
interface Mixture extends Size {
  image: Planes;
  alpha: Float32Array;
}

interface Level extends Size {
  foreground: Planes;
  background: Planes;
}

/**
 * The colour that people have by themselves where the photo shows them mixed with its background: multi-level
 * estimation (Germer et al. 2020). Hair and soft edges lose the colour of the room they were in; nothing else against
 * halos does as much. Solved coarse to fine; on large levels only where the mixture is not already plain.
 */
export function separateColours(
  { width, height, planes: colour }: Picture,
  alpha: Float32Array,
): { foreground: Planes; background: Planes } {
  const full = { width, height, image: colour, alpha };
  const levels = Math.ceil(Math.log2(Math.max(width, height)));
  return withArena(() => {
    let level = meanColours(colour, alpha);
    for (let i = 1; i <= levels; i++) {
      const w = Math.round(width ** (i / levels));
      const h = Math.round(height ** (i / levels));
      const coarse = level;
      level = withArena(() => solveLevel(full, coarse, { width: w, height: h }));
    }
    return { foreground: level.foreground, background: level.background };
  });
}

function meanColours(colour: Planes, alpha: Float32Array): Level {
  const means = (weight: (a: number) => number) =>
    mapPlanes(colour, (plane) => {
      let sum = 0;
      let total = 1e-6;
      for (let i = 0; i < plane.length; i += 37) {
        sum += plane[i]! * weight(alpha[i]!);
        total += weight(alpha[i]!);
      }
      return Float32Array.of(sum / total);
    });
  return { width: 1, height: 1, foreground: means((a) => a), background: means((a) => 1 - a) };
}

function solveLevel(full: Mixture, coarse: Level, { width, height }: Size): Level {
  const count = width * height;
  const planes = (): Planes => [allocate(count), allocate(count), allocate(count)];
  const finest = width === full.width && height === full.height;
  const image = finest ? full.image : planes();
  const alpha = finest ? full.alpha : allocate(count);
  if (!finest)
    forRows(
      pickRows,
      height,
      { full: [...full.image, full.alpha], fullWidth: full.width, fullHeight: full.height, width, height },
      { picked: [...image, alpha] },
    );
  const foreground = planes();
  const background = planes();
  forRows(
    pickRows,
    height,
    {
      full: [...coarse.foreground, ...coarse.background],
      fullWidth: coarse.width,
      fullHeight: coarse.height,
      width,
      height,
    },
    { picked: [...foreground, ...background] },
  );
  const small = width <= 32 && height <= 32;
  const mixture = { width, height, image, alpha };
  const level = { width, height, foreground, background };
  const pending = small ? everyPixel(count) : mixedPixels(mixture, level);
  for (let pass = 0; pass < (small ? 10 : 2); pass++) relax(pending, mixture, level);
  return level;
}

interface Pick {
  full: Float32Array[];
  fullWidth: number;
  fullHeight: number;
  width: number;
  height: number;
}

/** Planes at another size, by the nearest pixel. */
export function pickRows(
  { full, fullWidth, fullHeight, width, height }: Pick,
  { picked }: { picked: Float32Array[] },
  from: number,
  to: number,
): void {
  const column = nearestIndex(width, fullWidth);
  for (let y = from; y < to; y++) {
    const fullRow = Math.min(fullHeight - 1, Math.floor((y * fullHeight) / height)) * fullWidth;
    for (let p = 0; p < full.length; p++) {
      const source = full[p]!;
      const target = picked[p]!;
      for (let x = 0, i = y * width; x < width; x++, i++) target[i] = source[fullRow + column[x]!]!;
    }
  }
}

function nearestIndex(count: number, sourceCount: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) =>
    Math.min(sourceCount - 1, Math.floor((i * sourceCount) / count)),
  );
}

function everyPixel(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => i);
}

/** Pixels near a mixture. Away from it the answer is plain: the picture itself is the one of the two that is there. */
function mixedPixels(
  { width, height, image, alpha }: Mixture,
  { foreground, background }: Level,
): Int32Array {
  const near = nearMixture({ width, height, data: alpha });
  let count = 0;
  for (let i = 0; i < near.length; i++) count += near[i]!;
  const pending = new Int32Array(count);
  for (let i = 0, next = 0; i < near.length; i++) if (near[i] === 1) pending[next++] = i;
  forRows(plainRows, height, { image, alpha, near, width }, { foreground, background });
  return pending;
}

interface Plain {
  image: Planes;
  alpha: Float32Array;
  near: Uint8Array;
  width: number;
}

export function plainRows(
  { image, alpha, near, width }: Plain,
  { foreground, background }: { foreground: Planes; background: Planes },
  from: number,
  to: number,
): void {
  for (let c = 0; c < 3; c++) {
    const source = image[c]!;
    const fore = foreground[c]!;
    const back = background[c]!;
    for (let i = from * width; i < to * width; i++) {
      if (near[i] === 1) continue;
      if (alpha[i]! > 0.5) fore[i] = source[i]!;
      else back[i] = source[i]!;
    }
  }
}

/** 1 within two pixels of a mixture: along the rows first, then down. */
function nearMixture({ width, height, data: alpha }: Plane): Uint8Array {
  const across = new Uint8Array(alpha.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) {
      const a = alpha[row + x]!;
      if (a < 0.004 || a > 0.996) continue;
      for (let at = Math.max(0, x - 2); at <= Math.min(width - 1, x + 2); at++) across[row + at] = 1;
    }
  }
  const near = new Uint8Array(alpha.length);
  for (let y = 0; y < height; y++) {
    const above = y > 0 ? -width : 0;
    const twoAbove = y > 1 ? -2 * width : 0;
    const below = y < height - 1 ? width : 0;
    const twoBelow = y < height - 2 ? 2 * width : 0;
    for (let i = y * width; i < (y + 1) * width; i++) {
      near[i] =
        across[i]! | across[i + above]! | across[i + twoAbove]! | across[i + below]! | across[i + twoBelow]!;
    }
  }
  return near;
}

/** One pass of the 2×2 systems that tie every pixel's pair of colours to the picture and to its neighbours' pairs. */
function relax(pending: Int32Array, { width, height, image, alpha }: Mixture, level: Level): void {
  const [red, green, blue] = image;
  const [fr, fg, fb] = level.foreground;
  const [br, bg, bb] = level.background;
  for (let k = 0; k < pending.length; k++) {
    const i = pending[k]!;
    const x = i % width;
    const y = (i / width) | 0;
    const a = alpha[i]!;
    const rest = 1 - a;
    let ff = a * a;
    const mixed = a * rest;
    let gg = rest * rest;
    let f0 = a * red[i]!;
    let f1 = a * green[i]!;
    let f2 = a * blue[i]!;
    let b0 = rest * red[i]!;
    let b1 = rest * green[i]!;
    let b2 = rest * blue[i]!;
    for (let side = 0; side < 4; side++) {
      const j =
        side === 0
          ? x > 0
            ? i - 1
            : i
          : side === 1
            ? x < width - 1
              ? i + 1
              : i
            : side === 2
              ? y > 0
                ? i - width
                : i
              : y < height - 1
                ? i + width
                : i;
      const weight = regularisation + Math.abs(a - alpha[j]!);
      ff += weight;
      gg += weight;
      f0 += weight * fr[j]!;
      f1 += weight * fg[j]!;
      f2 += weight * fb[j]!;
      b0 += weight * br[j]!;
      b1 += weight * bg[j]!;
      b2 += weight * bb[j]!;
    }
    const inverse = 1 / (ff * gg - mixed * mixed);
    fr[i] = clamp01((gg * f0 - mixed * b0) * inverse);
    fg[i] = clamp01((gg * f1 - mixed * b1) * inverse);
    fb[i] = clamp01((gg * f2 - mixed * b2) * inverse);
    br[i] = clamp01((ff * b0 - mixed * f0) * inverse);
    bg[i] = clamp01((ff * b1 - mixed * f1) * inverse);
    bb[i] = clamp01((ff * b2 - mixed * f2) * inverse);
  }
}

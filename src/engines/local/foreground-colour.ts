import type { Planes } from './colour.ts';

const regularisation = 1e-5;

interface Level {
  width: number;
  height: number;
  foreground: Planes;
  background: Planes;
}

/**
 * The colour that people have by themselves where the photo shows them mixed with its background: multi-level
 * estimation (Germer et al. 2020). Hair and soft edges lose the colour of the room they were in; nothing else against
 * halos does as much. Solved coarse to fine; on large levels only where the mixture is not already plain.
 */
export function separateColours(
  colour: Planes,
  alpha: Float32Array,
  width: number,
  height: number,
): { foreground: Planes; background: Planes } {
  const levels = Math.ceil(Math.log2(Math.max(width, height)));
  let level = meanColours(colour, alpha);
  for (let i = 1; i <= levels; i++) {
    const w = Math.round(width ** (i / levels));
    const h = Math.round(height ** (i / levels));
    level = solveLevel(colour, alpha, width, height, level, w, h);
  }
  return { foreground: level.foreground, background: level.background };
}

function meanColours(colour: Planes, alpha: Float32Array): Level {
  const means = (weight: (a: number) => number) =>
    colour.map((plane) => {
      let sum = 0;
      let total = 1e-6;
      for (let i = 0; i < plane.length; i += 37) {
        sum += plane[i]! * weight(alpha[i]!);
        total += weight(alpha[i]!);
      }
      return Float32Array.of(sum / total);
    }) as Planes;
  return { width: 1, height: 1, foreground: means((a) => a), background: means((a) => 1 - a) };
}

function solveLevel(
  colour: Planes,
  alpha: Float32Array,
  fullWidth: number,
  fullHeight: number,
  coarse: Level,
  width: number,
  height: number,
): Level {
  const count = width * height;
  const planes = (): Planes => [new Float32Array(count), new Float32Array(count), new Float32Array(count)];
  const finest = width === fullWidth && height === fullHeight;
  const image = finest ? colour : planes();
  const a = finest ? alpha : new Float32Array(count);
  const foreground = planes();
  const background = planes();
  const fullColumn = nearestIndex(width, fullWidth);
  const coarseColumn = nearestIndex(width, coarse.width);
  for (let y = 0; y < height; y++) {
    const fullRow = Math.min(fullHeight - 1, Math.floor((y * fullHeight) / height)) * fullWidth;
    const coarseRow = Math.min(coarse.height - 1, Math.floor((y * coarse.height) / height)) * coarse.width;
    const row = y * width;
    if (!finest) for (let x = 0; x < width; x++) a[row + x] = alpha[fullRow + fullColumn[x]!]!;
    for (let c = 0; c < 3; c++) {
      const coarseFore = coarse.foreground[c]!;
      const coarseBack = coarse.background[c]!;
      const fore = foreground[c]!;
      const back = background[c]!;
      for (let x = 0; x < width; x++) {
        const from = coarseRow + coarseColumn[x]!;
        fore[row + x] = coarseFore[from]!;
        back[row + x] = coarseBack[from]!;
      }
      if (finest) continue;
      const full = colour[c]!;
      const reduced = image[c]!;
      for (let x = 0; x < width; x++) reduced[row + x] = full[fullRow + fullColumn[x]!]!;
    }
  }
  const small = width <= 32 && height <= 32;
  const pending = small ? everyPixel(count) : mixedPixels(a, width, height, image, foreground, background);
  for (let pass = 0; pass < (small ? 10 : 2); pass++)
    relax(pending, width, height, a, image, foreground, background);
  return { width, height, foreground, background };
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
  alpha: Float32Array,
  width: number,
  height: number,
  image: Planes,
  foreground: Planes,
  background: Planes,
): Int32Array {
  const near = new Uint8Array(alpha.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (alpha[i]! < 0.004 || alpha[i]! > 0.996) continue;
      for (let dy = y > 1 ? -2 : -y; dy <= 2 && y + dy < height; dy++) {
        for (let dx = x > 1 ? -2 : -x; dx <= 2 && x + dx < width; dx++) near[i + dy * width + dx] = 1;
      }
    }
  }
  let count = 0;
  for (let i = 0; i < near.length; i++) count += near[i]!;
  const pending = new Int32Array(count);
  let next = 0;
  for (let i = 0; i < near.length; i++) {
    if (near[i] === 1) pending[next++] = i;
    else {
      const plain = alpha[i]! > 0.5 ? foreground : background;
      for (let c = 0; c < 3; c++) plain[c]![i] = image[c]![i]!;
    }
  }
  return pending;
}

/** One pass of the 2×2 systems that tie every pixel's pair of colours to the picture and to its neighbours' pairs. */
function relax(
  pending: Int32Array,
  width: number,
  height: number,
  alpha: Float32Array,
  [red, green, blue]: Planes,
  [fr, fg, fb]: Planes,
  [br, bg, bb]: Planes,
): void {
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
    fr[i] = unit((gg * f0 - mixed * b0) * inverse);
    fg[i] = unit((gg * f1 - mixed * b1) * inverse);
    fb[i] = unit((gg * f2 - mixed * b2) * inverse);
    br[i] = unit((ff * b0 - mixed * f0) * inverse);
    bg[i] = unit((ff * b1 - mixed * f1) * inverse);
    bb[i] = unit((ff * b2 - mixed * f2) * inverse);
  }
}

function unit(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

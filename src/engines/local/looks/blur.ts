import { newPlane, type Plane } from './plane.ts';

/** Mean over a square of 2·radius + 1 pixels; at the border over what is inside. */
export function boxMean(source: Plane, radius: number): Plane {
  const result = newPlane(source.width, source.height);
  boxMeanInto(source, radius, result);
  return result;
}

/** Small sigmas with the true kernel, larger ones as three box means of two widths whose variances add up to it. */
export function gaussian(source: Plane, sigma: number): Plane {
  if (sigma < 2.2) return convolve(source, kernel(sigma));
  const narrow = Math.floor((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2);
  const side = 2 * narrow + 1;
  const narrows = Math.round((3 * side * side + 12 * side + 9 - 12 * sigma * sigma) / (4 * side + 4));
  const result = boxMean(source, narrows > 0 ? narrow : narrow + 1);
  boxMeanInto(result, narrows > 1 ? narrow : narrow + 1, result);
  boxMeanInto(result, narrows > 2 ? narrow : narrow + 1, result);
  return result;
}

let scratch = new Float32Array(0);

/** Holds the rows between the two passes of a blur; one for all, so that blurs do not fill the memory with planes. */
function rowsBetween(size: number): Float32Array {
  if (scratch.length < size) scratch = new Float32Array(size);
  return scratch;
}

function boxMeanInto(source: Plane, radius: number, target: Plane): void {
  const { width, height, data } = source;
  const rows = rowsBetween(data.length);
  const share = 1 / (2 * radius + 1);
  const inner = Math.max(0, width - radius);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    let sum = 0;
    for (let x = 0; x < Math.min(width, radius); x++) sum += data[start + x]!;
    // The two ends divide by what is inside; the long middle runs without a branch or a division.
    let x = 0;
    for (; x < width && (x <= radius || x >= inner); x++) {
      if (x + radius < width) sum += data[start + x + radius]!;
      if (x > radius) sum -= data[start + x - radius - 1]!;
      rows[start + x] = sum / (Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1);
    }
    for (; x < inner; x++) {
      sum += data[start + x + radius]! - data[start + x - radius - 1]!;
      rows[start + x] = sum * share;
    }
    for (; x < width; x++) {
      sum -= data[start + x - radius - 1]!;
      rows[start + x] = sum / (width - x + radius);
    }
  }
  const out = target.data;
  const columns = new Float64Array(width);
  for (let y = 0; y < Math.min(radius, height); y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) columns[x]! += rows[i]!;
  }
  for (let y = 0; y < height; y++) {
    const enter = y + radius;
    const leave = y - radius - 1;
    const here = y * width;
    const part = 1 / (Math.min(height - 1, enter) - Math.max(-1, leave));
    if (enter < height && leave >= 0) {
      const below = enter * width;
      const above = leave * width;
      for (let x = 0; x < width; x++) {
        const sum = columns[x]! + rows[below + x]! - rows[above + x]!;
        columns[x] = sum;
        out[here + x] = sum * part;
      }
      continue;
    }
    if (enter < height) for (let x = 0, i = enter * width; x < width; x++, i++) columns[x]! += rows[i]!;
    if (leave >= 0) for (let x = 0, i = leave * width; x < width; x++, i++) columns[x]! -= rows[i]!;
    for (let x = 0; x < width; x++) out[here + x] = columns[x]! * part;
  }
}

/** One side of a normalised Gaussian, the middle first. */
function kernel(sigma: number): Float32Array {
  const radius = Math.max(1, Math.ceil(sigma * 2.8));
  const weights = new Float32Array(radius + 1);
  let sum = 0;
  for (let i = 0; i <= radius; i++) {
    weights[i] = Math.exp((-i * i) / (2 * sigma * sigma));
    sum += i === 0 ? weights[i]! : 2 * weights[i]!;
  }
  for (let i = 0; i <= radius; i++) weights[i]! /= sum;
  return weights;
}

/** The first three taps in one go, the rest one by one: no loop over taps inside the loop over pixels. */
function convolve(source: Plane, weights: Float32Array): Plane {
  const { width, height, data } = source;
  const radius = weights.length - 1;
  const [w0, w1, w2, w3] = [weights[0]!, weights[1]!, weights[2] ?? 0, weights[3] ?? 0];
  const rows = rowsBetween(data.length);
  const margin = Math.max(3, radius);
  const padded = new Float32Array(width + 2 * margin);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    padded.fill(data[start]!, 0, margin);
    padded.set(data.subarray(start, start + width), margin);
    padded.fill(data[start + width - 1]!, margin + width);
    for (let x = 0, p = margin; x < width; x++, p++) {
      rows[start + x] =
        padded[p]! * w0 +
        (padded[p - 1]! + padded[p + 1]!) * w1 +
        (padded[p - 2]! + padded[p + 2]!) * w2 +
        (padded[p - 3]! + padded[p + 3]!) * w3;
    }
    for (let i = 4; i <= radius; i++) {
      const weight = weights[i]!;
      for (let x = 0, p = margin; x < width; x++, p++) {
        rows[start + x]! += (padded[p - i]! + padded[p + i]!) * weight;
      }
    }
  }
  const result = newPlane(width, height);
  const out = result.data;
  const row = (y: number) => Math.min(height - 1, Math.max(0, y)) * width;
  for (let y = 0; y < height; y++) {
    const here = y * width;
    const [a1, a2, a3, b1, b2, b3] = [row(y - 1), row(y - 2), row(y - 3), row(y + 1), row(y + 2), row(y + 3)];
    for (let x = 0; x < width; x++) {
      out[here + x] =
        rows[here + x]! * w0 +
        (rows[a1 + x]! + rows[b1 + x]!) * w1 +
        (rows[a2 + x]! + rows[b2 + x]!) * w2 +
        (rows[a3 + x]! + rows[b3 + x]!) * w3;
    }
    for (let i = 4; i <= radius; i++) {
      const above = row(y - i);
      const below = row(y + i);
      const weight = weights[i]!;
      for (let x = 0; x < width; x++) out[here + x]! += (rows[above + x]! + rows[below + x]!) * weight;
    }
  }
  return result;
}

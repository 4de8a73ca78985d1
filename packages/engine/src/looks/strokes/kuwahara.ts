import { allocatePicture, lumaOf, type Picture, type Planes } from '../../pixels/picture.ts';
import type { Size } from '../../pixels/plane.ts';
import { allocate, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import type { Flow } from './tangent-flow.ts';

const forRows = rowsOf(import.meta.url);

/** Columns that are summed together. */
const strip = 8;

/**
 * The anisotropic Kuwahara filter, which removes texture and keeps contours: each pixel becomes the mean of the eight
 * patches around it, weighted towards those with the least variance. The patches are box means on an ellipse along the
 * flow, so the cost is the same for every radius; with true sectors (Kyprianidis) it grows with the square.
 */
export function kuwahara(picture: Picture, flow: Flow, radius: number): Picture {
  const { width, height, planes } = picture;
  const reach = Math.max(1, Math.round(radius));
  return withArena(() => {
    // The mean colour and the weight of each patch side by side: one place in memory for each read instead of four.
    const patches = allocate(width * height * 4);
    forRows(patchesAcross, height, { width, planes, reach }, { patches });
    forRows(patchesDown, Math.ceil(width / strip), { width, height, reach }, { patches });
    const result = allocatePicture({ width, height });
    forRows(
      kuwaharaRows,
      height,
      { patches: { width, height, values: patches }, flow, reach },
      { planes: result.planes },
    );
    return result;
  });
}

/** Running means along rows of red, green, blue and squared lightness. */
export function patchesAcross(
  { width, planes, reach }: { width: number; planes: Planes; reach: number },
  { patches }: { patches: Float32Array },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  const squares = new Float32Array(width);
  for (let y = from; y < to; y++) {
    const row = y * width;
    for (let x = 0, i = row; x < width; x++, i++) {
      const light = lumaOf(red[i]!, green[i]!, blue[i]!);
      squares[x] = light * light;
    }
    let r = 0;
    let g = 0;
    let b = 0;
    let s = 0;
    for (let x = -reach, at = row * 4; x < width; x++) {
      const enters = x + reach;
      if (enters < width) {
        r += red[row + enters]!;
        g += green[row + enters]!;
        b += blue[row + enters]!;
        s += squares[enters]!;
      }
      if (x < 0) continue;
      const leaves = x - reach - 1;
      if (leaves >= 0) {
        r -= red[row + leaves]!;
        g -= green[row + leaves]!;
        b -= blue[row + leaves]!;
        s -= squares[leaves]!;
      }
      const share = 1 / (Math.min(width - 1, enters) - Math.max(0, x - reach) + 1);
      patches[at] = r * share;
      patches[at + 1] = g * share;
      patches[at + 2] = b * share;
      patches[at + 3] = s * share;
      at += 4;
    }
  }
}

/** The same along columns, in place; then each colour times the weight of its patch, and the weight beside it. */
export function patchesDown(
  { width, height, reach }: Size & { reach: number },
  { patches }: { patches: Float32Array },
  from: number,
  to: number,
): void {
  const lanes = strip * 4;
  const column = new Float32Array(height * lanes);
  const sums = new Float64Array(lanes);
  for (let part = from; part < to; part++) {
    const left = part * strip;
    const wide = Math.min(strip, width - left) * 4;
    for (let y = 0; y < height; y++) {
      const row = (y * width + left) * 4;
      for (let k = 0; k < wide; k++) column[y * lanes + k] = patches[row + k]!;
    }
    sums.fill(0);
    for (let y = -reach; y < height; y++) {
      const enters = y + reach < height ? (y + reach) * lanes : -1;
      const leaves = (y - reach - 1) * lanes;
      if (enters >= 0 && leaves >= 0) {
        for (let k = 0; k < wide; k++) sums[k] = sums[k]! + column[enters + k]! - column[leaves + k]!;
      } else if (enters >= 0) {
        for (let k = 0; k < wide; k++) sums[k] = sums[k]! + column[enters + k]!;
      } else if (leaves >= 0) {
        for (let k = 0; k < wide; k++) sums[k] = sums[k]! - column[leaves + k]!;
      }
      if (y < 0) continue;
      const share = 1 / (Math.min(height - 1, y + reach) - Math.max(0, y - reach) + 1);
      for (let k = 0, at = (y * width + left) * 4; k < wide; k += 4, at += 4) {
        const r = sums[k]! * share;
        const g = sums[k + 1]! * share;
        const b = sums[k + 2]! * share;
        const mean = lumaOf(r, g, b);
        const variance = sums[k + 3]! * share - mean * mean;
        const t = 1 + (variance > 0 ? variance : 0) * 1500;
        const weight = 1 / (t * t * t * t);
        patches[at] = r * weight;
        patches[at + 1] = g * weight;
        patches[at + 2] = b * weight;
        patches[at + 3] = weight;
      }
    }
  }
}

/** Red, green and blue times the weight of the patch around each pixel, and the weight. */
interface Patches extends Size {
  values: Float32Array;
}

interface KuwaharaInput {
  patches: Patches;
  flow: Flow;
  reach: number;
}

export function kuwaharaRows(
  { patches, flow, reach }: KuwaharaInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const { width, height } = patches;
  const offsets: Offsets = {
    x: new Int32Array(flow.width * 8),
    y: new Int32Array(flow.width * 8),
    index: new Int32Array(flow.width * 8),
  };
  const margin = Math.ceil(reach * 1.8) + 1;
  // Inside, where no patch leaves the picture, two pixels that share a value of the flow are done at once: from an
  // even column on.
  const left = margin + (margin & 1);
  const right = Math.max(left, (width - margin) & ~1);
  const inner = { from: left, to: right };
  for (let y = from; y < to; y++) {
    if (y === from || y % 2 === 0) findOffsets(offsets, flow, y >> 1, { reach, width });
    if (y >= margin && y < height - margin && left < right) {
      averagePairs(patches, offsets, y, inner, planes);
      averageAtBorder(patches, offsets, y, { from: 0, to: left }, planes);
      averageAtBorder(patches, offsets, y, { from: right, to: width }, planes);
    } else {
      averageAtBorder(patches, offsets, y, { from: 0, to: width }, planes);
    }
  }
}

/** Where the eight patches lie from a pixel, for each value of the flow in a row; four pixels share one. */
interface Offsets {
  x: Int32Array;
  y: Int32Array;
  /** Both as one offset in the values of the patches. */
  index: Int32Array;
}

interface Columns {
  from: number;
  to: number;
}

/** The weighted mean of eight patches for two pixels at a time, whose patches lie side by side. */
function averagePairs(
  { width, values }: Patches,
  { index }: Offsets,
  y: number,
  { from, to }: Columns,
  [red, green, blue]: Planes,
): void {
  const row = y * width;
  for (let x = from; x < to; x += 2) {
    const here = (row + x) * 4;
    let r0 = 0;
    let g0 = 0;
    let b0 = 0;
    let total0 = 0;
    let r1 = 0;
    let g1 = 0;
    let b1 = 0;
    let total1 = 0;
    for (let k = x * 4; k < x * 4 + 8; k++) {
      const at = here + index[k]!;
      r0 += values[at]!;
      g0 += values[at + 1]!;
      b0 += values[at + 2]!;
      total0 += values[at + 3]!;
      r1 += values[at + 4]!;
      g1 += values[at + 5]!;
      b1 += values[at + 6]!;
      total1 += values[at + 7]!;
    }
    const share0 = 1 / total0;
    const share1 = 1 / total1;
    const i = row + x;
    red[i] = r0 * share0;
    green[i] = g0 * share0;
    blue[i] = b0 * share0;
    red[i + 1] = r1 * share1;
    green[i + 1] = g1 * share1;
    blue[i + 1] = b1 * share1;
  }
}

function averageAtBorder(
  { width, height, values }: Patches,
  offsets: Offsets,
  y: number,
  { from, to }: Columns,
  [red, green, blue]: Planes,
): void {
  for (let x = from; x < to; x++) {
    let r = 0;
    let g = 0;
    let b = 0;
    let total = 0;
    for (let k = (x >> 1) * 8, end = k + 8; k < end; k++) {
      const px = Math.min(width - 1, Math.max(0, x + offsets.x[k]!));
      const py = Math.min(height - 1, Math.max(0, y + offsets.y[k]!));
      const at = (py * width + px) * 4;
      r += values[at]!;
      g += values[at + 1]!;
      b += values[at + 2]!;
      total += values[at + 3]!;
    }
    const i = y * width + x;
    const share = 1 / total;
    red[i] = r * share;
    green[i] = g * share;
    blue[i] = b * share;
  }
}

const across = [1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2, 0, Math.SQRT1_2];
const along = [0, Math.SQRT1_2, 1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2];

function findOffsets(
  { x, y, index }: Offsets,
  flow: Flow,
  row: number,
  { reach, width }: { reach: number; width: number },
): void {
  for (let column = 0, here = row * flow.width, k = 0; column < flow.width; column++, here++) {
    const stretch = 1 + 0.8 * flow.coherence[here]!;
    const tx = flow.x[here]! * reach * stretch;
    const ty = flow.y[here]! * reach * stretch;
    const nx = (-flow.y[here]! * reach) / stretch;
    const ny = (flow.x[here]! * reach) / stretch;
    for (let patch = 0; patch < 8; patch++, k++) {
      const dx = Math.floor(tx * along[patch]! + nx * across[patch]! + 0.5);
      const dy = Math.floor(ty * along[patch]! + ny * across[patch]! + 0.5);
      x[k] = dx;
      y[k] = dy;
      index[k] = (dy * width + dx) * 4;
    }
  }
}

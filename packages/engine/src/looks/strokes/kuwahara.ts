import { allocatePicture, lumaOf, type Picture, type Planes } from '../../pixels/picture.ts';
import type { Size } from '../../pixels/plane.ts';
import { allocate, withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import type { Flow } from './tangent-flow.ts';

const forRows = rowsOf(import.meta.url);

/** Pixels that go down together when patches are summed. */
const strip = 8;

/**
 * Paints over texture and keeps contours: each pixel takes the mean of those of eight neighbouring patches that vary
 * least. The patches are box means set on an ellipse along the flow, so it costs the same for every radius, where true
 * sectors (Kyprianidis) grow with its square.
 */
export function kuwahara(picture: Picture, flow: Flow, radius: number): Picture {
  const { width, height, planes } = picture;
  const reach = Math.max(1, Math.round(radius));
  return withArena(() => {
    // Mean colour and calmness of each patch side by side: one place in memory per look-up instead of four.
    const patches = allocate(width * height * 4);
    forRows(patchesAcross, height, { width, planes, reach }, { patches });
    forRows(patchesDown, Math.ceil(width / strip), { width, height, reach }, { patches });
    const result = allocatePicture({ width, height });
    forRows(kuwaharaRows, height, { width, height, patches, flow, reach }, { planes: result.planes });
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

/** The same down columns, in place; then colours by how calm their patch is, with the calmness beside them. */
export function patchesDown(
  { width, height, reach }: { width: number; height: number; reach: number },
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
        const calm = 1 / (t * t * t * t);
        patches[at] = r * calm;
        patches[at + 1] = g * calm;
        patches[at + 2] = b * calm;
        patches[at + 3] = calm;
      }
    }
  }
}

interface Patched extends Size {
  patches: Float32Array;
  flow: Flow;
  reach: number;
}

export function kuwaharaRows(
  { width, height, patches, flow, reach }: Patched,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  // Where the eight patches lie from a pixel; four pixels share one value of the flow.
  const offsets: Offsets = {
    aside: new Int32Array(flow.width * 8),
    below: new Int32Array(flow.width * 8),
    away: new Int32Array(flow.width * 8),
  };
  const margin = Math.ceil(reach * 1.8) + 1;
  // Where two pixels of one value of the flow are both far enough from the borders, from an even column on.
  const left = margin + (margin & 1);
  const right = Math.max(left, (width - margin) & ~1);
  for (let y = from; y < to; y++) {
    if (y === from || y % 2 === 0) lookUp(flow, y >> 1, reach, width, offsets);
    const inside = y >= margin && y < height - margin && left < right;
    if (inside) calmPairs(patches, offsets.away, y * width, left, right, planes);
    calmAtBorder(patches, offsets, width, height, y, 0, inside ? left : width, planes);
    if (inside) calmAtBorder(patches, offsets, width, height, y, right, width, planes);
  }
}

interface Offsets {
  aside: Int32Array;
  below: Int32Array;
  /** Both in one, in places of the patches. */
  away: Int32Array;
}

/** The mean of eight patches for two pixels at a time, whose patches lie side by side. */
function calmPairs(
  patches: Float32Array,
  away: Int32Array,
  row: number,
  left: number,
  right: number,
  [red, green, blue]: Planes,
): void {
  for (let x = left; x < right; x += 2) {
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
      const at = here + away[k]!;
      r0 += patches[at]!;
      g0 += patches[at + 1]!;
      b0 += patches[at + 2]!;
      total0 += patches[at + 3]!;
      r1 += patches[at + 4]!;
      g1 += patches[at + 5]!;
      b1 += patches[at + 6]!;
      total1 += patches[at + 7]!;
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

function calmAtBorder(
  patches: Float32Array,
  { aside, below }: Offsets,
  width: number,
  height: number,
  y: number,
  left: number,
  right: number,
  [red, green, blue]: Planes,
): void {
  for (let x = left; x < right; x++) {
    let r = 0;
    let g = 0;
    let b = 0;
    let total = 0;
    for (let k = (x >> 1) * 8, end = k + 8; k < end; k++) {
      const px = Math.min(width - 1, Math.max(0, x + aside[k]!));
      const py = Math.min(height - 1, Math.max(0, y + below[k]!));
      const at = (py * width + px) * 4;
      r += patches[at]!;
      g += patches[at + 1]!;
      b += patches[at + 2]!;
      total += patches[at + 3]!;
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

function lookUp(
  flow: Flow,
  line: number,
  reach: number,
  width: number,
  { aside, below, away }: Offsets,
): void {
  for (let x = 0, here = line * flow.width, k = 0; x < flow.width; x++, here++) {
    const stretch = 1 + 0.8 * flow.clearness[here]!;
    const tx = flow.x[here]! * reach * stretch;
    const ty = flow.y[here]! * reach * stretch;
    const nx = (-flow.y[here]! * reach) / stretch;
    const ny = (flow.x[here]! * reach) / stretch;
    for (let patch = 0; patch < 8; patch++, k++) {
      const dx = Math.floor(tx * along[patch]! + nx * across[patch]! + 0.5);
      const dy = Math.floor(ty * along[patch]! + ny * across[patch]! + 0.5);
      aside[k] = dx;
      below[k] = dy;
      away[k] = (dy * width + dx) * 4;
    }
  }
}

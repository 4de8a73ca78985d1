import type { Layer } from '../pixels/layer.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import type { CostumeLayers, CostumeMeasures } from './costume-layers.ts';
import { type Neck, neckHalfWidthAt } from './neck.ts';

/** How much wider than the neck a collar is. */
const room = 1.12;

/** How much narrower or wider a collar may become: beyond that, what is sewn onto it is visibly distorted. */
const narrowest = 0.62;
const widest = 1.25;

/** How much wider than its opening a collar is outside, with its fur or its ring. */
const collarThickness = 1.5;

/** In face heights: from here below the rim on the costume is less and less changed, down to where it is not at all. */
const changedFrom = 0.1;
const changedTo = 0.75;

/** In face heights from the collar's middle: how far to either side the costume is drawn in or let out. */
const changedWithin = 1.6;

/**
 * Draws the costume's collar in, or lets it out, so that its opening fits a neck, in place. The
 * shoulders beside it follow, the body below stays as it is. Returns the costume with its new measures.
 */
export function fitCollar(layers: CostumeLayers, neck: Neck): CostumeLayers {
  const { measures, back, liner, front } = layers;
  const neckHalfWidth = neckHalfWidthAt(neck, measures.rim, measures.faceHeight);
  const fit = clamp((room * neckHalfWidth) / measures.halfWidth, narrowest, widest);
  for (const layer of [back, front, ...(liner ? [liner] : [])]) fitLayer(layer, measures, fit);
  const halfWidth = measures.halfWidth * fit;
  return { ...layers, measures: { ...measures, halfWidth, sag: measures.sag * fit } };
}

function fitLayer(layer: Layer, { faceHeight, centerX, halfWidth, rim }: CostumeMeasures, fit: number): void {
  const { width, height, samples } = layer;
  const center = centerX - layer.x;
  const within = changedWithin * faceHeight;
  const outside = Math.min(collarThickness * halfWidth, 0.8 * within);
  const from = clamp(Math.floor(center - within), 0, width);
  const to = clamp(Math.ceil(center + within), from, width);
  const last = Math.min(height, Math.ceil(rim + changedTo * faceHeight - layer.y));
  const row = new Uint8Array(4 * width);
  for (let y = 0; y < last; y++) {
    const below = (layer.y + y - rim) / faceHeight;
    const scale = 1 + (fit - 1) * smoothstep(changedTo, changedFrom, below);
    const start = 4 * y * width;
    row.set(samples.subarray(start, start + 4 * width));
    // Within the collar all is scaled; between it and where nothing changes the cloth is stretched.
    const collar = scale * outside;
    const stretch = (within - outside) / (within - collar);
    for (let x = from; x < to; x++) {
      const off = Math.abs(x - center);
      const source = off < collar ? off / scale : outside + (off - collar) * stretch;
      blendInto(samples, start + 4 * x, row, x < center ? center - source : center + source);
    }
  }
}

/** Writes the pixel at a place between two of a row. Colours count by their alpha: beyond an edge they mean nothing. */
function blendInto(samples: Uint8Array, to: number, row: Uint8Array, at: number): void {
  const left = clamp(Math.floor(at), 0, row.length / 4 - 1);
  const right = Math.min(left + 1, row.length / 4 - 1);
  const share = clamp(at - left, 0, 1);
  const leftAlpha = (1 - share) * row[4 * left + 3]!;
  const rightAlpha = share * row[4 * right + 3]!;
  const alpha = leftAlpha + rightAlpha;
  samples[to + 3] = Math.round(alpha);
  if (alpha === 0) return;
  for (let c = 0; c < 3; c++) {
    const sum = leftAlpha * row[4 * left + c]! + rightAlpha * row[4 * right + c]!;
    samples[to + c] = Math.round(sum / alpha);
  }
}

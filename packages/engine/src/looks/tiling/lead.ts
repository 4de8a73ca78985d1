import { blurReduced, gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { channelOf, type Picture, type Planes } from '../../pixels/picture.ts';
import { allocateZeroPlane, type Plane, type Row, type Size } from '../../pixels/plane.ts';
import { enlarge, type ReducedPlane, rowReader } from '../../pixels/reduce.ts';
import { clamp, clamp01, mix, smoothstep } from '../../pixels/scalar.ts';
import { withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import type { LabelMap } from './label-map.ts';

const forRows = rowsOf(import.meta.url);

/** The lead between panes that were cut at a size reduced by `factor`: 1 in the lead, falling to 0 at its sides. */
export function drawLead(panes: LabelMap, size: Size, factor: number, unit: number): Plane {
  const { width, height, labels } = panes;
  const cuts = allocateZeroPlane(panes);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const right = x < width - 1 && labels[i] !== labels[i + 1];
      const below = y < height - 1 && labels[i] !== labels[i + width];
      if (right || below) cuts.data[i] = 1;
    }
  }
  const sigma = clamp((unit * 0.012) / factor, 0.75, 1.6);
  const soft = gaussianBlur(cuts, sigma);
  // A line of one pixel is 0.4 / sigma high after the blur; the product has the same height for all widths.
  for (let i = 0; i < soft.data.length; i++) soft.data[i]! *= sigma * 1.25;
  return enlarge(soft, size, factor);
}

/** Puts the lead over the glass, in place: a shadow beside it, a highlight along it, and light that spreads over it. */
export function coverWithLead(glass: Picture, lead: Plane, unit: number): Picture {
  const { width, height } = glass;
  withArena(() => {
    const shadow = blurReduced(lead, clamp(unit * 0.03, 4, 14));
    const blooms = ([0, 1, 2] as const).map((c) => blurReduced(channelOf(glass, c), unit * 0.08));
    forRows(leadRows, height, { width, lead: lead.data, shadow, blooms }, { planes: glass.planes });
  });
  return glass;
}

interface LeadInput {
  width: number;
  lead: Float32Array;
  shadow: ReducedPlane;
  /** The glass blurred widely, for each channel. */
  blooms: readonly ReducedPlane[];
}

export function leadRows(
  { width, lead, shadow, blooms }: LeadInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const last = lead.length - 1;
  const readShadow = rowReader(shadow, width);
  const readBlooms = blooms.map((bloom) => rowReader(bloom, width));
  const cover = new Float32Array(width);
  const metal = new Float32Array(width);
  for (let y = from; y < to; y++) {
    const light = readShadow(y);
    for (let x = 0, i = y * width; x < width; x++, i++) {
      light[x] = clamp01(1.06 - light[x]! * 0.85);
      cover[x] = smoothstep(0.2, 0.34, lead[i]!);
      metal[x] = 0.07 + clamp01((lead[i]! - lead[Math.min(last, i + width + 1)]!) * 1.6) * 0.25;
    }
    for (const [c, data] of planes.entries()) {
      coverRow({ data, start: y * width }, { light, bloom: readBlooms[c]!(y), cover, metal });
    }
  }
}

interface LeadRow {
  /** The glass's light beside the lead. */
  light: Float32Array;
  bloom: Float32Array;
  /** How much of the pixel is lead, and how light the lead is there. */
  cover: Float32Array;
  metal: Float32Array;
}

function coverRow({ data, start }: Row, { light, bloom, cover, metal }: LeadRow): void {
  for (let x = 0, i = start; x < light.length; x++, i++) {
    const lit = clamp01(data[i]! * light[x]! + bloom[x]! * bloom[x]! * 0.16);
    data[i] = mix(lit, metal[x]!, cover[x]!);
  }
}

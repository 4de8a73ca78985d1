import { enlarge, gaussianBlur, reduce } from '../blur.ts';
import { clamp } from '../colour.ts';
import type { LabPicture } from '../looks/lab.ts';
import type { FaceParts } from './face-parts.ts';
import type { BothSkins, FaceMask } from './mask.ts';
import { stretchMembrane } from './membrane.ts';

/** No skin needs more than this to meet its neighbour after the light has been fitted; more is hair that slipped in. */
const mostOffset = 14;

/**
 * Makes the guest's skin meet the template's at the edge of the mask, in place: what they differ by there is taken
 * inwards as a membrane that is fixed only where both are skin.
 */
export function meetAtEdge(
  lit: LabPicture,
  template: LabPicture,
  mask: FaceMask,
  skin: BothSkins,
  parts: FaceParts,
  factor: number,
): void {
  const { width, height } = mask;
  const inside = Uint8Array.from(mask.open, (open, i) => (open === 1 && mask.inward[i]! > 0 ? 1 : 0));
  const known = new Uint8Array(width * height);
  for (let i = 0; i < known.length; i++) {
    const atEdge = mask.inward[i]! < 0.5 || nextToOutside(inside, i, width);
    if (inside[i] === 1 && atEdge && Math.min(skin.there[i]!, skin.guest[i]!) > 0.6 && parts.features[i] === 0) known[i] = 1;
  }
  const meet = (mine: Float32Array, theirs: Float32Array) => {
    const off = mine.map((value, i) => theirs[i]! - value);
    const small = meanOf(off, lit.width, lit.height, factor);
    const calm = gaussianBlur(small.map((value, i) => value * known[i]!), width, height, 2);
    const weight = gaussianBlur(Float32Array.from(known), width, height, 2);
    const values = calm.map((value, i) => clamp(value / (weight[i]! + 1e-4), -mostOffset, mostOffset));
    const membrane = stretchMembrane(values, known, inside, width, height);
    const full = enlarge(membrane, width, height, lit.width, lit.height, factor);
    for (let i = 0; i < mine.length; i++) mine[i]! += full[i]!;
  };
  meet(lit.lightness, template.lightness);
  meet(lit.a, template.a);
  meet(lit.b, template.b);
}

function nextToOutside(inside: Uint8Array, i: number, width: number): boolean {
  return inside[i - 1] === 0 || inside[i + 1] === 0 || inside[i - width] === 0 || inside[i + width] === 0;
}

function meanOf(plane: Float32Array, width: number, height: number, factor: number): Float32Array {
  return reduce(plane, width, height, factor).plane;
}

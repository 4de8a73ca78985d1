import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import type { LabPicture } from '../../pixels/lab.ts';
import { mapToBytes, mapToFloats, planeOf } from '../../pixels/plane.ts';
import { enlarge, reduce } from '../../pixels/reduce.ts';
import { clamp } from '../../pixels/scalar.ts';
import type { FaceMask } from './face-blend-mask.ts';
import type { FaceParts } from './face-parts.ts';
import { stretchMembrane } from './membrane.ts';
import type { BothSkins } from './skin.ts';

/** No skin needs more than this to meet its neighbour after the light has been fitted; more is hair that slipped in. */
const mostOffset = 14;

/** What is known of both faces, at 1/factor of the patch's size. */
interface Analysis {
  mask: FaceMask;
  skin: BothSkins;
  parts: FaceParts;
  factor: number;
}

/**
 * Makes the guest's skin meet the template's at the edge of the mask, in place: what they differ by there is taken
 * inwards as a membrane that is fixed where both are skin, and held at nothing by the middle of the face, whose light is
 * right already.
 */
export function blendAtEdge(
  lit: LabPicture,
  template: LabPicture,
  { mask, skin, parts, factor }: Analysis,
): void {
  const { width, height } = mask;
  const inside = mapToBytes(mask.open, (open, i) => (open === 1 && mask.inward[i]! > 0 ? 1 : 0));
  const known = new Uint8Array(width * height);
  for (let i = 0; i < known.length; i++) {
    const atEdge = mask.inward[i]! < 0.5 || nextToOutside(inside, i, width);
    if (inside[i] === 1 && parts.middle[i] === 1) known[i] = 1;
    else if (
      inside[i] === 1 &&
      atEdge &&
      Math.min(skin.there[i]!, skin.guest[i]!) > 0.4 &&
      parts.features[i] === 0
    )
      known[i] = 1;
  }
  const edge = mapToFloats(known, (value, i) => value * (1 - parts.middle[i]!));
  const weight = gaussianBlur({ width, height, data: edge }, 2).data;
  const meet = (mine: Float32Array, theirs: Float32Array) => {
    const off = mine.map((value, i) => theirs[i]! - value);
    const small = reduce(planeOf(off, lit), factor).data;
    const calm = gaussianBlur({ width, height, data: small.map((value, i) => value * edge[i]!) }, 2).data;
    const values = calm.map((value, i) =>
      edge[i] === 1 ? clamp(value / (weight[i]! + 1e-4), -mostOffset, mostOffset) : 0,
    );
    const membrane = stretchMembrane(values, known, inside, width, height);
    const full = enlarge({ width, height, data: membrane }, lit, factor).data;
    for (let i = 0; i < mine.length; i++) mine[i]! += full[i]!;
  };
  meet(lit.lightness, template.lightness);
  meet(lit.a, template.a);
  meet(lit.b, template.b);
}

function nextToOutside(inside: Uint8Array, i: number, width: number): boolean {
  return inside[i - 1] === 0 || inside[i + 1] === 0 || inside[i - width] === 0 || inside[i + width] === 0;
}

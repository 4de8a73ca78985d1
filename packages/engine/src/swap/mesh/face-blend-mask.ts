import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { guidedFilter } from '../../pixels/guided-filter.ts';
import type { Picture } from '../../pixels/picture.ts';
import { planeOf, type Size } from '../../pixels/plane.ts';
import { enlarge } from '../../pixels/reduce.ts';
import { findRegions } from '../../pixels/regions.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';
import { blurAndThreshold, type FaceParts } from './face-parts.ts';
import type { BothSkins } from './skin.ts';

export interface FaceMask {
  /** At full size: how much of the guest shows. */
  alpha: Float32Array;
  /** At the analysis size: 1 where the guest may show, 0 where the template's hair, hand or glasses are in front. */
  open: Float32Array;
  /** At the analysis size: 0 at the oval, 1 well inside. */
  inward: Float32Array;
  width: number;
  height: number;
}

/** The face on its patch: its height at 1/factor of the patch's size, where it is drawn, and what is before it. */
interface MaskedArea {
  unit: number;
  factor: number;
  drawn: Float32Array;
  /** At the analysis size: glasses and other things before the template's face. */
  glasses: Float32Array;
}

/** Squares of the face's height. */
const mostHole = 0.006;

/**
 * Where the guest's face shows. Between brows and lips always; elsewhere only where both faces are bare skin: what
 * covers the template's face stays in front of it, and where the guest's own hair would come along the template's skin
 * stays. `drawn` is where there is a face to show at all, at full size. Glasses of the template stay in front of everything.
 */
export function maskFace(
  patch: Picture,
  parts: FaceParts,
  skin: BothSkins,
  { unit, factor, drawn, glasses }: MaskedArea,
): FaceMask {
  const width = Math.ceil(patch.width / factor);
  const height = Math.ceil(patch.height / factor);
  const reaching = hairOverFeatures(parts, skin.guest, unit, width, height);
  const strands = strandsBeside(parts, skin.guest, unit, width, height);
  const bare = skin.there.map((value, i) => {
    const skins = Math.min(Math.max(value, parts.features[i]!), skin.guest[i]!, 1 - strands[i]!);
    return Math.max(skins, parts.inner[i]! * (1 - reaching[i]!)) * parts.oval[i]!;
  });
  // Specks of either kind are noise of the skin model, not hair.
  const settled = gaussianBlur({ width, height, data: bare }, 0.015 * unit).data;
  const open = blurAndThreshold(settled, width, height, 0.02 * unit, 0.5);
  for (let i = 0; i < open.length; i++) open[i]! *= parts.oval[i]!;
  closeHoles(open, { width, height }, mostHole * unit * unit);
  const soft = gaussianBlur({ width, height, data: parts.oval }, 0.03 * unit).data;
  const inward = soft.map((value, i) => parts.oval[i]! * smoothstep(0.52, 0.98, value));
  const grow = (data: Float32Array) => enlarge({ width, height, data }, patch, factor);
  const followed = guidedFilter({
    guide: patch,
    plane: grow(open),
    radius: 0.035 * unit * factor,
    epsilon: 1e-3,
  });
  const fade = grow(inward).data;
  const alpha = followed.data.map((value, i) => clamp((value - 0.12) / 0.76, 0, 1) * fade[i]! * drawn[i]!);
  const front = grow(glasses).data;
  for (let i = 0; i < alpha.length; i++) alpha[i]! *= 1 - front[i]!;
  for (let i = 0; i < open.length; i++) if (glasses[i]! > 0.5) open[i] = 0;
  return { alpha, open, inward, width, height };
}

/**
 * Small closed parts inside of the face that open nowhere to its border are highlights and moles, of either face: shown
 * through a hole, the template's skin was a ring on the chin. Hair, hands and glasses reach in from outside.
 */
function closeHoles(open: Float32Array, size: Size, mostArea: number): void {
  const { labels, areas } = findRegions(planeOf(open, size), 0.5, 'below');
  for (let i = 0; i < open.length; i++) if (labels[i] !== 0 && areas[labels[i]!]! < mostArea) open[i] = 1;
}

/** The guest's hair where it reaches into a brow or a temple: not skin, and joined to what is not skin beside it. */
function hairOverFeatures(
  parts: FaceParts,
  guestSkin: Float32Array,
  unit: number,
  width: number,
  height: number,
): Float32Array {
  const beside = guestSkin.map((value, i) => parts.oval[i]! * (1 - parts.features[i]!) * (1 - value));
  const reach = blurAndThreshold(beside, width, height, 0.06 * unit, 0.12);
  return reach.map((value, i) => value * (1 - guestSkin[i]!) * parts.features[i]! * (1 - parts.lids[i]!));
}

/**
 * Single strands of the guest's hair around the middle of the face, with what is next to them: too thin to stand out
 * from the noise of the skin model on their own.
 */
function strandsBeside(
  parts: FaceParts,
  guestSkin: Float32Array,
  unit: number,
  width: number,
  height: number,
): Float32Array {
  const strange = guestSkin.map((value, i) => parts.oval[i]! * (1 - parts.inner[i]!) * (1 - value));
  return blurAndThreshold(strange, width, height, 0.012 * unit, 0.35);
}

import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { type LabPicture, mapLab } from '../../pixels/lab.ts';
import { mapToBytes, mapToFloats, planeOf, type Size } from '../../pixels/plane.ts';
import { enlarge, reduce } from '../../pixels/reduce.ts';
import { findRegions } from '../../pixels/regions.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';
import { blurAndThreshold, type FaceParts } from './face-parts.ts';
import { browsOverSkin } from './hidden-brows.ts';
import { stretchMembrane } from './membrane.ts';
import { findSkin, likelihood } from './skin.ts';

/** The guest's own hair over the face, on the template's patch. */
export interface GuestHair extends Size {
  /** 1 where there is hair, or its shadow. */
  region: Uint8Array;
  /** How much of each pixel is to be replaced, 0 to 1. */
  share: Float32Array;
  /** 1 where the guest's skin is bare. */
  bare: Uint8Array;
  /** 1 for brows with their tails, eyes and lips. */
  features: Float32Array;
  /** 1 where it hides them, eyes without their openings. */
  overFeatures: Uint8Array;
  /** 1 where it is next to them or hides them. */
  besideFeatures: Uint8Array;
  /** How much of each pixel is taken from the other side of the face, 0 to 1. */
  taken: Float32Array;
}

/** A guest is brightened for the search by at most this factor, or noise would be taken for hair. */
const mostGain = 2.5;

/** How far from skin a pixel beside hair still is skin; less than elsewhere, because hair throws a soft shadow. */
const shadowLimit = 1.1;

/** The share of the class of hair from which on a brow, an eye or lips are covered by it; brows alone have less. */
const coveringHair = 0.12;

/** How far a brow reaches beyond the outline of the features, in heights of the face. */
const browTail = 0.07;

/** How far from hair a brow still is in its shadow, about, in heights of the face. */
const browEnd = 0.045;

/** L*, a* and b* that skin beside hair may differ by from the light on it; more is hair. */
const mostDifference = 30;

/** What is to be known of the guest's face: its picture, how the template is lit, and shares of classes. */
interface GuestFace {
  guest: LabPicture;
  template: LabPicture;
  hair: Float32Array;
  /** Glasses that stay: their ends pass for hair. */
  glasses: Float32Array;
  /** By how much the head leans, in radians. */
  roll: number;
  parts: FaceParts;
  unit: number;
}

/**
 * Finds the guest's hair over the face: by its class, and with it the shadow beside it. In a dark photo hair and skin
 * differ by a few L*, so skin is told from the rest after both were brightened to the template's light.
 */
export function findGuestHair({ guest, template, hair, glasses, roll, parts, unit }: GuestFace): GuestHair {
  const { width, height } = guest;
  const sum = ({ lightness }: LabPicture) =>
    lightness.reduce((total, value, i) => total + value * parts.skinSample[i]!, 0);
  const gain = clamp(sum(template) / sum(guest), 1, mostGain);
  const lightness = guest.lightness.map((value) => value * gain);
  const strangeness = findSkin({ ...guest, lightness }, parts.oval, parts.skinSample, parts.features);
  const near = blurAndThreshold(hair, width, height, 0.05 * unit, 0.04);
  const withTails = addBrowTails(parts.features, guest, browTail * unit, roll);
  const shaded = hair.map((value, i) => {
    const besides = near[i]! * parts.oval[i]! * (1 - withTails[i]!);
    return Math.max(value, besides * (1 - likelihood(strangeness[i]!, shadowLimit)));
  });
  const region = blurAndThreshold(shaded, width, height, 0.018 * unit, 0.15);
  const nearGlasses = blurAndThreshold(glasses, width, height, 0.06 * unit, 0.04);
  for (let i = 0; i < region.length; i++) {
    if (nearGlasses[i] === 1 || (withTails[i] === 1 && hair[i]! < coveringHair)) region[i] = 0;
  }
  const covered = hair.map((value) => (value < coveringHair ? 0 : 1));
  const beside = blurAndThreshold(covered, width, height, browEnd * unit, 0.15);
  const around = blurAndThreshold(withTails, width, height, 0.03 * unit, 0.15);
  const soft = gaussianBlur({ width, height, data: region }, 0.012 * unit).data;
  const lids = gaussianBlur({ width, height, data: parts.lids }, 0.02 * unit).data;
  return {
    width,
    height,
    taken: new Float32Array(width * height),
    features: withTails,
    region: Uint8Array.from(region),
    overFeatures: mapToBytes(region, (value, i) => value * withTails[i]! * (1 - parts.lids[i]!)),
    besideFeatures: mapToBytes(beside, (value, i) => value * around[i]! * (1 - parts.lids[i]!)),
    // Of an eye only what is surely hair: a corner that is cut off shows more than a lash too much.
    share: soft.map(
      (value, i) => Math.min(1, 2 * value) * (1 - lids[i]! * (1 - smoothstep(0.2, 0.6, hair[i]!))),
    ),
    bare: mapToBytes(strangeness, (value, i) =>
      likelihood(value, shadowLimit) > 0.6 && parts.features[i] === 0 ? 1 : 0,
    ),
  };
}

/** The share of all features that hair must hide for a brow to be taken from the other side; less leaves its end. */
const leastHidden = 0.038;

/** The share of what is hidden that the other side must show: from less, pieces would come. */
const leastShown = 0.35;

/**
 * Takes the features that hair hides from the other side of the face, where that is bare. `covered` is the hair on that
 * side, at the same places of the patch.
 */
export function takeFeaturesFromOtherSide(hair: GuestHair, covered: Float32Array, unit: number): GuestHair {
  const { width, height, features, overFeatures, besideFeatures } = hair;
  const beside = { width, height, data: Float32Array.from(besideFeatures) };
  const { labels, areas } = findRegions(beside, 0.5, 'above');
  const isBare = (i: number) => covered[i]! < coveringHair;
  const hidden = areas.map(() => 0);
  const bare = areas.map(() => 0);
  for (let i = 0; i < labels.length; i++) {
    hidden[labels[i]!]! += overFeatures[i]!;
    if (isBare(i)) bare[labels[i]!]! += overFeatures[i]!;
  }
  const least = leastHidden * features.reduce((sum, value) => sum + value, 0);
  const isTaken = hidden.map((area, label) => area > least && bare[label]! > leastShown * area);
  const shown = mapToFloats(labels, (label, i) => (label > 0 && isTaken[label]! && isBare(i) ? 1 : 0));
  const taken = gaussianBlur({ width, height, data: shown }, 0.01 * unit).data;
  return { ...hair, taken };
}

/** How far the end of a brow fades, in heights of the face. */
const browFade = 0.018;

/** Lets brows and eyes pass softly into what is put in place of hair beside them. */
export function fadeFeaturesBesideHair(hair: GuestHair, unit: number): GuestHair {
  const { width, height } = hair;
  const around = gaussianBlur({ width, height, data: hair.share }, browFade * unit).data;
  const share = hair.share.map((value, i) =>
    Math.max(value, hair.features[i]! * Math.min(1, 1.5 * around[i]!)),
  );
  return { ...hair, share };
}

/** The features grown to both sides: the tail of a brow reaches beyond their outline, and is as dark as a shadow. */
function addBrowTails(features: Float32Array, { width }: Size, reach: number, roll: number): Float32Array {
  const grown = features.slice();
  for (let step = 1; step <= reach; step++) {
    const shift = Math.round(step * Math.sin(roll)) * width + Math.round(step * Math.cos(roll));
    for (let i = 0; i < features.length; i++) {
      if (features[i] === 0) continue;
      if (i + shift < grown.length) grown[i + shift] = 1;
      if (i - shift >= 0) grown[i - shift] = 1;
    }
  }
  return grown;
}

/**
 * Replaces the guest's hair by skin, in place: the light on the template's skin there, and as much darker or lighter as
 * the guest's bare skin around the hair is, less and less towards the border of the face. Brows that it hides are drawn
 * on that skin.
 */
export function replaceHair(
  lit: LabPicture,
  { features, region, share, bare, taken, width, height }: GuestHair,
  light: LabPicture,
  { oval }: FaceParts,
  { shape, factor }: { shape: Float32Array; factor: number },
): void {
  const inside = Uint8Array.from(oval);
  const isBorder = (i: number) =>
    [i - 1, i + 1, i - width, i + width].some((next) => (inside[next] ?? 0) === 0);
  const known = region.map((hair, i) => (inside[i] === 1 && (hair === 1 ? isBorder(i) : bare[i]!) ? 1 : 0));
  const small = mapLab(lit, (plane) => reduce(planeOf(plane, lit), factor).data, { width, height });
  const skin = mapLab(small, (mine, name) => {
    const off = mine.map((value, i) =>
      known[i] === 1 && region[i] === 0 ? clamp(value - light[name][i]!, -mostDifference, mostDifference) : 0,
    );
    return stretchMembrane(off, known, inside, width, height).map((value, i) => value + light[name][i]!);
  });
  const brows = browsOverSkin({ face: small, skin, hidden: share, shape });
  const full = (data: Float32Array) => enlarge({ width, height, data }, lit, factor).data;
  const lightness = full(skin.lightness);
  const [replaced, fromOther, nearFeature] = [full(share), full(taken), full(features)];
  // Of the other side only brows and lashes: its skin may be lit differently.
  const skinShare = lit.lightness.map((value, i) => {
    const darkness = nearFeature[i]! * smoothstep(4, 14, lightness[i]! - value);
    const overFeature = replaced[i]! * (1 - smoothstep(0.7, 1, fromOther[i]!));
    return overFeature + (1 - darkness) * (Math.max(replaced[i]!, fromOther[i]!) - overFeature);
  });
  for (const name of ['lightness', 'a', 'b'] as const) {
    const mine = lit[name];
    // Not where the other side shows them.
    const drawn = brows[name].map((value, i) => value * smoothstep(0.3, 0, taken[i]!));
    const over = full(skin[name].map((value, i) => value + drawn[i]!));
    for (let i = 0; i < mine.length; i++) mine[i]! += skinShare[i]! * (over[i]! - mine[i]!);
  }
}

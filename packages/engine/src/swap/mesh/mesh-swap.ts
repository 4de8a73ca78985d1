import { chooseFace } from '../../faces/choose-face.ts';
import { faceOval } from '../../faces/face-outline.ts';
import { enlarge, gaussianBlur, reducePicture } from '../../pixels/blur.ts';
import { smoothstep } from '../../pixels/colour.ts';
import { fromLab, type LabPicture, toLab } from '../../pixels/lab.ts';
import type { Face, Picture } from '../../pixels/picture.ts';
import { cannotMake } from '../../render-error.ts';
import { alignFaces, alignPoints } from './alignment.ts';
import { matchDetail } from './detail.ts';
import { meetAtEdge } from './edge.ts';
import { type BothSkins, maskFace } from './face-blend-mask.ts';
import { type FaceParts, faceParts } from './face-parts.ts';
import { shapeInTemplate } from './face-shape.ts';
import { checkEyes, checkLight, checkPose, checkVisible } from './gate.ts';
import { lightOnSkin, relight } from './lighting.ts';
import { mapMesh, warpPicture } from './mesh-warp.ts';
import { cutPatch, pointsInPatch, putPatch } from './patch.ts';
import { fillPolygon } from './polygon.ts';
import { findSkin, likelihood } from './skin.ts';

export interface SwapOptions {
  /** 0 man, 1 woman, 2 boy, 3 girl: whose place in the template the guest takes. */
  gender?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Skin, light and mask are worked out on a face of about this height; they are smooth, so nothing is lost. */
const analysisHeight = 160;

/**
 * Puts the guest's face into the template in place of the one there: the guest's features, the template's light, pose,
 * hair and whatever is in front of the face. Refuses in words for the guest where it would not look real.
 */
export async function swapFace(
  template: Picture,
  source: Picture,
  sourceFace: Face,
  templateFaces: readonly Face[],
  { gender, signal }: SwapOptions,
): Promise<Picture> {
  if (templateFaces.length === 0) {
    throw cannotMake('There is no face in the template picture. Choose another filter.');
  }
  const face = chooseFace(templateFaces, gender);
  const alignment = alignFaces(sourceFace.points, face.points);
  checkPose(source, sourceFace, face, alignment);
  checkEyes(source, sourceFace, template, face);

  const patch = cutPatch(template, face, 0.3 * face.height);
  const { width, height } = patch.picture;
  const points = pointsInPatch(face.points, patch, 1);
  const aligned = pointsInPatch(alignPoints(sourceFace.points, alignment), patch, 1);
  const shape = shapeInTemplate(aligned, points, face.height);
  const map = mapMesh(sourceFace.points, shape, width, height);
  const warped = warpPicture(source, map, width, height, alignment.scale);
  signal?.throwIfAborted();

  const factor = Math.max(1, Math.round(face.height / analysisHeight));
  const unit = face.height / factor;
  const shrink = (values: Float32Array) => shrinkPoints(values, factor);
  const there = toLab(reducePicture(patch.picture, factor));
  const guest = toLab(reducePicture(warped, factor));
  const parts = faceParts(shrink(points), shrink(shape), unit, there.width, there.height);
  const skin = skinsOf(there, guest, parts, unit);
  checkVisible(parts, skin);
  checkLight(there, guest, skin.lit);
  const light = {
    there: lightOnSkin(there, skin.lit, 0.1 * unit),
    guest: lightOnSkin(guest, skin.lit, 0.1 * unit),
  };
  const full = (lab: LabPicture) => enlargeLab(lab, width, height, factor);
  const lit = toLab(warped);
  const grow = (plane: Float32Array) => enlarge(plane, there.width, there.height, width, height, factor);
  relight(lit, full(light.guest), full(light.there), { eyes: grow(parts.eyes), lips: grow(parts.lips) });
  signal?.throwIfAborted();

  const oval = fillPolygon(points, faceOval, width, height);
  const drawn = map.covered.map((value, i) => value * oval[i]!);
  const mask = maskFace(patch.picture, parts, skin, unit, factor, drawn);
  const templateLab = toLab(patch.picture);
  matchDetail(lit, templateLab, { skin: grow(skin.lit), features: grow(parts.features) });
  meetAtEdge(lit, templateLab, mask, skin, parts, factor);
  return putPatch(template, { ...patch, picture: fromLab(lit) }, mask.alpha);
}

function skinsOf(there: LabPicture, guest: LabPicture, parts: FaceParts, unit: number): BothSkins {
  const find = (lab: LabPicture) => findSkin(lab, parts.oval, parts.skinSample, parts.features);
  const strange = { there: find(there), guest: find(guest) };
  // Near the oval the guest's own hair comes in: only what is surely skin counts there.
  const soft = gaussianBlur(parts.oval, there.width, there.height, 0.13 * unit);
  const inward = soft.map((value) => smoothstep(0.62, 0.97, value));
  const guestLikes = (from: number, to: number) =>
    strange.guest.map((value, i) => likelihood(value, from + (to - from) * inward[i]!));
  // Light is read from all but hair: highlights and coloured lamps are just what it is about.
  const lit = guestLikes(0.8, 2.3);
  for (let i = 0; i < lit.length; i++) lit[i]! *= likelihood(strange.there[i]!, 2) * (1 - parts.features[i]!);
  return { there: strange.there.map((value) => likelihood(value)), guest: guestLikes(0.95, 1.5), lit };
}

function shrinkPoints(points: Float32Array, factor: number): Float32Array {
  return points.map((value, i) => (i % 3 === 2 ? value / factor : (value + 0.5) / factor - 0.5));
}

function enlargeLab(lab: LabPicture, width: number, height: number, factor: number): LabPicture {
  const grow = (plane: Float32Array) => enlarge(plane, lab.width, lab.height, width, height, factor);
  return { width, height, lightness: grow(lab.lightness), a: grow(lab.a), b: grow(lab.b) };
}

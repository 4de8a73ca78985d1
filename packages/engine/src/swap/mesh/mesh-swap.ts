import type { Face } from '../../faces/face.ts';
import { faceOval, moveFace } from '../../faces/face-outline.ts';
import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { smoothKeepingEdges } from '../../pixels/guided-filter.ts';
import { fromLab, type LabPicture, toLab } from '../../pixels/lab.ts';
import type { Picture } from '../../pixels/picture.ts';
import { planeOf, type Size } from '../../pixels/plane.ts';
import { enlarge, reducePicture } from '../../pixels/reduce.ts';
import { smoothstep } from '../../pixels/scalar.ts';
import { upscaleFace } from '../../upscale/small-faces.ts';
import type { UpscaleModel } from '../../upscale/upscale-network.ts';
import { turnOf } from './alignment.ts';
import { takeOffGlasses } from './clear-glasses.ts';
import { classifyFace, findCoverings, sampleClass } from './coverings.ts';
import { matchDetail } from './detail.ts';
import { drawGuest, fillFromSecondView } from './draw-guest.ts';
import { blendAtEdge } from './edge.ts';
import { fitExpression } from './expression.ts';
import { type BothSkins, maskFace } from './face-blend-mask.ts';
import { type FaceParts, faceParts } from './face-parts.ts';
import { shapeInTemplate } from './face-shape.ts';
import { fillOf, joinedPoints, viewsOf } from './face-views.ts';
import {
  checkGuestEyes,
  checkLight,
  checkPose,
  checkTemplateGlasses,
  checkTurnedGlasses,
  checkVisible,
  plainTurnLimit,
  showsEyes,
} from './gate.ts';
import {
  fadeHiddenFeatures,
  findGuestHair,
  hasHiddenFeatures,
  replaceHair,
  takeFeaturesFromOtherSide,
} from './guest-hair.ts';
import { lightOnSkin, lightUnevenness, meanOnSkin, relight, softenHighlights } from './lighting.ts';
import { mapMesh } from './mesh-warp.ts';
import { analysisFactor, cutPatch, pointsInPatch, putPatch } from './patch.ts';
import { fillPolygon } from './polygon.ts';
import { findSkin, likelihood } from './skin.ts';

export interface SwapOptions {
  signal?: AbortSignal | undefined;
  /** The model that draws small faces larger, where there is one. */
  upscale?: UpscaleModel | null;
}

/**
 * Puts the guest's face into the template in place of `face`: the guest's features, the template's light, pose,
 * hair and whatever is in front of the face. Refuses in words for the guest where it would not look real.
 */
export async function swapFace(
  template: Picture,
  face: Face,
  photo: Picture,
  photoFace: Face,
  { signal, upscale = null }: SwapOptions = {},
): Promise<Picture> {
  const viewsInPhoto = viewsOf(photoFace.points, face.points);
  const { alignment: inPhoto } = viewsInPhoto.first;
  checkPose(photo, photoFace, face, { alignment: inPhoto, isUpscaled: upscale !== null });
  checkGuestEyes(photo, photoFace);
  const larger = upscale && (await upscaleFace(photo, photoFace, inPhoto.scale, upscale));
  signal?.throwIfAborted();
  const source = larger?.photo ?? withoutBlocks(photo, inPhoto.scale);
  const sourceFace = larger ? moveFace(photoFace, larger.placement) : photoFace;
  const views = larger ? viewsOf(sourceFace.points, face.points) : viewsInPhoto;
  const { alignment } = views.first;
  const isTurned = turnOf(alignment) > plainTurnLimit;

  const factor = analysisFactor(face);
  const unit = face.height / factor;
  const shrink = (values: Float32Array) => shrinkPoints(values, factor);
  const hidesEyes = !showsEyes(template, face);
  const {
    patch,
    things: glasses,
    templateHair,
    areGlassesOff,
  } = await cutTemplate(template, face, factor, hidesEyes);
  const { width, height } = patch.picture;
  const points = pointsInPatch(face.points, patch, 1);
  const there = toLab(reducePicture(patch.picture, factor));
  const fill = fillOf(views);
  const aligned = pointsInPatch(joinedPoints(views, fill), patch, 1);
  const own = shapeInTemplate(aligned, points, face.height);
  const { shape, shown } = fitExpression(sourceFace.points, own, points, face, isTurned);
  const { picture: warped, drawn } = drawGuest(source, views, { shape, fill }, { width, height, factor });
  signal?.throwIfAborted();

  const guest = toLab(reducePicture(warped, factor));
  const parts = faceParts(shrink(points), shrink(shape), unit, there.width, there.height);
  if (hidesEyes) checkTemplateGlasses(glasses, parts);
  const skin = skinsOf(there, guest, parts, unit);
  checkVisible(parts, skin);
  const classes = await classifyFace(source, sourceFace);
  const seen = mapMesh(views.first.places, shrink(shape), there.width, there.height);
  const before = { things: sampleClass(classes, 'things', seen), hair: sampleClass(classes, 'hair', seen) };
  if (isTurned) checkTurnedGlasses(before.things, parts, sourceFace, face);
  // The rims of the guest's own glasses would show below dark ones of the template.
  const strange = hidesEyes ? before.hair.map((value, i) => Math.max(value, before.things[i]!)) : before.hair;
  const kept = hidesEyes ? before.things.map(() => 0) : before.things;
  const ownHair = findGuestHair({
    guest,
    template: there,
    hair: strange,
    glasses: kept,
    roll: face.roll,
    parts,
    unit,
  });
  const hairOnOtherSide = () =>
    sampleClass(classes, 'hair', mapMesh(views.second.places, shrink(shape), there.width, there.height));
  // The other side of a turned head lies too far off.
  const bothSides =
    turnOf(views.second.alignment) > plainTurnLimit
      ? ownHair
      : takeFeaturesFromOtherSide(ownHair, hairOnOtherSide(), unit);
  const bareSkin = skin.lit.map((value, i) => value * (1 - bothSides.region[i]!));
  const light = lightsOn(there, guest, bareSkin, unit);
  // Behind glasses that were taken off the template has no brows to show in place of hidden ones.
  const isContinued =
    !areGlassesOff &&
    hasHiddenFeatures(bothSides, { face: there, light: light.there }, { face: guest, light: light.guest });
  const hair = isContinued ? bothSides : fadeHiddenFeatures(bothSides, unit);
  const filling = { ...there, share: hair.taken, skin: skin.guest.slice(), factor };
  for (let i = 0; i < skin.lit.length; i++) {
    const isReplaced = hair.region[i] === 1 && hair.overFeatures[i] === 0 && parts.features[i] === 0;
    const replaced = isReplaced ? 1 - templateHair[i]! : 0;
    skin.guest[i] = Math.max(skin.guest[i]!, replaced, hair.taken[i]!);
  }
  skin.lit = bareSkin;
  checkLight(there, guest, skin.lit);
  const full = (lab: LabPicture) => enlargeLab(lab, width, height, factor);
  const lit = fillFromSecondView(toLab(warped), source, views, shape, filling);
  const grow = (plane: Float32Array) => enlarge(planeOf(plane, there), { width, height }, factor).data;
  const coloured = { eyes: grow(parts.eyes), lips: grow(parts.lips) };
  softenHighlights(lit, full(light.guest), coloured);
  relight(lit, full(light.guest), full(light.there), coloured);
  const bare = skin.there.map((value, i) => value * (1 - parts.features[i]!) * parts.oval[i]!);
  replaceHair(lit, hair, lightOnSkin(there, bare, 0.1 * unit), parts, factor);
  signal?.throwIfAborted();

  const within = fillPolygon(points, faceOval, width, height);
  for (let i = 0; i < within.length; i++) within[i]! *= drawn[i]!;
  if (shown.length > 0) cutOutlines(within, points, shown, patch.picture);
  const mask = maskFace(patch.picture, parts, skin, {
    unit,
    factor,
    drawn: within,
    glasses,
    hidden: hair.overFeatures,
  });
  // Skin in place of the guest's hair lacks the shadow of the template's hair, which the template's own skin has.
  const shadow = gaussianBlur(planeOf(templateHair, there), hairShadow * unit).data;
  const shadowed = grow(hair.share.map((value, i) => value * Math.min(1, 2.5 * shadow[i]!)));
  for (let i = 0; i < shadowed.length; i++) mask.alpha[i]! *= 1 - shadowed[i]!;
  const templateLab = toLab(patch.picture);
  const features = parts.features.map((value, i) => value * (1 - glasses[i]!));
  matchDetail(lit, templateLab, { skin: grow(skin.lit), features: grow(features) }, alignment.scale);
  blendAtEdge(lit, templateLab, { mask, skin, parts, factor });
  return putPatch(template, patch, fromLab(lit), mask.alpha);
}

/** The template's face with a margin, without clear glasses, and what else is before it, at 1/factor of its size. */
async function cutTemplate(template: Picture, face: Face, factor: number, hidesEyes: boolean) {
  const patch = cutPatch(template, face, 0.3 * face.height);
  const { things, hair: templateHair } = await findCoverings(template, face, patch, factor);
  const points = pointsInPatch(face.points, patch, factor);
  const worn = { points, unit: face.height / factor, yaw: face.yaw, factor, things };
  const withoutGlasses = hidesEyes ? null : takeOffGlasses(patch.picture, worn);
  if (!withoutGlasses) return { patch, things, templateHair, areGlassesOff: false };
  const { picture, things: others } = withoutGlasses;
  return { patch: { ...patch, picture }, things: others, templateHair, areGlassesOff: true };
}

/** How far the shadow of hair reaches, about, in heights of the face. */
const hairShadow = 0.03;

/** A face that is enlarged by the first and more shows the blocks of its JPEG, from the second on all of them. */
const blocksFrom = 2.5;
const blocksTo = 3.5;

/** The photo without the edges of JPEG blocks, as far as an enlargement shows them. */
function withoutBlocks(photo: Picture, enlargement: number): Picture {
  const contrast = 0.025 * smoothstep(blocksFrom, blocksTo, enlargement);
  return contrast > 0 ? smoothKeepingEdges(photo, 2, contrast) : photo;
}

function skinsOf(there: LabPicture, guest: LabPicture, parts: FaceParts, unit: number): BothSkins {
  const find = (lab: LabPicture) => findSkin(lab, parts.oval, parts.skinSample, parts.features);
  const strange = { there: find(there), guest: find(guest) };
  // Near the oval the guest's own hair comes in: only what is surely skin counts there.
  const soft = gaussianBlur(planeOf(parts.oval, there), 0.13 * unit).data;
  const inward = soft.map((value) => smoothstep(0.62, 0.97, value));
  const guestLikes = (from: number, to: number) =>
    strange.guest.map((value, i) => likelihood(value, from + (to - from) * inward[i]!));
  // Light is read from all but hair: highlights and coloured lamps are just what it is about.
  const lit = guestLikes(0.8, 2.3);
  for (let i = 0; i < lit.length; i++) lit[i]! *= likelihood(strange.there[i]!, 2) * (1 - parts.features[i]!);
  return { there: strange.there.map((value) => likelihood(value)), guest: guestLikes(0.95, 1.5), lit };
}

/** Lights that differ from place to place by this much, in Lab, are read finely in their colour, from there on more. */
const unevenFrom = 9;
const unevenTo = 14;

/** A face that is brightened by this much L* is read finely in its lightness, from there on more. */
const brightenedFrom = 25;
const brightenedTo = 40;

/** How far the light on skin is spread, in heights of the face. */
const coarseReach = 0.1;
const fineReach = 0.055;

/**
 * The light on the skin of both faces. Patches of coloured lamps would stay on a face that is lit evenly, and so would
 * shadows that are brightened; there it is read more finely. Elsewhere that would take from the features.
 */
function lightsOn(there: LabPicture, guest: LabPicture, skin: Float32Array, unit: number) {
  const read = (share: number) => {
    const reach = (coarseReach + share * (fineReach - coarseReach)) * unit;
    return { there: lightOnSkin(there, skin, reach), guest: lightOnSkin(guest, skin, reach) };
  };
  const coarse = read(0);
  const uneven = lightUnevenness(coarse.there, coarse.guest, skin);
  const brightening = meanOnSkin(coarse.there.lightness, skin) - meanOnSkin(coarse.guest.lightness, skin);
  const fineColour = smoothstep(unevenFrom, unevenTo, uneven);
  const fineLightness = smoothstep(brightenedFrom, brightenedTo, brightening);
  const colour = fineColour === 0 ? coarse : read(fineColour);
  const { there: thereLight, guest: guestLight } = fineLightness === 0 ? coarse : read(fineLightness);
  return {
    there: { ...colour.there, lightness: thereLight.lightness },
    guest: { ...colour.guest, lightness: guestLight.lightness },
  };
}

/** Takes the inside of outlines out of a plane, with a soft border. */
function cutOutlines(
  plane: Float32Array,
  points: Float32Array,
  outlines: readonly (readonly number[])[],
  { width, height }: Size,
): void {
  const inside = new Float32Array(width * height);
  for (const outline of outlines) fillPolygon(points, outline, width, height, inside);
  const soft = gaussianBlur({ width, height, data: inside }, 0.005 * height).data;
  for (let i = 0; i < plane.length; i++) plane[i]! *= 1 - soft[i]!;
}

function shrinkPoints(points: Float32Array, factor: number): Float32Array {
  return points.map((value, i) => (i % 3 === 2 ? value / factor : (value + 0.5) / factor - 0.5));
}

function enlargeLab(lab: LabPicture, width: number, height: number, factor: number): LabPicture {
  const grow = (plane: Float32Array) => enlarge(planeOf(plane, lab), { width, height }, factor).data;
  return { width, height, lightness: grow(lab.lightness), a: grow(lab.a), b: grow(lab.b) };
}

import type { Face } from '../../faces/face.ts';
import { faceOval } from '../../faces/face-outline.ts';
import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { fromLab, type LabPicture, mapLab, toLab } from '../../pixels/lab.ts';
import type { Picture } from '../../pixels/picture.ts';
import { planeOf, type Size } from '../../pixels/plane.ts';
import { reducePicture } from '../../pixels/reduce.ts';
import type { UpscaleModel } from '../../upscale/upscale-network.ts';
import { poseAngleOf } from './alignment.ts';
import { classifyFace, sampleClass } from './coverings.ts';
import { matchDetail } from './detail.ts';
import { drawGuest, fillFromSecondView } from './draw-guest.ts';
import { blendAtEdge } from './edge.ts';
import { fitExpression } from './expression.ts';
import { type FaceMask, maskFace } from './face-blend-mask.ts';
import { type FaceParts, faceParts } from './face-parts.ts';
import { shapeInTemplate } from './face-shape.ts';
import { type FaceView, fillOf, joinedPoints } from './face-views.ts';
import {
  checkGlassesInOtherPose,
  checkLight,
  checkTemplateGlasses,
  checkVisible,
  plainPoseLimit,
} from './gate.ts';
import {
  fadeFeaturesBesideHair,
  findGuestHair,
  type GuestHair,
  replaceHair,
  takeFeaturesFromOtherSide,
} from './guest-hair.ts';
import { type BothLights, lightOnBothFaces, lightOnSkin, relight, softenHighlights } from './lighting.ts';
import { mapMesh } from './mesh-warp.ts';
import { pointsInPatch, putPatch } from './patch.ts';
import { fillPolygon } from './polygon.ts';
import {
  differsInPose,
  enlargeToPatch,
  type PreparedGuest,
  type PreparedTemplate,
  prepareGuest,
  prepareTemplate,
} from './prepare-faces.ts';
import { type BothSkins, skinsOf } from './skin.ts';

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
  const guest = await prepareGuest(photo, photoFace, face, upscale);
  signal?.throwIfAborted();
  const target = await prepareTemplate(template, face);
  const drawn = drawOnTemplate(guest, target);
  signal?.throwIfAborted();
  const { parts } = drawn;
  if (target.hidesEyes) checkTemplateGlasses(target.glasses, parts);
  const skin = skinsOf(target.lab, drawn.lab, parts, target.unit);
  checkVisible(parts, skin);
  const hair = await findHairOverFace(guest, target, drawn);
  for (let i = 0; i < skin.lit.length; i++) skin.lit[i]! *= 1 - hair.region[i]!;
  checkLight(target.lab, drawn.lab, skin.lit);
  const light = lightOnBothFaces(target.lab, drawn.lab, skin.lit, target.unit);
  const lit = lightAsTemplate(guest, target, drawn, { skin, hair, light });
  signal?.throwIfAborted();
  showInPlaceOfHair(skin.guest, hair, target, parts);
  const mask = maskOnTemplate(target, drawn, { skin, hair });
  const templateLab = toLab(target.patch.picture);
  const features = parts.features.map((value, i) => value * (1 - target.glasses[i]!));
  const shown = { skin: enlargeToPatch(skin.lit, target), features: enlargeToPatch(features, target) };
  matchDetail(lit, templateLab, shown, guest.views.first.alignment.scale);
  blendAtEdge(lit, templateLab, { mask, skin, parts, factor: target.factor });
  return putPatch(template, target.patch, fromLab(lit), mask.alpha);
}

/** The guest's face on the template's patch, in the template's pose. */
interface DrawnFace {
  picture: Picture;
  /** The picture at 1/factor of its size. */
  lab: LabPicture;
  /** Where the points of the guest's mesh are in the patch. */
  shape: Float32Array;
  parts: FaceParts;
  /** How much of the guest may show, at full size. */
  within: Float32Array;
}

function drawOnTemplate(guest: PreparedGuest, target: PreparedTemplate): DrawnFace {
  const { photo, views } = guest;
  const { face, patch, points, factor, unit, lab } = target;
  const { width, height } = patch.picture;
  const fill = fillOf(views);
  const aligned = pointsInPatch(joinedPoints(views, fill), patch, 1);
  const own = shapeInTemplate(aligned, points, face.height);
  const { shape, shown } = fitExpression(guest.face.points, own, points, face, differsInPose(guest));
  const { picture, drawn } = drawGuest(photo, views, { shape, fill }, { width, height, factor });
  const within = fillPolygon(points, faceOval, width, height);
  for (let i = 0; i < within.length; i++) within[i]! *= drawn[i]!;
  if (shown.length > 0) cutOutlines(within, points, shown, patch.picture);
  const shrink = (values: Float32Array) => shrinkPoints(values, factor);
  return {
    picture,
    lab: toLab(reducePicture(picture, factor)),
    shape,
    parts: faceParts(shrink(points), shrink(shape), unit, lab.width, lab.height),
    within,
  };
}

/** The guest's own hair over the face, with what of the features can be had from the other side. */
async function findHairOverFace(
  guest: PreparedGuest,
  target: PreparedTemplate,
  { lab, shape, parts }: DrawnFace,
): Promise<GuestHair> {
  const { photo, face, views } = guest;
  const { hidesEyes, unit } = target;
  const classes = await classifyFace(photo, face);
  const inPatch = shrinkPoints(shape, target.factor);
  const placesOf = ({ places }: FaceView) => mapMesh(places, inPatch, lab.width, lab.height);
  const seen = placesOf(views.first);
  const hair = sampleClass(classes, 'hair', seen);
  const things = sampleClass(classes, 'things', seen);
  if (differsInPose(guest)) checkGlassesInOtherPose(things, parts, face, target.face);
  const found = findGuestHair({
    guest: lab,
    template: target.lab,
    // The rims of the guest's own glasses would show below dark ones of the template.
    hair: hidesEyes ? hair.map((value, i) => Math.max(value, things[i]!)) : hair,
    glasses: hidesEyes ? things.map(() => 0) : things,
    roll: target.face.roll,
    parts,
    unit,
  });
  // The other side of a head in another pose lies too far off.
  const isFar = poseAngleOf(views.second.alignment) > plainPoseLimit;
  const onOtherSide = () => sampleClass(classes, 'hair', placesOf(views.second));
  return fadeFeaturesBesideHair(isFar ? found : takeFeaturesFromOtherSide(found, onOtherSide(), unit), unit);
}

/** The skin of both, the guest's own hair and the light on both. */
interface FaceFindings {
  skin: BothSkins;
  hair: GuestHair;
  light: BothLights;
}

/** The guest's face as the template is lit, and with skin in place of the guest's own hair. */
function lightAsTemplate(
  { photo, views }: PreparedGuest,
  target: PreparedTemplate,
  { picture, shape, parts }: DrawnFace,
  { skin, hair, light }: FaceFindings,
): LabPicture {
  const { lab, unit, factor } = target;
  const full = (plane: Float32Array) => enlargeToPatch(plane, target);
  const fullLight = (lab: LabPicture) => mapLab(lab, full, picture);
  const filling = { ...lab, share: hair.taken, skin: skin.guest, factor };
  const lit = fillFromSecondView(toLab(picture), photo, views, shape, filling);
  const coloured = { eyes: full(parts.eyes), lips: full(parts.lips) };
  const guestLight = fullLight(light.guest);
  softenHighlights(lit, guestLight, coloured);
  relight(lit, guestLight, fullLight(light.there), coloured);
  const bare = skin.there.map((value, i) => value * (1 - parts.features[i]!) * parts.oval[i]!);
  replaceHair(lit, hair, lightOnSkin(lab, bare, 0.1 * unit), parts, {
    shape: shrinkPoints(shape, factor),
    factor,
  });
  return lit;
}

/** Counts as the guest's skin what was put in place of hair, in place, where the template has no hair itself. */
function showInPlaceOfHair(
  skin: Float32Array,
  { region, taken }: GuestHair,
  target: PreparedTemplate,
  { features }: FaceParts,
): void {
  for (let i = 0; i < skin.length; i++) {
    const replaced = region[i] === 1 && features[i] === 0 ? 1 - target.hair[i]! : 0;
    skin[i] = Math.max(skin[i]!, replaced, taken[i]!);
  }
}

/** Where the guest's face shows, less in the shadow of the template's hair. */
function maskOnTemplate(
  target: PreparedTemplate,
  { parts, within }: DrawnFace,
  { skin, hair }: Omit<FaceFindings, 'light'>,
): FaceMask {
  const { unit, factor, glasses } = target;
  const mask = maskFace(target.patch.picture, parts, skin, { unit, factor, drawn: within, glasses });
  // Skin in place of the guest's hair lacks the shadow of the template's hair, which the template's own skin has.
  const shadow = gaussianBlur(planeOf(target.hair, target.lab), hairShadow * unit).data;
  const shadowed = hair.share.map((value, i) => value * Math.min(1, 2.5 * shadow[i]!));
  const faded = enlargeToPatch(shadowed, target);
  for (let i = 0; i < faded.length; i++) mask.alpha[i]! *= 1 - faded[i]!;
  return mask;
}

/** How far the shadow of hair reaches, about, in heights of the face. */
const hairShadow = 0.03;

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

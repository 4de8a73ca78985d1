import { darkestParts, glareShares } from '../../faces/darkest-parts.ts';
import type { Face } from '../../faces/face.ts';
import { faceOval, moveFace } from '../../faces/face-outline.ts';
import { toLinear } from '../../pixels/colour.ts';
import { type LabPicture, toLab } from '../../pixels/lab.ts';
import { mapPlanes, type Picture } from '../../pixels/picture.ts';
import { cannotMake } from '../../runtime/render-error.ts';
import { type Alignment, poseAngleOf } from './alignment.ts';
import { findCoverings } from './coverings.ts';
import type { FaceParts } from './face-parts.ts';
import { leftLids, leftUnderEye, rightLids, rightUnderEye } from './features.ts';
import { meanOnSkin } from './lighting.ts';
import { analysisFactor, cutPatch, pointsInPatch } from './patch.ts';
import { fillPolygon } from './polygon.ts';
import type { BothSkins } from './skin.ts';

const templateSentence = (what: string) => `The face in the template picture ${what}. Choose another filter.`;

const coveredSentence =
  'Your face is partly covered or lit in several colours. Free your face, find an even light and try again.';

/** Up to this a face is drawn as it is, or filled from its other half; beyond, glasses and open mouths would bend. */
export const plainPoseLimit = (30 * Math.PI) / 180;

/** Beyond this a guest who looks aside is not shown from the front: too much of the far eye and cheek is guessed. */
const mostAngleToFront = (31 * Math.PI) / 180;

/** The same for a guest who is shown further aside, and shows all that the template does. */
const mostAngleAside = (42 * Math.PI) / 180;

/** A template that looks further away than this shows half a face. */
const mostTemplateYaw = (42 * Math.PI) / 180;

/** A photo's face that is enlarged more than this comes out as a blur, or shows the blocks of its JPEG. */
const mostEnlargement = 4;

/** The same for a face that a network draws larger first. */
const mostUpscaling = 6;

const leastTemplateHeight = 56;

/** L* that a face may be brightened by before its noise and its lost shadows show. */
const mostBrightening = 50;

/**
 * Eyes that are open and bare are darker than the skin under them: 0.3 to 0.84 of it on 34 faces; dark and mirrored
 * glasses gave 0.94 and 1.13, lowered eyes 0.94.
 */
const leastEyeContrast = 0.88;

/** Share of the eyes with their brows: a frame takes .12 of them, a free face .01 at most. */
const mostBeforeEyes = 0.06;

/** How much of the guest's eyes lies behind the template's dark glasses. */
const leastHidden = 0.97;

/** A face that glare lies over may be enlarged by this: relit, its blocks and its noise show. */
const mostGlareEnlargement = 2;

/** What can be told before any work: sizes and poses. */
export function checkPose(
  photo: Picture,
  source: Face,
  template: Face,
  { alignment, isUpscaled }: { alignment: Alignment; isUpscaled: boolean },
): void {
  if (template.height < leastTemplateHeight) throw cannotMake(templateSentence('is too small'));
  if (Math.abs(template.yaw) > mostTemplateYaw)
    throw cannotMake(templateSentence('looks too far to the side'));
  if (alignment.scale > (isUpscaled ? mostUpscaling : mostEnlargement)) {
    throw cannotMake(
      'Your face in the photo is too small for this filter. Come closer to the camera and try again.',
    );
  }
  if (faceOval.some((i) => liesOutside(photo, source.points[i * 3]!, source.points[i * 3 + 1]!))) {
    throw cannotMake('Your face is cut off by the edge of the photo. Move to the middle and try again.');
  }
  const mostAngle = angleFromFront(source) > angleFromFront(template) ? mostAngleToFront : mostAngleAside;
  if (poseAngleOf(alignment) > mostAngle) throw cannotMake(poseSentence(source, template));
}

function angleFromFront({ yaw, pitch }: Face): number {
  return Math.hypot(yaw, pitch);
}

function liesOutside({ width, height }: Picture, x: number, y: number): boolean {
  return x < 0 || y < 0 || x > width - 1 || y > height - 1;
}

/** Which way the guest has to move the head: seen from the guest, the picture's right is the left. */
function poseSentence(source: Face, template: Face): string {
  const aside = template.yaw - source.yaw;
  const up = template.pitch - source.pitch;
  const way =
    Math.abs(aside) > Math.abs(up) ? (aside > 0 ? 'to your left' : 'to your right') : up > 0 ? 'up' : 'down';
  return `Your head is turned another way than the one in this filter. Turn it a little ${way} and try again.`;
}

/** Why a face of a template cannot be replaced. */
export type TemplateWarning = 'too small' | 'turned away' | 'cut off' | 'eyes hidden';

/** What is wrong with a face of a template, whoever the guest is. */
export async function templateWarnings(template: Picture, face: Face): Promise<TemplateWarning[]> {
  const warnings: TemplateWarning[] = [];
  if (face.height < leastTemplateHeight) warnings.push('too small');
  if (Math.abs(face.yaw) > mostTemplateYaw) warnings.push('turned away');
  const isCutOff = faceOval.some((i) => liesOutside(template, face.points[i * 3]!, face.points[i * 3 + 1]!));
  if (isCutOff) warnings.push('cut off');
  else if (!showsEyes(template, face) && !(await wearsDarkGlasses(template, face)))
    warnings.push('eyes hidden');
  return warnings;
}

/** Whether the eyes are open and bare, rather than behind dark glasses, a hand or closed lids. */
export function showsEyes(picture: Picture, face: Face): boolean {
  return eyeContrast(picture, face) <= leastEyeContrast;
}

/** Light from behind the guest that washes out a small face. */
export function checkGlare(photo: Picture, face: Face, { scale }: Alignment): void {
  if (scale <= mostGlareEnlargement) return;
  const { picture, left, top } = cutPatch(photo, face, 0);
  const linear = { ...picture, planes: mapPlanes(picture.planes, toLinear) };
  const { dark, mean } = darkestParts(linear, moveFace(face, { scale: 1, x: -left, y: -top }));
  if (Math.min(...dark) <= glareShares.to * mean) return;
  throw cannotMake('The light behind you washes out your face. Turn around, come closer and try again.');
}

export function checkGuestEyes(photo: Picture, face: Face): void {
  if (!showsEyes(photo, face)) {
    throw cannotMake('Your eyes cannot be seen. Take off dark glasses, look at the camera and try again.');
  }
}

/**
 * Where a template does not show its eyes it wears dark glasses, and the guest's eyes do not look out from beside or
 * below them.
 */
export function checkTemplateGlasses(glasses: Float32Array, { lids }: FaceParts): void {
  if (shareOf(glasses, lids) < leastHidden) throw cannotMake(templateSentence('does not show its eyes'));
}

/** Whether the eyes are behind dark glasses, which stay over whatever face is put there. */
async function wearsDarkGlasses(picture: Picture, face: Face): Promise<boolean> {
  const patch = cutPatch(picture, face, 0);
  const factor = analysisFactor(face);
  const size = {
    width: Math.ceil(patch.picture.width / factor),
    height: Math.ceil(patch.picture.height / factor),
  };
  const points = pointsInPatch(face.points, patch, factor);
  const lids = new Float32Array(size.width * size.height);
  for (const outline of [leftLids, rightLids]) fillPolygon(points, outline, size.width, size.height, lids);
  const { things } = await findCoverings(picture, face, patch, factor);
  return shareOf(things, lids) >= leastHidden;
}

/** Lightness of the open eyes over that of the skin under them. */
function eyeContrast(picture: Picture, face: Face): number {
  const patch = cutPatch(picture, face, 0);
  const { width, height } = patch.picture;
  const { lightness } = toLab(patch.picture);
  const points = pointsInPatch(face.points, patch, 1);
  const median = (...outlines: (readonly number[])[]) => {
    const region = new Float32Array(width * height);
    for (const outline of outlines) fillPolygon(points, outline, width, height, region);
    const values = lightness.filter((_, i) => region[i] === 1).sort();
    return values[values.length >> 1] ?? 0;
  };
  return median(leftLids, rightLids) / Math.max(1, median(leftUnderEye, rightUnderEye));
}

/** Refuses glasses before the eyes of a guest in a pose far from the template: they are warped like skin and bend with it. */
export function checkGlassesInOtherPose(
  things: Float32Array,
  { eyes }: FaceParts,
  source: Face,
  template: Face,
): void {
  if (shareOf(things, eyes) > mostBeforeEyes) throw cannotMake(poseSentence(source, template));
}

/** How much of each face is bare: hair, hands and masks are not skin, and neither is a face in lamps of many colours. */
export function checkVisible(parts: FaceParts, skin: BothSkins): void {
  const bare = (plane: Float32Array) => shareOf(plane, parts.oval, parts.features);
  if (bare(skin.there) < 0.6) throw cannotMake(templateSentence('is covered'));
  if (bare(skin.guest) < 0.7) {
    throw cannotMake(coveredSentence);
  }
}

export function checkLight(there: LabPicture, guest: LabPicture, lit: Float32Array): void {
  if (meanOnSkin(there.lightness, lit) - meanOnSkin(guest.lightness, lit) > mostBrightening) {
    throw cannotMake('Your face in the photo is too dark for this filter. Turn on a light and try again.');
  }
}

function shareOf(plane: Float32Array, region: Float32Array, without?: Float32Array): number {
  let sum = 0;
  let total = 1e-6;
  for (let i = 0; i < plane.length; i++) {
    const weight = region[i]! * (1 - (without?.[i] ?? 0));
    sum += plane[i]! * weight;
    total += weight;
  }
  return sum / total;
}

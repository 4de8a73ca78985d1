import type { Face } from '../../faces/face.ts';
import { moveFace } from '../../faces/face-outline.ts';
import { smoothKeepingEdges } from '../../pixels/guided-filter.ts';
import { type LabPicture, toLab } from '../../pixels/lab.ts';
import type { Picture } from '../../pixels/picture.ts';
import { planeOf } from '../../pixels/plane.ts';
import { enlarge, reducePicture } from '../../pixels/reduce.ts';
import { smoothstep } from '../../pixels/scalar.ts';
import { upscaleFace } from '../../upscale/small-faces.ts';
import type { UpscaleModel } from '../../upscale/upscale-network.ts';
import { poseAngleOf } from './alignment.ts';
import { takeOffGlasses } from './clear-glasses.ts';
import { findCoverings } from './coverings.ts';
import { type FaceViews, viewsOf } from './face-views.ts';
import { checkGlare, checkGuestEyes, checkPose, plainPoseLimit, showsEyes } from './gate.ts';
import { analysisFactor, cutPatch, type Patch, pointsInPatch } from './patch.ts';

/** The guest's photo as the face is drawn from it. */
export interface PreparedGuest {
  photo: Picture;
  face: Face;
  views: FaceViews;
}

export async function prepareGuest(
  photo: Picture,
  face: Face,
  templateFace: Face,
  upscale: UpscaleModel | null,
): Promise<PreparedGuest> {
  const views = viewsOf(face.points, templateFace.points);
  const { alignment } = views.first;
  checkPose(photo, face, templateFace, { alignment, isUpscaled: upscale !== null });
  checkGuestEyes(photo, face);
  checkGlare(photo, face, alignment);
  const larger = upscale && (await upscaleFace(photo, face, alignment.scale, upscale));
  if (!larger) return { photo: withoutBlocks(photo, alignment.scale), face, views };
  const largerFace = moveFace(face, larger.placement);
  return { photo: larger.photo, face: largerFace, views: viewsOf(largerFace.points, templateFace.points) };
}

/** Whether the poses differ by more than a face is drawn as it is. */
export function differsInPose({ views }: PreparedGuest): boolean {
  return poseAngleOf(views.first.alignment) > plainPoseLimit;
}

/** The template's face with a margin, and what is known of it at 1/factor of its size. */
export interface PreparedTemplate {
  face: Face;
  /** Without clear glasses. */
  patch: Patch;
  /** The mesh in the patch, at full size. */
  points: Float32Array;
  factor: number;
  /** The height of the face at 1/factor of its size. */
  unit: number;
  lab: LabPicture;
  /** Glasses that stay, and other things before the face. */
  glasses: Float32Array;
  hair: Float32Array;
  hidesEyes: boolean;
}

export async function prepareTemplate(template: Picture, face: Face): Promise<PreparedTemplate> {
  const factor = analysisFactor(face);
  const unit = face.height / factor;
  const hidesEyes = !showsEyes(template, face);
  const whole = cutPatch(template, face, 0.3 * face.height);
  const { things, hair } = await findCoverings(template, face, whole, factor);
  const worn = { points: pointsInPatch(face.points, whole, factor), unit, yaw: face.yaw, factor, things };
  const withoutGlasses = hidesEyes ? null : takeOffGlasses(whole.picture, worn);
  const patch = withoutGlasses ? { ...whole, picture: withoutGlasses.picture } : whole;
  return {
    face,
    patch,
    points: pointsInPatch(face.points, patch, 1),
    factor,
    unit,
    lab: toLab(reducePicture(patch.picture, factor)),
    glasses: withoutGlasses?.things ?? things,
    hair,
    hidesEyes,
  };
}

/** A plane of the analysis at the patch's full size. */
export function enlargeToPatch(plane: Float32Array, { lab, patch, factor }: PreparedTemplate): Float32Array {
  return enlarge(planeOf(plane, lab), patch.picture, factor).data;
}

/** A face that is enlarged by the first and more shows the blocks of its JPEG, from the second on all of them. */
const blocksFrom = 2.5;
const blocksTo = 3.5;

/** The photo without the edges of JPEG blocks, as far as an enlargement shows them. */
function withoutBlocks(photo: Picture, enlargement: number): Picture {
  const contrast = 0.025 * smoothstep(blocksFrom, blocksTo, enlargement);
  return contrast > 0 ? smoothKeepingEdges(photo, 2, contrast) : photo;
}

import type { Ratio } from '@guise/contract/common.ts';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import type { Face } from '../faces/face.ts';
import { moveFace } from '../faces/face-outline.ts';
import { mattePeople } from '../matting/matte.ts';
import { type Silhouette, silhouetteOf } from '../matting/silhouette.ts';
import { outpaint, placeForOutpaint } from '../outpaint/outpaint.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import { resamplePicture } from '../pixels/resample.ts';
import { beginStage } from '../runtime/stages.ts';
import { cropAroundFaces, placeWithLeastPaint } from './crop-photo.ts';

/** A photo on the canvas, with its faces there. */
export interface PlacedPhoto {
  picture: Picture;
  faces: Face[];
}

const longestSide = 1800;

/** Scales the photo to the size of the other pictures; nothing is cropped and nothing added. */
export function keepPhotoFrame(photo: Picture, faces: readonly Face[]): PlacedPhoto {
  const scale = longestSide / Math.max(photo.width, photo.height);
  const size = { width: Math.round(photo.width * scale), height: Math.round(photo.height * scale) };
  return placePhoto(photo, faces, { scale, x: 0, y: 0 }, size);
}

export interface CanvasOptions {
  seed: number;
  /** Whether the photo is to be expanded on every free side, instead of cropped. */
  expand: boolean;
  /** The faces that must be in the picture; all of them unless told. */
  needed?: readonly Face[];
  signal?: AbortSignal;
}

/**
 * Brings the photo to a canvas of another shape. It is cropped where that cuts through no face and leaves none out that
 * is needed; else what is missing is painted.
 */
export async function placeOnCanvas(
  photo: Picture,
  faces: readonly Face[],
  ratio: Ratio,
  options: CanvasOptions,
): Promise<PlacedPhoto> {
  const canvas = canvasSizes[ratio];
  const wanted = { faces, needed: options.needed ?? faces };
  // Where the people begin matters only for a photo that is cropped above or below.
  const cutsHeight = photo.height * canvas.width > photo.width * canvas.height;
  const people = cutsHeight || options.expand ? await outlinePeople(photo, faces, options.signal) : null;
  const cropped = options.expand ? null : cropAroundFaces(people ?? { ...photo, top: 0 }, wanted, canvas);
  if (cropped) return withFacesInside(placePhoto(photo, faces, cropped, canvas));
  const outline = people ?? (await outlinePeople(photo, faces, options.signal));
  beginStage('outpaint');
  const placement = options.expand
    ? placeForOutpaint(outline, canvas)
    : placeWithLeastPaint(outline, wanted, canvas);
  const picture = await outpaint(photo, placement, canvas, options);
  return withFacesInside({ picture, faces: faces.map((face) => moveFace(face, placement)) });
}

/** Without the faces that a crop left out. */
function withFacesInside({ picture, faces }: PlacedPhoto): PlacedPhoto {
  const { width, height } = picture;
  const isInside = ({ center: { x, y } }: Face) => x > 0 && y > 0 && x < width && y < height;
  return { picture, faces: faces.filter(isInside) };
}

async function outlinePeople(
  photo: Picture,
  faces: readonly Face[],
  signal: AbortSignal | undefined,
): Promise<Silhouette> {
  beginStage('matte');
  return silhouetteOf(await mattePeople(photo, faces, { outline: true, signal }));
}

function placePhoto(photo: Picture, faces: readonly Face[], placement: Placement, size: Size): PlacedPhoto {
  beginStage('place');
  const { scale, x, y } = placement;
  const window = { x: -x / scale, y: -y / scale, width: size.width / scale, height: size.height / scale };
  const picture = resamplePicture(photo, window, size);
  return { picture, faces: faces.map((face) => moveFace(face, placement)) };
}

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
import { coverCanvas } from './framing.ts';

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

/**
 * Brings the photo to a canvas of another shape. It is cropped when every face stays well inside; else, or when it is
 * to be expanded, it is outpainted.
 */
export async function placeOnCanvas(
  photo: Picture,
  faces: readonly Face[],
  ratio: Ratio,
  options: { seed: number; expand: boolean; signal?: AbortSignal },
): Promise<PlacedPhoto> {
  const canvas = canvasSizes[ratio];
  // Where the people begin matters only for a photo that is cropped above or below.
  const cutsHeight = photo.height * canvas.width > photo.width * canvas.height;
  const people = cutsHeight || options.expand ? await outlinePeople(photo, faces, options.signal) : null;
  const cropped = coverCanvas(people ?? { ...photo, top: 0 }, faces, canvas);
  const inside = faces.every((face) => {
    const { center, height } = moveFace(face, cropped);
    const margin = 0.75 * height;
    return (
      center.x > margin &&
      center.x < canvas.width - margin &&
      center.y > margin &&
      center.y < canvas.height - margin
    );
  });
  if (inside && !options.expand) return placePhoto(photo, faces, cropped, canvas);
  const outline = people ?? (await outlinePeople(photo, faces, options.signal));
  beginStage('outpaint');
  const placement = placeForOutpaint(outline, canvas);
  const picture = await outpaint(photo, placement, canvas, options);
  return { picture, faces: faces.map((face) => moveFace(face, placement)) };
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

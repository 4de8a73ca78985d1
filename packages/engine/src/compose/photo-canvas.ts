import { canvasSizes } from '@guise/contract/canvas.ts';
import type { Ratio } from '@guise/contract/common.ts';
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

export interface Laid {
  picture: Picture;
  faces: Face[];
}

const longestSide = 1800;

/** The photo in its own frame, nothing cropped and nothing added, at the size of the other pictures. */
export function keepFrame(photo: Picture, faces: readonly Face[]): Laid {
  const scale = longestSide / Math.max(photo.width, photo.height);
  const size = { width: Math.round(photo.width * scale), height: Math.round(photo.height * scale) };
  return lay(photo, faces, { scale, x: 0, y: 0 }, size);
}

/**
 * The photo on a canvas of another shape. Cropped when every face stays well inside; else, or when it is to be
 * expanded, painted on beyond its frame.
 */
export async function layOnCanvas(
  photo: Picture,
  faces: readonly Face[],
  ratio: Ratio,
  options: { seed: number; expand: boolean; signal?: AbortSignal },
): Promise<Laid> {
  const canvas = canvasSizes[ratio];
  // A photo that is not cropped above or below needs nobody to tell where its people begin.
  const cutsHeight = photo.height * canvas.width > photo.width * canvas.height;
  const people = cutsHeight || options.expand ? await outlinePeople(photo, faces, options.signal) : null;
  const cropped = coverCanvas(people ?? { ...photo, top: 0 }, faces, canvas);
  const inside = faces.every((face) => {
    const { center, height } = moveFace(face, cropped.scale, cropped.x, cropped.y);
    const margin = 0.75 * height;
    return (
      center.x > margin &&
      center.x < canvas.width - margin &&
      center.y > margin &&
      center.y < canvas.height - margin
    );
  });
  if (inside && !options.expand) return lay(photo, faces, cropped, canvas);
  const outline = people ?? (await outlinePeople(photo, faces, options.signal));
  beginStage('outpaint');
  const placement = placeForOutpaint(outline, canvas);
  const picture = await outpaint(photo, placement, canvas, options.seed, options.signal);
  return { picture, faces: faces.map((face) => moveFace(face, placement.scale, placement.x, placement.y)) };
}

async function outlinePeople(
  photo: Picture,
  faces: readonly Face[],
  signal: AbortSignal | undefined,
): Promise<Silhouette> {
  beginStage('matte');
  return silhouetteOf(await mattePeople(photo, faces, { outline: true, signal }));
}

function lay(photo: Picture, faces: readonly Face[], placement: Placement, size: Size): Laid {
  beginStage('place');
  const { scale, x, y } = placement;
  const window = { x: -x / scale, y: -y / scale, width: size.width / scale, height: size.height / scale };
  const picture = resamplePicture(photo, window, size);
  return { picture, faces: faces.map((face) => moveFace(face, scale, x, y)) };
}

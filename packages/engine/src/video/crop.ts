import type { VideoFormat } from '@guise/contract/families/canvas.ts';
import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import type { Picture } from '../pixels/picture.ts';
import { clampPlanes, type Size } from '../pixels/plane.ts';
import { resamplePicture, type Window } from '../pixels/resample.ts';
import { clamp } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { nearestAspect } from './formats.ts';

/** Photos nearer to a square than this could become either format: their people decide. */
const nearlySquare = Math.log(1.12);

/** The format for a photo: the nearest one; what is nearly square lies down for people who stand side by side. */
export function aspectFor(photo: Size, faces: readonly Face[]): VideoFormat {
  if (Math.abs(Math.log(photo.width / photo.height)) > nearlySquare || faces.length === 0) {
    return nearestAspect(photo.width, photo.height);
  }
  const { width, height } = headsOf(faces);
  return width > height ? '3:2' : '2:3';
}

/**
 * The part of a photo that fills a format, laid around its people. `room` is the share of the largest such part that
 * is taken: what is left outside is where the camera can go.
 */
export function cropWindow(photo: Size, faces: readonly Face[], format: Size, room = 1): Window {
  const largest = Math.min(photo.width / format.width, photo.height / format.height);
  const heads = faces.length > 0 ? headsOf(faces) : null;
  // Heads are never cut to make room.
  const least = heads
    ? Math.min(largest, Math.max(heads.width / format.width, heads.height / format.height))
    : 0;
  const scale = Math.max(largest * room, least);
  const width = format.width * scale;
  const height = format.height * scale;
  const middle = heads ? heads.x + heads.width / 2 : photo.width / 2;
  // Heads stand in the upper part of a picture; without any, the middle is as good a guess as there is.
  const centre = heads ? heads.y + heads.height / 2 : photo.height / 2;
  const share = heads ? clamp(0.42 + 0.3 * (heads.height / height - 0.5), 0.36, 0.5) : 0.5;
  // The camera may go either way.
  const spareX = Math.min(0.5 * (photo.width - width), 0.5 * (1 - room) * width);
  const spareY = Math.min(0.5 * (photo.height - height), 0.5 * (1 - room) * height);
  return {
    x: clamp(middle - width / 2, spareX, photo.width - width - spareX),
    y: clamp(centre - share * height, spareY, photo.height - height - spareY),
    width,
    height,
  };
}

/** The window of the photo at the given size, within 0..1. */
export function cropPicture(photo: Picture, window: Window, size: Size): Picture {
  return withArena(() => {
    const picture = resamplePicture(photo, window, size);
    clampPlanes(picture.planes, size);
    return picture;
  });
}

/** A box around the heads, hair and a little of the shoulders included. */
function headsOf(faces: readonly Face[]): Window {
  const boxes = faces.map((face) => {
    const top = Math.min(pointOf(face, 10).y, pointOf(face, 152).y);
    const chin = Math.max(pointOf(face, 10).y, pointOf(face, 152).y);
    return {
      left: face.center.x - 0.85 * face.height,
      right: face.center.x + 0.85 * face.height,
      top: top - 0.6 * face.height,
      bottom: chin + 0.5 * face.height,
    };
  });
  const x = Math.min(...boxes.map((box) => box.left));
  const y = Math.min(...boxes.map((box) => box.top));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.right)) - x,
    height: Math.max(...boxes.map((box) => box.bottom)) - y,
  };
}

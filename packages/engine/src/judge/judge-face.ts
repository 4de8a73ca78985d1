import type { Face } from '../faces/face.ts';
import { moveFace } from '../faces/face-outline.ts';
import { findFaces } from '../faces/faces.ts';
import type { Picture } from '../pixels/picture.ts';
import { resamplePicture } from '../pixels/resample.ts';
import { faceChecks, type Measurement, measureWith } from './judge.ts';

/** Around a face, in its heights: the detector wants to see a head with some background. */
const around = 1.5;
/** The longest side of what is looked at: landmarks are no finer. */
const side = 512;

/** What the checks make of a face that was put into a template. */
export async function judgeFace(template: Picture, result: Picture, face: Face): Promise<Measurement[]> {
  const swapped = { template, result, face, found: await findFaceAt(result, face) };
  return faceChecks.map((check) => measureWith(check, swapped));
}

/** The face that is found in a picture where one is known to be; null where there is none any more. */
async function findFaceAt(picture: Picture, { center, height }: Face): Promise<Face | null> {
  const width = 2 * around * height;
  const [x, y] = [center.x - width / 2, center.y - width / 2];
  const scale = side / width;
  const cut = resamplePicture(picture, { x, y, width, height: width }, { width: side, height: side });
  const faces = await findFaces(cut, { traits: false, irises: false });
  const found = faces
    .map((face) => moveFace(face, { scale: 1 / scale, x, y }))
    .filter((face) => Math.hypot(face.center.x - center.x, face.center.y - center.y) < 0.5 * height);
  return found.sort((a, b) => b.height - a.height)[0] ?? null;
}

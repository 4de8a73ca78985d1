import sharp from 'sharp';
import type { Face } from '../faces/face.ts';
import { type Detection, detectInTiles, mergeDetections } from '../faces/face-detector.ts';
import { bystanderShare, findFaces, meshDetections, withoutBystanders } from '../faces/faces.ts';
import { readPhoto, workingSide } from '../pixels/photo.ts';
import type { Picture } from '../pixels/picture.ts';
import { cannotMake } from '../runtime/render-error.ts';

/** A rectangle in shares of a picture's width and height. */
export interface ShareBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface LocatedPeople {
  /** The photo, reduced. */
  picture: Picture;
  /** How many pixels of the photo that jobs work on are one of `picture`. */
  scale: number;
  /** Left to right, without bystanders. */
  people: Face[];
}

/** Faces, and the copy of the photo that they were measured in. */
interface FacesInCopy {
  picture: Picture;
  faces: readonly Face[];
}

/** The smallest tiles that the detector is asked for need no more of the longer side than this. */
const leastSide = 960;
/** The detector takes squares of 256 pixels, so that half of it shows a guest who is near as well. */
const leastSideOfNear = 480;

/** A face that is smaller than this in the copy for near guests has too few pixels to be measured in it. */
const leastSize = 40;

/** Finds the people of a photo in a reduced copy of it. */
export async function locatePeople(file: string): Promise<LocatedPeople> {
  const side = await longestSideOf(file);
  return located(side, await findInLarger(file, side));
}

async function findInLarger(file: string, side: number): Promise<FacesInCopy> {
  const picture = await readReduced(file, side, leastSide);
  const faces = await findFaces(picture, { traits: false, irises: false, search: 'near' });
  return { picture, faces };
}

/**
 * The same for somebody who waits for it: guests who are near are found in a smaller copy with fewer runs of the
 * detector. Where nobody is near, the larger copy is searched as well.
 */
export async function locatePeopleQuickly(file: string): Promise<LocatedPeople> {
  const side = await longestSideOf(file);
  const picture = await readReduced(file, side, leastSideOfNear);
  const detections = await detectNear(picture);
  if (areNear(detections, picture))
    return located(side, { picture, faces: await meshDetections(picture, detections, false) });
  // Where nothing was detected, large squares of the larger copy would show nothing either.
  return located(side, await (detections.length === 0 ? findSmall(file, side) : findInLarger(file, side)));
}

/** Only faces that are too small for squares of the short side. */
async function findSmall(file: string, side: number): Promise<FacesInCopy> {
  const picture = await readReduced(file, side, leastSide);
  const detections = await detectInTiles(picture, 0.55 * Math.min(picture.width, picture.height));
  return { picture, faces: await meshDetections(picture, mergeDetections(detections), false) };
}

/** Squares of the short side show more than the whole photo, as long as a near face is whole in one of them. */
async function detectNear(picture: Picture): Promise<Detection[]> {
  const long = Math.max(picture.width, picture.height);
  const short = Math.min(picture.width, picture.height);
  const squares = long > 1.2 * short ? await detectInTiles(picture, short) : [];
  const whole = long <= 1.2 * short || long > 1.5 * short ? await detectInTiles(picture, long) : [];
  return mergeDetections([...whole, ...squares]);
}

/** Whether a face has an eighth of the short side, and all but bystanders beside it are large enough to be measured. */
function areNear(detections: readonly Detection[], { width, height }: Picture): boolean {
  const largest = Math.max(0, ...detections.map(({ size }) => size));
  const people = detections.filter(({ size }) => size >= bystanderShare * largest);
  return largest >= Math.min(width, height) / 8 && people.every(({ size }) => size >= leastSize);
}

function located(side: number, { picture, faces }: FacesInCopy): LocatedPeople {
  const scale = Math.min(side, workingSide) / Math.max(picture.width, picture.height);
  return { picture, scale, people: withoutBystanders(faces) };
}

async function longestSideOf(file: string): Promise<number> {
  const { width, height } = await sharp(file)
    .metadata()
    .catch((cause) => {
      throw cannotMake('The photo cannot be read.', cause);
    });
  return Math.max(width, height);
}

/** A copy of at least this size that a JPEG decodes to at once: by 2, 4 or 8 smaller. */
function readReduced(file: string, side: number, least: number): Promise<Picture> {
  const reduction = [8, 4, 2].find((by) => side / by >= least) ?? 1;
  return readPhoto(file, Math.ceil(side / reduction));
}

/** From the forehead to the chin and from ear to ear. */
export function faceBoxOf({ center, width, height }: Face, picture: Picture): ShareBox {
  return {
    x: (center.x - width / 2) / picture.width,
    y: (center.y - height / 2) / picture.height,
    width: width / picture.width,
    height: height / picture.height,
  };
}

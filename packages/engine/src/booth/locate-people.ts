import sharp from 'sharp';
import type { Face } from '../faces/face.ts';
import { findFaces, withoutBystanders } from '../faces/faces.ts';
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

/** The smallest tiles that the detector is asked for need no more of the longer side than this. */
const leastSide = 960;

/**
 * Finds the people of a photo in a copy that a JPEG decodes to at once: by 2, 4 or 8 smaller. To look for large faces in
 * a smaller copy first took a third less for one guest and twice the time for a group.
 */
export async function locatePeople(file: string, search: 'near' | 'quick' = 'near'): Promise<LocatedPeople> {
  const { width, height } = await sharp(file)
    .metadata()
    .catch((cause) => {
      throw cannotMake('The photo cannot be read.', cause);
    });
  const side = Math.max(width, height);
  const reduction = [8, 4, 2].find((by) => side / by >= leastSide) ?? 1;
  const picture = await readPhoto(file, Math.ceil(side / reduction));
  const scale = Math.min(side, workingSide) / Math.max(picture.width, picture.height);
  const faces = await findFaces(picture, { traits: false, irises: false, search });
  return { picture, scale, people: withoutBystanders(faces) };
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

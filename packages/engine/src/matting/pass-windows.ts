import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import type { Size } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';

/** How far a window reaches from a face, in face heights. */
interface Reach {
  /** To both sides of the face's middle. */
  beside: number;
  /** Above the forehead. */
  above: number;
  /** Below the chin. */
  below: number;
}

const head: Reach = { beside: 1.75, above: 1, below: 1.9 };
const hair: Reach = { beside: 1.5, above: 1, below: 0.9 };

/** For the classes of a body: finer down to the knees, then with the feet. */
const knees: Reach = { beside: 2.4, above: 1, below: 4 };
const feet: Reach = { beside: 3.2, above: 1, below: 8.5 };

export const headWindow = (face: Face, photo: Size) => windowAround(face, head, photo);
export const hairWindow = (face: Face, photo: Size) => windowAround(face, hair, photo);

export const kneesWindow = (face: Face, photo: Size) => windowAround(face, knees, photo);
export const feetWindow = (face: Face, photo: Size) => windowAround(face, feet, photo);

/** The part of the photo around a face, within the photo's borders. */
function windowAround(face: Face, { beside, above, below }: Reach, photo: Size): Window {
  const top = Math.min(pointOf(face, 10).y, pointOf(face, 152).y);
  const chin = Math.max(pointOf(face, 10).y, pointOf(face, 152).y);
  const x = Math.max(0, Math.round(face.center.x - beside * face.height));
  const y = Math.max(0, Math.round(top - above * face.height));
  return {
    x,
    y,
    width: Math.min(photo.width, Math.round(face.center.x + beside * face.height)) - x,
    height: Math.min(photo.height, Math.round(chin + below * face.height)) - y,
  };
}

import type { Face } from '../faces/face.ts';
import { medianHeight, pointOf } from '../faces/face-outline.ts';
import { boxMean } from '../pixels/box-mean.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import { reduce } from '../pixels/reduce.ts';
import { smoothstep } from '../pixels/scalar.ts';

/** How sure the cutout of one person is. */
export interface Confidence {
  /** Of the body below the chin, as far as a picture can show it: from 0 to 1. */
  body: number;
  /** The matte row down to which it is sure; infinite where all of it is. */
  sureTo: number;
}

/** How far below a chin pictures show bodies, and how much of that is always shown, in face heights. */
const mostBody = 4.2;
export const headAndShoulders = 1.1;

/** Half of the width of a body that is judged, in face heights: arms are not. */
const halfWidth = 0.8;

/** A body is doubtful from the row on where this share of it is, over this many face heights. */
const doubtfulShare = 0.5;
const doubtfulHeight = 0.5;

const factor = 4;

/**
 * Judges the cutout of each person by what the networks say: the matte, and the share of a person by the body classes.
 * A part is doubtful where the classes are undecided over more than an edge's width, and where they contradict a matte
 * that is decided, less than half as much: mostly they are right then.
 */
export function judgeCutouts(matte: Plane, person: Plane, faces: readonly Face[]): Confidence[] {
  const alpha = reduce(matte, factor);
  const share = reduce(person, factor);
  const unit = medianHeight(faces) / factor;
  const doubt = share.data.map((value, i) => {
    const undecided = smoothstep(0.12, 0.35, Math.min(value, 1 - value));
    const contradicted = smoothstep(0.5, 0.9, Math.abs(value - alpha.data[i]!));
    return Math.max(undecided, 0.4 * contradicted);
  });
  const broad = boxMean(planeOf(doubt, share), 0.1 * unit);
  return faces.map((face) => judgeBody(face, broad, share, alpha));
}

function judgeBody(face: Face, doubt: Plane, share: Plane, alpha: Plane): Confidence {
  const unit = face.height / factor;
  const chin = pointOf(face, 152);
  const [x, y] = [chin.x / factor, chin.y / factor];
  const left = Math.max(0, Math.round(x - halfWidth * unit));
  const right = Math.min(doubt.width - 1, Math.round(x + halfWidth * unit));
  const bottom = Math.min(doubt.height - 1, Math.round(y + mostBody * unit));
  let sureTo = Infinity;
  let run = 0;
  let allDoubt = 0;
  let allPixels = 0;
  for (let row = Math.max(0, Math.round(y + headAndShoulders * unit)); row <= bottom; row++) {
    let rowDoubt = 0;
    let pixels = 0;
    for (let column = left; column <= right; column++) {
      const i = row * doubt.width + column;
      if (Math.max(share.data[i]!, alpha.data[i]!) < 0.2) continue;
      rowDoubt += smoothstep(0.4, 0.7, doubt.data[i]!);
      allDoubt += doubt.data[i]!;
      pixels++;
    }
    allPixels += pixels;
    run = pixels > 0 && rowDoubt > doubtfulShare * pixels ? run + 1 : 0;
    if (run >= doubtfulHeight * unit && sureTo === Infinity) sureTo = (row - run) * factor;
  }
  return { body: allPixels === 0 ? 1 : 1 - allDoubt / allPixels, sureTo };
}

import type { ShownHead } from '../costume/shown-head.ts';
import type { Face } from '../faces/face.ts';
import { moveFace } from '../faces/face-outline.ts';
import type { Plane, Size } from '../pixels/plane.ts';
import type { Finding } from './check.ts';
import { findRuns } from './find-parts.ts';
import { findOutline, type OutlinePoint } from './outline.ts';

/** A head in a costume as the checks see it. */
export interface JudgedHead extends Size {
  /** How many pixels of the picture one of its pixels is wide. */
  factor: number;
  /** A face height, in its pixels: the unit of every length. */
  unit: number;
  /** In its pixels, from its corner. */
  face: Face;
  /** How much of each pixel is the head, where nothing is drawn over it. */
  people: Plane;
  /** How much of each pixel is the guest in the photo. */
  guest: Float32Array;
  hair: Float32Array;
  bodySkin: Float32Array;
  /** How much of each pixel the costume covers. */
  before: Float32Array;
  /** Where the head ends, but for where the costume covers it. */
  outline: readonly OutlinePoint[];
}

export function prepareHead({ area, classes, shown, ...head }: ShownHead): JudgedHead {
  const { width, height, factor } = shown;
  const unit = head.face.height / factor;
  const before = head.before.data;
  const outline = findOutline({
    width,
    height,
    unit,
    people: shown,
    inPhoto: classes.inPhoto.data,
    barrierTops: new Float32Array(width).fill(height),
  });
  return {
    width,
    height,
    factor,
    unit,
    face: moveFace(head.face, { scale: 1 / factor, x: -area.x / factor, y: -area.y / factor }),
    people: shown,
    guest: head.guest.data,
    hair: classes.hair.data,
    bodySkin: classes.bodySkin.data,
    before,
    outline: outline.filter(({ x, y, outside }) => before[y * width + x]! < 0.1 && before[outside]! < 0.1),
  };
}

/** How far beyond the outline the photo is looked at, in face heights: from where the edge of hair ends. */
const beyond = [0.08, 0.14];

/** Where a head ends though the photo goes on with a part of the guest that no costume covers: how long that is. */
export function findCut(head: JudgedHead, outline: readonly OutlinePoint[], part: Float32Array): Finding {
  const { width, height, unit, guest, before } = head;
  const cut = outline.filter(({ x, y, out }) =>
    beyond.every((by) => {
      const column = Math.round(x + by * unit * out.x);
      const row = Math.round(y + by * unit * out.y);
      if (column < 0 || row < 0 || column >= width || row >= height) return false;
      const i = row * width + column;
      return guest[i]! > 0.5 && part[i]! > 0.5 && before[i]! < 0.3;
    }),
  );
  const [longest] = findRuns(head, cut);
  return { measure: cut.length / unit, regions: longest ? [longest.region] : [] };
}

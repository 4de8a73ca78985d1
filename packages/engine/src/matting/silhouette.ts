import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import type { Size } from '../pixels/plane.ts';
import type { ReducedPlane } from '../pixels/reduce.ts';
import type { Matte } from './matte.ts';

/** Where people stand in their photo and where the photo's borders cut them. In photo pixels. */
export interface Silhouette extends Size {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** For each border: the share of it that people cover, and the first row or column they cover. */
  cut: Record<'left' | 'right' | 'top' | 'bottom', { share: number; first: number }>;
  /** How many pixels of each row are people. */
  rowWidths: Float32Array;
  /** The row below which it is doubtful what is people, where there is one: pictures end there if they can. */
  sureTo?: number;
}

export function silhouetteOf({ data: alpha, width, height, factor }: ReducedPlane): Silhouette {
  const rowWidths = new Float32Array(height);
  let left = width;
  let right = 0;
  let top = height;
  let bottom = 0;
  for (let y = 0; y < height; y++) {
    let covered = 0;
    for (let x = 0; x < width; x += 2) {
      if (alpha[y * width + x]! <= 0.5) continue;
      covered += 2;
      if (x < left) left = x;
      if (x > right) right = x;
    }
    rowWidths[y] = covered;
    if (covered === 0) continue;
    if (y < top) top = y;
    bottom = y;
  }
  // A little inside the border: the network is unsure of the last pixels.
  const inset = Math.max(2, Math.round(0.004 * width));
  const border = (length: number, at: (i: number) => number) => {
    let covered = 0;
    let first = -1;
    for (let i = 0; i < length; i++) {
      if (alpha[at(i)]! <= 0.5) continue;
      covered++;
      if (first < 0) first = i;
    }
    return { share: covered / length, first };
  };
  const photoRows = new Float32Array(height * factor);
  for (let y = 0; y < photoRows.length; y++) photoRows[y] = rowWidths[Math.floor(y / factor)]! * factor;
  const onPhoto = ({ share, first }: { share: number; first: number }) => ({ share, first: first * factor });
  return {
    width: width * factor,
    height: height * factor,
    left: left * factor,
    right: right * factor,
    top: top * factor,
    bottom: bottom * factor,
    rowWidths: photoRows,
    cut: {
      left: onPhoto(border(height, (y) => y * width + inset)),
      right: onPhoto(border(height, (y) => y * width + width - 1 - inset)),
      top: onPhoto(border(width, (x) => inset * width + x)),
      bottom: onPhoto(border(width, (x) => (height - 1 - inset) * width + x)),
    },
  };
}

/** Where the body below a face ends. */
export interface BodyEnd {
  /** The last photo row of the body; the photo's height where the photo cuts it. */
  row: number;
  /** Whether the body is long enough to be that of somebody who stands and is seen from head to foot. */
  long: boolean;
  /** The same, and it ends with feet: the photo does not cut it. */
  standing: boolean;
}

/** From chin to sole a child that stands has six face heights, an adult eight, and somebody who sits under five. */
const chinToSole = 5.5;

/**
 * Where the body below each face ends: the last row, going down from the chin, in which enough of the columns around
 * the face are people. A gap of less than a third of a face is passed over, as between crossed arms and a lap.
 */
export function findBodyEnds(
  { data: alpha, width, height, factor }: Matte,
  faces: readonly Face[],
): BodyEnd[] {
  const lastRow = height - 1 - Math.max(2, Math.round(0.004 * width));
  return faces.map((face) => {
    const unit = face.height / factor;
    const chin = Math.max(pointOf(face, 152).y, face.center.y) / factor;
    const from = Math.max(0, Math.round(face.center.x / factor - 1.1 * unit));
    const to = Math.min(width - 1, Math.round(face.center.x / factor + 1.1 * unit));
    let last = Math.round(chin);
    for (let y = last; y <= lastRow && y - last < 0.33 * unit; y++) {
      let covered = 0;
      for (let x = from; x <= to; x++) if (alpha[y * width + x]! > 0.5) covered++;
      if (covered > 0.4 * unit) last = y;
    }
    const isCut = last >= lastRow;
    const long = last - chin > chinToSole * unit;
    return {
      row: (isCut ? height : last) * factor,
      long,
      standing: long && !isCut,
    };
  });
}

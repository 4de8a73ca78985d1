import type { Face } from '../faces/face.ts';
import { moveFace, pointOf, scanFace } from '../faces/face-outline.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import type { Picture } from '../pixels/picture.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { clamp, mix, smoothstep } from '../pixels/scalar.ts';

/** What the pixels around a head are, from 0 to 1 each, in its area of the canvas. */
export interface HeadClasses {
  hair: Plane;
  skin: Plane;
  clothes: Plane;
  things: Plane;
  /** How much the classes are worth. */
  worth: Plane;
  /** Whether a pixel lies in the photo. */
  inPhoto: Plane;
}

/** Where the neck is on the canvas. */
interface NeckPosition {
  x: number;
  /** The row of the jaw's corners, and that of the chin. */
  jaw: number;
  chin: number;
  halfWidth: number;
}

export function locateNeck(face: Face): NeckPosition {
  const left = pointOf(face, 172);
  const right = pointOf(face, 397);
  return {
    // A face that is turned aside is in front of its neck.
    x: (left.x + right.x) / 2 - 0.22 * face.height * clamp(face.yaw, -0.6, 0.6),
    jaw: (left.y + right.y) / 2,
    chin: pointOf(face, 152).y,
    halfWidth: clamp(0.46 * (right.x - left.x), 0.3 * face.width, 0.5 * face.width),
  };
}

/**
 * Clears what does not belong to a head, in place: arms and hands beside it, the guest's own collar and clothes, and
 * shoulders. Hair and what is worn on the head stay, and the neck down to the costume's collar.
 */
export function keepHead(alpha: Plane, classes: HeadClasses, area: Window, face: Face): void {
  const neck = locateNeck(face);
  const unit = face.height;
  const brow = pointOf(face, 10).y;
  const eyes = (pointOf(face, 33).y + pointOf(face, 263).y) / 2;
  const { width, height, data } = alpha;
  const { hair, skin, clothes, things, worth } = classes;
  const sides = faceSides(face, area);
  for (let y = 0, i = 0; y < height; y++) {
    const row = y + area.y;
    const side = row >= brow ? sides.get(y) : undefined;
    for (let x = 0; x < width; x++, i++) {
      if (data[i]! <= 0) continue;
      const column = x + area.x;
      const aside = Math.abs(column - face.center.x) / unit;
      const besideNeck = Math.abs(column - neck.x) - neck.halfWidth - 0.04 * unit;
      const own = clothes.data[i]! + things.data[i]!;
      let gone: number;
      if (row >= neck.chin) {
        // Towards the shoulders a neck becomes wider.
        const beside = smoothstep(0, 0.06 * unit, besideNeck - 0.4 * (row - neck.chin));
        gone = Math.max(smoothstep(0.2, 0.45, own), beside * smoothstep(0.3, 0.6, skin.data[i]!));
      } else {
        // The mesh's oval is narrower than a forehead.
        const forehead = row < eyes ? beyondForehead(face, column, row) : Infinity;
        const off = side
          ? Math.min(forehead, Math.max(side.from - x, x - side.to) / unit)
          : beyondForehead(face, column, row);
        // Hats, hoods and scarves are worn close to the head; below the corners of the jaw, skin is the neck's too.
        const worn = row < brow + 0.15 * unit ? 1 - smoothstep(0.75, 0.95, aside) : 0;
        const bare = row > neck.jaw ? smoothstep(0, 0.06 * unit, besideNeck) : 1;
        gone = smoothstep(0, 0.08, off) * smoothstep(0.3, 0.6, bare * skin.data[i]! + (1 - worn) * own);
      }
      // Hair is kept for certain: its edge is as soft in the classes as that of what is behind it.
      data[i] = data[i]! * (1 - gone * worth.data[i]! * (1 - smoothstep(0.4, 0.7, hair.data[i]!)));
    }
  }
}

/** How far a point lies outside of the oval that a face and its forehead are in, which leans as the face does. */
function beyondForehead({ center, height, roll }: Face, x: number, y: number): number {
  const dx = (x - center.x) / height;
  const dy = (y - center.y) / height;
  const across = dx * Math.cos(roll) + dy * Math.sin(roll);
  const down = dy * Math.cos(roll) - dx * Math.sin(roll);
  return Math.hypot(across / 0.55, down / 0.85) - 1;
}

/**
 * The columns between which skin is the face's own, by row of the area: its oval, with room for an ear on each side that
 * the face is not turned to, above the mouth. In front of a face in profile there is only what a hand holds up.
 */
function faceSides(face: Face, area: Window): Map<number, { from: number; to: number }> {
  const here = moveFace(face, { scale: 1, x: -area.x, y: -area.y });
  const mouth = pointOf(here, 13).y;
  const sides = new Map<number, { from: number; to: number }>();
  scanFace(here, 1, area, (y, from, to) => {
    const ear = (side: -1 | 1) =>
      0.16 *
      (1 - smoothstep(0.15, 0.5, side * face.yaw)) *
      (1 - smoothstep(mouth, mouth + 0.15 * face.height, y));
    const room = (side: -1 | 1) => (0.04 + ear(side)) * face.height;
    sides.set(y, { from: from - room(-1), to: to + room(1) });
  });
  return sides;
}

/**
 * Paints skin where the guest's own collar was cut away or the photo ends, so that the neck goes down into the costume,
 * in place. Its colours are those of the skin around.
 */
export function completeNeck(
  photo: Picture,
  alpha: Plane,
  { hair, skin, clothes, things, inPhoto }: HeadClasses,
  area: Window,
  face: Face,
): void {
  const neck = locateNeck(face);
  const unit = face.height;
  // Nothing beyond these columns is neck.
  const reach = Math.max(neck.halfWidth, 0.8 * neck.halfWidth + 0.1 * unit) + 2;
  const left = clamp(Math.floor(neck.x - reach) - area.x, 0, alpha.width);
  const right = clamp(Math.ceil(neck.x + reach) - area.x, left, alpha.width);
  const top = clamp(Math.round(neck.jaw - 0.35 * unit - area.y), 0, alpha.height);
  const size = { width: right - left, height: alpha.height - top };
  const known = new Float32Array(size.width * size.height);
  const missing = new Float32Array(known.length);
  /** Calls back with every pixel's index in the neck's part and in the whole area. */
  const forEach = (visit: (i: number, at: number, x: number, y: number) => void) => {
    for (let y = top, i = 0; y < alpha.height; y++) {
      for (let x = left; x < right; x++, i++) visit(i, y * alpha.width + x, x, y);
    }
  };
  forEach((i, at, x, y) => {
    const row = y + area.y;
    const off = Math.abs(x + area.x - neck.x);
    const isSkin = skin.data[at]! > 0.75 && alpha.data[at]! > 0.9 && off < 0.8 * neck.halfWidth + 0.1 * unit;
    if (isSkin && inPhoto.data[at]! > 0.99) known[i] = row < neck.chin ? 0.15 : 1;
    const inside =
      smoothstep(neck.halfWidth, neck.halfWidth - 0.05 * unit, off) *
      smoothstep(neck.jaw - 0.02 * unit, neck.jaw + 0.03 * unit, row);
    const cut =
      smoothstep(0.15, 0.4, clothes.data[at]! + things.data[at]!) *
      (1 - smoothstep(0.3, 0.6, hair.data[at]!));
    missing[i] = inside * Math.max(cut, 1 - inPhoto.data[at]!);
  });
  if (!missing.some((share) => share > 0.5) || !known.some((share) => share > 0)) return;
  // Near skin counts for much, far skin for a little where there is no other.
  const spread = (plane: Float32Array) => {
    const near = gaussianBlur(planeOf(plane, size), 0.07 * unit).data;
    const far = gaussianBlur(planeOf(plane, size), 0.35 * unit).data;
    return near.map((value, i) => value + 0.02 * far[i]! + 1e-6 * plane[i]!);
  };
  const weight = spread(known);
  for (const plane of photo.planes) {
    const lit = new Float32Array(known.length);
    forEach((i, at) => {
      lit[i] = known[i]! * plane[at]!;
    });
    const sum = spread(lit);
    forEach((i, at) => {
      if (weight[i]! > 0) plane[at] = mix(plane[at]!, sum[i]! / weight[i]!, missing[i]!);
    });
  }
  forEach((i, at) => {
    alpha.data[at] = Math.max(alpha.data[at]!, missing[i]!);
  });
}

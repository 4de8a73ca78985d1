import type { Face } from '../faces/face.ts';
import { moveFace, pointOf, scanFace } from '../faces/face-outline.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { smoothstep } from '../pixels/scalar.ts';
import { type HeadClasses, type Neck, neckHalfWidthAt } from './neck.ts';

/** How far from its oval a jaw is still sought, in face heights. */
const jawRoom = 0.04;

/**
 * Clears what does not belong to a head, in place: arms and hands beside it, the guest's own collar and clothes, and
 * shoulders. Hair and what is worn on the head stay, and the neck down to the costume's collar.
 */
export function keepHead(
  alpha: Plane,
  classes: HeadClasses,
  area: Window,
  { face, neck }: { face: Face; neck: Neck },
): void {
  const unit = face.height;
  const brow = pointOf(face, 10).y;
  const mouth = pointOf(face, 13).y;
  const eyes = (pointOf(face, 33).y + pointOf(face, 263).y) / 2;
  const { width, height, data } = alpha;
  const { hair, skin, clothes, things, worth } = classes;
  const sides = faceSides(face, area);
  for (let y = 0, i = 0; y < height; y++) {
    const row = y + area.y;
    const side = row >= brow ? sides.get(y) : undefined;
    const neckHalfWidth = neckHalfWidthAt(neck, row, unit) + 0.03 * unit;
    const strands = row >= mouth - 0.05 * unit ? hairSpan(hair, y) : { from: 0, to: width };
    for (let x = 0; x < width; x++, i++) {
      if (data[i]! <= 0) continue;
      const column = x + area.x;
      const aside = Math.abs(column - face.center.x) / unit;
      const besideNeck = Math.abs(column - neck.x) - neckHalfWidth;
      const own = clothes.data[i]! + things.data[i]!;
      // What lies beside mouth and chin, with no hair around it, is a collar's tip or a shoulder, whatever its class.
      const isOutside = column < neck.x ? x < strands.from : x > strands.to;
      let gone: number;
      if (row >= neck.chin) {
        // Skin between hair and neck is a neck's that leans, and without it there would be a hole.
        const beside = smoothstep(0, 0.05 * unit, besideNeck - (isOutside ? 0 : 0.25 * unit));
        gone = Math.max(
          smoothstep(0.2, 0.45, own),
          beside * (isOutside ? 1 : smoothstep(0.3, 0.6, skin.data[i]!)),
        );
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
        // Clothes end at the jaw itself: a collar's tip beside it would stay as a dark spot.
        if (side && row > mouth) {
          const beyondOval = Math.max(side.jawFrom - x, x - side.jawTo) / unit + jawRoom;
          gone = Math.max(gone, smoothstep(0, jawRoom, beyondOval) * smoothstep(0.6, 0.9, own));
        }
        if (isOutside && side) {
          const beyondJaw = Math.max(side.jawFrom - x, x - side.jawTo) / unit;
          const low = smoothstep(mouth - 0.05 * unit, mouth + 0.05 * unit, row);
          gone = Math.max(
            gone,
            low * smoothstep(0, 0.05, beyondJaw) * smoothstep(0, 0.05 * unit, besideNeck),
          );
        }
      }
      // Hair is kept for certain: its edge is as soft in the classes as that of what is behind it.
      data[i] = data[i]! * (1 - gone * worth.data[i]! * (1 - smoothstep(0.4, 0.7, hair.data[i]!)));
    }
  }
}

/** The outermost columns of hair in a row; without any, `from` lies right of `to`. */
function hairSpan({ width, data }: Plane, y: number): { from: number; to: number } {
  const row = data.subarray(y * width, (y + 1) * width);
  const from = row.findIndex((share) => share > 0.5);
  return from < 0 ? { from: width, to: -1 } : { from, to: row.findLastIndex((share) => share > 0.5) };
}

/** How far a point lies outside of the oval that a face and its forehead are in, which leans as the face does. */
function beyondForehead({ center, height, roll }: Face, x: number, y: number): number {
  const dx = (x - center.x) / height;
  const dy = (y - center.y) / height;
  const across = dx * Math.cos(roll) + dy * Math.sin(roll);
  const down = dy * Math.cos(roll) - dx * Math.sin(roll);
  return Math.hypot(across / 0.55, down / 0.85) - 1;
}

/** The columns of a row between which skin is the face's own, with and without its ears. */
interface FaceSides {
  from: number;
  to: number;
  jawFrom: number;
  jawTo: number;
}

/**
 * The columns between which skin is the face's own, by row of the area: its oval, with room for an ear on each side that
 * the face is not turned to, above the mouth. In front of a face in profile there is only what a hand holds up.
 */
function faceSides(face: Face, area: Window): Map<number, FaceSides> {
  const here = moveFace(face, { scale: 1, x: -area.x, y: -area.y });
  const mouth = pointOf(here, 13).y;
  const sides = new Map<number, FaceSides>();
  scanFace(here, 1, area, (y, from, to) => {
    const ear = (side: -1 | 1) =>
      0.16 *
      (1 - smoothstep(0.15, 0.5, side * face.yaw)) *
      (1 - smoothstep(mouth, mouth + 0.15 * face.height, y));
    const room = (side: -1 | 1) => (0.04 + ear(side)) * face.height;
    const jaw = jawRoom * face.height;
    sides.set(y, { from: from - room(-1), to: to + room(1), jawFrom: from - jaw, jawTo: to + jaw });
  });
  return sides;
}

import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { percentileOfSorted } from '../pixels/percentile.ts';
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
export interface Neck {
  x: number;
  /** The rows of the lower lip's edge, of the jaw's corners and of the chin. */
  lip: number;
  jaw: number;
  chin: number;
  /** Half of its width below the jaw. */
  halfWidth: number;
}

/** Where the neck of a face is, as wide as its jaw lets expect. */
export function locateNeck(face: Face): Neck {
  const left = pointOf(face, 172);
  const right = pointOf(face, 397);
  return {
    // A face that is turned aside is in front of its neck.
    x: (left.x + right.x) / 2 - 0.22 * face.height * clamp(face.yaw, -0.6, 0.6),
    lip: pointOf(face, 17).y,
    jaw: (left.y + right.y) / 2,
    chin: pointOf(face, 152).y,
    halfWidth: clamp(0.46 * (right.x - left.x), 0.3 * face.width, 0.5 * face.width),
  };
}

/** How much narrower or wider than its jaw lets expect a neck may be measured. */
const narrowest = 0.9;
const widest = 1.3;

/** The neck of a face, as wide as its skin is in the photo where that is seen. */
export function measureNeck(face: Face, alpha: Plane, { skin }: HeadClasses, area: Window): Neck {
  const neck = locateNeck(face);
  const isSkin = (x: number, y: number) => {
    const i = (y - area.y) * area.width + Math.round(x) - area.x;
    return skin.data[i]! > 0.5 && alpha.data[i]! > 0.5;
  };
  const least = 0.5 * neck.halfWidth;
  const most = 2 * neck.halfWidth;
  const seen: number[] = [];
  const last = Math.min(area.y + area.height, Math.round(neck.chin + 0.22 * face.height));
  for (let y = Math.max(area.y, Math.round(neck.chin + 0.03 * face.height)); y < last; y += 2) {
    const [left, right] = [-1, 1].map((side) => {
      let off = 0;
      while (off < most && isSkin(neck.x + side * off, y)) off++;
      return off;
    }) as [number, number];
    if (Math.min(left, right) > least) seen.push((left + right) / 2);
  }
  if (seen.length < 5) return neck;
  // Bare shoulders make the lower rows wider, hair before it single ones narrower.
  const half = percentileOfSorted(Float32Array.from(seen).sort(), 0.3);
  return { ...neck, halfWidth: clamp(half, narrowest * neck.halfWidth, widest * neck.halfWidth) };
}

/** Half of the neck's width in a row: towards the shoulders it becomes wider. */
export function neckHalfWidthAt({ chin, halfWidth }: Neck, row: number, unit: number): number {
  return halfWidth + 0.3 * Math.max(0, row - chin - 0.1 * unit);
}

/** The part of a head's area in which its neck lies, and what is there. */
interface NeckPart extends Window {
  /** How far each pixel is the guest's own skin, and how far skin has to be painted there. */
  known: Float32Array;
  missing: Float32Array;
}

/**
 * Paints skin where the guest's own collar was cut away or the photo ends, so that the neck goes down into the costume,
 * in place. Its colours are those of the skin around.
 */
export function completeNeck(
  photo: Picture,
  alpha: Plane,
  classes: HeadClasses,
  area: Window,
  measured: { neck: Neck; unit: number },
): void {
  const part = neckPart(area, measured);
  findNeck(part, photo, alpha, classes, { ...measured, area });
  const { known, missing } = part;
  if (!missing.some((share) => share > 0.5) || !known.some((share) => share > 0)) return;
  // Near skin counts for much, far skin for a little where there is no other.
  const spread = (plane: Float32Array) => {
    const near = gaussianBlur(planeOf(plane, part), 0.07 * measured.unit).data;
    const far = gaussianBlur(planeOf(plane, part), 0.35 * measured.unit).data;
    return near.map((value, i) => value + 0.02 * far[i]! + 1e-6 * plane[i]!);
  };
  const weight = spread(known);
  for (const plane of photo.planes) {
    const lit = new Float32Array(known.length);
    forEachPixel(part, alpha.width, (i, at) => {
      lit[i] = known[i]! * plane[at]!;
    });
    const sum = spread(lit);
    forEachPixel(part, alpha.width, (i, at) => {
      if (weight[i]! > 0) plane[at] = mix(plane[at]!, sum[i]! / weight[i]!, missing[i]!);
    });
  }
  forEachPixel(part, alpha.width, (i, at) => {
    alpha.data[at] = Math.max(alpha.data[at]!, missing[i]!);
  });
}

/** The part from below the lips down, as wide as a neck can be. */
function neckPart(area: Window, { neck, unit }: { neck: Neck; unit: number }): NeckPart {
  const reach = neckHalfWidthAt(neck, area.y + area.height, unit) + 2;
  const x = clamp(Math.floor(neck.x - reach) - area.x, 0, area.width);
  const y = clamp(Math.round(Math.min(neck.jaw, neck.lip + 0.03 * unit) - area.y), 0, area.height);
  const width = clamp(Math.ceil(neck.x + reach) - area.x, x, area.width) - x;
  const height = area.height - y;
  const plane = () => new Float32Array(width * height);
  return { x, y, width, height, known: plane(), missing: plane() };
}

/** Calls back with every pixel's index in the part and in the whole area, and its place there. */
function forEachPixel(
  part: NeckPart,
  areaWidth: number,
  visit: (i: number, at: number, x: number, y: number) => void,
): void {
  for (let y = part.y, i = 0; y < part.y + part.height; y++) {
    for (let x = part.x; x < part.x + part.width; x++, i++) visit(i, y * areaWidth + x, x, y);
  }
}

/** Finds where the neck's own skin is seen and where it has to be painted, in place. */
function findNeck(
  part: NeckPart,
  photo: Picture,
  alpha: Plane,
  { hair, skin, clothes, things, inPhoto }: HeadClasses,
  { neck, unit, area }: { neck: Neck; unit: number; area: Window },
): void {
  const { known, missing } = part;
  const within = new Float32Array(known.length);
  const [, green] = photo.planes;
  const isOwnSkin = (at: number) =>
    skin.data[at]! > 0.75 && alpha.data[at]! > 0.9 && inPhoto.data[at]! > 0.99;
  const onChin: number[] = [];
  forEachPixel(part, area.width, (_, at, x, y) => {
    const isChin = y + area.y < neck.chin && Math.abs(x + area.x - neck.x) < 0.8 * neck.halfWidth;
    if (isChin && isOwnSkin(at)) onChin.push(green[at]!);
  });
  const chinLight = percentileOfSorted(Float32Array.from(onChin).sort(), 0.5);
  forEachPixel(part, area.width, (i, at, x, y) => {
    const row = y + area.y;
    const off = Math.abs(x + area.x - neck.x);
    const halfWidth = neckHalfWidthAt(neck, row, unit);
    if (isOwnSkin(at) && row > neck.lip + 0.03 * unit && off < 0.8 * halfWidth + 0.1 * unit) {
      // The classes are coarse: beside a dark collar some of it is called skin.
      const lit = smoothstep(0.5 * chinLight, 0.7 * chinLight, green[at]!);
      known[i] = lit * (row < neck.chin ? 0.15 : 1);
    }
    within[i] =
      smoothstep(halfWidth, halfWidth - 0.05 * unit, off) *
      smoothstep(neck.jaw - 0.02 * unit, neck.jaw + 0.03 * unit, row);
    const cut =
      smoothstep(0.15, 0.4, clothes.data[at]! + things.data[at]!) *
      (1 - smoothstep(0.3, 0.6, hair.data[at]!));
    missing[i] = within[i]! * Math.max(cut, 1 - inPhoto.data[at]!);
  });
  // A collar's shadow and its edge lie beside it: skin is painted over them, and softly goes over into what is there.
  const near = gaussianBlur(planeOf(missing, part), 0.025 * unit).data;
  for (let i = 0; i < missing.length; i++) {
    missing[i] = Math.max(missing[i]!, within[i]! * smoothstep(0.02, 0.4, near[i]!));
  }
}

import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { percentileOfSorted } from '../pixels/percentile.ts';
import type { Picture } from '../pixels/picture.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import { clamp, mix, smoothstep } from '../pixels/scalar.ts';
import type { HeadClasses } from './head-classes.ts';

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

/**
 * Paints skin where the guest's own collar was cut away or the photo ends, so that the neck goes down into the costume,
 * in place. Its colours are those of the skin around.
 */
export function completeNeck(
  photo: Picture,
  alpha: Plane,
  classes: HeadClasses,
  area: Window,
  { neck, unit }: { neck: Neck; unit: number },
): void {
  const { hair, skin, clothes, things, inPhoto } = classes;
  // Nothing beyond these columns is neck.
  const reach = neckHalfWidthAt(neck, area.y + area.height, unit) + 2;
  const left = clamp(Math.floor(neck.x - reach) - area.x, 0, alpha.width);
  const right = clamp(Math.ceil(neck.x + reach) - area.x, left, alpha.width);
  const top = clamp(Math.round(Math.min(neck.jaw, neck.lip + 0.03 * unit) - area.y), 0, alpha.height);
  const size = { width: right - left, height: alpha.height - top };
  const known = new Float32Array(size.width * size.height);
  const within = new Float32Array(known.length);
  const missing = new Float32Array(known.length);
  /** Calls back with every pixel's index in the neck's part and in the whole area. */
  const forEach = (visit: (i: number, at: number, x: number, y: number) => void) => {
    for (let y = top, i = 0; y < alpha.height; y++) {
      for (let x = left; x < right; x++, i++) visit(i, y * alpha.width + x, x, y);
    }
  };
  const [, green] = photo.planes;
  const isOwnSkin = (at: number) =>
    skin.data[at]! > 0.75 && alpha.data[at]! > 0.9 && inPhoto.data[at]! > 0.99;
  const onChin: number[] = [];
  forEach((_, at, x, y) => {
    const isChin = y + area.y < neck.chin && Math.abs(x + area.x - neck.x) < 0.8 * neck.halfWidth;
    if (isChin && isOwnSkin(at)) onChin.push(green[at]!);
  });
  const chinLight = percentileOfSorted(Float32Array.from(onChin).sort(), 0.5);
  forEach((i, at, x, y) => {
    const row = y + area.y;
    const off = Math.abs(x + area.x - neck.x);
    const halfWidth = neckHalfWidthAt(neck, row, unit);
    if (isOwnSkin(at) && row > neck.lip + 0.03 * unit && off < 0.8 * halfWidth + 0.1 * unit) {
      // The classes are coarse: beside a dark collar some of it is called skin.
      const lit = smoothstep(0.5 * chinLight, 0.7 * chinLight, green[at]!);
      known[i] = lit * (row < neck.chin ? 0.15 : 1);
    }
    const inside =
      smoothstep(halfWidth, halfWidth - 0.05 * unit, off) *
      smoothstep(neck.jaw - 0.02 * unit, neck.jaw + 0.03 * unit, row);
    const cut =
      smoothstep(0.15, 0.4, clothes.data[at]! + things.data[at]!) *
      (1 - smoothstep(0.3, 0.6, hair.data[at]!));
    within[i] = inside;
    missing[i] = inside * Math.max(cut, 1 - inPhoto.data[at]!);
  });
  // A collar's shadow and its edge lie beside it: skin is painted over them, and softly goes over into what is there.
  const near = gaussianBlur(planeOf(missing, size), 0.025 * unit).data;
  for (let i = 0; i < missing.length; i++) {
    missing[i] = Math.max(missing[i]!, within[i]! * smoothstep(0.02, 0.4, near[i]!));
  }
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

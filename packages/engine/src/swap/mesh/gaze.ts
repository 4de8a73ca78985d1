import { clamp, smoothstep } from '../../pixels/scalar.ts';
import { leftLids, rightLids } from './features.ts';
import type { WarpMap } from './mesh-warp.ts';
import { fillPolygon } from './polygon.ts';

/** The corners of each eye, the first point of its iris, and its lids. */
const eyes = [
  { outer: 33, inner: 133, iris: 468, lids: leftLids },
  { outer: 263, inner: 362, iris: 473, lids: rightLids },
] as const;

type Eye = (typeof eyes)[number];

const chin = 152;

/** In widths of the eye. An iris has a radius of 0.2: moved further than that, the white beside it would fold. */
const mostAlong = 0.18;
const mostAcross = 0.06;

/** A face on a patch: where the map reads it, where its points go, and the template's points. */
interface EyesOnPatch {
  places: Float32Array;
  shape: Float32Array;
  template: Float32Array;
  width: number;
  height: number;
}

/**
 * Lets the guest look where the template looks, in place: a head that was turned would go on looking past the camera.
 * Each iris is moved inside its lids by `strength` of the way, 0 to 1, and the white beside it stretches.
 */
export function moveIrises(
  map: WarpMap,
  { places, shape, template, width, height }: EyesOnPatch,
  strength: number,
): void {
  if (strength === 0) return;
  for (const eye of eyes) {
    const own = placeInEye(places, eye);
    const wanted = placeInEye(template, eye);
    const along = strength * clamp(wanted.along - own.along, -mostAlong, mostAlong);
    const across = strength * clamp(wanted.across - own.across, -mostAcross, mostAcross);
    const { x, y, dx, dy, down } = axisOf(shape, eye);
    const shiftX = along * dx - down * across * dy;
    const shiftY = along * dy + down * across * dx;
    const centreX = x + own.along * dx - down * own.across * dy + shiftX;
    const centreY = y + own.along * dy + down * own.across * dx + shiftY;
    const radius = own.radius * Math.hypot(dx, dy);
    const inside = fillPolygon(shape, eye.lids, width, height);
    const before = { x: map.x.slice(), y: map.y.slice() };
    for (let i = 0; i < inside.length; i++) {
      if (inside[i] === 0) continue;
      const px = i % width;
      const py = Math.floor(i / width);
      const share = smoothstep(2.3 * radius, radius, Math.hypot(px - centreX, py - centreY));
      if (share === 0) continue;
      const fromX = clamp(px - share * shiftX, 0, width - 2);
      const fromY = clamp(py - share * shiftY, 0, height - 2);
      map.x[i] = readBetween(before.x, width, fromX, fromY);
      map.y[i] = readBetween(before.y, width, fromX, fromY);
    }
  }
}

/** From the outer corner to the inner one, and whether the chin lies to the right (1) or to the left (−1) of that way. */
function axisOf(points: Float32Array, { outer, inner }: Eye) {
  const [x, y] = [points[outer * 3]!, points[outer * 3 + 1]!];
  const [dx, dy] = [points[inner * 3]! - x, points[inner * 3 + 1]! - y];
  const side = dx * (points[chin * 3 + 1]! - y) - dy * (points[chin * 3]! - x);
  return { x, y, dx, dy, down: side < 0 ? -1 : 1 };
}

/** Where the iris is on the way from the outer corner to the inner one and towards the chin, in widths of the eye. */
function placeInEye(points: Float32Array, eye: Eye) {
  const { x, y, dx, dy, down } = axisOf(points, eye);
  const [cx, cy] = [points[eye.iris * 3]!, points[eye.iris * 3 + 1]!];
  const square = dx * dx + dy * dy;
  let radius = 0;
  for (let i = eye.iris + 1; i <= eye.iris + 4; i++)
    radius += Math.hypot(points[i * 3]! - cx, points[i * 3 + 1]! - cy) / 4;
  return {
    along: ((cx - x) * dx + (cy - y) * dy) / square,
    across: (down * ((cy - y) * dx - (cx - x) * dy)) / square,
    radius: radius / Math.sqrt(square),
  };
}

function readBetween(plane: Float32Array, width: number, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const at = top * width + left;
  const upper = plane[at]! + (x - left) * (plane[at + 1]! - plane[at]!);
  const lower = plane[at + width]! + (x - left) * (plane[at + width + 1]! - plane[at + width]!);
  return upper + (y - top) * (lower - upper);
}

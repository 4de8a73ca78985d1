import type { Placement, Size } from '../../pixels/plane.ts';
import type { Window } from '../../pixels/resample.ts';
import { type CameraPlan, type RoomPlane, viewAt, wayBack } from '../camera.ts';
import type { Layer } from './layer-warp.ts';

/** How far beyond the frame a plate reaches where the photo does, in shares of the frame. */
const margin = 0.1;

/** The part of a photo that layers are made of. */
export interface Plate {
  size: Size;
  place: Pick<Layer, 'left' | 'top' | 'density'>;
  /** Where the photo lies on the plate. */
  placement: Placement;
  window: Window;
}

/** The frame's part of the photo, and as much around it as the camera may come to see. */
export function plateOf(photo: Size, window: Window, size: Size, dense: number): Plate {
  const scale = window.width / size.width;
  const left = Math.min(window.x / scale, margin * size.width);
  const top = Math.min(window.y / scale, margin * size.height);
  const right = Math.min((photo.width - window.x - window.width) / scale, margin * size.width);
  const bottom = Math.min((photo.height - window.y - window.height) / scale, margin * size.height);
  const even = (length: number) => 2 * Math.ceil((length * dense) / 2);
  const plate = { width: even(size.width + left + right), height: even(size.height + top + bottom) };
  return {
    size: plate,
    place: { left, top, density: dense },
    placement: {
      scale: dense / scale,
      x: (left - window.x / scale) * dense,
      y: (top - window.y / scale) * dense,
    },
    window: {
      x: window.x - left * scale,
      y: window.y - top * scale,
      width: (plate.width / dense) * scale,
      height: (plate.height / dense) * scale,
    },
  };
}

/** The plan, done only so far that no frame shows anything beyond the plate. */
export function withinPlate(
  plan: CameraPlan,
  size: Size,
  { planes, density: dense, left, top }: Layer,
  rooms: readonly RoomPlane[],
): CameraPlan {
  const right = planes.width / dense - left;
  const bottom = planes.height / dense - top;
  const tolerance = 1;
  const fits = (amount: number) => {
    const tried = { ...plan, amount };
    for (let index = 0; index < plan.frames; index += 4) {
      const view = viewAt(tried, Math.min(plan.frames - 1, index));
      for (const room of rooms) {
        const [a, b, c, d, e, f, g, h, i] = wayBack(view, tried, room, size);
        for (const u of [0, size.width]) {
          for (const v of [0, size.height]) {
            const w = g * u + h * v + i;
            const x = (a * u + b * v + c) / w;
            const y = (d * u + e * v + f) / w;
            if (x < -left - tolerance || x > right + tolerance) return false;
            if (y < -top - tolerance || y > bottom + tolerance) return false;
          }
        }
      }
    }
    return true;
  };
  let low = 0;
  let high = plan.amount;
  if (fits(high)) return plan;
  for (let round = 0; round < 8; round++) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return { ...plan, amount: low };
}

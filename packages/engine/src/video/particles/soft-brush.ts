import { type BytePlane, type Frame, planesOf } from '../frame.ts';
import type { Colour } from './particle-colours.ts';

/** A soft disc, drawn out to a line along (dx, dy). */
export interface SoftBrush {
  x: number;
  y: number;
  dx: number;
  dy: number;
  radius: number;
  /** Where the edge begins to fade, as a share of the radius. */
  hard: number;
  opacity: number;
}

export function strokeFrame(frame: Frame, brush: SoftBrush, colour: Colour): void {
  const half = halved(brush);
  for (const [i, plane] of planesOf(frame).entries()) {
    strokePlane(plane, plane.reduction === 1 ? brush : half, colour[i]!);
  }
}

/** On a plane of half the size, whose samples lie between two rows. */
function halved(brush: SoftBrush): SoftBrush {
  return {
    ...brush,
    x: brush.x / 2,
    y: (brush.y - 0.5) / 2,
    dx: brush.dx / 2,
    dy: brush.dy / 2,
    radius: brush.radius / 2,
  };
}

function strokePlane({ data: plane, width, height }: BytePlane, brush: SoftBrush, value: number): void {
  const { x, y, dx, dy, radius, hard, opacity } = brush;
  const reach = radius + 0.7;
  const left = Math.max(0, Math.ceil(Math.min(x, x - dx) - reach));
  const right = Math.min(width - 1, Math.floor(Math.max(x, x - dx) + reach));
  const upper = Math.max(0, Math.ceil(Math.min(y, y - dy) - reach));
  const lower = Math.min(height - 1, Math.floor(Math.max(y, y - dy) + reach));
  const length = dx * dx + dy * dy;
  const inner = hard * radius;
  const fade = 1 / Math.max(0.5, reach - inner);
  for (let py = upper; py <= lower; py++) {
    for (let px = left; px <= right; px++) {
      const ax = px - x;
      const ay = py - y;
      const along = length > 0 ? Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length)) : 0;
      const offX = ax + along * dx;
      const offY = ay + along * dy;
      const distance = Math.sqrt(offX * offX + offY * offY);
      if (distance >= reach) continue;
      const t = distance <= inner ? 1 : 1 - (distance - inner) * fade;
      const i = py * width + px;
      plane[i] = plane[i]! + Math.round((value - plane[i]!) * opacity * t * t * (3 - 2 * t));
    }
  }
}

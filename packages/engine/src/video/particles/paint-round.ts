import { clamp01 } from '../../pixels/scalar.ts';
import { type Frame, planesOf } from '../frame.ts';
import { type Colour, litColour, type ParticleLight } from './particle-colours.ts';
import { strokeFrame } from './soft-brush.ts';

/** A ball as it is seen, in pixels of the frame. */
export interface SeenBall {
  x: number;
  y: number;
  radius: number;
  /** Half the breadth that a point of it is blurred to. */
  blur: number;
  /** 0 to 1, of whatever on it goes round. */
  phase: number;
}

/** What a pixel of a ball looks like: its colour and how much it covers. Written into `out`: y, u, v, share. */
type Surface = (dx: number, dy: number, out: Float32Array) => void;

/** Paints every pixel of a frame within a box by its surface; (dx, dy) are in radii from the middle. */
function paintSurface(frame: Frame, { x, y, radius }: SeenBall, reach: number, surface: Surface): void {
  const out = new Float32Array(4);
  for (const [channel, { data, width, height, reduction }] of planesOf(frame).entries()) {
    const shiftY = reduction === 1 ? 0 : 0.5;
    const left = Math.max(0, Math.ceil((x - reach) / reduction));
    const right = Math.min(width - 1, Math.floor((x + reach) / reduction));
    const top = Math.max(0, Math.ceil((y - reach) / reduction));
    const bottom = Math.min(height - 1, Math.floor((y + reach) / reduction));
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        surface((column * reduction - x) / radius, (row * reduction + shiftY - y) / radius, out);
        const share = out[3]!;
        if (share < 0.004) continue;
        const i = row * width + column;
        const value = Math.round(data[i]! + (out[channel]! - data[i]!) * share);
        data[i] = value < 16 ? 16 : value > 240 ? 240 : value;
      }
    }
  }
}

/** A film that reflects the more the flatter it is looked at, in colours that run with its thickness. */
export function paintBubble(frame: Frame, ball: SeenBall, { white, from: [lx, ly] }: ParticleLight): void {
  const soft = Math.max(0.8, ball.blur) / ball.radius;
  // Air on the film makes it wobble.
  const wobble = 0.03 * Math.sin(2 * Math.PI * 4 * ball.phase);
  const dim = 1 / (1 + soft);
  paintSurface(frame, ball, ball.radius * 1.05 + ball.blur + 1, (dx, dy, out) => {
    const off = Math.sqrt((dx * (1 + wobble)) ** 2 + (dy * (1 - wobble)) ** 2);
    out[3] = 0;
    const inside = clamp01(0.5 + (1 - off) / (2 * soft));
    if (inside === 0) return;
    const facing = Math.sqrt(Math.max(0, 1 - off * off));
    const mirrored = 0.05 + 0.5 * (1 - facing) ** 2.2;
    // The window or the sky above, and its upside-down image on the far wall of the film.
    const glint =
      spot(dx - 0.62 * lx, dy - 0.62 * ly, 0.16 + soft) +
      0.45 * spot(dx + 0.6 * lx, dy + 0.6 * ly, 0.12 + soft);
    const share = inside * dim * Math.min(0.95, mirrored + 0.85 * glint);
    const film =
      2 * Math.PI * (0.9 * dy + 0.35 * Math.sin(2.4 * dx + 6 * ball.phase) + 1.3 * off + ball.phase);
    const colourful = 34 * (1 - Math.min(1, 1.4 * glint));
    const level = 0.72 + 0.28 * clamp01(0.5 - 0.5 * dy) + 0.2 * glint;
    out[0] = 16 + (white[0] - 16) * Math.min(1.1, level);
    out[1] = white[1] + colourful * Math.cos(film);
    out[2] = white[2] + colourful * Math.sin(film);
    out[3] = share;
  });
}

function spot(dx: number, dy: number, size: number): number {
  return Math.exp(-(dx * dx + dy * dy) / (size * size));
}

/** Rubber, a little translucent: taller than wide, narrower below, with a knot and a ribbon. */
export function paintBalloon(frame: Frame, ball: SeenBall, colour: Colour, light: ParticleLight): void {
  const { radius, phase } = ball;
  const tall = 1.16;
  const soft = Math.max(0.8, ball.blur) / radius;
  const tilt = 0.1 * Math.sin(2 * Math.PI * phase);
  const [lx, ly, lz] = light.from;
  const half = Math.hypot(lx, ly, lz + 1);
  const lit = litColour(colour, 1, light);
  const dark = litColour(colour, 0.45, light);
  paintRibbon(frame, ball, tilt, light);
  paintSurface(frame, ball, radius * (tall + 0.15) + ball.blur + 1, (dx, dy, out) => {
    const u = dx + tilt * dy;
    const v = (dy - tilt * dx) / tall;
    out[3] = 0;
    const wide = v > 0 ? 1 - 0.2 * v * v : 1;
    const off = Math.sqrt((u / wide) ** 2 + v * v);
    const knot =
      v > 0.9
        ? clamp01(0.5 + (0.035 + 0.5 * (v - 0.98) - Math.abs(u)) / (2 * soft)) * clamp01((1.1 - v) / soft)
        : 0;
    const inside = Math.max(knot, clamp01(0.5 + (1 - off) / (2 * soft)));
    if (inside === 0) return;
    // A blurred rim is of the colours within it.
    const nx = u / (1 + soft);
    const ny = v / (1 + soft);
    const facing = Math.sqrt(Math.max(0, 1 - nx * nx - ny * ny));
    const bright = Math.max(0, nx * lx + ny * ly + facing * lz);
    // Light that went through the balloon comes out on the side away from the lamp.
    const through = 0.22 * Math.max(0, -(nx * lx + ny * ly)) * facing;
    const shade = knot > 0.5 && off > 1 ? 0.5 : 0.5 + 0.56 * bright + through - 0.16 * (1 - facing) ** 2;
    const glint = Math.max(0, (nx * lx + ny * ly + facing * (lz + 1)) / half) ** (60 / (1 + 6 * soft));
    for (let c = 0; c < 3; c++) {
      const own = dark[c]! + ((lit[c]! - dark[c]!) * (shade - 0.45)) / 0.55;
      out[c] = own + (light.white[c]! - own) * 0.7 * glint;
    }
    out[3] = 0.97 * inside;
  });
}

function paintRibbon(
  frame: Frame,
  { x, y, radius, blur, phase }: SeenBall,
  tilt: number,
  light: ParticleLight,
): void {
  const colour = litColour([190, 128, 128], 0.9, light);
  const thick = Math.max(0.5, 0.012 * radius);
  const parts = 9;
  const at = (k: number) => ({
    x: x - 1.2 * tilt * radius + 0.13 * radius * (k / parts) * Math.sin(1.1 * k + 2 * Math.PI * 2 * phase),
    y: y + radius * (1.24 + (2.6 * k) / parts),
  });
  for (let k = 0; k < parts; k++) {
    const [from, to] = [at(k), at(k + 1)];
    strokeFrame(
      frame,
      {
        ...to,
        dx: to.x - from.x,
        dy: to.y - from.y,
        radius: thick + 0.6 * blur,
        hard: 0.3,
        opacity: 0.6 * (thick / (thick + 0.6 * blur)),
      },
      colour,
    );
  }
}

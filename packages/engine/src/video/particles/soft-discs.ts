import type { Size } from '../../pixels/plane.ts';
import { randomFrom } from '../../pixels/random.ts';
import { smoothstep } from '../../pixels/scalar.ts';
import type { View } from '../camera.ts';
import { type Frame, framesPerSecond } from '../frame.ts';
import type { Colour } from './particle-colours.ts';
import type { ParticlePainter } from './particle-space.ts';
import { strokeFrame } from './soft-brush.ts';

/**
 * Particles that fill the frame evenly and are too small or too blurred to have a shape. Lengths are for frames as large as
 * 1280×720, speeds in frame heights a second.
 */
interface DiscKind {
  count: number;
  /** Radius far away and in front. */
  radius: readonly [number, number];
  /** Where the edge begins to fade, as a share of the radius. */
  hard: number;
  /** How much it covers, far away and in front. */
  opacity: readonly [number, number];
  /** Downwards, far away and in front. */
  fall: readonly [number, number];
  /** Sideways, of the wind and to and fro. */
  drift: number;
  sway: number;
  /** Seconds of motion that one frame shows: streaks. */
  blur: number;
  /** Never in front of people. */
  behind?: boolean;
  /** How much its brightness wanders. */
  twinkle: number;
  /** Luma and colour difference, one of them for each. */
  colours: readonly Colour[];
}

const white = [232, 128, 128] as const;
const gold = [222, 84, 156] as const;
const warm = [218, 104, 144] as const;
const cool = [214, 140, 120] as const;

const kinds: Readonly<Record<string, DiscKind>> = {
  snow: {
    count: 380,
    radius: [1.2, 7],
    hard: 0,
    opacity: [0.85, 0.62],
    fall: [0.1, 0.3],
    drift: 0.035,
    sway: 0.012,
    blur: 0.006,
    twinkle: 0,
    colours: [white],
  },
  rain: {
    count: 420,
    radius: [0.7, 1.2],
    hard: 0.3,
    opacity: [0.22, 0.34],
    fall: [1.3, 2.1],
    drift: 0.12,
    sway: 0,
    blur: 0.032,
    twinkle: 0,
    colours: [[205, 132, 125]],
  },
  dust: {
    count: 130,
    radius: [1.1, 3.2],
    hard: 0.1,
    opacity: [0.5, 0.42],
    fall: [-0.006, -0.02],
    drift: 0.012,
    sway: 0.02,
    blur: 0,
    twinkle: 0.7,
    colours: [warm, [224, 116, 136]],
  },
  bokeh: {
    count: 34,
    behind: true,
    radius: [11, 34],
    hard: 0.86,
    opacity: [0.26, 0.15],
    fall: [-0.004, -0.012],
    drift: 0.008,
    sway: 0.012,
    blur: 0,
    twinkle: 0.45,
    colours: [gold, warm, cool, [210, 118, 150]],
  },
};

interface Disc {
  x: number;
  y: number;
  /** 0 far away, 1 in front. */
  near: number;
  phase: number;
  colour: Colour;
}

/** Nearer than this is in front of people. */
const people = 0.55;

export function createDiscPainter(
  effects: Partial<Record<string, number>>,
  size: Size,
  seed: number,
): ParticlePainter | null {
  const random = randomFrom(seed ^ 0x5eed);
  const groups = Object.entries(effects).flatMap(([name, strength]) => {
    const kind = kinds[name];
    if (!kind || !strength) return [];
    const discs = Array.from({ length: Math.round(kind.count * strength) }, () => ({
      x: random(),
      y: random(),
      near: random() ** 1.6 * (kind.behind ? people : 1),
      phase: random(),
      colour: kind.colours[Math.floor(random() * kind.colours.length)]!,
    }));
    return [{ kind, discs }];
  });
  if (groups.length === 0) return null;
  return (frame, index, view, before) => {
    for (const { kind, discs } of groups) {
      for (const disc of discs) {
        if (disc.near > people === before) draw(frame, { kind, disc, index }, size, view);
      }
    }
  };
}

interface DiscInFrame {
  kind: DiscKind;
  disc: Disc;
  index: number;
}

/** Draws a disc as it is in the frame with this index. */
function draw(frame: Frame, { kind, disc, index }: DiscInFrame, size: Size, view: View): void {
  const unit = Math.sqrt(size.width * size.height) / 960;
  const seconds = index / framesPerSecond;
  // Frame 0 is the photo: particles appear within the first second.
  const onset = smoothstep(0, 1, seconds - 0.25 * disc.phase);
  const { near, phase } = disc;
  const between = ([far, front]: readonly [number, number]) => far + (front - far) * near;
  const wave = 2 * Math.PI * (seconds * (0.25 + 0.3 * phase) + phase);
  const glow = 1 - kind.twinkle * (0.5 + 0.5 * Math.sin(wave * 1.7 + 9 * phase));
  const opacity = onset * glow * between(kind.opacity);
  if (opacity < 0.01) return;
  const fall = between(kind.fall);
  const aside = (kind.drift * (0.6 + 0.8 * near) * size.height) / size.width;
  const shiftX = view.panX + view.stepX * (near - 0.5);
  const shiftY = view.panY + view.stepY * (near - 0.5);
  // Discs move on beyond the frame, so that nothing appears or goes out inside of it.
  const around = 0.08;
  const u = wrapped(disc.x + aside * seconds + kind.sway * Math.sin(wave), around);
  const v = wrapped(disc.y + fall * seconds + 0.4 * kind.sway * Math.cos(0.8 * wave), around);
  const brush = {
    x: u * size.width + shiftX,
    y: v * size.height + shiftY,
    dx: kind.blur * aside * size.width,
    dy: kind.blur * fall * size.height,
    radius: Math.max(0.8, unit * between(kind.radius)),
    hard: kind.hard,
    opacity,
  };
  strokeFrame(frame, brush, disc.colour);
}

/** Into −around … 1 + around. */
function wrapped(value: number, around: number): number {
  const span = 1 + 2 * around;
  return ((((value + around) % span) + span) % span) - around;
}

import type { Range } from './particle-kinds.ts';

/** One particle with a shape. Its path is known in closed form, so that any thread can draw any frame. */
export interface Particle {
  /** When it sets out, in seconds of the clip. */
  birth: number;
  /** In its own seconds. */
  life: number;
  /** Where it sets out, in pixels of the frame at rest. */
  x: number;
  y: number;
  /** As a multiple of people's distance. */
  depth: number;
  /** Metres. */
  length: number;
  breadth: number;
  /** Metres a second: at first, and once drag and weight are even. */
  aside: number;
  down: number;
  fall: number;
  response: number;
  /** Metres, and radians a second. */
  sway: number;
  swayRate: number;
  /** Radians a second. */
  spin: number;
  /** 0 to 1, of everything that goes round. */
  phase: number;
  /** Which of the kind's colours. */
  colour: number;
}

/** Metres from where it set out, and metres a second. */
export interface ParticleMotion {
  x: number;
  y: number;
  speedX: number;
  speedY: number;
}

/** Where a particle has come to after so many of its own seconds. */
export function motionAfter(particle: Particle, seconds: number): ParticleMotion {
  const { aside, down, fall, response, sway, swayRate, phase } = particle;
  const left = Math.exp(-seconds / response);
  // Drag takes the launch away and brings the even fall.
  const slowed = response * (1 - left);
  const start = 2 * Math.PI * phase;
  const wave = start + swayRate * seconds;
  // A sheet that slides aside falls faster in the middle of its slide than at its ends.
  const bob = 0.3 * sway;
  return {
    x: aside * slowed + sway * (Math.sin(wave) - Math.sin(start)),
    y: down * slowed + fall * (seconds - slowed) + bob * (Math.sin(2 * wave) - Math.sin(2 * start)),
    speedX: aside * left + sway * swayRate * Math.cos(wave),
    speedY: down * left + fall * (1 - left) + 2 * bob * swayRate * Math.cos(2 * wave),
  };
}

type Vector = readonly [number, number, number];

/** A sheet in space: its two axes and the side that is its front, of length 1; to the right, down, to the camera. */
export interface Sheet {
  along: Vector;
  across: Vector;
  front: Vector;
}

/** How a piece of paper lies after so many seconds: it rolls about its length, which slowly swings round. */
export function tumbling({ spin, phase }: Particle, seconds: number): Sheet {
  const heading = 2 * Math.PI * (3 * phase) + 0.31 * spin * seconds;
  const slope = 0.75 * Math.sin(2 * Math.PI * 7 * phase + 0.23 * spin * seconds);
  return sheetOf(heading, slope, 2 * Math.PI * 11 * phase + spin * seconds);
}

/** How a petal lies: it rocks about its length while it slowly turns round. */
export function rocking({ spin, swayRate, phase }: Particle, seconds: number): Sheet {
  const wave = 2 * Math.PI * phase + swayRate * seconds;
  const heading = 2 * Math.PI * 3 * phase + spin * seconds;
  return sheetOf(
    heading,
    0.5 * Math.sin(2 * Math.PI * 5 * phase) + 0.3 * Math.sin(0.7 * wave),
    1.1 * Math.cos(wave) + 0.9,
  );
}

function sheetOf(heading: number, slope: number, roll: number): Sheet {
  const along: Vector = [
    Math.cos(heading) * Math.cos(slope),
    Math.sin(slope),
    Math.sin(heading) * Math.cos(slope),
  ];
  const level = Math.hypot(along[0], along[2]);
  const side: Vector = [-along[2] / level, 0, along[0] / level];
  const up = cross(along, side);
  const [cos, sin] = [Math.cos(roll), Math.sin(roll)];
  const across: Vector = [
    cos * side[0] + sin * up[0],
    cos * side[1] + sin * up[1],
    cos * side[2] + sin * up[2],
  ];
  return { along, across, front: cross(along, across) };
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export const within = ([least, most]: Range, share: number): number => least + (most - least) * share;

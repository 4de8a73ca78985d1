import { smoothstep } from '../../pixels/scalar.ts';
import { framesPerSecond } from '../frame.ts';

/** Somebody in the frame, by their face; in its pixels. */
export interface AnimatedPerson {
  x: number;
  y: number;
  /** Of the face: the unit that every movement is told in. */
  height: number;
  /** So that no two people breathe as one. */
  phase: number;
}

/** Where people's motion must come to rest: the borders beyond which the photo shows nothing of them. */
export interface PhotoBorders {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface IdleMotion {
  people: AnimatedPerson[];
  bounds: PhotoBorders;
  /** Of moving air: 0 indoors. */
  breeze: number;
  /** How far heads change their yaw: 1 where their relief is known well enough. */
  yaw: number;
}

/** Seconds for a breath, for the head to lean over and back, for air to pass. */
const breathing = 3.9;
const swaying = 5.7;
const drifting = 2.9;

/** How people have moved by themselves in a frame: breath, a leaning head, hair and cloth in the air. */
export interface IdleState {
  breath: Float32Array;
  lean: Float32Array;
  nod: Float32Array;
  /** Pixels that what is right in front goes aside when heads change their yaw. */
  yaw: number;
  seconds: number;
  onset: number;
}

export function idleStateAt({ people }: IdleMotion, index: number): IdleState {
  const seconds = index / framesPerSecond;
  // Frame 0 is the photo: everything begins there, at rest.
  const onset = smoothstep(0, 1.4, seconds);
  return {
    seconds,
    onset,
    yaw: onset * 0.16 * (people[0]?.height ?? 0) * Math.sin(radiansOf(seconds / 4.7)),
    breath: Float32Array.from(people, ({ phase }) => onset * (breathAt(seconds + phase) - breathAt(phase))),
    lean: Float32Array.from(
      people,
      ({ phase }) => onset * Math.sin(radiansOf(seconds / swaying) + 5 * phase),
    ),
    nod: Float32Array.from(people, ({ phase }) => onset * Math.sin(radiansOf(seconds / 4.3) + 9 * phase)),
  };
}

/** How far the point of somebody has gone, in pixels; written into `out`, which is reused. */
export function displaceByIdleMotion(
  { people, bounds, breeze }: IdleMotion,
  state: IdleState,
  x: number,
  y: number,
  out: Float32Array,
): void {
  let dx = 0;
  let dy = 0;
  let total = 1e-6;
  const { seconds, onset } = state;
  for (let k = 0; k < people.length; k++) {
    const person = people[k]!;
    const h = person.height;
    // In face heights from the middle of the face: the chin is at 0.5, the shoulders at about 1.
    const u = (x - person.x) / h;
    const v = (y - person.y) / h;
    const weight = Math.exp(-0.6 * u * u);
    if (weight < 1e-4) continue;
    const chest = smoothstep(0.45, 1.15, v) * smoothstep(4.2, 1.8, v);
    const head = smoothstep(1.05, 0.35, v);
    const breath = state.breath[k]!;
    const lean = 0.011 * state.lean[k]! * head;
    const around = Math.sqrt((u / 0.78) ** 2 + ((v + 0.08) / 0.95) ** 2);
    const hair = smoothstep(0.55, 1.05, around) * smoothstep(2.6, 1.4, around);
    const air = onset * h * (0.0035 + 0.011 * breeze) * hair;
    const cloth = onset * h * 0.004 * breeze * smoothstep(0.8, 1.6, v);
    dx += weight * h * (0.007 * breath * u * chest - lean * (v - 0.75));
    dy +=
      weight * h * (-0.02 * breath * chest - 0.009 * breath * head + lean * u + 0.004 * state.nod[k]! * head);
    if (air + cloth > 0) {
      const wave = radiansOf(seconds / drifting) + 6 * person.phase;
      const stir = Math.sin(wave + 2.3 * u + 1.6 * v) - Math.sin(2.3 * u + 1.6 * v + 6 * person.phase);
      dx += weight * (air + cloth) * stir;
      dy += weight * 0.5 * air * Math.sin(0.7 * wave + 3 * u);
    }
    total += weight;
  }
  const reach = 0.05 * (bounds.bottom - bounds.top);
  const rest =
    smoothstep(0, reach, x - bounds.left) *
    smoothstep(0, reach, bounds.right - x) *
    smoothstep(0, reach, y - bounds.top) *
    smoothstep(0, 1.6 * reach, bounds.bottom - y);
  out[0] = (dx / total) * rest;
  out[1] = (dy / total) * rest;
}

/** 0 empty, 1 full: in takes less time than out. */
function breathAt(seconds: number): number {
  const t = (((seconds / breathing) % 1) + 1) % 1;
  return t < 0.42
    ? 0.5 - 0.5 * Math.cos((Math.PI * t) / 0.42)
    : 0.5 + 0.5 * Math.cos((Math.PI * (t - 0.42)) / 0.58);
}

const radiansOf = (share: number) => 2 * Math.PI * share;

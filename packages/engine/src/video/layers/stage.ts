import type { Size } from '../../pixels/plane.ts';
import type { CameraPlan, RoomPlane } from '../camera.ts';
import type { Eye } from '../effects/blink.ts';
import type { IdleMotion } from '../effects/idle-motion.ts';
import type { ClipLight } from '../effects/light.ts';
import type { GesturePlan } from '../gestures/plan-gestures.ts';
import type { ParticleSpace } from '../particles/particle-space.ts';
import type { Layer } from './layer-warp.ts';

/** Everything that the frames of a single frame video are made of; goes to the rendering threads as it is. */
export interface Stage {
  size: Size;
  frames: number;
  seed: number;
  camera: CameraPlan;
  /** The photo, or what is behind its people. */
  back: Layer;
  room: RoomPlane;
  people: PeopleLayer | null;
  /** Particles: the strength of each effect by its name. */
  particles: Partial<Record<string, number>>;
  particleSpace: ParticleSpace;
  light: ClipLight;
  /** Pixels between the nodes that a frame's warp is worked out at. */
  step: number;
}

export interface PeopleLayer {
  layer: Layer;
  plane: RoomPlane;
  idleMotion: IdleMotion;
  relief: Relief;
  /** Eyes that blink. */
  eyes: Eye[];
  gestures: GesturePlan;
}

/** How much nearer than their plane people's parts are, on a lattice over the frame. */
export interface Relief {
  step: number;
  columns: number;
  rows: number;
  values: Float32Array;
}

export function reliefAt({ step, columns, rows, values }: Relief, x: number, y: number): number {
  const u = Math.min(columns - 1.001, Math.max(0, x / step));
  const v = Math.min(rows - 1.001, Math.max(0, y / step));
  const i = Math.floor(u);
  const j = Math.floor(v);
  const at = j * columns + i;
  const upper = values[at]! + (values[at + 1]! - values[at]!) * (u - i);
  const lower = values[at + columns]! + (values[at + columns + 1]! - values[at + columns]!) * (u - i);
  return upper + (lower - upper) * (v - j);
}

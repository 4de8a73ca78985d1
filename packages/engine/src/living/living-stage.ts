import type { FilmTables } from '../compose/film-finish.ts';
import type { Planes } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import type { Window } from '../pixels/resample.ts';
import type { Palette } from '../prompt/prompt-notes.ts';
import type { EyeRing } from './eye-motion.ts';
import type { FrameTime } from './frame-times.ts';
import type { Keyframe } from './keyframe.ts';

/** What lies before people: each channel of a pixel is multiplied with `gain`, then `light` is added. */
export interface FrontLayer {
  gain: Planes;
  light: Planes;
}

/** How canvases in linear light become pictures. */
export interface LivingFinish {
  film: FilmTables;
  palette: Palette | null;
}

/** What every frame is made of. */
export interface LivingScene extends Size {
  /** What stands still behind people. */
  plate: Planes;
  front: FrontLayer | null;
  /** Null where the plate and the keyframes are finished pictures. */
  finish: LivingFinish | null;
}

/** What the threads that make frames are given. */
export interface LivingStage {
  scene: LivingScene;
  keyframes: Keyframe[];
  /** Everybody's eyes in each keyframe. */
  eyes: (EyeRing | null)[][];
  times: FrameTime[];
  /** The part of the clip that the flows are of, in whole pixels of the flows. */
  window: Window;
  /** Pixels of the clip for one of a flow. */
  factor: number;
  /** Between each shot and the next one, at each of the asked times: five planes, the last the share. */
  flows: Float32Array[][];
}

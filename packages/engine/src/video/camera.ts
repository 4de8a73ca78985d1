import type { Size } from '../pixels/plane.ts';
import type { Motion } from './motion-words.ts';

/**
 * Where the camera goes in a clip. Distances are in pixels of the frame, at the end of the move; nearness is 0 far
 * away and 1 right in front.
 */
export interface CameraPlan {
  frames: number;
  /** What the camera looks at: enlarging and coming closer leave it where it is. */
  focus: { x: number; y: number };
  /** How much of everything below is done. */
  amount: number;
  /** Enlargement of the whole picture. */
  zoom: number;
  /** The way into the room: what is at nearness n grows by 1 / (1 − dolly·n). */
  dolly: number;
  /** The whole picture's shift: the camera turns. */
  panX: number;
  panY: number;
  /** Shift of what is right in front against what is far away: the camera steps aside. */
  stepX: number;
  stepY: number;
  /** The nearness that stays in place when it does. */
  pivot: number;
  /** Of the restless hand, in pixels. */
  shake: number;
}

/** The camera at one moment. */
export interface View extends Pick<CameraPlan, 'zoom' | 'dolly' | 'panX' | 'panY' | 'stepX' | 'stepY'> {
  /** Radians. */
  roll: number;
}

/** A plane in the room: its nearness at the frame's upper border, and how much nearer its lower one is. */
export interface RoomPlane {
  top: number;
  slope: number;
}

/** A projective map of the frame, row by row. */
export type Homography = readonly [number, number, number, number, number, number, number, number, number];

/** Share of the clip in which the camera gathers speed, and in which it loses it again. */
const ramp = 0.32;

/** What a plan needs beside the frame: how much of the photo to leave outside, see `cropWindow`. */
export function roomFor({ camera, handheld, speed }: Motion): number {
  const back = Math.max(0, -camera.zoom, -camera.dolly);
  const aside = Math.abs(camera.pan) + Math.abs(camera.tilt) > 0 ? 1 : camera.orbit !== 0 ? 0.7 : 0;
  const needed = 0.09 * back * Math.min(1.3, speed) + 0.085 * aside + (handheld ? 0.03 : 0);
  return 1 - Math.min(0.2, needed);
}

/** The designed distances are for frames as large as 1280×720. */
const unitOf = ({ width, height }: Size) => Math.sqrt(width * height) / 960;

const panned = 60;

/** How far aside a pan begins, in pixels of the frame: by half of it, so that people are still in the frame at its end. */
export function panStart({ camera, speed }: Motion, size: Size): number {
  return -0.5 * panned * unitOf(size) * camera.pan * Math.min(1.3, speed);
}

export interface PlanOptions {
  frames: number;
  size: Size;
  focus: { x: number; y: number };
  /** The nearness of the people. */
  subject: number;
  /** Whether the picture has depth; without it every move is one of the whole picture. */
  layered: boolean;
  /** How much of what is behind people may be uncovered: 1 where it is painted well. */
  uncover: number;
}

export function planCamera(
  { camera, handheld, speed }: Motion,
  { frames, size, focus, subject, layered, uncover }: PlanOptions,
): CameraPlan {
  const unit = unitOf(size);
  // A longer clip goes a little further, so that it does not crawl.
  const amount = speed * (frames / 96) ** 0.4;
  const still = Object.values(camera).every((axis) => axis === 0);
  const approach = camera.dolly * (layered ? 0.1 : 0);
  const enlarge = 0.07 * camera.zoom + camera.dolly * (layered ? 0.03 : 0.09);
  // Coming closer in a straight line shows little depth: a small step aside comes with it.
  const aside = camera.orbit === 0 && camera.dolly !== 0 ? 0.3 : 0;
  const sideways = camera.orbit === 0 ? aside + 0.35 * camera.pan : camera.orbit;
  return {
    frames,
    focus,
    amount: still ? 1 : Math.min(1.7, amount),
    zoom: enlarge,
    dolly: approach,
    panX: -panned * unit * camera.pan - (layered ? 0 : 40 * unit * camera.orbit),
    panY: 44 * unit * camera.tilt,
    stepX: layered ? -44 * unit * uncover * sideways : 0,
    stepY: layered ? 12 * unit * camera.tilt : 0,
    pivot: 0.8 * subject,
    shake: handheld ? 5 * unit : 0,
  };
}

/** 0 to 1 over a clip: gathers speed, goes evenly, comes to rest. */
export function ease(t: number): number {
  const whole = 2 * ramp * (1 - ramp);
  if (t < ramp) return (t * t) / whole;
  if (t > 1 - ramp) return 1 - (1 - t) ** 2 / whole;
  return (t - ramp / 2) / (1 - ramp);
}

export function viewAt(plan: CameraPlan, index: number): View {
  const done = plan.amount * ease(index / Math.max(1, plan.frames - 1));
  const seconds = index / 24;
  const hand = plan.shake * Math.min(1, seconds / 0.8) ** 2;
  return {
    // A picture that grows by an equal share in equal time seems to come closer evenly.
    zoom: (1 + plan.zoom) ** done,
    dolly: plan.dolly * done,
    panX: plan.panX * done + hand * restless(seconds, 0),
    panY: plan.panY * done + hand * 0.8 * restless(seconds, 1),
    stepX: plan.stepX * done + 0.8 * hand * restless(seconds, 2),
    stepY: plan.stepY * done,
    roll: 0.0007 * hand * restless(seconds, 3),
  };
}

/** Where a pixel of the frame comes from: the way back through the view, for what lies on the plane. */
export function wayBack(view: View, plan: CameraPlan, plane: RoomPlane, size: Size): Homography {
  const { focus, pivot } = plan;
  const slope = plane.slope / size.height;
  const near = plane.top - pivot;
  const cos = view.zoom * Math.cos(view.roll);
  const sin = view.zoom * Math.sin(view.roll);
  // Before perspective: x and y about the focus, with the step aside by nearness; then the divisor.
  const xx = 1;
  const xy = view.stepX * slope;
  const x1 = -focus.x + view.stepX * near;
  const yy = 1 + view.stepY * slope;
  const y1 = -focus.y + view.stepY * near;
  const wy = -view.dolly * slope;
  const w1 = 1 - view.dolly * plane.top;
  const backX = focus.x + view.panX;
  const backY = focus.y + view.panY;
  return inverse([
    cos * xx,
    cos * xy - sin * yy + backX * wy,
    cos * x1 - sin * y1 + backX * w1,
    sin * xx,
    sin * xy + cos * yy + backY * wy,
    sin * x1 + cos * y1 + backY * w1,
    0,
    wy,
    w1,
  ]);
}

/** A slow wander about 0, within ±1, that never repeats within a clip. */
function restless(seconds: number, which: number): number {
  const t = 2 * Math.PI * seconds;
  const p = 1.7 * which;
  return (
    0.5 * Math.sin(0.31 * t + p) + 0.3 * Math.sin(0.73 * t + 2.1 * p) + 0.2 * Math.sin(1.37 * t + 4.3 * p)
  );
}

function inverse([a, b, c, d, e, f, g, h, i]: Homography): Homography {
  const A = e * i - f * h;
  const B = c * h - b * i;
  const C = b * f - c * e;
  const share = 1 / (a * A + d * B + g * C);
  return [
    A * share,
    B * share,
    C * share,
    (f * g - d * i) * share,
    (a * i - c * g) * share,
    (c * d - a * f) * share,
    (d * h - e * g) * share,
    (b * g - a * h) * share,
    (a * e - b * d) * share,
  ];
}

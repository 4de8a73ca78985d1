import type { Face } from '../../faces/face.ts';
import { medianHeight, pointOf } from '../../faces/face-outline.ts';
import { luminance } from '../../pixels/colour.ts';
import type { Picture } from '../../pixels/picture.ts';
import type { Size } from '../../pixels/plane.ts';
import { clamp } from '../../pixels/scalar.ts';
import type { View } from '../camera.ts';
import { type Frame, framesPerSecond } from '../frame.ts';
import type { Colour, ParticleLight } from './particle-colours.ts';

/** What particles depend on in a clip: its scale, camera, people and light. Goes to threads as it is. */
export interface ParticleSpace {
  size: Size;
  /** The clip's length. */
  seconds: number;
  /** As in the plan of the camera. */
  focus: { x: number; y: number };
  pivot: number;
  /** The nearness of people. */
  subject: number;
  /** Pixels for a metre where people are. */
  metre: number;
  faces: readonly { x: number; y: number; height: number }[];
  light: ParticleLight;
}

/** Draws the particles of a frame, behind people or before them. */
export type ParticlePainter = (frame: Frame, index: number, view: View, before: boolean) => void;

/** From the forehead's upper end to the chin, where the mesh ends, in metres. */
const faceLength = 0.185;

/** The height of a frame in which no face gives the scale: somebody from the knees up. */
const usualView = 1.6;

export interface ParticleSpaceOptions {
  size: Size;
  frames: number;
  focus: { x: number; y: number };
  pivot: number;
  subject: number;
  /** In the frame's pixels. */
  faces: readonly Face[];
}

/** Faces on the picture are `placed`, in its pixels. */
export function createParticleSpace(
  { size, frames, focus, pivot, subject, faces }: ParticleSpaceOptions,
  picture: Picture,
  placed: readonly Face[],
): ParticleSpace {
  const metre = faces.length > 0 ? medianHeight(faces) / faceLength : size.height / usualView;
  return {
    size,
    seconds: frames / framesPerSecond,
    focus,
    pivot,
    subject,
    metre,
    faces: faces.map(({ center, height }) => ({ ...center, height })),
    light: { white: whiteOf(picture, placed), from: directionOf(picture, placed) },
  };
}

/** A point of the frame at rest, as the camera sees it. */
export interface Seen {
  x: number;
  y: number;
  /** How much larger than at rest. */
  scale: number;
}

/** Where something is seen that is at (x, y) of the frame at rest, `depth` times as far away as people. */
export function seenFrom(view: View, space: ParticleSpace, depth: number, x: number, y: number): Seen {
  const near = Math.min(1.5, space.subject / depth);
  const scale = view.zoom / (1 - view.dolly * near);
  const dx = x - space.focus.x + view.stepX * (near - space.pivot);
  const dy = y - space.focus.y + view.stepY * (near - space.pivot);
  return {
    x: space.focus.x + view.panX + scale * (dx - view.roll * dy),
    y: space.focus.y + view.panY + scale * (dy + view.roll * dx),
    scale,
  };
}

/** The opening of a lens of 35 mm at f/2.8, in metres. */
const aperture = 0.0125;

/** Half the breadth that a point is blurred to by a lens that is focused on people, in pixels. */
export function defocus({ metre, size }: ParticleSpace, depth: number): number {
  return Math.min(0.05 * size.height, 0.5 * aperture * metre * Math.abs(1 / depth - 1));
}

/** Only every so many pixels are looked at. */
const stride = 6;

/** Paper reflects this much more light than cheeks. */
const paperToSkin = 1.35;

/**
 * White paper is about as bright as the brightest twentieth of the picture, brighter than faces in any case, and of the
 * bright parts' tint.
 */
function whiteOf(picture: Picture, faces: readonly Face[]): Colour {
  const { width, height } = picture;
  const [red, green, blue] = picture.planes;
  const bins = Array.from({ length: 256 }, () => ({ count: 0, u: 0, v: 0 }));
  let samples = 0;
  for (let y = 0; y < height; y += stride) {
    for (let x = 0; x < width; x += stride) {
      const i = y * width + x;
      const luma = luminance(red[i]!, green[i]!, blue[i]!);
      const bin = bins[clamp(Math.round(255 * luma), 0, 255)]!;
      bin.count++;
      bin.u += (blue[i]! - luma) / 1.8556;
      bin.v += (red[i]! - luma) / 1.5748;
      samples++;
    }
  }
  let [level, u, v, above] = [-1, 0, 0, 0];
  for (let luma = 255; luma >= 0 && above < 0.25 * samples; luma--) {
    const bin = bins[luma]!;
    above += bin.count;
    u += bin.u;
    v += bin.v;
    if (level < 0 && above >= 0.05 * samples) level = luma / 255;
  }
  // Coloured walls are bright too: half of their tint is taken for the light's.
  const tint = (sum: number) => 128 + clamp((112 * sum) / above, -12, 12);
  const cheeks = faces.map(
    (face) => (brightnessAt(picture, face, 50) + brightnessAt(picture, face, 280)) / 2,
  );
  return [
    16 + 219 * clamp(Math.max(level, ...cheeks.map((luma) => paperToSkin * luma)), 0.45, 0.97),
    tint(u),
    tint(v),
  ];
}

/** From above, and from the side that faces are brighter on. */
function directionOf(picture: Picture, faces: readonly Face[]): ParticleLight['from'] {
  let aside = 0;
  for (const face of faces) {
    const [left, right] = [50, 280].map((index) => brightnessAt(picture, face, index)) as [number, number];
    aside += (right - left) / (right + left + 0.02) / faces.length;
  }
  const from = [clamp(3 * aside, -0.9, 0.9), -0.75, 0.6] as const;
  const length = Math.hypot(...from);
  return [from[0] / length, from[1] / length, from[2] / length];
}

function brightnessAt({ planes: [red, green, blue], width, height }: Picture, face: Face, index: number) {
  const { x, y } = pointOf(face, index);
  const radius = 0.05 * face.height;
  let sum = 0;
  let count = 0;
  for (let row = Math.max(0, Math.round(y - radius)); row <= Math.min(height - 1, y + radius); row++) {
    for (
      let column = Math.max(0, Math.round(x - radius));
      column <= Math.min(width - 1, x + radius);
      column++
    ) {
      const i = row * width + column;
      sum += luminance(red[i]!, green[i]!, blue[i]!);
      count++;
    }
  }
  return count === 0 ? 0.5 : sum / count;
}

import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import { fromLab, toLab } from '../../pixels/lab.ts';
import { mapPlanes, type Picture } from '../../pixels/picture.ts';
import { mapToBytes, mapToFloats, planeOf, type Size } from '../../pixels/plane.ts';
import { enlarge, reduce } from '../../pixels/reduce.ts';
import { findRegions } from '../../pixels/regions.ts';
import { mix } from '../../pixels/scalar.ts';
import { copyGrain } from './detail.ts';
import { blurAndThreshold } from './face-parts.ts';
import { skinSample } from './features.ts';
import { stretchMembrane } from './membrane.ts';
import { fillPolygon } from './polygon.ts';

/** A template's face on its patch, at 1/factor of the patch's size. */
interface FaceWithThings {
  points: Float32Array;
  /** The face's height. */
  unit: number;
  /** Radians. */
  yaw: number;
  factor: number;
  /** How much of each pixel is a thing before the face, 0 to 1. */
  things: Float32Array;
}

/** A patch whose face wears no glasses any more. */
interface FaceWithoutGlasses {
  picture: Picture;
  /** What else is before the face, such as a hat. */
  things: Float32Array;
}

/** How far glasses reach from the middle between the eyes, in heights of the face: up, down and to the sides. */
const above = 0.24;
const below = 0.3;
const beside = 0.7;

/** A frame on a head in a pose further aside reaches beyond its outline, where the room would be guessed. */
const mostYaw = (24 * Math.PI) / 180;

/** How far dark edges of a frame reach beyond it, in heights of the face. */
const frameEdge = 0.03;

/** Squares of the face's height: less before the eyes is a lash or a reflection. */
const leastFrame = 0.006;

/** The share of a thing that is glasses; of a hat, a hand or a phone more lies elsewhere. */
const leastInReach = 0.9;

/**
 * The patch without clear glasses of the template: what was behind their frame is the smoothest continuation of what is
 * around it, with the skin's grain. Between the temples the guest's face covers that anyway. Null where nothing before
 * the eyes is glasses, where they cannot be told from a hat or a hand, and on a head in a pose far aside.
 */
export function takeOffGlasses(patch: Picture, face: FaceWithThings): FaceWithoutGlasses | null {
  const { points, unit, yaw, factor } = face;
  if (Math.abs(yaw) > mostYaw) return null;
  const size = { width: Math.ceil(patch.width / factor), height: Math.ceil(patch.height / factor) };
  const { width, height } = size;
  const frame = findFrame(face, size);
  if (!frame) return null;
  const grown = blurAndThreshold(frame, width, height, frameEdge * unit, 0.12);
  const known = mapToBytes(grown, (value) => 1 - value);
  const everywhere = new Uint8Array(width * height).fill(1);
  const full = (plane: Float32Array) => enlarge(planeOf(plane, size), patch, factor).data;
  const lab = toLab(patch);
  const fill = (plane: Float32Array) => {
    const small = reduce(planeOf(plane, patch), factor).data;
    return full(stretchMembrane(small, known, everywhere, width, height));
  };
  const filled = { ...lab, lightness: fill(lab.lightness), a: fill(lab.a), b: fill(lab.b) };
  const cheeks = fillPolygon(points, skinSample, width, height).map((value, i) => value * known[i]!);
  copyGrain(lab, filled, full(cheeks));
  const share = full(gaussianBlur(planeOf(grown, size), 0.008 * unit).data);
  const behind = fromLab(filled).planes;
  const planes = mapPlanes(patch.planes, (plane, channel) =>
    plane.map((value, i) => mix(value, behind[channel][i]!, Math.min(1, 2 * share[i]!))),
  );
  const things = face.things.map((value, i) => value * known[i]!);
  return { picture: { ...patch, planes }, things };
}

/** 1 where the frame of glasses is. */
function findFrame({ points, unit, things }: FaceWithThings, { width, height }: Size): Float32Array | null {
  const toEyes = eyeAxes(points, unit);
  const { labels, areas } = findRegions({ width, height, data: things }, 0.1, 'above');
  const inReach = areas.map(() => 0);
  const beforeEyes = areas.map(() => 0);
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] === 0) continue;
    const { along, down } = toEyes(i % width, Math.floor(i / width));
    if (Math.abs(along) < beside && down > -above && down < below) inReach[labels[i]!]!++;
    if (Math.abs(along) < 0.3 && Math.abs(down) < 0.12) beforeEyes[labels[i]!]!++;
  }
  const isGlasses = areas.map((area, label) => label > 0 && inReach[label]! > leastInReach * area);
  const isBeforeEyes = beforeEyes.map((area) => area > leastFrame * unit * unit);
  const isWorn = isGlasses.some((glasses, label) => glasses && isBeforeEyes[label]);
  const isCovered = isGlasses.some((glasses, label) => !glasses && isBeforeEyes[label]);
  return isWorn && !isCovered ? mapToFloats(labels, (label) => (isGlasses[label] ? 1 : 0)) : null;
}

/** Tells where a pixel lies from the middle between the eyes, in heights of the face: along their line, and below it. */
function eyeAxes(points: Float32Array, unit: number) {
  const [left, right] = [33 * 3, 263 * 3];
  const across = { x: points[right]! - points[left]!, y: points[right + 1]! - points[left + 1]! };
  const apart = Math.hypot(across.x, across.y);
  const [cos, sin] = [across.x / apart / unit, across.y / apart / unit];
  const middle = { x: points[left]! + across.x / 2, y: points[left + 1]! + across.y / 2 };
  return (x: number, y: number) => ({
    along: (x - middle.x) * cos + (y - middle.y) * sin,
    down: (y - middle.y) * cos - (x - middle.x) * sin,
  });
}

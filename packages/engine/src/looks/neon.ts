import { type Rgb, rgbOf } from '../pixels/colour.ts';
import { blurReduced, gaussianBlur } from '../pixels/gaussian-blur.ts';
import { clouds } from '../pixels/noise.ts';
import { allocatePicture, channelOf, lumaPlane, type Picture, type Planes } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { type ReducedPlane, rowReader } from '../pixels/reduce.ts';
import { clamp, mix, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { flowLines } from './strokes/flow-lines.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import type { Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

const tubes: readonly Rgb[] = [rgbOf('#ff2fb3'), rgbOf('#8a4bff'), rgbOf('#16d9ff'), rgbOf('#ff7a2f')];

/** The light of the room itself. */
const ambient: Rgb = [0.42, 0.13, 0.62];

/** Glowing tubes along the contours that light a dark room. */
export function neon(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, people, seed } = subject;
  const tone = drawingTone(subject);
  const flow = tangentFlow(tone, unit * 0.025);
  const lines = flowLines(tone, flow, {
    sigma: clamp(unit * 0.0058, 1.3, 2.6),
    sharpness: 15.8,
    tone: 0,
    fill: -0.055,
    hardness: 7,
    length: 10,
  }).data;
  const light = lumaPlane(picture).data;
  const hues = clouds({ width, height }, { largest: unit * 1.3, octaves: 2, seed }).data;
  const glow = allocatePicture({ width, height });
  forRows(glowRows, height, { width, height, lines, hues, face, people }, { planes: glow.planes });
  const result = allocatePicture({ width, height });
  for (const c of [0, 1, 2] as const) {
    withArena(() => {
      const near = gaussianBlur(channelOf(glow, c), clamp(unit * 0.008, 1.5, 4)).data;
      const middle = blurReduced(channelOf(glow, c), unit * 0.03);
      const wide = blurReduced(channelOf(glow, c), unit * 0.16);
      forRows(
        litRows,
        height,
        { width, room: ambient[c], light, lines, near, middle, wide, face, features, people },
        { out: result.planes[c] },
      );
    });
  }
  return result;
}

interface GlowInput extends Size {
  lines: Float32Array;
  hues: Float32Array;
  face: Float32Array;
  people: Float32Array;
}

export function glowRows(
  { width, height, lines, hues, face, people }: GlowInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  const tint: [number, number, number] = [0, 0, 0];
  for (let i = from * width; i < to * width; i++) {
    const bright = (1 - lines[i]!) * mix(mix(0.5, 1, people[i]!), 0.8, face[i]!);
    if (bright > 0) tubeColor(tint, (i / width / height) * 1.5 + hues[i]! * 4 + 1);
    red[i] = tint[0] * bright;
    green[i] = tint[1] * bright;
    blue[i] = tint[2] * bright;
  }
}

interface LitInput {
  width: number;
  /** The room's own light in this channel. */
  room: number;
  light: Float32Array;
  lines: Float32Array;
  near: Float32Array;
  middle: ReducedPlane;
  wide: ReducedPlane;
  face: Float32Array;
  features: Float32Array;
  people: Float32Array;
}

export function litRows(
  { width, room, light, lines, near, middle, wide, face, features, people }: LitInput,
  { out }: { out: Float32Array },
  from: number,
  to: number,
): void {
  const readMiddle = rowReader(middle, width);
  const readWide = rowReader(wide, width);
  for (let y = from; y < to; y++) {
    const middleRow = readMiddle(y);
    const wideRow = readWide(y);
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const shown = light[i]! * light[i]! * mix(mix(0.3, 0.62, people[i]!), 0.95, face[i]!);
      const lit = shown * (room + wideRow[x]! * 3) + room * 0.1;
      const inked = 1 - lines[i]!;
      const tube = inked * inked * mix(0.35, 0.75, Math.max(people[i]!, features[i]!));
      out[i] = compress(lit + near[i]! * 1.5 + middleRow[x]! * 1.5 + wideRow[x]! * 0.9 + tube * 0.8);
    }
  }
}

const brightest = 8;
const compressionSteps = 2048;
const compression = Float32Array.from(
  { length: compressionSteps + 2 },
  (_, i) => 1 - Math.exp((-1.35 * brightest * i) / compressionSteps),
);

/** Compresses the sum of lights: crossing tubes turn white instead of clipping to a flat colour. */
function compress(light: number): number {
  const at = clamp(light * (compressionSteps / brightest), 0, compressionSteps);
  const low = at | 0;
  return compression[low]! + (compression[low + 1]! - compression[low]!) * (at - low);
}

/** The colour at a position along the cycle of tube colours. */
function tubeColor(out: [number, number, number], place: number): void {
  const count = tubes.length;
  const at = ((place % count) + count) % count;
  const from = tubes[Math.floor(at)]!;
  const to = tubes[(Math.floor(at) + 1) % count]!;
  const share = smoothstep(0.25, 0.75, at - Math.floor(at));
  for (let c = 0; c < 3; c++) out[c] = mix(from[c]!, to[c]!, share);
}

import { rgbOf } from '../pixels/colour.ts';
import { smoothKeepingEdges } from '../pixels/guided-filter.ts';
import { clouds } from '../pixels/noise.ts';
import { allocatePicture, lumaOf, type Picture, type Planes } from '../pixels/picture.ts';
import { randomFrom } from '../pixels/random.ts';
import { clamp, clamp01, mix, smoothstep } from '../pixels/scalar.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { makeBrushPrints } from './strokes/brush-prints.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { flowLines } from './strokes/flow-lines.ts';
import { primeCanvas } from './strokes/paint-canvas.ts';
import { paperTooth } from './strokes/paper.ts';
import { paintStrokes, type StrokeLayer } from './strokes/strokes.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import type { Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

const paperColor = rgbOf('#b9ada0');
const conte = rgbOf('#3a2a2c');

/** What most layers have in common. */
const chalkStick = { overlap: 2.4, opacity: 0.82, variety: 0.13, slant: -0.8 };

/** Soft chalks on toned paper: slanted strokes, the tooth of the paper visible, faces rubbed smooth. */
export function pastel(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, people, seed } = subject;
  const random = randomFrom(seed);
  const tone = drawingTone(subject);
  const flow = tangentFlow(tone, unit * 0.05);
  const chalk = smoothKeepingEdges(picture, clamp(unit * 0.016, 3, 8), 0.06);
  forRows(chalkRows, height, { width }, { planes: chalk.planes });
  const result = allocatePicture({ width, height });
  for (const [c, plane] of result.planes.entries()) plane.fill(paperColor[c]!);
  const canvas = primeCanvas(result);
  const prints = makeBrushPrints(random, 1);
  const drift = clouds({ width, height }, { largest: unit * 0.9, octaves: 3, seed: seed + 5 }).data;
  const reach = (i: number) => completeness(people[i]!, drift[i]!);
  const layers: StrokeLayer[] = [
    {
      ...chalkStick,
      width: unit * 0.07,
      length: unit * 0.5,
      limit: 0.4,
      opacity: 0.75,
      probabilityAt: (i) => 0.45 + 0.55 * reach(i),
    },
    {
      ...chalkStick,
      width: unit * 0.034,
      length: unit * 0.26,
      limit: 0.26,
      probabilityAt: (i) => mix(0.3, 1, reach(i)),
    },
    {
      ...chalkStick,
      width: clamp(unit * 0.016, 3, 8),
      length: unit * 0.11,
      limit: 0.16,
      variety: 0.05,
      probabilityAt: (i) => mix(0.08, 0.85, reach(i)),
    },
  ];
  const painting = { reference: chalk, flow, prints, random };
  for (const layer of layers) paintStrokes(canvas, layer, painting);
  const lines = flowLines(tone, flow, {
    sigma: clamp(unit * 0.0042, 1, 1.9),
    sharpness: 16,
    tone: 1,
    fill: 0.38,
    hardness: 6,
    length: 7,
  }).data;
  const tooth = paperTooth(subject, 2.3, seed + 1).data;
  forRows(
    pastelRows,
    height,
    {
      width,
      paint: canvas.paint,
      chalk: chalk.planes,
      lines,
      tooth,
      drift,
      face,
      features,
      people,
    },
    { planes: result.planes },
  );
  return result;
}

/** How complete the drawing is: 1 on people, less far from them. */
function completeness(people: number, drift: number): number {
  return smoothstep(-0.1, 0.35, people + drift * 0.8);
}

interface PastelInput {
  width: number;
  paint: Float32Array;
  chalk: Planes;
  lines: Float32Array;
  tooth: Float32Array;
  drift: Float32Array;
  face: Float32Array;
  features: Float32Array;
  people: Float32Array;
}

export function pastelRows(
  { width, paint, chalk, lines, tooth, drift, face, features, people }: PastelInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  const [chalkRed, chalkGreen, chalkBlue] = chalk;
  for (let i = from * width; i < to * width; i++) {
    const rubbed = Math.max(0.8 * face[i]!, 0.9 * features[i]!);
    const grain = tooth[i]!;
    const near = Math.max(face[i]!, 0.35 * completeness(people[i]!, drift[i]!));
    const hole = smoothstep(0.02, -0.3, grain) * mix(0.45, 0.1, near);
    const drawn = (1 - lines[i]!) * mix(0.4, 0.62, features[i]!) * smoothstep(-0.5, 0.1, grain + 0.25);
    const lit = grain * 0.05;
    const r = mix(mix(paint[i * 4]!, chalkRed[i]!, rubbed), paperColor[0] * 0.97, hole) + lit;
    const g = mix(mix(paint[i * 4 + 1]!, chalkGreen[i]!, rubbed), paperColor[1] * 0.97, hole) + lit;
    const b = mix(mix(paint[i * 4 + 2]!, chalkBlue[i]!, rubbed), paperColor[2] * 0.97, hole) + lit;
    red[i] = clamp01(mix(r, conte[0], drawn));
    green[i] = clamp01(mix(g, conte[1], drawn));
    blue[i] = clamp01(mix(b, conte[2], drawn));
  }
}

const lifts = Float32Array.from({ length: 1026 }, (_, i) => 0.17 + 0.83 * (i / 1024) ** 0.82);

/** Makes the colours lighter and more saturated, in place; none stays black. */
export function chalkRows(
  { width }: { width: number },
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let i = from * width; i < to * width; i++) {
    const value = lumaOf(red[i]!, green[i]!, blue[i]!);
    const at = clamp01(value) * 1024;
    const low = at | 0;
    const lift = lifts[low]! + (lifts[low + 1]! - lifts[low]!) * (at - low);
    red[i] = clamp01(lift + (red[i]! - value) * 1.25);
    green[i] = clamp01(lift + (green[i]! - value) * 1.25);
    blue[i] = clamp01(lift + (blue[i]! - value) * 1.25);
  }
}

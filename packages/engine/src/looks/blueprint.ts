import { rgbOf } from '../pixels/colour.ts';
import { clouds } from '../pixels/noise.ts';
import { allocatePicture, lumaPlane, type Picture, type Planes } from '../pixels/picture.ts';
import { allocateZeroPlane, type Plane, type Size } from '../pixels/plane.ts';
import { clamp, clamp01, mix, smoothstep } from '../pixels/scalar.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { flowLines } from './strokes/flow-lines.ts';
import { paperTooth } from './strokes/paper.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import type { Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

const prussian = rgbOf('#123f86');
const deep = rgbOf('#0b2a60');
const chalk = rgbOf('#e9f3ff');
/** Strokes over clothes that would pass for skin. */
export const blueprintHatching = { dark: deep, light: chalk, different: 0.16 };

/** A technical drawing: white contours and hatching on Prussian blue, a grid, dimension lines beside faces. */
export function blueprint(subject: Subject): Picture {
  const { picture, unit, width, height, face, people, seed } = subject;
  const tone = drawingTone(subject);
  const flow = tangentFlow(tone, unit * 0.025);
  const fine = clamp(unit * 0.0046, 1.1, 2.1);
  const lines = flowLines(tone, flow, {
    sigma: fine,
    sharpness: 17,
    tone: 0,
    fill: -0.1,
    hardness: 8,
    length: 8,
  }).data;
  // Faces are light with blue lines: white lines alone gave them white eyes and lips.
  const inked = flowLines(tone, flow, {
    sigma: fine,
    sharpness: 16,
    tone: 1,
    fill: 0.42,
    hardness: 7,
    length: 7,
  }).data;
  const light = lumaPlane(picture).data;
  const marks = drawDimensions(subject).data;
  const fade = clouds({ width, height }, { largest: unit * 2, octaves: 4, seed }).data;
  const tooth = paperTooth(subject, 2.4, seed + 1).data;
  const grid = Math.round(Math.min(width, height) / 24);
  const pitch = clamp(unit * 0.026, 5, 9);
  const columns = Float32Array.from({ length: width }, (_, x) => gridLine(x, grid));
  const falling = Float32Array.from({ length: width + height }, (_, k) => stripe(k / pitch));
  const rising = Float32Array.from({ length: width + height }, (_, k) => stripe((k - height) / pitch));
  const result = allocatePicture({ width, height });
  forRows(
    blueprintRows,
    height,
    {
      width,
      height,
      grid,
      columns,
      falling,
      rising,
      light,
      tone: tone.data,
      lines,
      inked,
      marks,
      fade,
      tooth,
      face,
      people,
    },
    { planes: result.planes },
  );
  return result;
}

interface BlueprintInput extends Size {
  /** Pixels from line to line of the grid. */
  grid: number;
  /** The grid's lines by x; the hatching by x + y and by x − y + height. */
  columns: Float32Array;
  falling: Float32Array;
  rising: Float32Array;
  light: Float32Array;
  tone: Float32Array;
  lines: Float32Array;
  inked: Float32Array;
  marks: Float32Array;
  fade: Float32Array;
  tooth: Float32Array;
  face: Float32Array;
  people: Float32Array;
}

export function blueprintRows(
  input: BlueprintInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const {
    width,
    height,
    grid,
    columns,
    falling,
    rising,
    light,
    tone,
    lines,
    inked,
    marks,
    fade,
    tooth,
    face,
    people,
  } = input;
  const print = (c: 0 | 1 | 2, bleach: number, drawn: number) => {
    const paper = mix(deep[c], prussian[c], clamp01(0.75 + bleach * 2)) + bleach * 0.06;
    return clamp01(mix(paper, chalk[c], drawn));
  };
  const [red, green, blue] = planes;
  for (let y = from; y < to; y++) {
    const row = gridLine(y, grid);
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const ruled = Math.max(columns[x]!, row);
      const shade = light[i]!;
      // White on blue: the lights are hatched, not the shadows, which would make a negative.
      const one = falling[x + y]! * smoothstep(0.5, 0.62, shade) * 0.2;
      const two = rising[x - y + height]! * smoothstep(0.72, 0.84, shade) * 0.16;
      const hatched = (one + two) * people[i]! * mix(1, 0.7, face[i]!);
      const lit = mix(smoothstep(0.2, 0.95, shade), smoothstep(0.22, 0.9, tone[i]!), face[i]!);
      const glow = lit * mix(0.08, mix(0.26, 0.62 * inked[i]!, face[i]!), people[i]!);
      const contour = (1 - lines[i]!) * mix(0.6, 1, people[i]!) * (1 - face[i]!);
      const drawn = clamp01(Math.max(contour, marks[i]! * 0.85) + hatched + glow + ruled * (1 - glow * 2));
      const bleach = fade[i]! * 0.22 + tooth[i]! * 0.05;
      const chalked = drawn * (1 - 0.12 * Math.max(0, -tooth[i]! * 2));
      red[i] = print(0, bleach, chalked);
      green[i] = print(1, bleach, chalked);
      blue[i] = print(2, bleach, chalked);
    }
  }
}

/** Strength of the grid's line at this coordinate; every fourth line is stronger. */
function gridLine(at: number, grid: number): number {
  return Math.max(0.13 * lineEvery(at, grid), 0.26 * lineEvery(at, grid * 4));
}

function lineEvery(at: number, spacing: number): number {
  return at % spacing === 0 ? 1 : at % spacing === 1 ? 0.5 : 0;
}

function stripe(at: number): number {
  const t = Math.abs(at - Math.floor(at) - 0.5);
  return smoothstep(0.24, 0.1, t);
}

/** A frame, and for each face its center line and a dimension line of its height. */
function drawDimensions(subject: Subject): Plane {
  const { width, height, faces } = subject;
  const marks = allocateZeroPlane({ width, height });
  const margin = Math.round(Math.min(width, height) * 0.022);
  drawFrame(marks, margin, 3);
  drawFrame(marks, margin + 9, 1);
  for (const face of faces) {
    const tall = face.height * 1.28;
    const { x, y } = face.center;
    const top = y - tall * 0.56;
    const bottom = y + tall * 0.5;
    const right = x + face.width * 0.98;
    const left = x - face.width * 0.98;
    const tick = Math.max(8, face.height * 0.05);
    const rightSide = right < width - margin * 2;
    const measured = rightSide ? right : left;
    drawLine(marks, { x: measured, y: top }, { x: measured, y: bottom });
    for (const end of [top, bottom]) {
      drawLine(marks, { x: measured - tick, y: end }, { x: measured + tick, y: end });
      const slash = tick * 0.5;
      drawLine(marks, { x: measured - slash, y: end + slash }, { x: measured + slash, y: end - slash });
    }
    drawLine(marks, { x, y: top - face.height * 0.12 }, { x, y: top + face.height * 0.06 }, 12);
    drawLine(marks, { x, y: bottom + face.height * 0.02 }, { x, y: bottom + face.height * 0.2 }, 12);
  }
  return marks;
}

function drawFrame(marks: Plane, inset: number, thickness: number): void {
  const { width, height, data } = marks;
  for (let k = 0; k < thickness; k++) {
    const edge = inset + k;
    data.fill(1, edge * width + edge, edge * width + width - edge);
    data.fill(1, (height - 1 - edge) * width + edge, (height - 1 - edge) * width + width - edge);
    for (let y = edge; y < height - edge; y++) {
      data[y * width + edge] = 1;
      data[y * width + width - 1 - edge] = 1;
    }
  }
}

interface Point {
  x: number;
  y: number;
}

/** A line of two pixels' width, with dashes and gaps of `dash` pixels unless that is 0. */
function drawLine(marks: Plane, from: Point, to: Point, dash = 0): void {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  for (let step = 0; step <= length; step += 0.5) {
    if (dash > 0 && Math.floor(step / dash) % 2 === 1) continue;
    const x = Math.round(from.x + ((to.x - from.x) * step) / length);
    const y = Math.round(from.y + ((to.y - from.y) * step) / length);
    for (let dy = 0; dy < 2; dy++) {
      for (let dx = 0; dx < 2; dx++) {
        const px = x + dx;
        const py = y + dy;
        if (px >= 0 && py >= 0 && px < marks.width && py < marks.height)
          marks.data[py * marks.width + px] = 1;
      }
    }
  }
}

import { rgbOf } from '../pixels/colour.ts';
import { clouds } from '../pixels/noise.ts';
import { allocatePicture, lumaPlane, type Picture, type Planes } from '../pixels/picture.ts';
import type { Plane } from '../pixels/plane.ts';
import { enlarge, reducePicture } from '../pixels/reduce.ts';
import { clamp, clamp01, mix, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { flowLines } from './strokes/flow-lines.ts';
import { kuwahara } from './strokes/kuwahara.ts';
import { paperTooth } from './strokes/paper.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import { openSubject, type Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

const paperColor = rgbOf('#f7f1e3');
const inkColor = rgbOf('#12131a');
/** Strokes over clothes that would pass for skin. */
export const inkHatching = { dark: inkColor, light: paperColor, different: 0.16 };

/** Brush and ink: contour lines, solid blacks, two diluted washes with wet edges, bare paper towards the borders. */
export function ink(photographed: Subject): Picture {
  const subject = openSubject(photographed);
  const { picture, unit, width, height, face, people, seed } = subject;
  const even = drawingTone(subject);
  const flow = tangentFlow(even, unit * 0.022);
  const lines = flowLines(even, flow, {
    sigma: clamp(unit * 0.0046, 1, 3.4),
    sharpness: 20,
    tone: 1,
    fill: 0.4,
    hardness: 12,
    length: 9,
  }).data;
  const washes = washTones(picture, unit).data;
  const drift = clouds({ width, height }, { largest: unit * 0.5, octaves: 4, seed }).data;
  const tooth = paperTooth(subject, 2.4, seed + 1).data;
  const result = allocatePicture({ width, height });
  forRows(
    inkWashRows,
    height,
    { width, washes, drift, tooth, lines, face, people },
    { planes: result.planes },
  );
  return result;
}

interface InkInput {
  width: number;
  washes: Float32Array;
  drift: Float32Array;
  tooth: Float32Array;
  lines: Float32Array;
  face: Float32Array;
  people: Float32Array;
}

export function inkWashRows(
  { width, washes, drift, tooth, lines, face, people }: InkInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let i = from * width; i < to * width; i++) {
    const tone = washes[i]! + drift[i]! * 0.14 * (1 - face[i]!) + tooth[i]! * 0.02;
    const reach = smoothstep(0.02, 0.5, people[i]! + drift[i]! * 0.7);
    const first = smoothstep(0.5, 0.46, tone) * 0.22 + driedEdge(tone, 0.48) * 0.1;
    const second = smoothstep(0.3, 0.27, tone) * 0.34 + driedEdge(tone, 0.285) * 0.12;
    const solid = smoothstep(0.16, 0.13, tone + tooth[i]! * 0.05);
    const dry = smoothstep(-0.42, -0.1, tooth[i]! + lines[i]! * -0.2 + 0.35);
    const wash = (first + second) * (1 + drift[i]! * 0.7) * mix(1, 0.75, face[i]!);
    const drawn = (1 - lines[i]!) * dry * mix(0.55, 1, reach);
    const cover = clamp01(Math.max(drawn, solid, wash * mix(0.25, 1, reach)));
    const grain = tooth[i]! * 0.035;
    red[i] = clamp01(mix(paperColor[0] + grain, inkColor[0], cover));
    green[i] = clamp01(mix(paperColor[1] + grain, inkColor[1], cover));
    blue[i] = clamp01(mix(paperColor[2] + grain, inkColor[2], cover));
  }
}

/** Broad tones for the washes, computed at half size. */
function washTones(picture: Picture, unit: number): Plane {
  return withArena(() => {
    const half = reducePicture(picture, 2);
    const flow = tangentFlow(lumaPlane(half), unit * 0.015);
    return enlarge(lumaPlane(kuwahara(half, flow, clamp(unit * 0.015, 2, 6))), picture, 2);
  });
}

/** The dark rim that a wash dries with: 1 just inside of its edge. */
function driedEdge(tone: number, edge: number): number {
  const d = (tone - edge + 0.018) / 0.016;
  return d > 4 || d < -4 ? 0 : Math.exp(-d * d);
}

import { rgbOf } from '../pixels/colour.ts';
import { clouds } from '../pixels/noise.ts';
import { allocatePicture, lumaPlane, type Picture, type Planes } from '../pixels/picture.ts';
import type { Plane } from '../pixels/plane.ts';
import { enlarge } from '../pixels/reduce.ts';
import { clamp, clamp01, mix, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { averageAlongFlow } from './strokes/flow-average.ts';
import { flowLines } from './strokes/flow-lines.ts';
import { paperTooth } from './strokes/paper.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import type { Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

const paperColor = rgbOf('#f3e8d0');
const inkColor = rgbOf('#1a1512');
const blockColor = rgbOf('#d9a25f');
/** Gouge marks over clothes that would pass for skin. */
export const woodcutHatching = { dark: paperColor, light: paperColor, different: 0.32 };

/** Two wood blocks: black with gouge marks along the forms, and ochre; the lights are bare paper. */
export function woodcut(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, seed } = subject;
  const tone = drawingTone(subject);
  const flow = tangentFlow(tone, unit * 0.07);
  const lines = flowLines(tone, flow, {
    sigma: clamp(unit * 0.0058, 1.3, 3.8),
    sharpness: 18,
    tone: 1,
    fill: 0.36,
    hardness: 14,
    length: 10,
  }).data;
  const period = clamp(unit * 0.026, 4.5, 10);
  // At half size, for a quarter of the work: averages over a hundred pixels have no finer detail.
  const gouges = withArena(() => {
    const noise = clouds(flow, { largest: period / 2, octaves: 1, seed });
    const marks = averageAlongFlow(noise, flow, { steps: 10, stride: period * 0.275, taper: false });
    return enlarge(equalize(marks), { width, height }, 2);
  }).data;
  const light = lumaPlane(picture).data;
  const tooth = paperTooth(subject, 2.6, seed + 1).data;
  const result = allocatePicture({ width, height });
  forRows(
    woodcutRows,
    height,
    { width, light, tone: tone.data, lines, gouges, tooth, face, features },
    { planes: result.planes },
  );
  return result;
}

interface WoodcutInput {
  width: number;
  light: Float32Array;
  tone: Float32Array;
  lines: Float32Array;
  gouges: Float32Array;
  tooth: Float32Array;
  face: Float32Array;
  features: Float32Array;
}

export function woodcutRows(
  { width, light, tone, lines, gouges, tooth, face, features }: WoodcutInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const print = (c: 0 | 1 | 2, tooth: number, second: number, worn: number, clear: number) => {
    const ground = mix(paperColor[c] + tooth * 0.03, blockColor[c], second * (1 - tooth * 0.25));
    return clamp01(mix(mix(inkColor[c], ground, worn), ground, clear));
  };
  const [red, green, blue] = planes;
  for (let i = from * width; i < to * width; i++) {
    const value = mix(light[i]!, tone[i]!, mix(0.25, 0.55, face[i]!));
    // Clear paper in the lights, solid black in the darks, gouge marks only between.
    const carved = smoothstep(0.08, 0.8 - 0.12 * face[i]!, value);
    const mark = smoothstep(-0.07, 0.07, carved * 1.16 - 0.08 - gouges[i]!);
    const clear = Math.min(mix(mark, 1, 0.7 * features[i]!), lines[i]!);
    const grain = tooth[i]!;
    const worn = smoothstep(0.34, 0.5, grain + 0.1) * 0.35;
    const lit = light[i]! + (gouges[i]! - 0.5) * 0.16 + grain * 0.06;
    const second = smoothstep(0.72 - 0.1 * face[i]!, 0.66 - 0.1 * face[i]!, lit);
    red[i] = print(0, grain, second, worn, clear);
    green[i] = print(1, grain, second, worn, clear);
    blue[i] = print(2, grain, second, worn, clear);
  }
}

/** Replaces values by their rank, in place, so that the share of black marks equals the tone. */
function equalize(plane: Plane): Plane {
  const bins = new Float64Array(1024);
  const { data } = plane;
  for (let i = 0; i < data.length; i++) bins[(clamp01(data[i]! + 0.5) * 1023) | 0]! += 1;
  let sum = 0;
  for (let bin = 0; bin < bins.length; bin++) {
    sum += bins[bin]!;
    bins[bin] = sum / data.length;
  }
  for (let i = 0; i < data.length; i++) data[i] = bins[(clamp01(data[i]! + 0.5) * 1023) | 0]!;
  return plane;
}

import { rgbOf } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { clouds } from '../pixels/noise.ts';
import { allocatePicture, lumaOf, lumaPlane, type Picture, type Planes } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { enlargePicture, reducePicture } from '../pixels/reduce.ts';
import { clamp, clamp01, mix, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { flowLines } from './strokes/flow-lines.ts';
import { kuwahara } from './strokes/kuwahara.ts';
import { paperTooth, shadeRelief } from './strokes/paper.ts';
import { type Flow, tangentFlow } from './strokes/tangent-flow.ts';
import type { Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

const paperColor = rgbOf('#fbf8f0');

/** Watercolour has no black: its darks are a thin violet grey. */
const lift = [0.155, 0.155, 0.2] as const;

/** Transparent washes with dark rims, pigment in the grain of the paper, bare paper around, a little pencil below. */
export function watercolour(subject: Subject): Picture {
  const { unit, width, height, face, features, people, seed } = subject;
  const tone = drawingTone(subject);
  const flow = tangentFlow(tone, unit * 0.03);
  const lines = flowLines(tone, flow, {
    sigma: clamp(unit * 0.004, 1, 1.8),
    sharpness: 15,
    tone: 1,
    fill: 0.38,
    hardness: 5,
    length: 7,
  }).data;
  const wobble = clouds({ width, height }, { largest: unit * 0.16, octaves: 2, seed }).data;
  const wash = paintWashes(subject, flow, wobble);
  const light = lumaPlane(wash);
  const around = gaussianBlur(light, clamp(unit * 0.014, 2.3, 6)).data;
  const blooms = clouds({ width, height }, { largest: unit * 0.9, octaves: 4, seed: seed + 9 }).data;
  const slow = clouds({ width, height }, { largest: unit * 0.8, octaves: 2, seed: seed + 19 }).data;
  const tooth = paperTooth(subject, 3, seed + 1);
  const shade = shadeRelief(tooth).data;
  forRows(
    pigmentRows,
    height,
    {
      width,
      height,
      unit,
      light: light.data,
      around,
      tooth: tooth.data,
      shade,
      blooms,
      slow,
      wobble,
      lines,
      face,
      features,
      people,
    },
    { planes: wash.planes },
  );
  return wash;
}

/** Broad washes with irregular outlines, fine ones in faces, in a few steps of tone. */
function paintWashes(subject: Subject, flow: Flow, wobble: Float32Array): Picture {
  const { picture, unit, width, height, face, features, people, seed } = subject;
  return withArena(() => {
    const fine = kuwahara(picture, flow, clamp(unit * 0.01, 2, 4));
    const broad = broadWashes(fine, unit);
    const wobbleDown = clouds({ width, height }, { largest: unit * 0.16, octaves: 2, seed: seed + 50 }).data;
    const result = allocatePicture({ width, height });
    forRows(
      washRows,
      height,
      {
        width,
        height,
        fine: fine.planes,
        broad: broad.planes,
        face,
        features,
        wobble,
        wobbleDown,
        people,
        amount: unit * 0.09,
      },
      { planes: result.planes },
    );
    return result;
  });
}

/** Computed at half size, where a wide filter costs a quarter. */
function broadWashes(fine: Picture, unit: number): Picture {
  return withArena(() => {
    const half = reducePicture(fine, 2);
    const washed = kuwahara(half, tangentFlow(lumaPlane(half), unit * 0.02), clamp(unit * 0.017, 2, 7));
    return enlargePicture(washed, fine, 2);
  });
}

interface WashInput extends Size {
  fine: Planes;
  broad: Planes;
  face: Float32Array;
  features: Float32Array;
  wobble: Float32Array;
  wobbleDown: Float32Array;
  people: Float32Array;
  /** Pixels by which an outline may be displaced. */
  amount: number;
}

/** Steps of tone that the washes are drawn towards. */
const toneSteps = 6;

export function washRows(
  { width, height, fine, broad, face, features, wobble, wobbleDown, people, amount }: WashInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  const [fineRed, fineGreen, fineBlue] = fine;
  const [broadRed, broadGreen, broadBlue] = broad;
  for (let y = from; y < to; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const displacement = clamp01(1 - 1.3 * face[i]!) * (1 - 0.65 * people[i]!) * amount;
      const sx = clamp(Math.floor(x + wobble[i]! * displacement + 0.5), 0, width - 1);
      const sy = clamp(Math.floor(y + wobbleDown[i]! * displacement + 0.5), 0, height - 1);
      const j = sy * width + sx;
      const keep = Math.max(0.55 * face[i]!, features[i]!);
      const r = mix(broadRed[j]!, fineRed[i]!, keep);
      const g = mix(broadGreen[j]!, fineGreen[i]!, keep);
      const b = mix(broadBlue[j]!, fineBlue[i]!, keep);
      // Tones are drawn towards a few steps, most of all away from faces.
      const light = lumaOf(r, g, b);
      const place = light * toneSteps;
      const whole = Math.floor(place);
      const level = (whole + smoothstep(0.1, 0.9, place - whole)) / toneSteps;
      const gain = mix(1, (level + 0.03) / (light + 0.03), 0.8 - 0.65 * face[i]!);
      red[i] = clamp01(r * gain);
      green[i] = clamp01(g * gain);
      blue[i] = clamp01(b * gain);
    }
  }
}

interface PigmentInput extends Size {
  unit: number;
  light: Float32Array;
  around: Float32Array;
  tooth: Float32Array;
  shade: Float32Array;
  blooms: Float32Array;
  slow: Float32Array;
  wobble: Float32Array;
  lines: Float32Array;
  face: Float32Array;
  features: Float32Array;
  people: Float32Array;
}

/** Dries the washes on the paper, in place: rims, settled pigment, bare paper, pencil lines. */
export function pigmentRows(
  input: PigmentInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const { width, height, unit, light, around, tooth, shade, blooms, slow, wobble } = input;
  const { lines, face, features, people } = input;
  const dried = (wash: number, c: 0 | 1 | 2, value: number, density: number, reach: number) => {
    const vivid = clamp01((value + (wash - value) * 1.35) * 0.84 + lift[c]);
    const pigment = clamp01(vivid - (vivid - vivid * vivid) * (density - 1));
    return mix(paperColor[c], pigment * paperColor[c], reach);
  };
  const [red, green, blue] = planes;
  for (let y = from; y < to; y++) {
    const fromEdge = Math.min(y, height - 1 - y);
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const value = light[i]!;
      const rim = Math.min(0.5, Math.max(0, around[i]! - value) * 7);
      const settled = tooth[i]! * 0.35 * smoothstep(0.95, 0.4, value);
      const density = 1 + (blooms[i]! * 2 + settled) * mix(1, 0.35, face[i]!) + rim - 0.12;
      const border = Math.min(x, fromEdge, width - 1 - x) / unit + slow[i]! * 0.5 + wobble[i]! * 0.06;
      // Paper is left bare where the picture is light: in the dark a bare patch looks like a hole.
      const dark = smoothstep(0.7, 0.3, value);
      const painted = smoothstep(-0.1, 0.12, people[i]! + blooms[i]! * 0.9 + 0.35 * dark);
      const reach = smoothstep(0.09, 0.12, border) * painted;
      const stroke = 1 - (1 - lines[i]!) * mix(0.3, 0.55, features[i]!) * reach;
      const lit = stroke * (1 + shade[i]! * 0.05);
      red[i] = clamp01(dried(red[i]!, 0, value, density, reach) * lit);
      green[i] = clamp01(dried(green[i]!, 1, value, density, reach) * lit);
      blue[i] = clamp01(dried(blue[i]!, 2, value, density, reach) * lit);
    }
  }
}

import { smoothKeepingEdges } from '../pixels/guided-filter.ts';
import { fromLab, toLab } from '../pixels/lab.ts';
import type { Picture } from '../pixels/picture.ts';
import { clamp, mix, smoothstep } from '../pixels/scalar.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { flowLines } from './strokes/flow-lines.ts';
import { kuwahara } from './strokes/kuwahara.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import { openSubject, type Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

const tones = 6;

/** Flat colours in six tones, black outlines, a dot screen in the half shadows. */
export function comic(photographed: Subject): Picture {
  const subject = openSubject(photographed);
  const { picture, unit, face, features } = subject;
  const tone = drawingTone(subject);
  const flow = tangentFlow(tone, unit * 0.022);
  const smooth = smoothKeepingEdges(picture, clamp(unit * 0.02, 3, 9), 0.09);
  const flat = toLab(kuwahara(smooth, flow, clamp(unit * 0.014, 2, 6)));
  const lines = flowLines(tone, flow, {
    sigma: clamp(unit * 0.0052, 1.1, 3.6),
    sharpness: 17,
    tone: 1,
    fill: 0.36,
    hardness: 10,
    length: 8,
  }).data;
  const { width, height, lightness, a, b } = flat;
  const pitch = clamp(unit / 30, 6, 11);
  forRows(comicRows, height, { width, pitch, lines, face, features }, { lightness, a, b });
  return fromLab(flat);
}

interface ComicInput {
  width: number;
  pitch: number;
  lines: Float32Array;
  face: Float32Array;
  features: Float32Array;
}

export function comicRows(
  { width, pitch, lines, face, features }: ComicInput,
  { lightness, a, b }: { lightness: Float32Array; a: Float32Array; b: Float32Array },
  from: number,
  to: number,
): void {
  const fine = 1 / (pitch * Math.SQRT2);
  for (let y = from; y < to; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const raised = lighten(lightness[i]!);
      const level = posterize(raised);
      let value = mix(level, raised, 0.45 * features[i]!);
      // Dots in the half shadows only, and none in faces, where they look like blemishes of the skin.
      if (level > 20 && level < 62 && face[i]! < 1) {
        const u = (x + y) * fine;
        const v = (x - y) * fine;
        const du = u - Math.floor(u + 0.5);
        const dv = v - Math.floor(v + 0.5);
        const dot = smoothstep(0.36, 0.28, Math.sqrt(du * du + dv * dv));
        value -= dot * 9 * smoothstep(20, 28, level) * smoothstep(62, 50, level) * (1 - face[i]!);
      }
      const line = lines[i]!;
      lightness[i] = value * line + 3 * (1 - line);
      const vivid = (1.42 - 0.2 * face[i]!) * line;
      a[i] = a[i]! * vivid;
      b[i] = b[i]! * vivid;
    }
  }
}

/** Entries of the tables for each unit of lightness. */
const resolution = 40;
const lighter = Float32Array.from(
  { length: 100 * resolution + 2 },
  (_, i) => 100 * (i / resolution / 100) ** 0.86,
);
const levels = Float32Array.from({ length: 100 * resolution + 2 }, (_, i) => {
  const step = 100 / tones;
  const place = i / resolution / step;
  const whole = Math.floor(place);
  return (whole + 0.5 + 0.5 * Math.tanh(7 * (place - whole - 0.5))) * step;
});

/** The lightness raised, most of all in the shadows. */
function lighten(lightness: number): number {
  return read(lighter, lightness);
}

/** The nearest of the six tones, with a soft step between two of them. */
function posterize(lightness: number): number {
  return read(levels, lightness);
}

function read(table: Float32Array, lightness: number): number {
  const at = clamp(lightness, 0, 100) * resolution;
  const low = at | 0;
  const a = table[low]!;
  return a + (table[low + 1]! - a) * (at - low);
}

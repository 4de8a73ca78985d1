import { clamp, mix, smoothstep } from '../pixels/colour.ts';
import { smoothKeepingEdges } from '../pixels/guided-filter.ts';
import { fromLab, toLab } from '../pixels/lab.ts';
import type { Picture } from '../pixels/picture.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { kuwahara } from './strokes/kuwahara.ts';
import { flowLines } from './strokes/lines.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import type { Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

const tones = 6;

/** Flat colours in a few tones, brushed black outlines, dots in the half shadows. */
export function comic(subject: Subject): Picture {
  const { picture, unit, face, features } = subject;
  const tone = drawingTone(subject);
  const flow = tangentFlow(tone, unit * 0.022);
  const calm = smoothKeepingEdges(picture, clamp(unit * 0.02, 3, 9), 0.09);
  const flat = toLab(kuwahara(calm, flow, clamp(unit * 0.014, 2, 6)));
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

interface Drawn {
  width: number;
  pitch: number;
  lines: Float32Array;
  face: Float32Array;
  features: Float32Array;
}

export function comicRows(
  { width, pitch, lines, face, features }: Drawn,
  { lightness, a, b }: { lightness: Float32Array; a: Float32Array; b: Float32Array },
  from: number,
  to: number,
): void {
  const fine = 1 / (pitch * Math.SQRT2);
  for (let y = from; y < to; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const lifted = liftedOf(lightness[i]!);
      const level = levelOf(lifted);
      let value = mix(level, lifted, 0.45 * features[i]!);
      // A dot screen under the half shadows only: over faces it would read as skin trouble.
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

const fineness = 40;
const lifts = Float32Array.from({ length: 100 * fineness + 2 }, (_, i) => 100 * (i / fineness / 100) ** 0.86);
const levels = Float32Array.from({ length: 100 * fineness + 2 }, (_, i) => {
  const step = 100 / tones;
  const place = i / fineness / step;
  const whole = Math.floor(place);
  return (whole + 0.5 + 0.5 * Math.tanh(7 * (place - whole - 0.5))) * step;
});

/** A lighter print. */
function liftedOf(lightness: number): number {
  return read(lifts, lightness);
}

/** The tone that a lightness falls into. */
function levelOf(lifted: number): number {
  return read(levels, lifted);
}

function read(table: Float32Array, lightness: number): number {
  const at = clamp(lightness, 0, 100) * fineness;
  const low = at | 0;
  const a = table[low]!;
  return a + (table[low + 1]! - a) * (at - low);
}

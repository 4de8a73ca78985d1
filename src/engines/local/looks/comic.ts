import { clamp, smoothstep } from '../colour.ts';
import { fromLab, toLab } from '../lab.ts';
import type { Picture } from '../picture.ts';
import { drawingTone } from './drawing-tone.ts';
import { tangentFlow } from './flow.ts';
import { smoothKeepingEdges } from './guided.ts';
import { kuwahara } from './kuwahara.ts';
import { flowLines } from './lines.ts';
import type { Subject } from './subject.ts';
import { mix } from './tone.ts';

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
  const { lightness, a, b, width } = flat;
  const pitch = clamp(unit / 30, 6, 11);
  const step = 100 / tones;
  for (let i = 0; i < lightness.length; i++) {
    const x = i % width;
    const y = (i / width) | 0;
    const lifted = 100 * (lightness[i]! / 100) ** 0.86;
    const place = lifted / step;
    const whole = Math.floor(place);
    const level = (whole + 0.5 + 0.5 * Math.tanh(7 * (place - whole - 0.5))) * step;
    let value = mix(level, lifted, 0.45 * features[i]!);
    // A dot screen under the half shadows only: over faces it would read as skin trouble.
    const u = (x + y) / (pitch * Math.SQRT2);
    const v = (x - y) / (pitch * Math.SQRT2);
    const du = u - Math.round(u);
    const dv = v - Math.round(v);
    const dot = smoothstep(0.36, 0.28, Math.sqrt(du * du + dv * dv));
    value -= dot * 9 * smoothstep(20, 28, level) * smoothstep(62, 50, level) * (1 - face[i]!);
    lightness[i] = value * lines[i]! + 3 * (1 - lines[i]!);
    const vivid = (1.42 - 0.2 * face[i]!) * lines[i]!;
    a[i]! *= vivid;
    b[i]! *= vivid;
  }
  return fromLab(flat);
}

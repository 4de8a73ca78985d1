import { clamp, smoothstep } from '../colour.ts';
import type { Picture } from '../picture.ts';
import { drawingTone } from './drawing-tone.ts';
import { smearAlong, tangentFlow } from './flow.ts';
import { flowLines } from './lines.ts';
import { clouds } from './noise.ts';
import { paperTooth } from './paper.ts';
import { luma, newPicture, type Plane } from './plane.ts';
import type { Subject } from './subject.ts';
import { color, mix, within } from './tone.ts';

const paperColor = color('#f3e8d0');
const inkColor = color('#1a1512');
const blockColor = color('#d9a25f');

/** Carved into a plank: black between gouge marks that follow the forms, a second block in ochre, the lights left as paper. */
export function woodcut(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, seed } = subject;
  const tone = drawingTone(subject);
  const flow = tangentFlow(tone, unit * 0.07);
  const lines = flowLines(tone, flow, {
    sigma: clamp(unit * 0.0058, 1.3, 3.8),
    sharpness: 16,
    tone: 1,
    fill: 0.36,
    hardness: 14,
    length: 10,
  }).data;
  const period = clamp(unit * 0.026, 4.5, 10);
  const noise = clouds(width, height, period, 1, seed);
  const gouges = ranked(smearAlong(noise, flow, { steps: 10, stride: period * 0.55, taper: false }));
  const light = luma(picture).data;
  const tooth = paperTooth(width, height, 2.6, seed + 1).data;
  const result = newPicture(width, height);
  for (let i = 0; i < light.length; i++) {
    const value = mix(light[i]!, tone.data[i]!, mix(0.25, 0.55, face[i]!));
    // Clear paper in the lights, solid black in the darks, gouge marks only between.
    const carved = smoothstep(0.08, 0.8 - 0.12 * face[i]!, value);
    const mark = smoothstep(-0.07, 0.07, carved * 1.16 - 0.08 - gouges[i]!);
    const clear = Math.min(mix(mark, 1, 0.7 * features[i]!), lines[i]!);
    const worn = smoothstep(0.34, 0.5, tooth[i]! + 0.1) * 0.35;
    const lit = light[i]! + (gouges[i]! - 0.5) * 0.16 + tooth[i]! * 0.06;
    const second = smoothstep(0.72 - 0.1 * face[i]!, 0.66 - 0.1 * face[i]!, lit);
    for (let c = 0; c < 3; c++) {
      const ground = mix(paperColor[c]! + tooth[i]! * 0.03, blockColor[c]!, second * (1 - tooth[i]! * 0.25));
      result.planes[c]![i] = within(mix(mix(inkColor[c]!, ground, worn), ground, clear));
    }
  }
  return result;
}

/** Replaces values by their rank, so that as many marks are black as the tone asks for. */
function ranked(plane: Plane): Float32Array {
  const bins = new Float64Array(1024);
  const { data } = plane;
  for (let i = 0; i < data.length; i++) bins[(within(data[i]! + 0.5) * 1023) | 0]! += 1;
  let sum = 0;
  for (let bin = 0; bin < bins.length; bin++) {
    sum += bins[bin]!;
    bins[bin] = sum / data.length;
  }
  for (let i = 0; i < data.length; i++) data[i] = bins[(within(data[i]! + 0.5) * 1023) | 0]!;
  return data;
}

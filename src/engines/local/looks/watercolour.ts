import { reducePicture } from '../blur.ts';
import { clamp, smoothstep } from '../colour.ts';
import type { Picture } from '../picture.ts';
import { drawingTone } from './drawing-tone.ts';
import { tangentFlow } from './flow.ts';
import { kuwahara } from './kuwahara.ts';
import { flowLines } from './lines.ts';
import { clouds } from './noise.ts';
import { paperTooth, relief } from './paper.ts';
import { enlargePicture, gaussian, luma, newPicture } from './plane.ts';
import type { Subject } from './subject.ts';
import { color, mix, within } from './tone.ts';

const paperColor = color('#fbf8f0');

/** Watercolour has no black: its darks are a thin violet grey. */
const lift = [0.155, 0.155, 0.2] as const;

/** Transparent washes with dark rims, pigment that settles in the paper, bare paper around, a little pencil below. */
export function watercolour(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, people, seed } = subject;
  const tone = drawingTone(subject);
  const flow = tangentFlow(tone, unit * 0.03);
  const fine = kuwahara(picture, flow, clamp(unit * 0.01, 2, 4));
  const broad = broadWashes(fine, unit);
  const lines = flowLines(tone, flow, {
    sigma: clamp(unit * 0.004, 1, 1.8),
    sharpness: 15,
    tone: 1,
    fill: 0.38,
    hardness: 5,
    length: 7,
  }).data;
  const wobble = clouds(width, height, unit * 0.16, 2, seed).data;
  const sway = clouds(width, height, unit * 0.16, 2, seed + 50).data;
  const wash = washes(fine, broad, face, features, wobble, sway, people, unit * 0.09);
  layered(wash, face);
  const light = luma(wash);
  const around = gaussian(light, clamp(unit * 0.014, 2.3, 6)).data;
  const blooms = clouds(width, height, unit * 0.9, 4, seed + 9).data;
  const slow = clouds(width, height, unit * 0.8, 2, seed + 19).data;
  const tooth = paperTooth(width, height, 3, seed + 1);
  const shade = relief(tooth).data;
  const result = newPicture(width, height);
  for (let i = 0; i < around.length; i++) {
    const x = i % width;
    const y = (i / width) | 0;
    const rim = Math.min(0.5, Math.max(0, around[i]! - light.data[i]!) * 7);
    const settled = tooth.data[i]! * 0.35 * smoothstep(0.95, 0.4, light.data[i]!);
    const density = 1 + (blooms[i]! * 2 + settled) * mix(1, 0.35, face[i]!) + rim - 0.12;
    const border = Math.min(x, y, width - 1 - x, height - 1 - y) / unit + slow[i]! * 0.5 + wobble[i]! * 0.06;
    const reach = smoothstep(0.09, 0.12, border) * smoothstep(-0.1, 0.12, people[i]! + blooms[i]! * 0.9);
    const stroke = 1 - (1 - lines[i]!) * mix(0.3, 0.55, features[i]!) * reach;
    const lit = 1 + shade[i]! * 0.05;
    const value = light.data[i]!;
    for (let c = 0; c < 3; c++) {
      const vivid = within((value + (wash.planes[c]![i]! - value) * 1.35) * 0.84 + lift[c]!);
      const pigment = within(vivid - (vivid - vivid * vivid) * (density - 1));
      result.planes[c]![i] = within(mix(paperColor[c]!, pigment * paperColor[c]!, reach) * stroke * lit);
    }
  }
  return result;
}

/** At half size, where a wide brush costs a quarter. */
function broadWashes(fine: Picture, unit: number): Picture {
  const half = reducePicture(fine, 2);
  const washed = kuwahara(half, tangentFlow(luma(half), unit * 0.02), clamp(unit * 0.017, 2, 7));
  return enlargePicture(washed, fine.width, fine.height, 2);
}

/** Gathers tones into a few layers of paint, most away from faces. */
function layered(picture: Picture, face: Float32Array): void {
  const layers = 6;
  const light = luma(picture).data;
  for (let i = 0; i < light.length; i++) {
    const place = light[i]! * layers;
    const whole = Math.floor(place);
    const level = (whole + smoothstep(0.1, 0.9, place - whole)) / layers;
    const gain = mix(1, (level + 0.03) / (light[i]! + 0.03), 0.8 - 0.65 * face[i]!);
    for (const plane of picture.planes) plane[i] = within(plane[i]! * gain);
  }
}

/** Broad washes whose outlines sway, with the fine ones where faces are. */
function washes(
  fine: Picture,
  broad: Picture,
  face: Float32Array,
  features: Float32Array,
  wobble: Float32Array,
  sway: Float32Array,
  people: Float32Array,
  amount: number,
): Picture {
  const { width, height } = fine;
  const result = newPicture(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const calm = within(1 - 1.3 * face[i]!) * (1 - 0.65 * people[i]!);
      const sx = clamp(Math.round(x + wobble[i]! * amount * calm), 0, width - 1);
      const sy = clamp(Math.round(y + sway[i]! * amount * calm), 0, height - 1);
      const j = sy * width + sx;
      const keep = Math.max(0.55 * face[i]!, features[i]!);
      for (let c = 0; c < 3; c++) {
        const wide = broad.planes[c]![j]!;
        result.planes[c]![i] = wide + (fine.planes[c]![i]! - wide) * keep;
      }
    }
  }
  return result;
}

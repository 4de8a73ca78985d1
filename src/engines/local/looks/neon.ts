import { clamp, smoothstep } from '../colour.ts';
import type { Picture } from '../picture.ts';
import { drawingTone } from './drawing-tone.ts';
import { tangentFlow } from './flow.ts';
import { flowLines } from './lines.ts';
import { clouds } from './noise.ts';
import { gaussian, luma, newPicture, newPlane } from './plane.ts';
import type { Subject } from './subject.ts';
import { type Color, color, mix } from './tone.ts';

const tubes: readonly Color[] = [color('#ff2fb3'), color('#8a4bff'), color('#16d9ff'), color('#ff7a2f')];

/** What little light the room has of its own. */
const dim: Color = [0.42, 0.13, 0.62];

/** Glowing tubes along the contours, their light on a dark room. */
export function neon(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, people, seed } = subject;
  const tone = drawingTone(subject);
  const flow = tangentFlow(tone, unit * 0.025);
  const lines = flowLines(tone, flow, {
    sigma: clamp(unit * 0.0058, 1.3, 2.6),
    sharpness: 14,
    tone: 0,
    fill: -0.055,
    hardness: 7,
    length: 10,
  }).data;
  const light = luma(picture).data;
  const hues = clouds(width, height, unit * 1.3, 2, seed).data;
  const glow = [newPlane(width, height), newPlane(width, height), newPlane(width, height)] as const;
  const tint: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < lines.length; i++) {
    const bright = (1 - lines[i]!) * mix(mix(0.5, 1, people[i]!), 0.8, face[i]!);
    tubeColor(tint, (i / width / height) * 1.5 + hues[i]! * 4 + 1);
    for (let c = 0; c < 3; c++) glow[c]!.data[i] = tint[c]! * bright;
  }
  const result = newPicture(width, height);
  for (let c = 0; c < 3; c++) {
    const near = gaussian(glow[c]!, clamp(unit * 0.008, 1.5, 4)).data;
    const middle = gaussian(glow[c]!, unit * 0.03).data;
    const wide = gaussian(glow[c]!, unit * 0.16).data;
    const out = result.planes[c]!;
    const room = dim[c]!;
    for (let i = 0; i < out.length; i++) {
      const shown = light[i]! * light[i]! * mix(mix(0.3, 0.62, people[i]!), 0.95, face[i]!);
      const lit = shown * (room + wide[i]! * 3) + room * 0.1;
      const tube = (1 - lines[i]!) ** 2 * mix(0.35, 0.75, Math.max(people[i]!, features[i]!));
      const sum = lit + near[i]! * 1.5 + middle[i]! * 1.5 + wide[i]! * 0.9 + tube * 0.8;
      // A shoulder, so that crossing tubes turn white instead of clipping to a flat colour.
      out[i] = 1 - Math.exp(-1.35 * sum);
    }
  }
  return result;
}

function tubeColor(out: [number, number, number], place: number): void {
  const count = tubes.length;
  const at = ((place % count) + count) % count;
  const from = tubes[Math.floor(at)]!;
  const to = tubes[(Math.floor(at) + 1) % count]!;
  const share = smoothstep(0.25, 0.75, at - Math.floor(at));
  for (let c = 0; c < 3; c++) out[c] = mix(from[c]!, to[c]!, share);
}

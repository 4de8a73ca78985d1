import { clamp, smoothstep } from '../colour.ts';
import type { Picture } from '../picture.ts';
import { rowsOf } from '../rows.ts';
import { scratch } from '../scratch.ts';
import { drawingTone } from './drawing-tone.ts';
import { tangentFlow } from './flow.ts';
import { flowLines } from './lines.ts';
import { clouds } from './noise.ts';
import { channel, gaussian, luma, openPicture } from './plane.ts';
import type { Subject } from './subject.ts';
import { type Color, color, mix } from './tone.ts';

const forRows = rowsOf(import.meta.url);

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
  const glow = openPicture(width, height);
  forRows(glowRows, height, { width, height, lines, hues, face, people }, { planes: glow.planes });
  const result = openPicture(width, height);
  for (const c of [0, 1, 2] as const) {
    scratch(() => {
      const near = gaussian(channel(glow, c), clamp(unit * 0.008, 1.5, 4)).data;
      const middle = gaussian(channel(glow, c), unit * 0.03).data;
      const wide = gaussian(channel(glow, c), unit * 0.16).data;
      forRows(
        litRows,
        height,
        { width, room: dim[c], light, lines, near, middle, wide, face, features, people },
        { out: result.planes[c] },
      );
    });
  }
  return result;
}

interface Tubes {
  width: number;
  height: number;
  lines: Float32Array;
  hues: Float32Array;
  face: Float32Array;
  people: Float32Array;
}

export function glowRows(
  { width, height, lines, hues, face, people }: Tubes,
  { planes }: { planes: Picture['planes'] },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  const tint: [number, number, number] = [0, 0, 0];
  for (let i = from * width; i < to * width; i++) {
    const bright = (1 - lines[i]!) * mix(mix(0.5, 1, people[i]!), 0.8, face[i]!);
    if (bright > 0) tubeColor(tint, (i / width / height) * 1.5 + hues[i]! * 4 + 1);
    red[i] = tint[0] * bright;
    green[i] = tint[1] * bright;
    blue[i] = tint[2] * bright;
  }
}

interface Room {
  width: number;
  /** The room's own light in this channel. */
  room: number;
  light: Float32Array;
  lines: Float32Array;
  near: Float32Array;
  middle: Float32Array;
  wide: Float32Array;
  face: Float32Array;
  features: Float32Array;
  people: Float32Array;
}

export function litRows(
  { width, room, light, lines, near, middle, wide, face, features, people }: Room,
  { out }: { out: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const shown = light[i]! * light[i]! * mix(mix(0.3, 0.62, people[i]!), 0.95, face[i]!);
    const lit = shown * (room + wide[i]! * 3) + room * 0.1;
    const inked = 1 - lines[i]!;
    const tube = inked * inked * mix(0.35, 0.75, Math.max(people[i]!, features[i]!));
    const sum = lit + near[i]! * 1.5 + middle[i]! * 1.5 + wide[i]! * 0.9 + tube * 0.8;
    // A shoulder, so that crossing tubes turn white instead of clipping to a flat colour.
    out[i] = 1 - Math.exp(-1.35 * sum);
  }
}

function tubeColor(out: [number, number, number], place: number): void {
  const count = tubes.length;
  const at = ((place % count) + count) % count;
  const from = tubes[Math.floor(at)]!;
  const to = tubes[(Math.floor(at) + 1) % count]!;
  const share = smoothstep(0.25, 0.75, at - Math.floor(at));
  for (let c = 0; c < 3; c++) out[c] = mix(from[c]!, to[c]!, share);
}

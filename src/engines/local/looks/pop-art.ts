import type { Picture } from '../picture.ts';
import { gaussian } from './blur.ts';
import { colorGroups } from './clusters.ts';
import { drawingTone } from './drawing-tone.ts';
import { tangentFlow } from './flow.ts';
import { kuwahara } from './kuwahara.ts';
import { toLab } from './lab.ts';
import { flowLines } from './lines.ts';
import { clouds } from './noise.ts';
import { newPicture, newPlane, type Plane } from './plane.ts';
import { shrink, shrinkPicture } from './resample.ts';
import type { Subject } from './subject.ts';
import { type Color, clamp, color, mix, ramp, unit as within } from './tone.ts';

/** Inks of the four prints, for the picture's colour groups from dark to light. */
const prints: readonly (readonly Color[])[] = [
  ['#2b1a6e', '#e6007e', '#ff7ab8', '#ffe14d', '#19c3e6'],
  ['#0b4f6c', '#00a878', '#ffb627', '#ffe9a8', '#ff5d8f'],
  ['#5a0f4d', '#ff4d00', '#ffa62b', '#ffd9c2', '#8de04a'],
  ['#10375c', '#7b2ff7', '#f49ac2', '#fff0f5', '#ffd400'],
].map((inks) => inks.map(color));
const paperColor = color('#faf6ec');
const black = color('#141018');

/** Four silk screens of one picture, two by two: flat inks for its colours, black for its drawing, a little misprinted. */
export function popArt(subject: Subject): Picture {
  const { picture, unit, width, height, seed } = subject;
  const drawing = shrink(drawnBlack(subject), 2);
  const half = shrinkPicture(picture, 2);
  const { width: columns, height: rows } = half;
  const light = { width: columns, height: rows, data: half.planes[1] };
  const flat = toLab(kuwahara(half, tangentFlow(light, unit * 0.02), clamp(unit * 0.012, 2, 5)));
  const groups = colorGroups(flat, 5, seed);
  evenSkin(groups, columns, rows, subject);
  const masks = Array.from({ length: 5 }, (_, group) => {
    const mask = newPlane(columns, rows);
    for (let i = 0; i < groups.length; i++) mask.data[i] = groups[i] === group ? 1 : 0;
    return gaussian(mask, 1.1).data;
  });
  const squeegee = clouds(width, height, unit * 0.7, 5, seed + 2).data;
  const gap = Math.round(Math.min(width, height) * 0.006);
  const result = newPicture(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const right = x >= columns ? 1 : 0;
      const below = y >= rows ? 1 : 0;
      const px = x - right * columns;
      const py = y - below * rows;
      const inks = prints[below * 2 + right]!;
      const seam = px < gap || py < gap || px >= columns - gap || py >= rows - gap;
      const shift = 2 + right;
      const j = Math.min(rows - 1, py + shift) * columns + Math.min(columns - 1, px + shift);
      const key = seam ? 0 : 1 - drawing.data[py * columns + px]!;
      const worn = ramp(0.2, 0.36, squeegee[i]!) * 0.25;
      let total = 1e-4;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let group = 0; group < 5; group++) {
        const mask = masks[group]![j]!;
        if (mask < 0.01) continue;
        const weight = mask * mask * mask;
        const ink = inks[group]!;
        total += weight;
        red += ink[0] * weight;
        green += ink[1] * weight;
        blue += ink[2] * weight;
      }
      const shade = 1 + squeegee[i]! * 0.1;
      const inked = [red / total, green / total, blue / total];
      for (let c = 0; c < 3; c++) {
        const ground = seam ? paperColor[c]! : mix(inked[c]! * shade, paperColor[c]!, worn * 0.4);
        result.planes[c]![i] = within(mix(ground, black[c]!, key * (1 - worn)));
      }
    }
  }
  return result;
}

/** Highlights on a face take the ink of its skin: left alone, they came out as spots of the background's ink. */
function evenSkin(groups: Uint8Array, columns: number, rows: number, subject: Subject): void {
  for (const { center, height } of subject.faces) {
    const left = Math.max(0, Math.floor((center.x - height) / 2));
    const right = Math.min(columns - 1, Math.ceil((center.x + height) / 2));
    const top = Math.max(0, Math.floor((center.y - height) / 2));
    const bottom = Math.min(rows - 1, Math.ceil((center.y + height) / 2));
    const inFace = (x: number, y: number) =>
      subject.face[
        Math.min(subject.height - 1, y * 2) * subject.width + Math.min(subject.width - 1, x * 2)
      ]! > 0.4;
    const members = new Int32Array(5);
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) if (inFace(x, y)) members[groups[y * columns + x]!]! += 1;
    }
    const skin = members.indexOf(Math.max(...members));
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const i = y * columns + x;
        if (groups[i]! > skin && inFace(x, y)) groups[i] = skin;
      }
    }
  }
}

/** The black screen, drawn large so that half its size stays crisp. */
function drawnBlack(subject: Subject): Plane {
  const { unit } = subject;
  const tone = drawingTone(subject);
  return flowLines(tone, tangentFlow(tone, unit * 0.025), {
    sigma: clamp(unit * 0.0085, 1.8, 3.6),
    sharpness: 15,
    tone: 1,
    fill: 0.37,
    hardness: 12,
    length: 10,
  });
}

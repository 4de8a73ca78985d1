import { type Rgb, rgbOf } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { toLab } from '../pixels/lab.ts';
import { clouds } from '../pixels/noise.ts';
import { allocatePicture, channelOf, type Picture, type Planes } from '../pixels/picture.ts';
import { allocatePlane, type Plane, type Size } from '../pixels/plane.ts';
import { reduce, reducePicture } from '../pixels/reduce.ts';
import { clamp, clamp01, mix, smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { drawingTone } from './strokes/drawing-tone.ts';
import { flowLines } from './strokes/flow-lines.ts';
import { kuwahara } from './strokes/kuwahara.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import { fitClass } from './subject/people-classes.ts';
import type { Subject } from './subject/subject.ts';
import { groupColors } from './tiling/clusters.ts';

const forRows = rowsOf(import.meta.url);

/** Inks of the four prints, for the picture's colour groups from dark to light. */
const prints: readonly (readonly Rgb[])[] = [
  ['#2b1a6e', '#e6007e', '#ff7ab8', '#ffe14d', '#19c3e6'],
  ['#0b4f6c', '#00a878', '#ffb627', '#ffe9a8', '#ff5d8f'],
  ['#5a0f4d', '#ff4d00', '#ffa62b', '#ffd9c2', '#8de04a'],
  ['#10375c', '#7b2ff7', '#f49ac2', '#fff0f5', '#ffd400'],
].map((inks) => inks.map(rgbOf));
const groupCount = 5;
/** The ink that skin is printed in, and the one for clothes that would get the same. */
const skinInk = 3;
const clothesInk = 4;
const paperColor = rgbOf('#faf6ec');
const black = rgbOf('#141018');

/** Four silk-screen prints of one picture, two by two: flat inks, a black drawing, slightly out of register. */
export function popArt(subject: Subject): Picture {
  const { picture, unit, width, height, seed } = subject;
  const drawing = withArena(() => reduce(drawBlack(subject), 2));
  const half = reducePicture(picture, 2);
  const { width: columns, height: rows } = half;
  const light = channelOf(half, 1);
  const flat = toLab(kuwahara(half, tangentFlow(light, unit * 0.02), clamp(unit * 0.012, 2, 5)));
  const groups = groupColors(flat, groupCount, seed);
  const inkOf = inksForGroups(groups, columns, subject);
  if (subject.classes) partClothes(groups, inkOf, fitClass(subject.classes, 'clothes', half));
  const masks = Array.from({ length: inkOf.length }, (_, group) =>
    withArena(() => {
      const mask = allocatePlane(half);
      forRows(maskRows, rows, { columns, groups, group }, { mask: mask.data });
      return gaussianBlur(mask, 1.1).data;
    }),
  );
  const squeegee = clouds({ width, height }, { largest: unit * 0.7, octaves: 5, seed: seed + 2 }).data;
  const result = allocatePicture({ width, height });
  forRows(
    silkRows,
    height,
    { width, height, columns, rows, inkOf, masks, drawing: drawing.data, squeegee },
    { planes: result.planes },
  );
  return result;
}

export function maskRows(
  { columns, groups, group }: { columns: number; groups: Int32Array; group: number },
  { mask }: { mask: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * columns; i < to * columns; i++) mask[i] = groups[i] === group ? 1 : 0;
}

interface SilkInput extends Size {
  columns: number;
  rows: number;
  inkOf: readonly number[];
  masks: readonly Float32Array[];
  drawing: Float32Array;
  squeegee: Float32Array;
}

export function silkRows(
  { width, height, columns, rows, inkOf, masks, drawing, squeegee }: SilkInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const gap = Math.round(Math.min(width, height) * 0.006);
  const [outRed, outGreen, outBlue] = planes;
  for (let y = from; y < to; y++) {
    const below = y >= rows ? 1 : 0;
    const py = y - below * rows;
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const right = x >= columns ? 1 : 0;
      const px = x - right * columns;
      const inks = prints[below * 2 + right]!;
      const worn = smoothstep(0.2, 0.36, squeegee[i]!) * 0.25;
      if (px < gap || py < gap || px >= columns - gap || py >= rows - gap) {
        outRed[i] = paperColor[0];
        outGreen[i] = paperColor[1];
        outBlue[i] = paperColor[2];
        continue;
      }
      const shift = 2 + right;
      const j = Math.min(rows - 1, py + shift) * columns + Math.min(columns - 1, px + shift);
      const key = (1 - drawing[py * columns + px]!) * (1 - worn);
      let total = 1e-4;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let group = 0; group < masks.length; group++) {
        const mask = masks[group]![j]!;
        if (mask < 0.01) continue;
        const weight = mask * mask * mask;
        const ink = inks[inkOf[group]!]!;
        total += weight;
        red += ink[0] * weight;
        green += ink[1] * weight;
        blue += ink[2] * weight;
      }
      const shade = (1 + squeegee[i]! * 0.1) / total;
      outRed[i] = clamp01(mix(mix(red * shade, paperColor[0], worn * 0.4), black[0], key));
      outGreen[i] = clamp01(mix(mix(green * shade, paperColor[1], worn * 0.4), black[1], key));
      outBlue[i] = clamp01(mix(mix(blue * shade, paperColor[2], worn * 0.4), black[2], key));
    }
  }
}

/** Makes a group of its own of clothes that would be printed as skin, in place. */
function partClothes(groups: Int32Array, inkOf: number[], clothes: Float32Array): void {
  const own = inkOf.push(clothesInk) - 1;
  for (let i = 0; i < groups.length; i++) {
    if (clothes[i]! > 0.5 && inkOf[groups[i]!] === skinInk) groups[i] = own;
  }
}

/**
 * Which ink each colour group takes. Groups that faces are made of get the skin's ink and the one below it, wherever
 * they stand in the order: on a dark backdrop skin is the lightest group, and came out in the background's blue.
 * Highlights in faces join the skin; as a group of their own they were spots on the forehead.
 */
function inksForGroups(groups: Int32Array, columns: number, subject: Subject): number[] {
  const inFace: number[] = [];
  for (let i = 0; i < groups.length; i++) {
    const x = Math.min(subject.width - 1, (i % columns) * 2);
    const y = Math.min(subject.height - 1, Math.floor(i / columns) * 2);
    if (subject.face[y * subject.width + x]! > 0.4) inFace.push(i);
  }
  const members = new Int32Array(groupCount);
  for (const i of inFace) members[groups[i]!]! += 1;
  const order = Array.from({ length: groupCount }, (_, group) => group);
  const skin = order.filter((group) => group >= 2 && members[group]! > inFace.length * 0.2);
  const lightest = skin.at(-1);
  if (lightest === undefined) return order;
  for (const i of inFace) if (groups[i]! > lightest) groups[i] = lightest;
  if (lightest === groupCount - 1)
    for (const [below, group] of skin.reverse().entries()) order[group] = skinInk - below;
  return order;
}

/** The black drawing, with lines wide enough to stay sharp at half of the size. */
function drawBlack(subject: Subject): Plane {
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

import { type Rgb, rgbOf } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { allocatePicture, channelOf, type Picture, type Planes } from '../pixels/picture.ts';
import { clamp, clamp01 } from '../pixels/scalar.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import type { Subject } from './subject/subject.ts';

const forRows = rowsOf(import.meta.url);

const paperColor = rgbOf('#fbf7ea');

/** Cyan, magenta, yellow and black: the usual angles of their screens, and the colour of paper that is fully covered. */
const inks = [
  { angle: 15, ink: rgbOf('#0098d8') },
  { angle: 75, ink: rgbOf('#e5127d') },
  { angle: 0, ink: rgbOf('#ffe000') },
  { angle: 45, ink: rgbOf('#17161a') },
];

/** Four-colour printing, enlarged: four dot screens, slightly out of register, on newsprint. */
export function halftone(subject: Subject): Picture {
  const { picture, unit, width, height } = subject;
  // 34 dots over a face keep its expression; dots smaller than 6 pixels are not visible in the print.
  const cell = clamp(unit / 34, 6, 12);
  const tones = ([0, 1, 2] as const).map((index) => {
    const near = gaussianBlur(channelOf(picture, index), 0.9).data;
    const wide = gaussianBlur(channelOf(picture, index), cell * 0.9).data;
    forRows(sharpenChannelRows, height, { width, wide }, { near });
    return near;
  });
  const result = allocatePicture({ width, height });
  forRows(screenRows, height, { width, cell, tones }, { planes: result.planes });
  return result;
}

/** Sharpens a channel and lightens it: dots cover more than their share, so the print comes out as dark as the photo. */
export function sharpenChannelRows(
  { width, wide }: { width: number; wide: Float32Array },
  { near }: { near: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const crisp = clamp01(near[i]! + 0.9 * (near[i]! - wide[i]!));
    near[i] = 1 - (1 - crisp) * (1 - 0.32 * crisp) * 0.94;
  }
}

interface ScreenInput {
  width: number;
  /** Pixels from dot to dot. */
  cell: number;
  tones: readonly Float32Array[];
}

export function screenRows(
  { width, cell, tones }: ScreenInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  for (const [c, plane] of planes.entries()) plane.fill(paperColor[c]!, from * width, to * width);
  // Cyan and magenta are printed a fraction of a dot out of register.
  const shift = Math.round(cell * 0.14);
  const screens = inks.map(({ angle, ink }, index): Screen => {
    const radians = (angle * Math.PI) / 180;
    const cos = Math.cos(radians) / cell;
    const sin = Math.sin(radians) / cell;
    return { index, ink, cell, cos, sin, shift: index === 0 ? shift : index === 1 ? -shift : 0 };
  });
  for (let y = from; y < to; y++) {
    for (const screen of screens) printRow(screen, tones, { width, planes }, y);
  }
}

interface Screen {
  /** Number of the ink. */
  index: number;
  ink: Rgb;
  cell: number;
  /** Direction of the screen, divided by the cell. */
  cos: number;
  sin: number;
  /** Pixels out of register. */
  shift: number;
}

function printRow(
  { index, ink, cell, cos, sin, shift }: Screen,
  [red, green, blue]: readonly Float32Array[],
  { width, planes: [outRed, outGreen, outBlue] }: Pick<Picture, 'width' | 'planes'>,
  y: number,
): void {
  const [lossRed, lossGreen, lossBlue] = [1 - ink[0], 1 - ink[1], 1 - ink[2]];
  const row = y * width;
  for (let x = 0; x < width; x++) {
    const j = row + clamp(x + shift, 0, width - 1);
    const cyan = 1 - red![j]!;
    const magenta = 1 - green![j]!;
    const yellow = 1 - blue![j]!;
    const common = Math.min(cyan, magenta, yellow);
    const black = common * common * common * 0.96;
    const own = index === 0 ? cyan : index === 1 ? magenta : yellow;
    const amount = index === 3 ? black : (own - black) / (1.001 - black);
    if (amount < 0.012) continue;
    const u = x * cos + y * sin;
    const v = y * cos - x * sin;
    const du = u - Math.floor(u) - 0.5;
    const dv = v - Math.floor(v) - 0.5;
    const distance = Math.sqrt(du * du + dv * dv);
    const radius = Math.sqrt(amount / Math.PI) * 1.16;
    const cover = clamp01((radius - distance) * cell * 0.9 + 0.5);
    if (cover === 0) continue;
    const i = row + x;
    outRed[i] = outRed[i]! * (1 - cover * lossRed);
    outGreen[i] = outGreen[i]! * (1 - cover * lossGreen);
    outBlue[i] = outBlue[i]! * (1 - cover * lossBlue);
  }
}

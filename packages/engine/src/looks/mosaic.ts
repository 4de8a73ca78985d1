import { rgbOf } from '../pixels/colour.ts';
import { gaussianBlur } from '../pixels/gaussian-blur.ts';
import { clouds } from '../pixels/noise.ts';
import {
  allocatePicture,
  channelOf,
  lumaOf,
  lumaPlane,
  type Picture,
  type Planes,
} from '../pixels/picture.ts';
import { allocatePlane, type Plane } from '../pixels/plane.ts';
import { randomFrom } from '../pixels/random.ts';
import { clamp, clamp01, mix, smoothstep } from '../pixels/scalar.ts';
import { allocateIntegers, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { kuwahara } from './strokes/kuwahara.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import type { Subject } from './subject/subject.ts';
import { meanColors } from './tiling/label-map.ts';
import { type Points, scatterPoints } from './tiling/scatter.ts';
import { layTiles, type Tiling } from './tiling/tiles.ts';

const forRows = rowsOf(import.meta.url);

const grout = rgbOf('#554d44');

/** Glass tiles in rows along the forms, small ones in faces, each a little tilted, in dark grout. */
export function mosaic(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, people, seed } = subject;
  const flow = tangentFlow(lumaPlane(picture), unit * 0.16);
  const sharp = kuwahara(picture, flow, clamp(unit * 0.008, 1, 3));
  sharpen(sharp, unit * 0.03, face);
  const small = clamp(unit * 0.023, 5.5, 12);
  const large = Math.max(small * 2, unit * 0.085);
  const sizes = allocatePlane({ width, height });
  forRows(sizeRows, height, { width, small, large, face, features, people }, { sizes: sizes.data });
  const distanceAt = (i: number) => sizes.data[i]! * 0.86;
  const tiling = layTiles(scatterPoints(subject, { smallest: small, distanceAt, seed }), sizes, flow, 7);
  return setInGrout(subject, tiling, tileColors(sharp, tiling, sizes), large);
}

/** The colour of each tile, from the middle of it: a tile on a contour takes the colour of one side. */
function tileColors(picture: Picture, tiling: Tiling, sizes: Plane): Float32Array {
  const { width, height, labels, inset, centers } = tiling;
  const middles = { width, height, labels: allocateIntegers(width * height) };
  forRows(middleRows, height, { width, labels, inset, sizes: sizes.data }, { middles: middles.labels });
  const colors = meanColors(picture, middles, {
    count: centers.count,
    centerOf: (tile) => (centers.y[tile]! | 0) * width + (centers.x[tile]! | 0),
  });
  for (let at = 0; at < colors.length; at += 3) {
    const luma = lumaOf(colors[at]!, colors[at + 1]!, colors[at + 2]!);
    for (let c = 0; c < 3; c++) colors[at + c] = luma + (colors[at + c]! - luma) * 1.3;
  }
  return colors;
}

interface SizeInput {
  width: number;
  small: number;
  large: number;
  face: Float32Array;
  features: Float32Array;
  people: Float32Array;
}

export function sizeRows(
  { width, small, large, face, features, people }: SizeInput,
  { sizes }: { sizes: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const inFace = Math.min(1, face[i]! * 1.3);
    sizes[i] = mix(mix(large, large * 0.7, people[i]!), mix(small * 1.35, small, features[i]!), inFace);
  }
}

interface MiddleInput {
  width: number;
  labels: Int32Array;
  inset: Float32Array;
  sizes: Float32Array;
}

/** The labels of the tiles' middles; −1 towards their edges. */
export function middleRows(
  { width, labels, inset, sizes }: MiddleInput,
  { middles }: { middles: Int32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) middles[i] = inset[i]! < sizes[i]! * 0.3 ? -1 : labels[i]!;
}

/** Draws the tiles: bevelled, each tilted at random, the grout tinted a little by the tiles. */
function setInGrout(subject: Subject, tiling: Tiling, colors: Float32Array, large: number): Picture {
  const { width, height, face, seed } = subject;
  const { labels, inset, centers } = tiling;
  const random = randomFrom(seed + 1);
  const tilt = new Float32Array(centers.count * 3);
  for (let i = 0; i < tilt.length; i++) tilt[i] = random() - 0.5;
  const mottle = clouds({ width, height }, { largest: 7, octaves: 2, seed: seed + 2 }).data;
  const result = allocatePicture({ width, height });
  forRows(
    groutRows,
    height,
    { width, large, labels, inset, centers, tilt, colors, mottle, face },
    { planes: result.planes },
  );
  return result;
}

interface GroutInput {
  width: number;
  large: number;
  labels: Int32Array;
  inset: Float32Array;
  centers: Points;
  tilt: Float32Array;
  colors: Float32Array;
  mottle: Float32Array;
  face: Float32Array;
}

export function groutRows(
  { width, large, labels, inset, centers, tilt, colors, mottle, face }: GroutInput,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let y = from; y < to; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const tile = labels[i]!;
      const rough = 1 + mottle[i]! * 0.5;
      if (tile < 0) {
        red[i] = clamp01(grout[0] * rough);
        green[i] = clamp01(grout[1] * rough);
        blue[i] = clamp01(grout[2] * rough);
        continue;
      }
      const gap = mix(1.15, 0.7, face[i]!);
      const tileShare = smoothstep(gap * 0.5, gap * 1.4, inset[i]!);
      const dx = (x - centers.x[tile]!) / large;
      const dy = (y - centers.y[tile]!) / large;
      const at = tile * 3;
      const bevel = smoothstep(gap + 2.6, gap, inset[i]!) * -(dx + dy) * 0.55;
      const reflection = (dx * tilt[at]! + dy * tilt[at + 1]!) * 0.5 + tilt[at + 2]! * 0.09;
      const light = 1 + (bevel + reflection) * mix(1, 0.45, face[i]!) + mottle[i]! * 0.1;
      const tinted = mix(0.4, 0.75, face[i]!);
      const r = colors[at]!;
      const g = colors[at + 1]!;
      const b = colors[at + 2]!;
      red[i] = clamp01(mix(mix(grout[0], r * 0.5, tinted) * rough, clamp01(r * light + 0.02), tileShare));
      green[i] = clamp01(mix(mix(grout[1], g * 0.5, tinted) * rough, clamp01(g * light + 0.02), tileShare));
      blue[i] = clamp01(mix(mix(grout[2], b * 0.5, tinted) * rough, clamp01(b * light + 0.02), tileShare));
    }
  }
}

/** Strengthens detail smaller than a few tiles, most of all in faces, in place: each tile averages some of it away. */
function sharpen(picture: Picture, reach: number, face: Float32Array): void {
  const { width, height } = picture;
  for (const index of [0, 1, 2] as const) {
    withArena(() => {
      const around = gaussianBlur(channelOf(picture, index), reach).data;
      forRows(sharpenTileRows, height, { width, around, face }, { plane: picture.planes[index] });
    });
  }
}

export function sharpenTileRows(
  { width, around, face }: { width: number; around: Float32Array; face: Float32Array },
  { plane }: { plane: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++)
    plane[i] = clamp01(plane[i]! + (plane[i]! - around[i]!) * mix(0.35, 0.9, face[i]!));
}

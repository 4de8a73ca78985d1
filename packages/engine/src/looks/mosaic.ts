import { clamp, clamp01, mix, rgbOf, smoothstep } from '../pixels/colour.ts';
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
import { randomFrom } from '../pixels/random.ts';
import { allocate, allocateIntegers, withArena } from '../runtime/arena.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';
import { kuwahara } from './strokes/kuwahara.ts';
import { tangentFlow } from './strokes/tangent-flow.ts';
import type { Subject } from './subject/subject.ts';
import { regionColors } from './tiling/region-colors.ts';
import { type Spots, scatter } from './tiling/scatter.ts';
import { layTiles, type Tiling } from './tiling/tiles.ts';

const forRows = rowsOf(import.meta.url);

const grout = rgbOf('#554d44');

/** Glass tesserae in rows along the forms, small ones for faces, each a little tilted, set in dark grout. */
export function mosaic(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, people, seed } = subject;
  const flow = tangentFlow(lumaPlane(picture), unit * 0.16);
  const sharp = kuwahara(picture, flow, clamp(unit * 0.008, 1, 3));
  crisp(sharp, unit * 0.03, face);
  const small = clamp(unit * 0.023, 5.5, 12);
  const large = Math.max(small * 2, unit * 0.085);
  const sizes = allocate(width * height);
  forRows(sizeRows, height, { width, small, large, face, features, people }, { sizes });
  const spots = scatter(width, height, small, (i) => sizes[i]! * 0.86, seed);
  const tiling = layTiles(width, height, spots, sizes, flow, 7);
  // Coloured from their middles: tiles on a contour take one side or the other.
  const middles = allocateIntegers(width * height);
  forRows(middleRows, height, { width, owner: tiling.owner, inset: tiling.inset, sizes }, { middles });
  const colors = regionColors(
    sharp,
    middles,
    spots.count,
    (tile) => (spots.y[tile]! | 0) * width + (spots.x[tile]! | 0),
  );
  for (let at = 0; at < colors.length; at += 3) {
    const value = lumaOf(colors[at]!, colors[at + 1]!, colors[at + 2]!);
    for (let c = 0; c < 3; c++) colors[at + c] = value + (colors[at + c]! - value) * 1.3;
  }
  return setInGrout(subject, tiling, colors, large);
}

interface Wanted {
  width: number;
  small: number;
  large: number;
  face: Float32Array;
  features: Float32Array;
  people: Float32Array;
}

export function sizeRows(
  { width, small, large, face, features, people }: Wanted,
  { sizes }: { sizes: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const still = Math.min(1, face[i]! * 1.3);
    sizes[i] = mix(mix(large, large * 0.7, people[i]!), mix(small * 1.35, small, features[i]!), still);
  }
}

export function middleRows(
  {
    width,
    owner,
    inset,
    sizes,
  }: { width: number; owner: Int32Array; inset: Float32Array; sizes: Float32Array },
  { middles }: { middles: Int32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) middles[i] = inset[i]! < sizes[i]! * 0.3 ? -1 : owner[i]!;
}

/** Draws the tiles: bevelled, each tilted its own way, the joints a little of the tiles' colour. */
function setInGrout(subject: Subject, tiling: Tiling, colors: Float32Array, large: number): Picture {
  const { width, height, face, seed } = subject;
  const { owner, inset, spots } = tiling;
  const random = randomFrom(seed + 1);
  const tilt = new Float32Array(spots.count * 3);
  for (let i = 0; i < tilt.length; i++) tilt[i] = random() - 0.5;
  const mottle = clouds({ width, height }, { largest: 7, octaves: 2, seed: seed + 2 }).data;
  const result = allocatePicture({ width, height });
  forRows(
    groutRows,
    height,
    { width, large, owner, inset, spots, tilt, colors, mottle, face },
    { planes: result.planes },
  );
  return result;
}

interface Laid {
  width: number;
  large: number;
  owner: Int32Array;
  inset: Float32Array;
  spots: Spots;
  tilt: Float32Array;
  colors: Float32Array;
  mottle: Float32Array;
  face: Float32Array;
}

export function groutRows(
  { width, large, owner, inset, spots, tilt, colors, mottle, face }: Laid,
  { planes }: { planes: Planes },
  from: number,
  to: number,
): void {
  const shown = (c: 0 | 1 | 2, glass: number, light: number, tinted: number, rough: number, stone: number) =>
    clamp01(mix(mix(grout[c], glass * 0.5, tinted) * rough, clamp01(glass * light + 0.02), stone));
  const [red, green, blue] = planes;
  for (let y = from; y < to; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const tile = owner[i]!;
      const rough = 1 + mottle[i]! * 0.5;
      if (tile < 0) {
        red[i] = clamp01(grout[0] * rough);
        green[i] = clamp01(grout[1] * rough);
        blue[i] = clamp01(grout[2] * rough);
        continue;
      }
      const gap = mix(1.15, 0.7, face[i]!);
      const stone = smoothstep(gap * 0.5, gap * 1.4, inset[i]!);
      const dx = (x - spots.x[tile]!) / large;
      const dy = (y - spots.y[tile]!) / large;
      const at = tile * 3;
      const bevel = smoothstep(gap + 2.6, gap, inset[i]!) * -(dx + dy) * 0.55;
      const gleam = (dx * tilt[at]! + dy * tilt[at + 1]!) * 0.5 + tilt[at + 2]! * 0.09;
      const light = 1 + (bevel + gleam) * mix(1, 0.45, face[i]!) + mottle[i]! * 0.1;
      const tinted = mix(0.4, 0.75, face[i]!);
      red[i] = shown(0, colors[at]!, light, tinted, rough, stone);
      green[i] = shown(1, colors[at + 1]!, light, tinted, rough, stone);
      blue[i] = shown(2, colors[at + 2]!, light, tinted, rough, stone);
    }
  }
}

/** Deepens what is smaller than a few tiles, most of all in faces: each tile averages some of it away again. In place. */
function crisp(picture: Picture, reach: number, face: Float32Array): void {
  const { width, height } = picture;
  for (const index of [0, 1, 2] as const) {
    withArena(() => {
      const around = gaussianBlur(channelOf(picture, index), reach).data;
      forRows(crispTileRows, height, { width, around, face }, { plane: picture.planes[index] });
    });
  }
}

export function crispTileRows(
  { width, around, face }: { width: number; around: Float32Array; face: Float32Array },
  { plane }: { plane: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++)
    plane[i] = clamp01(plane[i]! + (plane[i]! - around[i]!) * mix(0.35, 0.9, face[i]!));
}

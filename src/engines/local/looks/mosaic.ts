import { clamp, smoothstep } from '../colour.ts';
import type { Picture } from '../picture.ts';
import { randomFrom } from '../random.ts';
import { tangentFlow } from './flow.ts';
import { kuwahara } from './kuwahara.ts';
import { clouds } from './noise.ts';
import { channel, gaussian, grey, luma, newPicture } from './plane.ts';
import { regionColors } from './region-colors.ts';
import { scatter } from './scatter.ts';
import type { Subject } from './subject.ts';
import { layTiles, type Tiling } from './tiles.ts';
import { color, mix, within } from './tone.ts';

const grout = color('#554d44');

/** Glass tesserae in rows along the forms, small ones for faces, each a little tilted, set in dark grout. */
export function mosaic(subject: Subject): Picture {
  const { picture, unit, width, height, face, features, people, seed } = subject;
  const flow = tangentFlow(luma(picture), unit * 0.16);
  const sharp = crisp(kuwahara(picture, flow, clamp(unit * 0.008, 1, 3)), unit * 0.03, face);
  const small = clamp(unit * 0.023, 5.5, 12);
  const large = Math.max(small * 2, unit * 0.085);
  const sizes = new Float32Array(width * height);
  for (let i = 0; i < sizes.length; i++) {
    const still = Math.min(1, face[i]! * 1.3);
    sizes[i] = mix(mix(large, large * 0.7, people[i]!), mix(small * 1.35, small, features[i]!), still);
  }
  const spots = scatter(width, height, small, (i) => sizes[i]! * 0.86, seed);
  const tiling = layTiles(width, height, spots, sizes, flow, 7);
  // Coloured from their middles: tiles on a contour take one side or the other.
  const middles = tiling.owner.slice();
  for (let i = 0; i < middles.length; i++) if (tiling.inset[i]! < sizes[i]! * 0.3) middles[i] = -1;
  const colors = regionColors(
    sharp,
    middles,
    spots.count,
    (tile) => (spots.y[tile]! | 0) * width + (spots.x[tile]! | 0),
  );
  for (let at = 0; at < colors.length; at += 3) {
    const value = grey(colors[at]!, colors[at + 1]!, colors[at + 2]!);
    for (let c = 0; c < 3; c++) colors[at + c] = value + (colors[at + c]! - value) * 1.3;
  }
  return setInGrout(subject, tiling, colors, large);
}

/** Draws the tiles: bevelled, each tilted its own way, the joints a little of the tiles' colour. */
function setInGrout(subject: Subject, tiling: Tiling, colors: Float32Array, large: number): Picture {
  const { width, height, face, seed } = subject;
  const { owner, inset, spots } = tiling;
  const random = randomFrom(seed + 1);
  const tilt = new Float32Array(spots.count * 3);
  for (let i = 0; i < tilt.length; i++) tilt[i] = random() - 0.5;
  const mottle = clouds(width, height, 7, 2, seed + 2).data;
  const result = newPicture(width, height);
  for (let i = 0; i < owner.length; i++) {
    const tile = owner[i]!;
    const rough = 1 + mottle[i]! * 0.5;
    if (tile < 0) {
      for (let c = 0; c < 3; c++) result.planes[c]![i] = within(grout[c]! * rough);
      continue;
    }
    const gap = mix(1.15, 0.7, face[i]!);
    const stone = smoothstep(gap * 0.5, gap * 1.4, inset[i]!);
    const dx = ((i % width) - spots.x[tile]!) / large;
    const dy = (((i / width) | 0) - spots.y[tile]!) / large;
    const at = tile * 3;
    const bevel = smoothstep(gap + 2.6, gap, inset[i]!) * -(dx + dy) * 0.55;
    const gleam = (dx * tilt[at]! + dy * tilt[at + 1]!) * 0.5 + tilt[at + 2]! * 0.09;
    const light = 1 + (bevel + gleam) * mix(1, 0.45, face[i]!) + mottle[i]! * 0.1;
    const tinted = mix(0.4, 0.75, face[i]!);
    for (let c = 0; c < 3; c++) {
      const glass = colors[at + c]!;
      const joint = mix(grout[c]!, glass * 0.5, tinted) * rough;
      result.planes[c]![i] = within(mix(joint, within(glass * light + 0.02), stone));
    }
  }
  return result;
}

/** Deepens what is smaller than a few tiles, most of all in faces: each tile averages some of it away again. */
function crisp(picture: Picture, reach: number, face: Float32Array): Picture {
  const result = newPicture(picture.width, picture.height);
  for (const index of [0, 1, 2] as const) {
    const from = picture.planes[index];
    const around = gaussian(channel(picture, index), reach).data;
    const to = result.planes[index];
    for (let i = 0; i < to.length; i++)
      to[i] = within(from[i]! + (from[i]! - around[i]!) * mix(0.35, 0.9, face[i]!));
  }
  return result;
}

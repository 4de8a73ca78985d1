import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import type { Plane } from '../../pixels/plane.ts';
import { withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import { type Flow, smearAlong } from './tangent-flow.ts';

const forRows = rowsOf(import.meta.url);

export interface LineStyle {
  /** Half the width of a line, in pixels. */
  sigma: number;
  /** How much fainter edges still give a line. */
  sharpness: number;
  /** How much lightness itself counts: 1 as in ink, where shadows fill; 0 for contours alone, with `fill` below 0. */
  tone: number;
  /** Lightness below which even a flat area turns dark: 0 gives lines alone, 0.5 also fills shadows. */
  fill: number;
  /** How hard ink meets paper; 4 is soft pencil, 20 is a pen. */
  hardness: number;
  /** Pixels to each side, along the flow, over which a broken line is joined. */
  length: number;
}

/**
 * Extended difference of Gaussians along the flow (Winnemöller, Kyprianidis): 1 is paper, 0 is line. Lines run with
 * the forms instead of breaking into grain, which a plain difference of Gaussians does on skin and hair.
 */
export function flowLines(lightness: Plane, flow: Flow, style: LineStyle): Plane {
  const { width, height } = lightness;
  return withArena(() => {
    const sharpened = gaussianBlur(lightness, style.sigma);
    const wide = gaussianBlur(lightness, style.sigma * 1.6).data;
    const { tone, sharpness, fill, hardness } = style;
    forRows(sharpenRows, height, { width, wide, tone, sharpness }, { near: sharpened.data });
    const joined = smearAlong(sharpened, flow, {
      steps: Math.round(style.length / 1.7),
      stride: 1.7,
      taper: true,
      within: [fill - 0.6, fill + 0.45],
      paper: fill,
    });
    forRows(inkRows, height, { width, fill, hardness }, { data: joined.data });
    return joined;
  });
}

export function sharpenRows(
  { width, wide, tone, sharpness }: { width: number; wide: Float32Array; tone: number; sharpness: number },
  { near }: { near: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++)
    near[i] = tone * near[i]! + sharpness * (near[i]! - wide[i]!);
}

export function inkRows(
  { width, fill, hardness }: { width: number; fill: number; hardness: number },
  { data }: { data: Float32Array },
  from: number,
  to: number,
): void {
  for (let i = from * width; i < to * width; i++) {
    const under = (data[i]! - fill) * hardness;
    data[i] = under >= 0 ? 1 : under < -9 ? 0 : 1 + Math.tanh(under);
  }
}

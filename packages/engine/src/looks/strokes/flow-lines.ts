import { gaussianBlur } from '../../pixels/gaussian-blur.ts';
import type { Plane } from '../../pixels/plane.ts';
import { withArena } from '../../runtime/arena.ts';
import { rowsOf } from '../../runtime/parallel-rows.ts';
import { averageAlongFlow } from './flow-average.ts';
import type { Flow } from './tangent-flow.ts';

const forRows = rowsOf(import.meta.url);

export interface LineStyle {
  /** Half the width of a line, in pixels. */
  sigma: number;
  /** Contrast of edges: the higher, the fainter the edges that give a line. */
  sharpness: number;
  /** How much lightness counts beside contrast: 1 fills shadows; 0, with `fill` below 0, gives contours alone. */
  tone: number;
  /** Lightness below which even a flat area turns dark: 0 gives lines alone, 0.5 also fills shadows. */
  fill: number;
  /** Steepness of the step from line to paper; 4 is a soft pencil, 20 is a pen. */
  hardness: number;
  /** Pixels to each side, along the flow, over which gaps in a line are closed. */
  length: number;
}

/**
 * Extended difference of Gaussians along the flow (Winnemöller, Kyprianidis): 1 is paper, 0 is line. A plain difference
 * of Gaussians breaks into grain on skin and hair.
 */
export function flowLines(lightness: Plane, flow: Flow, style: LineStyle): Plane {
  const { width, height } = lightness;
  return withArena(() => {
    const sharpened = gaussianBlur(lightness, style.sigma);
    const wide = gaussianBlur(lightness, style.sigma * 1.6).data;
    const { tone, sharpness, fill, hardness } = style;
    forRows(sharpenRows, height, { width, wide, tone, sharpness }, { near: sharpened.data });
    const joined = averageAlongFlow(sharpened, flow, {
      steps: Math.round(style.length / 1.7),
      stride: 1.7,
      taper: true,
      range: [fill - 0.6, fill + 0.45],
      ceiling: fill,
    });
    forRows(inkRows, height, { width, fill, hardness }, { data: joined.data });
    return joined;
  });
}

interface SharpenInput extends Pick<LineStyle, 'tone' | 'sharpness'> {
  width: number;
  wide: Float32Array;
}

export function sharpenRows(
  { width, wide, tone, sharpness }: SharpenInput,
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

import { type Flow, smearAlong } from './flow.ts';
import { gaussian, newPlane, type Plane } from './plane.ts';

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
  const near = gaussian(lightness, style.sigma).data;
  const wide = gaussian(lightness, style.sigma * 1.6).data;
  const sharpened = newPlane(lightness.width, lightness.height);
  const p = style.sharpness;
  for (let i = 0; i < near.length; i++) sharpened.data[i] = style.tone * near[i]! + p * (near[i]! - wide[i]!);
  const joined = smearAlong(sharpened, flow, {
    steps: Math.round(style.length / 1.7),
    stride: 1.7,
    taper: true,
    within: [style.fill - 0.6, style.fill + 0.45],
  });
  const { data } = joined;
  for (let i = 0; i < data.length; i++) {
    const under = data[i]! - style.fill;
    data[i] = under >= 0 ? 1 : 1 + Math.tanh(style.hardness * under);
  }
  return joined;
}

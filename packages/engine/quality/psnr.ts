import type { Frame } from '../src/video/frame.ts';

/** Peak signal-to-noise ratio of two frames' luma, in dB. */
export function psnr(a: Frame, b: Frame): number {
  let sum = 0;
  for (let i = 0; i < a.y.length; i++) sum += (a.y[i]! - b.y[i]!) ** 2;
  return sum === 0 ? Infinity : 10 * Math.log10((255 * 255 * a.y.length) / sum);
}

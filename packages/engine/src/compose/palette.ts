import { luminance, type Rgb } from '../pixels/colour.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import { clamp, smoothstep } from '../pixels/scalar.ts';
import type { Palette } from '../prompt/prompt-notes.ts';

interface Toning {
  saturation: number;
  /** Added to shadows and to highlights, in display values. */
  shadows: Rgb;
  highlights: Rgb;
  /** Black and white of the result. */
  range: readonly [black: number, white: number];
}

const plain: Toning = { saturation: 1, shadows: [0, 0, 0], highlights: [0, 0, 0], range: [0, 1] };

const tonings: Record<Palette, Toning> = {
  warm: { ...plain, saturation: 1.06, shadows: [0.02, 0, -0.02], highlights: [0.05, 0.015, -0.06] },
  cool: { ...plain, saturation: 0.96, shadows: [-0.025, 0, 0.04], highlights: [-0.045, 0, 0.04] },
  vivid: { ...plain, saturation: 1.38 },
  muted: { saturation: 0.62, shadows: [0.01, 0.01, 0.02], highlights: [0.01, 0, -0.02], range: [0.05, 0.96] },
  pastel: { saturation: 0.72, shadows: [0.03, 0.02, 0.05], highlights: [0.02, 0.01, 0.02], range: [0.16, 1] },
  monochrome: { ...plain, saturation: 0 },
  sepia: { saturation: 0, shadows: [0.05, 0.01, -0.03], highlights: [0.06, 0.01, -0.1], range: [0.03, 0.97] },
};

/** Tones a whole picture in the palette's colours. Of the cool palette, warm colours such as skin get half. */
export function applyPalette(picture: Picture, palette: Palette): Picture {
  const { saturation, shadows, highlights, range } = tonings[palette];
  const [red, green, blue] = picture.planes;
  const planes: Planes = [red.slice(), green.slice(), blue.slice()];
  for (let i = 0; i < red.length; i++) {
    const level = luminance(red[i]!, green[i]!, blue[i]!);
    const bright = smoothstep(0, 1, level);
    const warm = clamp((red[i]! - blue[i]!) * 4, 0, 1);
    for (let c = 0; c < 3; c++) {
      const value = level + (picture.planes[c]![i]! - level) * saturation;
      const shift = shadows[c]! + (highlights[c]! - shadows[c]!) * bright;
      const kept = palette === 'cool' ? 1 - 0.5 * warm : 1;
      planes[c]![i] = clamp(range[0] + (value + shift * kept) * (range[1] - range[0]), 0, 1);
    }
  }
  return { ...picture, planes };
}

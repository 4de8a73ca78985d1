import { clamp } from '../colour.ts';
import type { Picture } from '../picture.ts';
import { channel, gaussian, newPicture } from './plane.ts';
import type { Subject } from './subject.ts';
import { color, within } from './tone.ts';

const paperColor = color('#fbf7ea');

/** The four inks of newspaper colour: the classic screen angles, as light left by full cover. */
const inks = [
  { angle: 15, ink: color('#0098d8') },
  { angle: 75, ink: color('#e5127d') },
  { angle: 0, ink: color('#ffe000') },
  { angle: 45, ink: color('#17161a') },
];

/** Colour printing under the magnifying glass: four dot screens, a small misprint, newsprint below. */
export function halftone(subject: Subject): Picture {
  const { picture, unit, width, height } = subject;
  // 34 dots over a face keep its expression; from 6 pixels a dot can be seen in the print.
  const cell = clamp(unit / 34, 6, 12);
  const [red, green, blue] = ([0, 1, 2] as const).map((index) => {
    const plane = channel(picture, index);
    const near = gaussian(plane, 0.9).data;
    const wide = gaussian(plane, cell * 0.9).data;
    // Dots grow in print: lifted tones come out as the photo's.
    for (let i = 0; i < near.length; i++) {
      const crisp = within(near[i]! + 0.9 * (near[i]! - wide[i]!));
      near[i] = 1 - (1 - crisp) * (1 - 0.32 * crisp) * 0.94;
    }
    return near;
  });
  const result = newPicture(width, height);
  const [outRed, outGreen, outBlue] = result.planes;
  for (const [index, { angle, ink }] of inks.entries()) {
    const cos = Math.cos((angle * Math.PI) / 180) / cell;
    const sin = Math.sin((angle * Math.PI) / 180) / cell;
    const [lossRed, lossGreen, lossBlue] = [1 - ink[0], 1 - ink[1], 1 - ink[2]];
    // Cyan and magenta are printed a fraction of a dot off, as presses do.
    const shift = index === 0 ? Math.round(cell * 0.14) : index === 1 ? -Math.round(cell * 0.14) : 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const i = y * width + x;
        const j = y * width + Math.min(width - 1, Math.max(0, x + shift));
        const cyan = 1 - red![j]!;
        const magenta = 1 - green![j]!;
        const yellow = 1 - blue![j]!;
        const common = Math.min(cyan, magenta, yellow);
        const black = common * common * common * 0.96;
        const own = index === 0 ? cyan : index === 1 ? magenta : yellow;
        const amount = index === 3 ? black : Math.max(0, (own - black) / (1.001 - black));
        const u = x * cos + y * sin;
        const v = y * cos - x * sin;
        const du = u - Math.floor(u) - 0.5;
        const dv = v - Math.floor(v) - 0.5;
        const away = Math.sqrt(du * du + dv * dv);
        const radius = Math.sqrt(amount / Math.PI) * 1.16;
        const cover = amount < 0.012 ? 0 : within((radius - away) * cell * 0.9 + 0.5);
        if (index === 0) {
          outRed[i] = paperColor[0];
          outGreen[i] = paperColor[1];
          outBlue[i] = paperColor[2];
        }
        outRed[i]! *= 1 - cover * lossRed;
        outGreen[i]! *= 1 - cover * lossGreen;
        outBlue[i]! *= 1 - cover * lossBlue;
      }
    }
  }
  return result;
}

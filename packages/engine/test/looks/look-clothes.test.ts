import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lookNames } from '../../src/looks/look-names.ts';
import { applyLook, classDetailOf } from '../../src/looks/looks.ts';
import type { ClassMap } from '../../src/looks/subject/people-classes.ts';
import { lumaOf, type Picture } from '../../src/pixels/picture.ts';
import { type Colour, faceAt, paint } from '../support/drawn-people.ts';

/** Drawn at this share of a picture of 240×320, in whose pixels the parts of the guest are told. */
const drawnAt = 0.75;
const size = { width: 240 * drawnAt, height: 320 * drawnAt };
const face = faceAt(120 * drawnAt, 80 * drawnAt, 90 * drawnAt);

/** A head with hair above a bare neck and shoulders; a top without sleeves from row 180 on, 45 pixels to both sides. */
function partAt(x: number, y: number): keyof ClassMap['shares'] | null {
  if (Math.hypot((x - 120) / 38, (y - 80) / 47) < 1) return 'faceSkin';
  if (Math.hypot((x - 120) / 50, (y - 70) / 58) < 1 && y < 90) return 'hair';
  if (y > 180 && Math.abs(x - 120) < 45) return 'clothes';
  return (y > 110 && Math.abs(x - 120) < 20) || (y > 145 && Math.abs(x - 120) < 75) ? 'bodySkin' : null;
}

/** Somebody in a mint top that is as light as the skin, or lighter by some of its light. */
function drawGuest(skin: Colour, lighter = 0): { picture: Picture; classes: ClassMap } {
  const mint: Colour = [0.62, 1, 0.87];
  const gain = (lumaOf(...skin) + lighter) / lumaOf(...mint);
  const colours: Record<string, Colour> = {
    hair: [0.2, 0.14, 0.1],
    clothes: [mint[0] * gain, mint[1] * gain, mint[2] * gain],
  };
  const picture = paint(size.width, size.height, (column, row) => {
    const [x, y] = [column / drawnAt, row / drawnAt];
    const isFeature = y > 68 && y < 74 && Math.abs(Math.abs(x - 120) - 17) < 7;
    const part = partAt(x, y);
    if (part === null) return [0.25, 0.27, 0.3];
    return part === 'faceSkin' && isFeature ? [0.15, 0.1, 0.1] : (colours[part] ?? skin);
  });
  const share = (name: string) =>
    Float32Array.from({ length: size.width * size.height }, (_, i) =>
      partAt((i % size.width) / drawnAt, Math.floor(i / size.width) / drawnAt) === name ? 1 : 0,
    );
  const shares = {
    hair: share('hair'),
    bodySkin: share('bodySkin'),
    faceSkin: share('faceSkin'),
    clothes: share('clothes'),
  };
  return { picture, classes: { ...size, shares } };
}

/** The mean colour of some columns of the body, below the neckline; pop art shows it at half of the size. */
function meanOf(picture: Picture, from: number, to: number, scale: number): Colour {
  const sums: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (let y = Math.round(200 * scale); y < 310 * scale; y++) {
    for (let x = Math.round(from * scale); x < to * scale; x++, count++) {
      for (const c of [0, 1, 2] as const) sums[c] += picture.planes[c][y * picture.width + x]!;
    }
  }
  return [sums[0] / count, sums[1] / count, sums[2] / count];
}

/** How far apart the top and an arm are, and by how much the line between them is darker or lighter than both. */
function compareTop(picture: Picture, scale: number): { apart: number; line: number } {
  const top = meanOf(picture, 90, 150, scale);
  const arm = meanOf(picture, 52, 68, scale);
  const tones = [lumaOf(...top), lumaOf(...arm)];
  const lines = Array.from({ length: 16 }, (_, k) =>
    lumaOf(...meanOf(picture, 67 + k, 68 + k + 1 / scale, scale)),
  );
  return {
    apart: Math.hypot(top[0] - arm[0], top[1] - arm[1], top[2] - arm[2]),
    line: Math.max(Math.min(...tones) - Math.min(...lines), Math.max(...lines) - Math.max(...tones)),
  };
}

/** How much the luma of some columns of the body changes from a pixel to the fourth below it, in the mean. */
function textureOf(picture: Picture, from: number, to: number): number {
  const [red, green, blue] = picture.planes;
  const lumaAt = (i: number) => lumaOf(red[i]!, green[i]!, blue[i]!);
  let [sum, count] = [0, 0];
  for (let y = Math.round(200 * drawnAt); y < 310 * drawnAt - 4; y++) {
    for (let x = Math.round(from * drawnAt); x < to * drawnAt; x++, count++) {
      const i = y * picture.width + x;
      sum += Math.abs(lumaAt(i) - lumaAt(i + 4 * picture.width));
    }
  }
  return sum / count;
}

const skins: Record<string, Colour> = {
  pale: [0.95, 0.82, 0.74],
  brown: [0.68, 0.47, 0.36],
  dark: [0.36, 0.24, 0.18],
};

describe('a top that is as light as skin', () => {
  for (const name of lookNames) {
    it(`is not drawn as skin in ${name}`, () => {
      // Looks that need not know people have the photo's colours, whatever they are.
      const tones = classDetailOf(name) ? Object.keys(skins) : ['brown'];
      for (const tone of tones) {
        const skin = skins[tone]!;
        const { picture, classes } = drawGuest(skin);
        const drawn = applyLook(name, picture, [face], 1, classDetailOf(name) ? classes : null);
        const { apart, line } = compareTop(drawn, name === 'pop-art' ? 0.5 * drawnAt : drawnAt);
        const measured = `${tone}: apart ${apart.toFixed(2)}, line ${line.toFixed(2)}`;
        // Looks with the photo's colours have no need of a line.
        assert.ok(apart > 0.25 || (apart > 0.04 && line > 0.25), measured);
      }
    });
  }
});

describe('a top that the light falls on, beside skin in the shade', () => {
  for (const name of ['ink', 'pencil', 'woodcut', 'blueprint'] as const) {
    it(`is told from it by its tone or by strokes in ${name}`, () => {
      for (const lighter of [0.15, 0.25, 0.35]) {
        const { picture, classes } = drawGuest([0.5, 0.4, 0.33], lighter);
        const drawn = applyLook(name, picture, [face], 1, classes);
        const { apart } = compareTop(drawn, drawnAt);
        const strokes = textureOf(drawn, 90, 150) - textureOf(drawn, 52, 68);
        assert.ok(
          apart > 0.15 || strokes > 0.1,
          `${lighter}: apart ${apart.toFixed(2)}, strokes ${strokes.toFixed(2)}`,
        );
      }
    });
  }
});

import type { DecodedCostume, DecodedLayer } from './costume-layers.ts';
import type { Costume } from './costumes.ts';

/** How far the dye of a costume is from the catalog's: degrees of hue, and a factor on each channel. */
interface Dye {
  hue: number;
  gain: readonly [number, number, number];
}

/**
 * Small steps, for gold has to stay gold: towards red copper, towards green brass. What has no hue, such as steel or a
 * white suit, becomes warmer and darker, or cooler and lighter.
 */
const dyes: readonly Dye[] = [
  { hue: 0, gain: [1, 1, 1] },
  { hue: -14, gain: [0.86, 0.8, 0.7] },
  { hue: 12, gain: [0.98, 1.06, 1.12] },
];

/**
 * The costumes of a group, from left to right, made to differ: every second one is mirrored, and their dyes change in
 * turn. Otherwise neighbours wear one costume down to its folds and stains. The same group always looks the same.
 */
export function varyCostumes(decoded: readonly DecodedCostume[]): DecodedCostume[] {
  return decoded.map((one, i) => varyCostume(one, i % 2 === 1, dyes[i % dyes.length]!));
}

function varyCostume({ costume, ...layers }: DecodedCostume, isMirrored: boolean, dye: Dye): DecodedCostume {
  if (!isMirrored && dye.hue === 0) return { costume, ...layers };
  const vary = (layer: DecodedLayer) => varyLayer(layer, isMirrored, dye);
  return {
    costume: isMirrored ? mirrorMeasures(costume) : costume,
    back: vary(layers.back),
    liner: layers.liner && vary(layers.liner),
    front: vary(layers.front),
  };
}

/** Where head, opening and light of a mirrored costume are. */
function mirrorMeasures(costume: Costume): Costume {
  const { width } = costume.canvas;
  const { head, opening, light } = costume;
  const [x, y, z] = light.direction;
  return {
    ...costume,
    head: { ...head, chin: [width - head.chin[0], head.chin[1]] },
    opening: { ...opening, left: width - opening.right, right: width - opening.left },
    light: { ...light, direction: [-x, y, z] },
  };
}

function varyLayer({ width, height, samples }: DecodedLayer, isMirrored: boolean, dye: Dye): DecodedLayer {
  const varied = Buffer.alloc(samples.length);
  const [toRed, toGreen, toBlue] = hueMatrix(dye);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = (y * width + x) * 4;
      const from = isMirrored ? (y * width + width - 1 - x) * 4 : to;
      const alpha = samples[from + 3]!;
      if (alpha === 0) continue;
      const [red, green, blue] = [samples[from]!, samples[from + 1]!, samples[from + 2]!];
      varied[to] = toByte(toRed[0] * red + toRed[1] * green + toRed[2] * blue);
      varied[to + 1] = toByte(toGreen[0] * red + toGreen[1] * green + toGreen[2] * blue);
      varied[to + 2] = toByte(toBlue[0] * red + toBlue[1] * green + toBlue[2] * blue);
      varied[to + 3] = alpha;
    }
  }
  return { width, height, samples: varied };
}

const toByte = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));

type MatrixRow = readonly [number, number, number];

/** Turns colours about the greys, and changes the light of each channel. */
function hueMatrix({ hue, gain: [red, green, blue] }: Dye): readonly [MatrixRow, MatrixRow, MatrixRow] {
  const cos = Math.cos((hue * Math.PI) / 180);
  const sin = Math.sin((hue * Math.PI) / 180);
  const own = cos + (1 - cos) / 3;
  const next = (1 - cos) / 3 - Math.sqrt(1 / 3) * sin;
  const last = (1 - cos) / 3 + Math.sqrt(1 / 3) * sin;
  return [
    [red * own, red * next, red * last],
    [green * last, green * own, green * next],
    [blue * next, blue * last, blue * own],
  ];
}

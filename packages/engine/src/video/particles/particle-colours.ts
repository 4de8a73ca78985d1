/** Luma and the two colour differences, as frames hold them: 8 bits, BT.709 in limited range. */
export type Colour = readonly [y: number, u: number, v: number];

/** The colour of `#rrggbb`. */
export function colourOf(hex: string): Colour {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [
    number,
    number,
    number,
  ];
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [16 + 219 * luma, 128 + (224 * (blue - luma)) / 1.8556, 128 + (224 * (red - luma)) / 1.5748];
}

/** The light of a picture, as far as particles have to look lit by it. */
export interface ParticleLight {
  /** White paper in this light. */
  white: Colour;
  /** Towards the light, of length 1: to the right, downwards, towards the camera. */
  from: readonly [number, number, number];
}

/** A surface of this colour in a picture's light; `shade` is the share of the light that reaches the camera from it. */
export function litColour(
  [y, u, v]: Colour,
  shade: number,
  { white }: ParticleLight,
): [number, number, number] {
  const level = (shade * (white[0] - 16)) / 219;
  const bright = ((y - 16) / 219) * shade;
  return [
    Math.min(235, 16 + (y - 16) * level),
    128 + (u - 128) * Math.min(1, level) + (white[1] - 128) * bright,
    128 + (v - 128) * Math.min(1, level) + (white[2] - 128) * bright,
  ];
}

import type { Planes } from './picture.ts';
import { clamp } from './scalar.ts';

const steps = 4096;
const linearOf = new Float32Array(steps + 2);
for (let i = 0; i < steps + 2; i++) linearOf[i] = srgbToLinear(i / steps);

export function srgbToLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

export function linearToSrgb(value: number): number {
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}

/** Display sRGB to linear light, value by value; what lies outside 0..1 is clamped. */
export function toLinear(plane: Float32Array): Float32Array {
  const linear = new Float32Array(plane.length);
  for (let i = 0; i < plane.length; i++) {
    const at = clamp(plane[i]!, 0, 1) * steps;
    const low = at | 0;
    const a = linearOf[low]!;
    linear[i] = a + (linearOf[low + 1]! - a) * (at - low);
  }
  return linear;
}

/** Linear light of an 8-bit sRGB sample. */
export const linearOfByte = Float32Array.from({ length: 256 }, (_, i) => srgbToLinear(i / 255));

/** Interleaved 8-bit sRGB samples as planes of linear light; channels beyond the third are left out. */
export function linearFromBytes(data: Uint8Array, channels: number): Planes {
  const count = data.length / channels;
  const planes: Planes = [new Float32Array(count), new Float32Array(count), new Float32Array(count)];
  const [red, green, blue] = planes;
  for (let i = 0, at = 0; i < count; i++, at += channels) {
    red[i] = linearOfByte[data[at]!]!;
    green[i] = linearOfByte[data[at + 1]!]!;
    blue[i] = linearOfByte[data[at + 2]!]!;
  }
  return planes;
}

/** Relative luminance of linear light. */
export function luminance(red: number, green: number, blue: number): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export type Lab = [lightness: number, a: number, b: number];

/** CIE L*a*b* (D65) of linear light. */
export function labOf(red: number, green: number, blue: number): Lab {
  const x = labCurve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
  const y = labCurve(luminance(red, green, blue));
  const z = labCurve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function labCurve(value: number): number {
  return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116;
}

/** The hue of a colour in CIE Lab, in degrees from -180 to 180. */
export function hueOf(a: number, b: number): number {
  return (Math.atan2(b, a) * 180) / Math.PI;
}

/** Display values, 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** The colour of a hexadecimal notation such as `#1b2a49`. */
export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

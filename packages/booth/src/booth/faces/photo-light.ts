import type { FoundFace } from './find-faces.ts';

interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** As the engine's, in linear light: below it no picture is made of a photo. */
const leastPhotoLight = 0.004;
const leastFaceLight = 0.006;

/** Whether the server would refuse a picture for its light: that of its faces, or where there are none, of all of it. */
export function isTooDark(pixels: Pixels, faces: readonly FoundFace[]): boolean {
  if (faces.length === 0) return medianLight(pixels) < leastPhotoLight;
  return faces.some((face) => faceLight(pixels, face) < leastFaceLight);
}

function medianLight({ data }: Pixels): number {
  const step = 4 * Math.max(1, Math.floor(data.length / 4 / 4000));
  const samples: number[] = [];
  for (let at = 0; at < data.length; at += step) samples.push(lightAt(data, at));
  return samples.sort((a, b) => a - b)[samples.length >> 1] ?? 0;
}

/** The mean of the middle of a face. */
function faceLight({ data, width, height }: Pixels, face: FoundFace): number {
  const from = (middle: number, size: number) => Math.max(0, Math.round(middle - 0.3 * size));
  const [left, top] = [from(face.x * width, face.width * width), from(face.y * height, face.height * height)];
  const right = Math.min(width, Math.round((face.x + 0.3 * face.width) * width));
  const bottom = Math.min(height, Math.round((face.y + 0.3 * face.height) * height));
  let sum = 0;
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) sum += lightAt(data, 4 * (y * width + x));
  const count = Math.max(0, right - left) * Math.max(0, bottom - top);
  // A face of which nothing is seen is not told to be dark.
  return count === 0 ? 1 : sum / count;
}

const lightAt = (data: Uint8ClampedArray, at: number) =>
  0.2126 * linear(data[at]!) + 0.7152 * linear(data[at + 1]!) + 0.0722 * linear(data[at + 2]!);

function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

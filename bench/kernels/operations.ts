import { readFileSync } from 'node:fs';
import { samplePhotos } from '@guise/engine/samples.ts';
import sharp from 'sharp';

/** The operations that are timed, at sizes that the engine works at, on a photo. */

export interface Size {
  width: number;
  height: number;
}

export type Three<T> = [T, T, T];

/** Planes of one size, 0 to 1. */
export interface Photo extends Size {
  planes: Three<Float32Array>;
}

export const canvas: Size = { width: 1800, height: 1200 };

export interface Resample {
  photo: Photo;
  to: Size;
}

export interface Blur {
  photo: Photo;
  /** σ of a Gaussian, or the radius of a box. */
  radius: number;
}

export interface Guided {
  photo: Photo;
  plane: Float32Array;
  radius: number;
  epsilon: number;
}

/** Where each pixel of `to` lies in the photo. */
export interface Remap {
  photo: Photo;
  to: Size;
  x: Float32Array;
  y: Float32Array;
}

/** A layer of a video, 8 bits, colour at half size, and the place in it of every node of a lattice over the frame. */
export interface LayerRemap {
  layer: Size & { planes: Three<Uint8Array> };
  density: number;
  to: Size;
  step: number;
  columns: number;
  rows: number;
  /** In pixels of the frame. */
  x: Float32Array;
  y: Float32Array;
}

export async function loadPhoto({ width, height }: Size): Promise<Photo> {
  const bytes = await sharp(readFileSync(samplePhotos.twoPeople))
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  const plane = (c: number) =>
    Float32Array.from({ length: width * height }, (_, i) => bytes[3 * i + c]! / 255);
  return { width, height, planes: [plane(0), plane(1), plane(2)] };
}

/** A mask with soft and hard edges, as a matting network gives it. */
export function makeMask({ width, height }: Size): Float32Array {
  return Float32Array.from({ length: width * height }, (_, i) => {
    const x = (i % width) / width - 0.5;
    const y = Math.floor(i / width) / height - 0.6;
    const distance = Math.hypot(x, y) + 0.03 * Math.sin(40 * Math.atan2(y, x));
    return Math.min(1, Math.max(0, (0.3 - distance) * 60));
  });
}

/** A turned, curved patch such as a face: about a source pixel for each of its own. */
export function makeFaceMap(photo: Photo, to: Size): Remap {
  const x = new Float32Array(to.width * to.height);
  const y = new Float32Array(to.width * to.height);
  for (let i = 0; i < x.length; i++) {
    const u = (i % to.width) - to.width / 2;
    const v = Math.floor(i / to.width) - to.height / 2;
    x[i] = photo.width / 2 + 0.97 * u - 0.2 * v + 12 * Math.sin(v / 60);
    y[i] = photo.height / 2 + 0.2 * u + 0.97 * v + 9 * Math.cos(u / 80);
  }
  return { photo, to, x, y };
}

export function makeLayerRemap(photo: Photo, to: Size, density: number): LayerRemap {
  const { width, height } = photo;
  const half = { width: width / 2, height: height / 2 };
  const bytes = (plane: Float32Array) => Uint8Array.from(plane, (value) => Math.round(value * 255));
  const quarter = (plane: Float32Array) =>
    Uint8Array.from({ length: half.width * half.height }, (_, i) => {
      const at = 2 * Math.floor(i / half.width) * width + 2 * (i % half.width);
      return Math.round(plane[at]! * 255);
    });
  const step = 16;
  const columns = Math.ceil(to.width / step) + 1;
  const rows = Math.ceil(to.height / step) + 1;
  const nodes = Array.from({ length: columns * rows }, (_, n) => {
    const u = (n % columns) * step - to.width / 2;
    const v = Math.floor(n / columns) * step - to.height / 2;
    return {
      x: width / density / 2 + 0.93 * u + 0.02 * v + 2 * Math.sin(v / 90),
      y: height / density / 2 + 0.93 * v - 0.01 * u,
    };
  });
  const [red, green, blue] = photo.planes;
  return {
    layer: { width, height, planes: [bytes(green), quarter(blue), quarter(red)] },
    density,
    to,
    step,
    columns,
    rows,
    x: Float32Array.from(nodes, ({ x }) => x),
    y: Float32Array.from(nodes, ({ y }) => y),
  };
}

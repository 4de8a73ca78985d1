import type { Picture } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';

/** A frame as H.264 takes it: 8 bits, BT.709 in limited range, colour at half of the size in both directions. */
export interface Frame extends Size {
  y: Uint8Array;
  u: Uint8Array;
  v: Uint8Array;
}

/** One plane of a frame. Those of colour are half as wide and high as that of luma. */
export interface BytePlane extends Size {
  data: Uint8Array;
  /** Pixels of the frame for one of the plane, along each side. */
  reduction: 1 | 2;
}

/** Luma, then the two colour planes. */
export function planesOf({ y, u, v, width, height }: Frame): [BytePlane, BytePlane, BytePlane] {
  const half = { width: width / 2, height: height / 2, reduction: 2 } as const;
  return [
    { data: y, width, height, reduction: 1 },
    { data: u, ...half },
    { data: v, ...half },
  ];
}

export function frameBytes({ width, height }: Size): number {
  return (width * height * 3) / 2;
}

/** Planes one after another in a buffer, the way the encoder reads them. */
export function frameOver(buffer: ArrayBufferLike, { width, height }: Size): Frame {
  const luma = width * height;
  const chroma = luma / 4;
  return {
    width,
    height,
    y: new Uint8Array(buffer, 0, luma),
    u: new Uint8Array(buffer, luma, chroma),
    v: new Uint8Array(buffer, luma + chroma, chroma),
  };
}

/** A new frame that worker threads can share. */
export function sharedFrame(size: Size): Frame {
  return frameOver(new SharedArrayBuffer(frameBytes(size)), size);
}

/**
 * The picture as a frame; its sides must be even. Colour is sampled where players expect it: on the even columns,
 * between two rows.
 */
export function frameFrom(picture: Picture): Frame {
  const { width, height } = picture;
  const [red, green, blue] = picture.planes;
  const frame = sharedFrame(picture);
  for (let i = 0; i < frame.y.length; i++) {
    frame.y[i] = byte(16 + 219 * luma(red[i]!, green[i]!, blue[i]!));
  }
  const half = width / 2;
  for (let j = 0, at = 0; j < height / 2; j++) {
    const upper = 2 * j * width;
    for (let k = 0; k < half; k++, at++) {
      const middle = upper + 2 * k;
      const left = k === 0 ? middle : middle - 1;
      const r = around(red, left, middle, width);
      const g = around(green, left, middle, width);
      const b = around(blue, left, middle, width);
      const y = luma(r, g, b);
      frame.u[at] = byte(128 + (224 * (b - y)) / 1.8556);
      frame.v[at] = byte(128 + (224 * (r - y)) / 1.5748);
    }
  }
  return frame;
}

/** The frame as a picture, colour enlarged bilinearly: for looking at, and for tests. */
export function pictureFrom(frame: Frame): Picture {
  const { width, height } = frame;
  const red = new Float32Array(width * height);
  const green = new Float32Array(width * height);
  const blue = new Float32Array(width * height);
  for (let row = 0, i = 0; row < height; row++) {
    for (let column = 0; column < width; column++, i++) {
      const y = (frame.y[i]! - 16) / 219;
      const b = ((chromaAt(frame.u, width / 2, height / 2, column, row) - 128) / 224) * 1.8556;
      const r = ((chromaAt(frame.v, width / 2, height / 2, column, row) - 128) / 224) * 1.5748;
      red[i] = y + r;
      blue[i] = y + b;
      green[i] = (y - 0.2126 * red[i]! - 0.0722 * blue[i]!) / 0.7152;
    }
  }
  return { width, height, planes: [red, green, blue] };
}

/** Peak signal-to-noise ratio of two frames' luma, in dB. */
export function psnr(a: Frame, b: Frame): number {
  let sum = 0;
  for (let i = 0; i < a.y.length; i++) sum += (a.y[i]! - b.y[i]!) ** 2;
  return sum === 0 ? Infinity : 10 * Math.log10((255 * 255 * a.y.length) / sum);
}

function luma(red: number, green: number, blue: number): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function byte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : Math.round(value);
}

/** The mean of two rows of three columns, the middle one counting twice. */
function around(plane: Float32Array, left: number, middle: number, width: number): number {
  return (
    (plane[left]! +
      plane[left + width]! +
      2 * (plane[middle]! + plane[middle + width]!) +
      plane[middle + 1]! +
      plane[middle + 1 + width]!) /
    8
  );
}

function chromaAt(plane: Uint8Array, width: number, height: number, column: number, row: number): number {
  const x = Math.min(width - 1, column / 2);
  const y = Math.min(height - 1, Math.max(0, (row - 0.5) / 2));
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const a = plane[top * width + left]! * (1 - x + left) + plane[top * width + right]! * (x - left);
  const b = plane[bottom * width + left]! * (1 - x + left) + plane[bottom * width + right]! * (x - left);
  return a + (b - a) * (y - top);
}

import type { Picture } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { rowsOf } from '../runtime/parallel-rows.ts';

const forRows = rowsOf(import.meta.url);

export const framesPerSecond = 24;

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
  const frame = sharedFrame(picture);
  forRows(frameRows, picture.height / 2, picture, { y: frame.y, u: frame.u, v: frame.v });
  return frame;
}

/** Pairs of rows: those of luma, and the row of colour between them. */
export function frameRows(
  { width, planes }: Pick<Picture, 'width' | 'planes'>,
  { y, u, v }: Pick<Frame, 'y' | 'u' | 'v'>,
  from: number,
  to: number,
): void {
  const [red, green, blue] = planes;
  for (let i = 2 * from * width; i < 2 * to * width; i++) {
    y[i] = byte(16 + 219 * luma(red[i]!, green[i]!, blue[i]!));
  }
  const half = width / 2;
  for (let j = from, at = from * half; j < to; j++) {
    const upper = 2 * j * width;
    for (let k = 0; k < half; k++, at++) {
      const middle = upper + 2 * k;
      const left = k === 0 ? middle : middle - 1;
      const r = around(red, left, middle, width);
      const g = around(green, left, middle, width);
      const b = around(blue, left, middle, width);
      const level = luma(r, g, b);
      u[at] = byte(128 + (224 * (b - level)) / 1.8556);
      v[at] = byte(128 + (224 * (r - level)) / 1.5748);
    }
  }
}

function luma(red: number, green: number, blue: number): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function byte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : (value + 0.5) | 0;
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

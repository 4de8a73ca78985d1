import { loadOpenCV, type OpenCV } from '@opencvjs/node';
import type { Size } from '../../pixels/plane.ts';

export type Cv = typeof OpenCV;
export type Mat = OpenCV.Mat;

/** OpenCV as WebAssembly. Its memory never shrinks: load it in a thread that ends. */
export function openCv(): Promise<Cv> {
  return loadOpenCV();
}

interface Freed {
  delete(): void;
}

/** Runs the work and frees everything it called `own` for. */
export function withFreedObjects<T>(work: (own: <M extends Freed>(thing: M) => M) => T): T {
  const things: Freed[] = [];
  try {
    return work((thing) => {
      things.push(thing);
      return thing;
    });
  } finally {
    for (const thing of things) thing.delete();
  }
}

/** A grey image, 8 bits, row by row. */
export interface GreyImage extends Size {
  data: Uint8Array;
}

export function matOf(cv: Cv, { width, height, data }: GreyImage): Mat {
  const mat = new cv.Mat(height, width, cv.CV_8UC1);
  mat.data.set(data);
  return mat;
}

import type { FoundFace } from './find-faces.ts';

/** What the worker is asked. The picture is handed over to it. */
export interface FaceQuestion {
  picture: ImageBitmap;
  /** Whether small faces are looked for as well: a photo, not one of many views. */
  isThorough: boolean;
}

export interface FaceAnswer {
  faces: FoundFace[];
  isDark: boolean;
}

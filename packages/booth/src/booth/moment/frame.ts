/** A picture of a moving one: RGBA, row by row. */
export interface GifFrame {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

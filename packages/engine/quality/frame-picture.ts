import type { Picture } from '../src/pixels/picture.ts';
import type { Frame } from '../src/video/frame.ts';

/** The frame as a picture, colour enlarged bilinearly. */
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

import type { Renderer } from '../../src/video/render-thread.ts';

/** Frames that cost nothing to make: a bar that walks over grey, its place telling the frame's number. */
export function rendererOf(): Renderer {
  return (index, frame) => {
    frame.y.fill(90);
    frame.u.fill(128);
    frame.v.fill(128);
    const column = (index * 4) % (frame.width - 8);
    for (let row = 0; row < frame.height; row++) {
      frame.y.fill(200, row * frame.width + column, row * frame.width + column + 8);
    }
  };
}

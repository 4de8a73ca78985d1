import { frameOver } from '@guise/engine/video/frame.ts';
import { latticeOver, paintBehind } from '@guise/engine/video/layers/layer-warp.ts';
import type { Renderer } from '@guise/engine/video/render-thread.ts';
import { layPlane } from '@guise/engine/video/single-renderer.ts';

/** A clip's frames, decoded. */
export interface DecodedFrames {
  width: number;
  height: number;
  frames: SharedArrayBuffer[];
}

/** The side of a cell of the lattice, as `simple` and `advanced` have it. */
const step = 16;

/** Remaps each decoded frame to where it is. */
export function rendererOf(data: unknown): Renderer {
  const { frames, ...size } = data as DecodedFrames;
  const atRest = latticeOver(size, step);
  layPlane(atRest, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const layer = { alpha: null, alphaHalf: null, density: 1, left: 0, top: 0 };
  return (index, frame) => {
    paintBehind({ ...layer, planes: frameOver(frames[index]!, size) }, atRest, frame, null);
  };
}

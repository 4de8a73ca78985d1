import { allocate, withArena } from '../runtime/arena.ts';
import { gaussianAcross, gaussianDown } from './kernels/wasm-kernels.ts';
import type { Plane } from './plane.ts';

/** σ to a pixel's reach. */
const tail = 2.8;
/** The σ beyond which the taps below do not reach. */
export const widestKernel = 6 / tail;

/** One side of a normalised Gaussian, the middle first; as long as the taps that go in one step, four or seven. */
function kernelOf(sigma: number): Float32Array {
  const reach = Math.max(1, Math.ceil(sigma * tail));
  const weights = new Float32Array(reach < 4 ? 4 : 7);
  let sum = 0;
  for (let i = 0; i <= reach; i++) {
    weights[i] = Math.exp((-i * i) / (2 * sigma * sigma));
    sum += i === 0 ? weights[i]! : 2 * weights[i]!;
  }
  for (let i = 0; i <= reach; i++) weights[i] = weights[i]! / sum;
  return weights;
}

/** Gaussian blur by its kernel, for σ up to `widestKernel`. */
export function blurByKernel(plane: Plane, sigma: number): Plane {
  const { width, height } = plane;
  const weights = kernelOf(sigma);
  return withArena(() => {
    const rows = { width, height, data: allocate(width * height) };
    const blurred = { width, height, data: allocate(width * height) };
    gaussianAcross({ source: plane, weights, target: rows.data });
    gaussianDown({ source: rows, weights, target: blurred.data });
    return blurred;
  });
}

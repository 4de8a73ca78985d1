import { rife } from '../models/models.ts';
import { type InferenceSession, Tensor } from '../models/onnxruntime.ts';
import { withSession } from '../models/sessions.ts';
import type { Size } from '../pixels/plane.ts';

/** For each pixel between two shots: where it lies in them, and how much of it the first one gives. */
export interface FrameFlow extends Size {
  /** Four planes: across and down to the place in the first shot, then in the last. */
  flow: Float32Array;
  share: Float32Array;
}

/** Finds what lies between two pictures of one size, whose sides are multiples of 32. */
export type FlowFinder = (
  first: Float32Array,
  last: Float32Array,
  size: Size,
  time: number,
) => Promise<FrameFlow>;

/** Lends the network, whose memory goes when the work is done. `cacheDir` is where converted models are kept. */
export function withFlowFinder<T>(
  work: (find: FlowFinder) => Promise<T>,
  cacheDir: string | null = null,
): Promise<T> {
  return withSession(rife, (network) => work(finderFor(network)), cacheDir);
}

function finderFor(network: InferenceSession): FlowFinder {
  return async (first, last, { width, height }, time) => {
    const picture = (planes: Float32Array) => new Tensor('float32', planes, [1, 3, height, width]);
    const { flow, share } = await network.run({
      first: picture(first),
      last: picture(last),
      time: new Tensor('float32', Float32Array.of(time), [1]),
    });
    return { width, height, flow: flow!.data as Float32Array, share: share!.data as Float32Array };
  };
}

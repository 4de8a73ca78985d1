import type { Size } from '../pixels/plane.ts';
import { clamp } from '../pixels/scalar.ts';

/** The network is asked at these times between two shots only; the flows of all other frames are made of those. */
export const askedTimes = [0.2, 0.5, 0.8] as const;

/** How many of the asked times have to be known for a frame between two shots. */
export function askedUntil(time: number): number {
  const next = askedTimes.findIndex((asked) => asked >= time);
  return next < 0 ? askedTimes.length : next + 1;
}

/**
 * The flow at any time between two shots, from what the network has found at the asked times beside it. Each flow has
 * five planes: four as in `FrameFlow`, and the share. Writes all of `into`.
 */
export function flowAt(asked: readonly Float32Array[], time: number, size: Size, into: Float32Array): void {
  const late = askedUntil(time) - 1;
  const early = askedTimes[late]! < time ? late : Math.max(0, late - 1);
  const way = early === late ? 0 : (time - askedTimes[early]!) / (askedTimes[late]! - askedTimes[early]!);
  into.fill(0);
  if (way < 1) addFlow({ flow: asked[early]!, at: askedTimes[early]!, time, weight: 1 - way }, size, into);
  if (way > 0) addFlow({ flow: asked[late]!, at: askedTimes[late]!, time, weight: way }, size, into);
}

interface MovedFlow {
  flow: Float32Array;
  /** When it was asked for. */
  at: number;
  /** When it is wanted. */
  time: number;
  weight: number;
}

/**
 * Adds what a flow says of another time. What is at a pixel then is elsewhere at the asked time: it has gone on, at an
 * even pace. There the flow is read, and stretched to the way that is left.
 */
function addFlow({ flow, at, time, weight }: MovedFlow, { width, height }: Size, into: Float32Array): void {
  const count = width * height;
  const [toFirst, toLast] = [(weight * time) / at, (weight * (1 - time)) / (1 - at)];
  const lapse = at - time;
  const shareOf = shareBetween(at, time);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const u = clamp(x + lapse * (flow[i + 2 * count]! - flow[i]!), 0, width - 1);
      const v = clamp(y + lapse * (flow[i + 3 * count]! - flow[i + count]!), 0, height - 1);
      const [left, top] = [Math.min(width - 2, u | 0), Math.min(height - 2, v | 0)];
      const [a, b] = [u - left, v - top];
      for (let plane = 0, k = top * width + left, to = i; plane < 5; plane++, k += count, to += count) {
        const upper = flow[k]! + (flow[k + 1]! - flow[k]!) * a;
        const lower = flow[k + width]! + (flow[k + width + 1]! - flow[k + width]!) * a;
        const value = upper + (lower - upper) * b;
        const scaled =
          plane < 2
            ? toFirst * value
            : plane < 4
              ? toLast * value
              : weight * (shareOf.add + shareOf.times * value);
        into[to] = into[to]! + scaled;
      }
    }
  }
}

/** How the share of the first shot follows from that at an asked time: nearer to a shot than any, it goes on to that. */
function shareBetween(at: number, time: number): { add: number; times: number } {
  const [first, last] = [askedTimes[0], askedTimes.at(-1)!];
  if (at === first && time < first) return { add: 1 - time / first, times: time / first };
  if (at === last && time > last) return { add: 0, times: (1 - time) / (1 - last) };
  return { add: 0, times: 1 };
}

import { addressOf, copyToArena, withArena } from '../../runtime/arena.ts';
import type { Plane, Size } from '../plane.ts';
import { addressTable, runKernel } from './call-kernel.ts';

/** Kernels that read a plane at other places: at another size, reduced, or rotated. Targets are in the arena. */

/** For each target column or row: the first source value it reads, and the weights of that and the next ones. */
export interface Taps {
  first: Int32Array;
  count: number;
  weights: Float32Array;
}

/** As `Taps`, for columns left..right, whose weights alternate: those of two columns, then those of the next two. */
export interface ColumnTaps extends Omit<Taps, 'weights'> {
  left: number;
  right: number;
  weights: Float64Array;
}

interface Resampling<T> {
  source: Plane;
  taps: T;
  target: Plane;
}

/** Columns before `left` repeat the first value of their row, those from `right` on the last one. */
export function resampleAcross({ source, taps, target }: Resampling<ColumnTaps>): void {
  const { first, weights, count, left, right } = taps;
  withArena(() => {
    const row = [copyToArena(source.data), source.width];
    const columns = [copyToArena(first), copyToArena(weights), count, left, right];
    runKernel({
      kernel: 'resample_across',
      count: source.height,
      args: [...row, ...columns, addressOf(target.data), target.width],
      targets: [target.data],
      workspaceBytes: 8 * (source.width + 2 * count),
    });
  });
}

export function resampleDown({ source, taps, target }: Resampling<Taps>): void {
  const { first, weights, count } = taps;
  withArena(() => {
    const rows = [copyToArena(source.data), source.height];
    runKernel({
      kernel: 'resample_down',
      count: target.height,
      args: [...rows, copyToArena(first), copyToArena(weights), count, addressOf(target.data), target.width],
      targets: [target.data],
    });
  });
}

/** The plane at 1/factor of its size, each value the mean of its square. */
export function reduceSquares({ width, height, data }: Plane, factor: number, target: Plane): void {
  withArena(() =>
    runKernel({
      kernel: 'reduce',
      count: target.height,
      args: [copyToArena(data), width, height, factor, addressOf(target.data)],
      targets: [target.data],
      workspaceBytes: 8 * width,
    }),
  );
}

interface Sampling {
  /** Planes of one size. */
  sources: readonly Float32Array[];
  size: Size;
  /** Target pixel u, v is read at a·u − b·v + x0, b·u + a·v + y0. */
  through: { a: number; b: number; x0: number; y0: number };
  /** Each target pixel is the mean of as many samples squared. */
  grid: number;
  /** What is beyond the sources; without it their borders repeat. */
  outside: number | undefined;
  targets: readonly Float32Array[];
  targetSize: Size;
}

export function sampleSimilarity({ sources, size, through, grid, outside, targets, targetSize }: Sampling) {
  const { a, b, x0, y0 } = through;
  const beyond = [outside === undefined ? 0 : 1, outside ?? 0];
  withArena(() => {
    const from = [addressTable(sources), sources.length, size.width, size.height];
    runKernel({
      kernel: 'sample',
      count: targetSize.height,
      args: [...from, a, b, x0, y0, grid, ...beyond, addressTable(targets, addressOf), targetSize.width],
      targets,
      workspaceBytes: 16 * grid * targetSize.width,
    });
  });
}

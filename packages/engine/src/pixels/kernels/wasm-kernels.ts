import { addressOf, copyToArena, withArena } from '../../runtime/arena.ts';
import type { Picture } from '../picture.ts';
import type { Plane, Size } from '../plane.ts';
import { addressTable, runKernel } from './call-kernel.ts';

/**
 * The kernels of kernels.c, each over all rows of its target on all threads. They work on addresses: what they write
 * has to be in the arena (`allocate` inside of `withArena`), what they read is copied there if it is not.
 */

/** A weight for each column and for each row, and for all. */
interface Weights {
  across: Float32Array;
  down: Float32Array;
  weight: number;
}

/** Adds a plane, clamped to 0..1 and weighted, to the part of a wider one that begins at x, y. */
export function addWeighted(
  { width, height, data }: Plane,
  { across, down, weight }: Weights,
  target: { data: Float32Array; width: number; x: number; y: number },
): void {
  const start = addressOf(target.data) + 4 * (target.y * target.width + target.x);
  withArena(() =>
    runKernel({
      kernel: 'add_weighted',
      count: height,
      args: [copyToArena(data), width, copyToArena(across), copyToArena(down), weight, start, target.width],
      targets: [target.data],
    }),
  );
}

/** e to the power of −i/128 up to 16: interpolated, it is exact to 1e-5. */
const powerSteps = 128;
const powers = Float32Array.from({ length: 16 * powerSteps + 2 }, (_, i) => Math.exp(-i / powerSteps));

interface Softmax extends Size {
  /** For each pixel as many numbers as there are targets. */
  answer: Float32Array;
  gain: number;
  weight: number;
  targets: readonly Float32Array[];
}

/** Adds the softmax of each pixel's numbers, times a gain, to the targets with a weight. */
export function addSoftmax({ answer, width, height, gain, weight, targets }: Softmax): void {
  withArena(() => {
    const table = [copyToArena(powers), powerSteps, powers.length - 2];
    runKernel({
      kernel: 'add_softmax',
      count: height,
      args: [
        copyToArena(answer),
        width,
        targets.length,
        gain,
        weight,
        ...table,
        addressTable(targets, addressOf),
      ],
      targets,
    });
  });
}

interface Weighting {
  source: Plane;
  /** Of the middle and of three or six values beside it. */
  weights: Float32Array;
  target: Float32Array;
}

const startsBytes = 64;

export function gaussianAcross({ source: { width, height, data }, weights, target }: Weighting): void {
  const reach = weights.length - 1;
  withArena(() =>
    runKernel({
      kernel: 'gaussian_across',
      count: height,
      args: [copyToArena(data), width, copyToArena(weights), reach, addressOf(target)],
      targets: [target],
      workspaceBytes: startsBytes + 4 * (width + 2 * reach),
    }),
  );
}

export function gaussianDown({ source: { width, height, data }, weights, target }: Weighting): void {
  withArena(() =>
    runKernel({
      kernel: 'gaussian_down',
      count: height,
      args: [copyToArena(data), width, height, copyToArena(weights), weights.length - 1, addressOf(target)],
      targets: [target],
      workspaceBytes: startsBytes,
    }),
  );
}

/** Of one box mean, or of three in succession. */
export type Radii = readonly [number] | readonly [number, number, number];

interface Averaging {
  source: Plane;
  radii: Radii;
  target: Float32Array;
}

/** How many there are, and all of them. */
function radiusArgs(radii: Radii): number[] {
  const [first, second = first, third = first] = radii;
  return [radii.length, first, second, third];
}

export function boxMeansAcross({ source: { width, height, data }, radii, target }: Averaging): void {
  withArena(() =>
    runKernel({
      kernel: 'box_means_across',
      count: height,
      args: [copyToArena(data), width, ...radiusArgs(radii), addressOf(target)],
      targets: [target],
      workspaceBytes: 4 * 2 * width,
    }),
  );
}

/** Columns that the kernel takes at a time. */
const stripColumns = 32;

export function boxMeansDown({ source: { width, height, data }, radii, target }: Averaging): void {
  withArena(() =>
    runKernel({
      kernel: 'box_means_down',
      count: width,
      args: [copyToArena(data), width, height, ...radiusArgs(radii), addressOf(target)],
      targets: [target],
      workspaceBytes: stripColumns * (8 + 4 * 2 * height),
    }),
  );
}

export function multiply(a: Plane, b: Plane, target: Float32Array): void {
  withArena(() =>
    runKernel({
      kernel: 'multiply',
      count: a.height,
      args: [copyToArena(a.data), copyToArena(b.data), addressOf(target), a.width],
      targets: [target],
    }),
  );
}

/** Planes of one size: for every pixel a slope for each guide, and the offset. */
export interface GuidedFit extends Size {
  slopes: readonly Float32Array[];
  offset: Float32Array;
}

interface ColourFit {
  /** Of red, green, blue and the plane. */
  means: readonly Float32Array[];
  /** Means of products: of each channel with the plane, then of the channels with one another. */
  products: readonly Float32Array[];
  epsilon: number;
  fit: GuidedFit;
}

export function fitColour({ means, products, epsilon, fit }: ColourFit): void {
  const targets = [...fit.slopes, fit.offset];
  withArena(() =>
    runKernel({
      kernel: 'fit_colour',
      count: fit.height,
      args: [
        addressTable(means),
        addressTable(products),
        epsilon,
        addressTable(targets, addressOf),
        fit.width,
      ],
      targets,
    }),
  );
}

interface GreyFit {
  /** Means of the guide, of its square, of the plane, and of both multiplied. */
  mean: Float32Array;
  square: Float32Array;
  planeMean: Float32Array;
  product: Float32Array;
  epsilon: number;
  fit: GuidedFit;
}

export function fitGrey({ mean, square, planeMean, product, epsilon, fit }: GreyFit): void {
  const targets = [fit.slopes[0]!, fit.offset];
  withArena(() =>
    runKernel({
      kernel: 'fit_grey',
      count: fit.height,
      args: [
        ...[mean, square, planeMean, product].map(copyToArena),
        epsilon,
        ...targets.map(addressOf),
        fit.width,
      ],
      targets,
    }),
  );
}

/** Applies a fit of half the size to its guides, one or three. */
export function applyFit(
  guides: readonly Float32Array[],
  fit: GuidedFit,
  { width, height, data }: Plane,
): void {
  const coefficients = [...fit.slopes, fit.offset];
  withArena(() =>
    runKernel({
      kernel: 'apply_fit',
      count: height,
      args: [
        addressTable(guides),
        guides.length,
        addressTable(coefficients),
        fit.width,
        fit.height,
        addressOf(data),
        width,
      ],
      targets: [data],
      workspaceBytes: 4 * (fit.width + coefficients.length * width),
    }),
  );
}

export interface Finishing {
  /** Linear light, and how much of each pixel is people. */
  colour: readonly Float32Array[];
  people: Float32Array;
  /** The vignette's share of each column. */
  edges: Float32Array;
  vignette: number;
  saturation: number;
  /** Display values over the square root of linear light, and two more than its steps. */
  curve: Float32Array;
  /** 65536 values, and the strength of the grain on the plate and on people. */
  grain: Float32Array;
  grainOnPlate: number;
  grainOnPeople: number;
  seed: number;
}

export function finishFilm(
  { colour, people, edges, vignette, saturation, curve, grain, ...rest }: Finishing,
  { width, height, planes }: Picture,
): void {
  const { grainOnPlate, grainOnPeople, seed } = rest;
  withArena(() => {
    const light = [addressTable(colour), copyToArena(people), width, height];
    const grade = [copyToArena(edges), vignette, saturation, copyToArena(curve), curve.length - 2];
    runKernel({
      kernel: 'finish',
      count: height,
      args: [
        ...light,
        ...grade,
        copyToArena(grain),
        grainOnPlate,
        grainOnPeople,
        seed,
        addressTable(planes, addressOf),
      ],
      targets: planes,
    });
  });
}

/** Multiplies the luma of a frame by the gain of its line, in 1/4096; lines go aside by `slant` columns for each row. */
export function applyLumaGain(
  luma: Uint8Array,
  { width, height }: Size,
  gain: Int32Array,
  slant: number,
): void {
  withArena(() =>
    runKernel({
      kernel: 'light',
      count: height,
      args: [addressOf(luma), copyToArena(gain), width, slant],
      targets: [luma],
    }),
  );
}

/** Filters the rows of a PNG, and writes the Adler-32 of each. */
export function pngRows(
  { width, height, planes }: Picture,
  { rows, sums }: { rows: Uint8Array; sums: Int32Array },
): void {
  withArena(() =>
    runKernel({
      kernel: 'png_rows',
      count: height,
      args: [addressTable(planes), addressOf(rows), addressOf(sums), width],
      targets: [rows],
      workspaceBytes: 3 * 3 * width + 8,
    }),
  );
}

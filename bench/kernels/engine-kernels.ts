import { boxMean } from '@guise/engine/pixels/box-mean.ts';
import { gaussianBlur } from '@guise/engine/pixels/gaussian-blur.ts';
import { guidedFilter } from '@guise/engine/pixels/guided-filter.ts';
import { fromLab, toLab } from '@guise/engine/pixels/lab.ts';
import { resample } from '@guise/engine/pixels/resample.ts';
import { allocate, allocateCopy, withArena } from '@guise/engine/runtime/arena.ts';
import { rowPool } from '@guise/engine/runtime/parallel-rows.ts';
import { warpPicture } from '@guise/engine/swap/mesh/mesh-warp.ts';
import { paintBehind } from '@guise/engine/video/layers/layer-warp.ts';
import type { Candidate } from './clock.ts';
import type { Blur, Guided, LayerRemap, Photo, Remap, Resample, Size, Three } from './operations.ts';
import { boxMean as boxMeanBefore } from './typescript/box-mean.ts';
import { gaussianBlur as gaussianBlurBefore } from './typescript/gaussian-blur.ts';
import { guidedFilter as guidedFilterBefore } from './typescript/guided-filter.ts';
import { resample as resampleBefore } from './typescript/resample.ts';

/** The kernels that have been both TypeScript and WebAssembly. */
interface PlaneKernels {
  resample: typeof resample;
  gaussianBlur: typeof gaussianBlur;
  boxMean: typeof boxMean;
  guidedFilter: typeof guidedFilter;
}

/** As the engine has them. */
export const inEngine: PlaneKernels = { resample, gaussianBlur, boxMean, guidedFilter };
/** As the engine had them before. */
export const inTypeScript: PlaneKernels = {
  resample: resampleBefore,
  gaussianBlur: gaussianBlurBefore,
  boxMean: boxMeanBefore,
  guidedFilter: guidedFilterBefore,
};

/** Runs a kernel on planes that lie in the arena already, as they do in the middle of a picture: nothing is copied. */
function timeOnThreads(
  threads: number,
  planes: readonly Float32Array[],
  kernel: (planes: Float32Array[]) => readonly Float32Array[],
): Candidate {
  return (clock) => {
    rowPool.threadCount = threads;
    return withArena(() => {
      const shared = planes.map(allocateCopy);
      clock.start();
      const made = kernel(shared);
      clock.stop();
      return made;
    });
  };
}

export function timeResample({ photo, to }: Resample, kernels: PlaneKernels, threads: number): Candidate {
  const window = { x: 0, y: 0, width: photo.width, height: photo.height };
  return timeOnThreads(threads, photo.planes, (planes) =>
    planes.map(
      (data) => kernels.resample({ width: photo.width, height: photo.height, data }, window, to).data,
    ),
  );
}

export function timeGaussian({ photo, radius }: Blur, kernels: PlaneKernels, threads: number): Candidate {
  const { width, height } = photo;
  return timeOnThreads(threads, [photo.planes[1]], ([plane]) => [
    kernels.gaussianBlur({ width, height, data: plane! }, radius).data,
  ]);
}

export function timeBox({ photo, radius }: Blur, kernels: PlaneKernels, threads: number): Candidate {
  const { width, height } = photo;
  return timeOnThreads(threads, [photo.planes[1]], ([plane]) => [
    kernels.boxMean({ width, height, data: plane! }, radius).data,
  ]);
}

export function timeGuided(
  { photo, plane, radius, epsilon }: Guided,
  kernels: PlaneKernels,
  threads: number,
): Candidate {
  const { width, height } = photo;
  return timeOnThreads(threads, [...photo.planes, plane], ([red, green, blue, mask]) => [
    kernels.guidedFilter({
      guide: { width, height, planes: [red!, green!, blue!] },
      plane: { width, height, data: mask! },
      radius,
      epsilon,
    }).data,
  ]);
}

export function timeToLab({ width, height, planes }: Photo, threads: number): Candidate {
  return timeOnThreads(threads, planes, (shared) => {
    const { lightness, a, b } = toLab({ width, height, planes: shared as Three<Float32Array> });
    return [lightness, a, b];
  });
}

export function timeFromLab({ width, height, planes }: Photo, threads: number): Candidate {
  return timeOnThreads(
    threads,
    planes,
    ([lightness, a, b]) => fromLab({ width, height, lightness: lightness!, a: a!, b: b! }).planes,
  );
}

/** Faces are small: the engine warps them on one thread. */
export function timeRemap({ photo, to, x, y }: Remap): Candidate {
  const covered = new Float32Array(x.length).fill(1);
  return timeOnThreads(1, photo.planes, (planes) => {
    const source = { width: photo.width, height: photo.height, planes: planes as Three<Float32Array> };
    return warpPicture(source, { x, y, covered }, to.width, to.height, 1).planes;
  });
}

/** Threads share the frames of a video, not the rows of a frame. */
export function timeLayerRemap({ layer, density, to, ...lattice }: LayerRemap): Candidate {
  const frame = (size: Size, [y, u, v]: Three<Uint8Array>) => ({ ...size, y, u, v });
  const planes = frame(layer, layer.planes);
  const luma = to.width * to.height;
  return (clock) => {
    const made: Three<Uint8Array> = [
      new Uint8Array(luma),
      new Uint8Array(luma / 4),
      new Uint8Array(luma / 4),
    ];
    const whole = { planes, alpha: null, alphaHalf: null, density, left: 0, top: 0 };
    clock.start();
    paintBehind(whole, lattice, frame(to, made), null);
    clock.stop();
    return made;
  };
}

/** Lab planes to turn back, made by the engine. */
export function convertToLab(photo: Photo): Photo {
  const { lightness, a, b } = toLab(photo);
  return { ...photo, planes: [lightness, a, b] };
}

/** Lets the arena take its memory before anything is timed. */
export function reserveArena({ width, height }: Size): void {
  withArena(() => Array.from({ length: 24 }, () => allocate(width * height).fill(0)).length);
}

import { readFileSync } from 'node:fs';
import { linearToSrgb, srgbToLinear } from '@guise/engine/pixels/colour.ts';
import type { Candidate, Clock, Plane } from './clock.ts';
import type { Blur, Guided, LayerRemap, Photo, Remap, Resample, Size } from './operations.ts';

/** float-kernels.c and double-kernels.c, on one thread. Their memory is their own: planes are copied in and out. */
export type Precision = 'float' | 'double';

/** What is used of it; Node's types leave it out. */
declare const WebAssembly: {
  Memory: new (limits: { initial: number }) => { buffer: ArrayBuffer };
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
};

interface Build {
  memory: { buffer: ArrayBuffer };
  kernels: Record<string, (...values: number[]) => void>;
}

const builds = { float: load('float-kernels.wasm'), double: load('double-kernels.wasm') };

function load(file: string): Build {
  // In pages of 64 KiB.
  const memory = new WebAssembly.Memory({ initial: 8192 });
  const module = new WebAssembly.Module(readFileSync(new URL(file, import.meta.url)));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return { memory, kernels: exports as Build['kernels'] };
}

/** The first megabyte is the kernels' stack. */
const heapStart = 1 << 20;

interface Heap {
  /** Room for so many floats, with some beyond that a vector may read. */
  allocate(count: number): number;
  /** Arrays one after the other. */
  copyIn(...arrays: (Plane | Int32Array | Float64Array)[]): number;
  copyOut(address: number, count: number): Float32Array;
  bytesOut(address: number, count: number): Uint8Array;
}

function openHeap({ memory }: Build, clock: Clock): Heap {
  let next = heapStart;
  const allocate = (count: number) => {
    const address = next;
    next += Math.ceil((count * 4 + 64) / 64) * 64;
    return address;
  };
  return {
    allocate,
    copyIn(...arrays) {
      const address = allocate(arrays.reduce((sum, { byteLength }) => sum + byteLength / 4, 0));
      let at = address;
      for (const array of arrays) {
        clock.copy(() => {
          const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
          new Uint8Array(memory.buffer, at, array.byteLength).set(bytes);
          return array;
        });
        at += array.byteLength;
      }
      return address;
    },
    copyOut: (address, count) => clock.copy(() => new Float32Array(memory.buffer, address, count).slice()),
    bytesOut: (address, count) => clock.copy(() => new Uint8Array(memory.buffer, address, count).slice()),
  };
}

function timeKernels(
  precision: Precision,
  work: (kernels: Build['kernels'], heap: Heap) => Plane[],
): Candidate {
  const build = builds[precision];
  return (clock) => {
    clock.start();
    const made = work(build.kernels, openHeap(build, clock));
    clock.stop();
    return made;
  };
}

interface Taps {
  first: Int32Array;
  count: number;
  weights: Float32Array;
}

/** Weights of a Catmull-Rom that widens where it shrinks, rounded as the engine's are. */
function computeTaps(length: number, count: number): Taps {
  const step = length / count;
  const reach = step < 1.35 ? 1 : step;
  const taps = Math.ceil(4 * reach);
  const first = new Int32Array(count);
  const weights = new Float32Array(count * taps);
  for (let i = 0; i < count; i++) {
    const center = (i + 0.5) * step - 0.5;
    first[i] = Math.floor(center - 2 * reach) + 1;
    const own = Array.from({ length: taps }, (_, k) => catmullRom((first[i]! + k - center) / reach));
    const total = own.reduce((sum, weight) => sum + weight, 0);
    for (const [k, weight] of own.entries()) weights[i * taps + k] = Math.fround(weight) / total;
  }
  return { first, count: taps, weights };
}

function catmullRom(distance: number): number {
  const x = Math.abs(distance);
  if (x >= 2) return 0;
  return x < 1 ? 1 + x * x * (1.5 * x - 2.5) : 2 + x * (-4 + x * (2.5 - 0.5 * x));
}

/** A multiple of four taps. */
function fillTaps({ first, count, weights }: Taps): Taps {
  const filled = Math.ceil(count / 4) * 4;
  const wider = new Float32Array(first.length * filled);
  for (let i = 0; i < first.length; i++) wider.set(weights.subarray(i * count, (i + 1) * count), i * filled);
  return { first, count: filled, weights: wider };
}

export function timeResample({ photo, to }: Resample): Candidate {
  const { width, height } = photo;
  return timeKernels('float', (kernels, heap) => {
    const across = fillTaps(computeTaps(width, to.width));
    const pad = across.count;
    const firstX = heap.copyIn(across.first.map((at) => at + pad));
    const weightsX = heap.copyIn(across.weights);
    const down = computeTaps(height, to.height);
    const [firstY, weightsY] = [heap.copyIn(down.first), heap.copyIn(down.weights)];
    const padded = heap.allocate(width + 2 * pad);
    const rows = heap.allocate(to.width * height);
    const target = heap.allocate(to.width * to.height);
    return photo.planes.map((plane) => {
      const source = heap.copyIn(plane);
      kernels.resample_across!(
        ...[source, width, firstX, weightsX, across.count, pad, padded, rows, to.width, 0, height],
      );
      kernels.resample_down!(rows, height, firstY, weightsY, down.count, target, to.width, 0, to.height);
      return heap.copyOut(target, to.width * to.height);
    });
  });
}

export function timeGaussian({ photo, radius }: Blur): Candidate {
  const { width, height } = photo;
  const reach = Math.ceil(radius * 2.8) < 4 ? 3 : 6;
  return timeKernels('float', (kernels, heap) => {
    const weights = heap.copyIn(gaussianWeights(radius, reach));
    const source = heap.copyIn(photo.planes[1]);
    const padded = heap.allocate(width + 2 * reach);
    const [rows, target] = [heap.allocate(width * height), heap.allocate(width * height)];
    kernels.gaussian_across!(source, width, weights, reach, padded, rows, 0, height);
    kernels.gaussian_down!(rows, width, height, weights, reach, target, 0, height);
    return [heap.copyOut(target, width * height)];
  });
}

/** Rounded as the engine's are. */
function gaussianWeights(sigma: number, reach: number): Float32Array {
  const last = Math.ceil(sigma * 2.8);
  const weights = Float32Array.from({ length: reach + 1 }, (_, i) =>
    i <= last ? Math.exp((-i * i) / (2 * sigma * sigma)) : 0,
  );
  const total = weights.reduce((sum, weight, i) => sum + (i === 0 ? weight : 2 * weight), 0);
  return weights.map((weight) => weight / total);
}

/** Three box means at half size, then enlarged: what the engine does for σ from 5 to 10. */
export function timeSoftGaussian({ photo, radius }: Blur): Candidate {
  const [width, height] = [photo.width / 2, photo.height / 2];
  const sigma = radius / 2;
  const narrow = Math.floor((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2);
  const side = 2 * narrow + 1;
  const narrows = Math.round((3 * side * side + 12 * side + 9 - 12 * sigma * sigma) / (4 * side + 4));
  const radii = [0, 1, 2].map((pass) => (narrows > pass ? narrow : narrow + 1));
  return timeKernels('float', (kernels, heap) => {
    const source = heap.copyIn(photo.planes[1]);
    const between = heap.allocate(width);
    const target = heap.allocate(4 * width * height);
    let [mean, other] = [heap.allocate(width * height), heap.allocate(width * height)];
    kernels.halve!(source, photo.width, mean, 0, height);
    for (const r of radii) {
      kernels.box_across!(mean, width, r, other, 0, height);
      [mean, other] = [other, mean];
    }
    for (const r of radii) {
      kernels.box_down!(mean, width, height, r, other, 0, width);
      [mean, other] = [other, mean];
    }
    kernels.double_size!(mean, width, height, between, target, 0, photo.height);
    return [heap.copyOut(target, 4 * width * height)];
  });
}

export function timeBox({ photo, radius }: Blur): Candidate {
  const { width, height } = photo;
  return timeKernels('float', (kernels, heap) => {
    const source = heap.copyIn(photo.planes[1]);
    const [rows, target] = [heap.allocate(width * height), heap.allocate(width * height)];
    kernels.box_across!(source, width, radius, rows, 0, height);
    kernels.box_down!(rows, width, height, radius, target, 0, width);
    return [heap.copyOut(target, width * height)];
  });
}

export function timeGuided({ photo, plane, radius, epsilon }: Guided): Candidate {
  const small: Size = { width: photo.width / 2, height: photo.height / 2 };
  const [size, whole] = [small.width * small.height, photo.width * photo.height];
  const r = Math.round(radius / 2);
  return timeKernels('float', (kernels, heap) => {
    const guide = heap.copyIn(...photo.planes, plane);
    const [reduced, means] = [heap.allocate(4 * size), heap.allocate(4 * size)];
    const products = heap.allocate(9 * size);
    const rows = heap.allocate(size);
    const coefficients = heap.allocate(4 * size);
    const full = heap.allocate(4 * whole);
    const between = heap.allocate(small.width);
    const target = heap.allocate(whole);
    const mean = (from: number, to: number) => {
      kernels.box_across!(from, small.width, r, rows, 0, small.height);
      kernels.box_down!(rows, small.width, small.height, r, to, 0, small.width);
    };
    for (let k = 0; k < 4; k++)
      kernels.halve!(guide + 4 * k * whole, photo.width, reduced + 4 * k * size, 0, small.height);
    kernels.guided_products!(reduced, products, size, 0, size);
    for (let k = 0; k < 4; k++) mean(reduced + 4 * k * size, means + 4 * k * size);
    for (let k = 0; k < 9; k++) mean(products + 4 * k * size, products + 4 * k * size);
    kernels.guided_solve!(means, products, coefficients, size, epsilon, 0, size);
    for (let k = 0; k < 4; k++) {
      const [from, to] = [coefficients + 4 * k * size, full + 4 * k * whole];
      mean(from, from);
      kernels.double_size!(from, small.width, small.height, between, to, 0, photo.height);
    }
    kernels.guided_apply!(guide, full, target, whole, 0, whole);
    return [heap.copyOut(target, whole)];
  });
}

/** In floats by arithmetic, in doubles by the engine's tables. */
function timeConversion({ planes }: Photo, kernel: 'to_lab' | 'from_lab', precision: Precision): Candidate {
  const size = planes[0].length;
  return timeKernels(precision, (kernels, heap) => {
    const source = heap.copyIn(...planes);
    const target = heap.allocate(3 * size);
    const tables = precision === 'double' ? [heap.copyIn(labTables)] : [];
    kernels[kernel]!(source, target, size, ...tables, 0, size);
    return [0, 1, 2].map((c) => heap.copyOut(target + 4 * c * size, size));
  });
}

const steps = 4096;
const labTables = Float32Array.from([
  ...Array.from({ length: steps + 1 }, (_, i) => srgbToLinear(i / steps)),
  ...Array.from({ length: 2 * steps + 1 }, (_, i) => Math.cbrt(i / (2 * steps))),
  ...Array.from({ length: steps + 1 }, (_, i) => linearToSrgb((i / steps) ** 2)),
]);

export function timeToLab(photo: Photo, precision: Precision): Candidate {
  return timeConversion(photo, 'to_lab', precision);
}

export function timeFromLab(lab: Photo, precision: Precision): Candidate {
  return timeConversion(lab, 'from_lab', precision);
}

export function timeRemap({ photo, x, y }: Remap, precision: Precision): Candidate {
  return timeKernels(precision, (kernels, heap) => {
    const source = heap.copyIn(...photo.planes);
    const [mapX, mapY] = [heap.copyIn(x), heap.copyIn(y)];
    const target = heap.allocate(3 * x.length);
    kernels.remap!(source, photo.width, photo.height, mapX, mapY, target, x.length, 0, x.length);
    return [0, 1, 2].map((p) => heap.copyOut(target + 4 * p * x.length, x.length));
  });
}

/** Integers but for the nodes. The layer is copied for every frame here, though it could stay. */
export function timeLayerRemap({ layer, density, to, step, columns, rows, x, y }: LayerRemap): Candidate {
  return timeKernels('double', (kernels, heap) =>
    layer.planes.map((plane, p) => {
      const reduction = p === 0 ? 1 : 2;
      const source = heap.copyIn(plane);
      const scale = (density / reduction) * 65536;
      const shiftX = ((0.5 * density - 0.5) / reduction) * 65536;
      const shiftY = (0.5 * density - 0.5) * 65536;
      const nodesX = heap.copyIn(Float64Array.from(x, (value) => value * scale + shiftX));
      const nodesY = heap.copyIn(Float64Array.from(y, (value) => value * scale + shiftY));
      const [width, height] = [to.width / reduction, to.height / reduction];
      const target = heap.allocate((width * height) / 4);
      const [from, side] = [layer.width / reduction, step / reduction];
      kernels.remap_bytes!(source, from, nodesX, nodesY, columns, side, target, width, height, 0, rows - 1);
      return heap.bytesOut(target, width * height);
    }),
  );
}

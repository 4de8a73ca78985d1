import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { boxMean, boxMeans } from '../../../src/pixels/box-mean.ts';
import { blurByKernel } from '../../../src/pixels/gaussian-kernel.ts';
import { guidedFilter, smoothPlane } from '../../../src/pixels/guided-filter.ts';
import {
  addSoftmax,
  addWeighted,
  applyFit,
  applyLumaGain,
  boxMeansAcross,
  finishFilm,
  multiply,
} from '../../../src/pixels/kernels/wasm-kernels.ts';
import { whiteNoise } from '../../../src/pixels/noise.ts';
import { allocatePicture } from '../../../src/pixels/picture.ts';
import type { Plane, Size } from '../../../src/pixels/plane.ts';
import { enlarge, reduce } from '../../../src/pixels/reduce.ts';
import { resample, type Window } from '../../../src/pixels/resample.ts';
import { type Similarity, sampleThrough } from '../../../src/pixels/sample-through.ts';
import {
  allocate,
  allocateBytes,
  allocateCopy,
  allocateZeros,
  arenaMemory,
  withArena,
} from '../../../src/runtime/arena.ts';
import { rowPool } from '../../../src/runtime/parallel-rows.ts';

const folder = new URL('../../../src/pixels/kernels/', import.meta.url);
const usual = rowPool.threadCount;

afterEach(() => {
  rowPool.threadCount = usual;
});

/** Small planes of any shape, down to a single pixel, row or column; radii reach far beyond them. */
const sizes = fc.record({ width: fc.integer({ min: 1, max: 41 }), height: fc.integer({ min: 1, max: 41 }) });
const radii = fc.integer({ min: 0, max: 60 });
const shapes: Size[] = [
  { width: 1, height: 1 },
  { width: 1, height: 37 },
  { width: 37, height: 1 },
  { width: 33, height: 65 },
  // More than is worth sharing among threads.
  { width: 331, height: 257 },
];

/** On every shape with one thread and with three, then on sizes that are found at random. */
function onAllSizes(check: (plane: Plane, size: Size) => void): void {
  for (const threads of [1, 3]) {
    rowPool.threadCount = threads;
    for (const size of shapes) check(noise(size), size);
  }
  fc.assert(
    fc.property(sizes, (size) => check(noise(size), size)),
    { numRuns: 20 },
  );
}

describe('the file of kernels', () => {
  const module = new WebAssembly.Module(readFileSync(new URL('kernels.wasm', folder)));

  it('was built from the source beside it', () => {
    const source = readFileSync(new URL('kernels.c', folder));
    const [noted] = WebAssembly.Module.customSections(module, 'source-sha256');
    assert.equal(
      Buffer.from(noted!).toString(),
      createHash('sha256').update(source).digest('hex'),
      'kernels.c has changed since kernels.wasm was built: npm run kernels',
    );
  });

  it('asks for nothing but the memory', () => {
    const wanted = [{ module: 'env', name: 'memory', kind: 'memory' }];
    assert.deepEqual(WebAssembly.Module.imports(module), wanted);
  });
});

describe('wasm kernels', () => {
  it('resample like a sum over all taps, whatever the window', () => {
    const window = fc.record({
      x: fc.double({ min: -90, max: 90, noNaN: true }),
      y: fc.double({ min: -90, max: 90, noNaN: true }),
      width: fc.double({ min: 0.5, max: 120, noNaN: true }),
      height: fc.double({ min: 0.5, max: 120, noNaN: true }),
    });
    const compare = (plane: Plane, window: Window, size: Size) =>
      assertClose(resample(plane, window, size), referenceResample(plane, window, size), 1e-5);
    fc.assert(
      fc.property(sizes, window, sizes, (from, window, to) => compare(noise(from), window, to)),
      { numRuns: 150 },
    );
    onAllSizes((plane, { width, height }) => {
      compare(
        plane,
        { x: -3.5, y: 2, width: 1.5 * width, height: 0.7 * height },
        { width: 420, height: 133 },
      );
      compare(plane, { x: 2 * width, y: -5 * height, width, height }, { width: 7, height: 5 });
      compare(plane, { x: 0, y: 0, width, height }, { width: 129, height: 321 });
    });
  });

  it('reduce to the mean of each square, and of what the edge leaves of one', () => {
    onAllSizes((plane) => {
      for (const factor of [1, 2, 3, 5]) {
        const size = {
          width: Math.ceil(plane.width / factor),
          height: Math.ceil(plane.height / factor),
        };
        const wanted = makePlane(size, (column, row) => {
          const values = [];
          for (let y = row * factor; y < Math.min(plane.height, (row + 1) * factor); y++)
            for (let x = column * factor; x < Math.min(plane.width, (column + 1) * factor); x++)
              values.push(valueAt(plane, x, y));
          return values.reduce((sum, value) => sum + value, 0) / values.length;
        });
        assertClose(reduce(plane, factor), wanted, 1e-6);
      }
    });
  });

  it('sample through a similarity like every sample by itself, inside and beyond the borders', () => {
    const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
    const through = fc.record({ a: number(3), b: number(3), x0: number(90), y0: number(90) });
    fc.assert(
      fc.property(sizes, through, sizes, fc.boolean(), (from, similarity, to, repeats) => {
        const outside = repeats ? undefined : -1;
        const plane = noise({ width: from.width + 1, height: from.height + 1 });
        const wanted = referenceSample(plane, similarity, to, outside);
        assertClose(sampleThrough(plane, similarity, to, outside), wanted, 2e-3);
      }),
      { numRuns: 200 },
    );
  });

  it('add a weighted plane to its part of another, and nothing beside it', () => {
    onAllSizes((plane, { width, height }) => {
      const across = noise({ width, height: 1 }, 2).data;
      const down = noise({ width: height, height: 1 }, 3).data;
      const wide = { width: width + 5, height: height + 4 };
      const source = { ...plane, data: plane.data.map((value) => 3 * value - 1) };
      const before = noise(wide, 4);
      const sums = withArena(() => {
        const data = allocateCopy(before.data);
        addWeighted(source, { across, down, weight: 1.5 }, { data, width: wide.width, x: 2, y: 3 });
        return data;
      });
      const wanted = makePlane(wide, (x, y) => {
        const [column, row] = [x - 2, y - 3];
        const isInside = column >= 0 && row >= 0 && column < width && row < height;
        const added = isInside
          ? 1.5 * across[column]! * down[row]! * clamp01(valueAt(source, column, row))
          : 0;
        return valueAt(before, x, y) + added;
      });
      assertClose({ ...wide, data: sums }, wanted, 1e-6);
    });
  });

  it('add a softmax by its definition, also of numbers that are far apart', () => {
    onAllSizes((plane, size) => {
      const answer = noise({ width: 3 * plane.data.length, height: 1 }, 5).data.map(
        (value) => 40 * value - 9,
      );
      const shares = withArena(() => {
        const targets = [0, 1, 2].map(() => allocateZeros(plane.data.length));
        addSoftmax({ answer, ...size, gain: 2, weight: 0.5, targets });
        return targets;
      });
      for (let i = 0; i < plane.data.length; i++) {
        const powers = [0, 1, 2].map((k) => Math.exp(2 * answer[3 * i + k]!));
        const sum = powers.reduce((total, power) => total + power, 0);
        for (const [k, power] of powers.entries())
          assert.ok(Math.abs(shares[k]![i]! - (0.5 * power) / sum) < 1e-5);
      }
    });
  });

  it('finish like the grade by its definition, with the grain of its generator', () => {
    onAllSizes((plane, size) => {
      const colour = [2, 3, 4].map((seed) => noise(size, seed).data);
      const grade = { edges: new Float32Array(size.width).fill(-0.02), vignette: 0.3, saturation: 0.8 };
      const curve = Float32Array.from({ length: 102 }, (_, i) => Math.min(1, (i / 100) ** 0.9));
      const grain = Float32Array.from({ length: 65_536 }, (_, i) => Math.sin(i));
      const strength = { grainOnPlate: 0.01, grainOnPeople: 0.03 };
      const picture = withArena(() => {
        const target = allocatePicture(size);
        finishFilm({ colour, people: plane.data, ...grade, curve, grain, ...strength, seed: 77 }, target);
        return target;
      });
      let state = 77;
      for (let y = 0, i = 0; y < size.height; y++) {
        for (let x = 0; x < size.width; x++, i++) {
          const edge = grade.edges[x]! + 0.9 * (y / size.height - 0.48) ** 2;
          const shade = 1 - grade.vignette * Math.max(0, edge);
          const level = 0.2126 * colour[0]![i]! + 0.7152 * colour[1]![i]! + 0.0722 * colour[2]![i]!;
          state = (Math.imul(state, 1664525) + 1013904223) | 0;
          const mix = strength.grainOnPlate * (1 - plane.data[i]!) + strength.grainOnPeople * plane.data[i]!;
          for (let channel = 0; channel < 3; channel++) {
            const value = colour[channel]![i]!;
            const linear = clamp01((level + (value - level) * grade.saturation) * shade);
            const at = Math.sqrt(linear) * 100;
            const low = curve[Math.floor(at)]!;
            const shown = low + (curve[Math.floor(at) + 1]! - low) * (at - Math.floor(at));
            const wanted = clamp01(shown + grain[state >>> 16]! * mix * (1 - Math.abs(shown - 0.5)));
            assert.ok(Math.abs(picture.planes[channel]![i]! - wanted) < 1e-6);
          }
        }
      }
    });
  });

  it('light by the gain of each slanted line, within the limited range', () => {
    onAllSizes((plane, size) => {
      const { width, height } = size;
      const bytes = Uint8Array.from(plane.data, (value) => 255 * value);
      const gain = Int32Array.from(
        noise({ width: width + height, height: 1 }, 6).data,
        (value) => 9000 * value,
      );
      const lit = withArena(() => {
        const luma = allocateBytes(bytes.length);
        luma.set(bytes);
        applyLumaGain(luma, size, gain, 0.45);
        return luma;
      });
      for (let y = 0, i = 0; y < height; y++) {
        for (let x = 0; x < width; x++, i++) {
          const by = gain[Math.round(0.45 * y) + x]! / 4096;
          assert.equal(lit[i], Math.min(235, Math.max(0, 16 + Math.floor((bytes[i]! - 16) * by + 0.5))));
        }
      }
    });
  });

  it('blur like a sum over the Gaussian, to the last bit', () => {
    onAllSizes((plane) => {
      for (const sigma of [0.3, 0.9, 1.4, 2.1]) {
        assert.deepEqual(blurByKernel(plane, sigma).data, referenceGaussian(plane, sigma).data);
      }
    });
  });

  it('give box means like a sum over each window, also where it is larger than the plane', () => {
    onAllSizes((plane) => {
      for (const radius of [0, 1, 8, 45])
        assertClose(boxMean(plane, radius), referenceMean(plane, radius), 1e-5);
      const three = [8, 9, 3].reduce(referenceMean, plane);
      assertClose(boxMeans(plane, [8, 9, 3]), three, 1e-5);
    });
    fc.assert(
      fc.property(sizes, radii, (size, radius) =>
        assertClose(boxMean(noise(size), radius), referenceMean(noise(size), radius), 1e-5),
      ),
    );
  });

  it('fit and apply like the guided filter by its definition, by three guides and by one', () => {
    onAllSizes((plane, size) => {
      const guides = [2, 3, 4].map((seed) => noise(size, seed));
      const [red, green, blue] = guides.map(({ data }) => data) as [Float32Array, Float32Array, Float32Array];
      assertClose(
        guidedFilter({ guide: { ...size, planes: [red, green, blue] }, plane, radius: 6, epsilon: 0.02 }),
        referenceGuided(guides, plane, 3, 0.02),
        1e-3,
      );
      assertClose(smoothPlane(plane, 6, 0.15), referenceGuided([plane], plane, 3, 0.0225), 1e-3);
    });
  });

  it('apply what `enlarge` makes of the fit, to the last bit', () => {
    onAllSizes((guide, size) => {
      const slope = reduce(noise(size, 5), 2);
      const offset = reduce(noise(size, 6), 2);
      const applied = withArena(() => {
        const target = { ...size, data: allocate(guide.data.length) };
        const { width, height } = slope;
        applyFit([guide.data], { width, height, slopes: [slope.data], offset: offset.data }, target);
        return target.data;
      });
      const [slopes, offsets] = [slope, offset].map((plane) => enlarge(plane, size, 2).data);
      const wanted = guide.data.map((value, i) => clamp01(slopes![i]! * value + offsets![i]!));
      assert.deepEqual(applied, wanted);
    });
  });

  it('read planes from before and after the memory has grown', () => {
    rowPool.threadCount = 3;
    const size = { width: 331, height: 257 };
    withArena(() => {
      const early = { ...size, data: allocateCopy(noise(size).data) };
      let last = early.data;
      // Pages that nobody writes cost nothing.
      while (last.buffer === early.data.buffer) last = allocate(4_000_000);
      const late = { ...size, data: allocateCopy(noise(size, 2).data) };
      assert.notEqual(late.data.buffer, early.data.buffer);
      const target = allocate(early.data.length);
      multiply(early, late, target);
      assert.ok(target.every((value, i) => value === Math.fround(early.data[i]! * late.data[i]!)));
      assertClose(boxMean(early, 7), referenceMean(early, 7), 1e-5);
    });
  });

  it('have used no stack, which all threads would share: it would lie in the first page', () => {
    const firstPage = new Uint8Array(arenaMemory().buffer, 0, 65_536);
    assert.ok(firstPage.every((byte) => byte === 0));
  });

  it('refuse to write outside of the arena, and to run without one', () => {
    const source = noise({ width: 9, height: 9 });
    const outside = () => boxMeansAcross({ source, radii: [1], target: new Float32Array(81) });
    assert.throws(outside, /not in the arena/);
    assert.throws(() => withArena(outside), /not in the arena/);
  });
});

function noise(size: Size, seed = 1): Plane {
  return whiteNoise(size, seed);
}

function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function assertClose({ width, height, data }: Plane, wanted: Plane, tolerance: number): void {
  assert.deepEqual([width, height, data.length], [wanted.width, wanted.height, wanted.data.length]);
  let worst = 0;
  for (let i = 0; i < data.length; i++) {
    const off = Math.abs(data[i]! - wanted.data[i]!);
    if (!(off <= worst)) worst = off;
  }
  assert.ok(worst <= tolerance, `off by ${worst} at ${width}×${height}`);
}

/** The value at a place; beyond the borders they repeat. */
function valueAt({ width, height, data }: Plane, x: number, y: number): number {
  const column = Math.min(width - 1, Math.max(0, x));
  const row = Math.min(height - 1, Math.max(0, y));
  return data[row * width + column]!;
}

function makePlane({ width, height }: Size, compute: (x: number, y: number) => number): Plane {
  const data = new Float32Array(width * height);
  for (let y = 0, i = 0; y < height; y++) for (let x = 0; x < width; x++, i++) data[i] = compute(x, y);
  return { width, height, data };
}

/** Catmull-Rom around the place of each target pixel, as wide as the step where that is a third more than a pixel. */
function referenceResample(plane: Plane, window: Window, size: Size): Plane {
  const tapsOf = (start: number, length: number, count: number) =>
    Array.from({ length: count }, (_, i) => {
      const step = length / count;
      const widening = step < 1.35 ? 1 : step;
      const center = start + (i + 0.5) * step - 0.5;
      const first = Math.floor(center - 2 * widening) + 1;
      const places = Array.from({ length: Math.ceil(4 * widening) }, (_, k) => first + k);
      const weights = places.map((place) => catmullRom(Math.abs(place - center) / widening));
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      return { first, weights: weights.map((weight) => weight / total) };
    });
  const [across, down] = [
    tapsOf(window.x, window.width, size.width),
    tapsOf(window.y, window.height, size.height),
  ];
  const rows = makePlane({ width: size.width, height: plane.height }, (x, y) => {
    const { first, weights } = across[x]!;
    let sum = 0;
    for (let k = 0; k < weights.length; k++) sum += weights[k]! * valueAt(plane, first + k, y);
    return sum;
  });
  return makePlane(size, (x, y) => {
    const { first, weights } = down[y]!;
    let sum = 0;
    for (let k = 0; k < weights.length; k++) sum += weights[k]! * valueAt(rows, x, first + k);
    return sum;
  });
}

/** The mean of a grid of bilinear samples; a pixel reaches half a pixel beyond its middle. */
function referenceSample(plane: Plane, { a, b, x0, y0 }: Similarity, size: Size, outside?: number): Plane {
  const grid = Math.max(1, Math.min(3, Math.round(0.8 * Math.hypot(a, b))));
  const shifts = Array.from({ length: grid }, (_, k) => (k + 0.5) / grid - 0.5);
  const read = (x: number, y: number) => {
    const isOutside = x < -0.5 || y < -0.5 || x > plane.width - 0.5 || y > plane.height - 0.5;
    if (outside !== undefined && isOutside) return outside;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const between = (line: number) =>
      valueAt(plane, column, line) * (1 - x + column) + valueAt(plane, column + 1, line) * (x - column);
    return between(row) * (1 - y + row) + between(row + 1) * (y - row);
  };
  return makePlane(size, (u, v) => {
    let sum = 0;
    for (const dv of shifts)
      for (const du of shifts)
        sum += read(a * (u + du) - b * (v + dv) + x0, b * (u + du) + a * (v + dv) + y0);
    return sum / grid ** 2;
  });
}

function catmullRom(x: number): number {
  if (x >= 2) return 0;
  return x < 1 ? 1.5 * x ** 3 - 2.5 * x ** 2 + 1 : -0.5 * x ** 3 + 2.5 * x ** 2 - 4 * x + 2;
}

/** Each value and its neighbours at equal distances, from the middle outwards, first across and then down. */
function referenceGaussian(plane: Plane, sigma: number): Plane {
  const reach = Math.max(1, Math.ceil(2.8 * sigma));
  const sides = Float32Array.from({ length: reach + 1 }, (_, i) => Math.exp((-i * i) / (2 * sigma * sigma)));
  const total = sides.reduce((sum, weight, i) => sum + (i === 0 ? weight : 2 * weight), 0);
  const weights = sides.map((weight) => weight / total);
  const sum = (at: (distance: number) => number) =>
    weights.reduce((sum, weight, i) => sum + (i === 0 ? at(0) : at(-i) + at(i)) * weight, 0);
  const rows = makePlane(plane, (x, y) => sum((distance) => valueAt(plane, x + distance, y)));
  return makePlane(plane, (x, y) => sum((distance) => valueAt(rows, x, y + distance)));
}

/** The mean of what lies in the window and in the plane: of each row first, then of these. */
function referenceMean(plane: Plane, radius: number): Plane {
  const mean = (middle: number, length: number, at: (place: number) => number) => {
    const first = Math.max(0, middle - radius);
    const count = Math.min(length - 1, middle + radius) - first + 1;
    let sum = 0;
    for (let place = first; place < first + count; place++) sum += at(place);
    return sum / count;
  };
  const rows = makePlane(plane, (x, y) => mean(x, plane.width, (place) => valueAt(plane, place, y)));
  return makePlane(plane, (x, y) => mean(y, plane.height, (place) => valueAt(rows, x, place)));
}

/** In each window the plane is fitted by the guides; the mean of the fits around a pixel is applied there. */
function referenceGuided(guides: readonly Plane[], plane: Plane, reach: number, epsilon: number): Plane {
  const half = (plane: Plane) => reduce(plane, 2);
  const mean = (plane: Plane) => referenceMean(plane, reach);
  const times = (a: Plane, b: Plane) => mean(makePlane(a, (x, y) => valueAt(a, x, y) * valueAt(b, x, y)));
  const [small, smallGuides] = [half(plane), guides.map(half)];
  const [level, levels] = [mean(small), smallGuides.map(mean)];
  const products = smallGuides.map((guide) => times(guide, small));
  const squares = smallGuides.map((one) => smallGuides.map((other) => times(one, other)));
  const fits = Array.from({ length: small.data.length }, (_, i) => {
    const matrix = squares.map((row, a) =>
      row.map(
        ({ data }, b) => data[i]! - levels[a]!.data[i]! * levels[b]!.data[i]! + (a === b ? epsilon : 0),
      ),
    );
    const slopes = solve(
      matrix,
      products.map(({ data }, a) => data[i]! - levels[a]!.data[i]! * level.data[i]!),
    );
    const offset = slopes.reduce((rest, slope, a) => rest - slope * levels[a]!.data[i]!, level.data[i]!);
    return [...slopes, offset];
  });
  const full = fits[0]!.map((_, k) => {
    const values = makePlane(small, (x, y) => fits[y * small.width + x]![k]!);
    return enlarge(mean(values), plane, 2);
  });
  return makePlane(plane, (x, y) => {
    const sum = guides.reduce((sum, guide, k) => sum + valueAt(full[k]!, x, y) * valueAt(guide, x, y), 0);
    return clamp01(sum + valueAt(full.at(-1)!, x, y));
  });
}

/** By elimination; the matrix of a covariance needs no change of rows. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  for (const [i, pivot] of rows.entries()) {
    for (const [j, row] of rows.entries()) {
      if (j === i) continue;
      const share = row[i]! / pivot[i]!;
      for (const k of row.keys()) row[k] = row[k]! - share * pivot[k]!;
    }
  }
  return rows.map((row, i) => row.at(-1)! / row[i]!);
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boxMean } from '../../src/pixels/box-mean.ts';
import { gaussianBlur } from '../../src/pixels/gaussian-blur.ts';
import { guidedFilter, smoothPlane } from '../../src/pixels/guided-filter.ts';
import { fromLab, toLab } from '../../src/pixels/lab.ts';
import { whiteNoise } from '../../src/pixels/noise.ts';
import type { Picture, Planes } from '../../src/pixels/picture.ts';
import { allocateZeroPlane, type Plane } from '../../src/pixels/plane.ts';
import { enlarge, reduce } from '../../src/pixels/reduce.ts';
import { findRegions } from '../../src/pixels/regions.ts';
import { resample } from '../../src/pixels/resample.ts';
import { sampleThrough } from '../../src/pixels/sample-through.ts';

describe('gaussianBlur', () => {
  it('keeps flat areas flat up to the border and spreads a point to its sigma', () => {
    for (const sigma of [0.8, 1.9, 3, 9]) {
      const flat = allocateZeroPlane({ width: 61, height: 47 });
      flat.data.fill(0.4);
      assert.ok(gaussianBlur(flat, sigma).data.every((value) => Math.abs(value - 0.4) < 1e-5));
      const point = allocateZeroPlane({ width: 121, height: 121 });
      point.data[60 * 121 + 60] = 1;
      assert.ok(Math.abs(spread(gaussianBlur(point, sigma)) - sigma) < 0.06 * sigma, `sigma ${sigma}`);
    }
  });
});

describe('boxMean', () => {
  it('is the mean of what lies inside the window and the plane', () => {
    const noise = whiteNoise({ width: 23, height: 17 }, 5);
    for (const radius of [1, 4, 12, 30]) {
      const means = boxMean(noise, radius);
      for (const [x, y] of [
        [0, 0],
        [22, 16],
        [11, 8],
        [3, 15],
      ] as const) {
        let sum = 0;
        let count = 0;
        for (let py = Math.max(0, y - radius); py <= Math.min(16, y + radius); py++) {
          for (let px = Math.max(0, x - radius); px <= Math.min(22, x + radius); px++) {
            sum += noise.data[py * 23 + px]!;
            count++;
          }
        }
        assert.ok(Math.abs(means.data[y * 23 + x]! - sum / count) < 1e-5, `radius ${radius} at ${x},${y}`);
      }
    }
  });
});

describe('reduce and enlarge', () => {
  it('give a slope back, but for its ends, at even and odd sizes', () => {
    for (const [width, height, factor] of [
      [40, 32, 2],
      [41, 33, 2],
      [40, 32, 4],
      [43, 35, 4],
    ] as const) {
      const slope = allocateZeroPlane({ width, height });
      slope.data.forEach((_, i) => {
        slope.data[i] = (i % width) * 0.01 + Math.floor(i / width) * 0.02;
      });
      const back = enlarge(reduce(slope, factor), slope, factor);
      for (let y = factor; y < height - 2 * factor; y++) {
        for (let x = factor; x < width - 2 * factor; x++) {
          const i = y * width + x;
          assert.ok(Math.abs(back.data[i]! - slope.data[i]!) < 1e-5, `${width}×${height} at ${x},${y}`);
        }
      }
    }
  });
});

describe('toLab and fromLab', () => {
  it('know white, and give every colour back', () => {
    const noise = [1, 2, 3].map((seed) => whiteNoise({ width: 64, height: 64 }, seed).data);
    for (const plane of noise) plane[0] = 1;
    const picture: Picture = { width: 64, height: 64, planes: [noise[0]!, noise[1]!, noise[2]!] };
    const lab = toLab(picture);
    assert.ok(Math.abs(lab.lightness[0]! - 100) < 0.1 && Math.hypot(lab.a[0]!, lab.b[0]!) < 0.2);
    const back = fromLab(lab);
    for (const [c, plane] of back.planes.entries()) {
      assert.ok(plane.every((value, i) => Math.abs(value - picture.planes[c]![i]!) < 0.006));
    }
  });
});

describe('guidedFilter', () => {
  it('snaps a blurred matte to the edge of the picture', () => {
    const width = 80;
    const height = 40;
    const edge = Float32Array.from({ length: width * height }, (_, i) => (i % width < 40 ? 0.2 : 0.8));
    const truth = Float32Array.from({ length: width * height }, (_, i) => (i % width < 40 ? 0 : 1));
    const soft = gaussianBlur({ width, height, data: truth }, 5);
    const guide = { width, height, planes: [edge, edge, edge] satisfies Planes };
    const snapped = guidedFilter({ guide, plane: soft, radius: 12, epsilon: 1e-4 });
    const jump = ({ data }: Plane) => data[20 * width + 41]! - data[20 * width + 38]!;
    assert.ok(jump(soft) < 0.3);
    assert.ok(jump(snapped) > 0.6, `${jump(soft)} became ${jump(snapped)}`);
  });
});

describe('resample', () => {
  it('keeps flat planes flat and ramps straight, also beyond the borders', () => {
    const size = { width: 30, height: 20 };
    const ramp = { ...size, data: Float32Array.from({ length: 30 * 20 }, (_, i) => (i % 30) / 30) };
    const larger = resample(ramp, { x: 5, y: 5, width: 20, height: 10 }, { width: 60, height: 30 }).data;
    for (let x = 1; x < 59; x++) {
      assert.ok(Math.abs(larger[15 * 60 + x]! - (5 + (x + 0.5) / 3 - 0.5) / 30) < 1e-3);
    }
    const flat = resample(
      { ...size, data: new Float32Array(600).fill(0.4) },
      { x: -6, y: -6, width: 42, height: 32 },
      { width: 17, height: 13 },
    );
    for (const value of flat.data) assert.ok(Math.abs(value - 0.4) < 1e-5);
  });
});

describe('reduce', () => {
  it('keeps the mean, also where the size does not divide', () => {
    const plane = Float32Array.from({ length: 21 * 9 }, (_, i) => i % 7);
    const { data: small, width, height } = reduce({ width: 21, height: 9, data: plane }, 3);
    assert.deepEqual([width, height], [7, 3]);
    const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
    assert.ok(Math.abs(mean(small) - mean(plane)) < 1e-5);
    const flat = { width: 7, height: 5, data: new Float32Array(35).fill(2) };
    assert.deepEqual([...reduce(flat, 4).data], [2, 2, 2, 2]);
  });
});

describe('findRegions', () => {
  it('tells regions apart by their sides, not their corners', () => {
    const data = Float32Array.from([1, 1, 0, 0, 0, 1, 1, 0, 1]);
    const { labels, areas } = findRegions({ width: 3, height: 3, data }, 0.5, 'above');
    assert.equal(areas.length - 1, 3);
    assert.equal(labels[0], labels[1]);
    assert.equal(labels[5], labels[8]);
    assert.notEqual(labels[0], labels[5]);
    assert.notEqual(labels[6], labels[8]);
  });
});

describe('sampleThrough', () => {
  it('gives a part of the plane back as it is, and what is asked for beyond the border', () => {
    const noise = whiteNoise({ width: 20, height: 16 }, 3);
    const shifted = { a: 1, b: 0, x0: 12, y0: 4 };
    const part = sampleThrough(noise, shifted, { width: 10, height: 8 }, -1);
    for (let y = 0; y < 8; y++) {
      for (let x = 0; x < 10; x++) {
        const wanted = x + 12 > 19 ? -1 : noise.data[(y + 4) * 20 + x + 12]!;
        // The last column and row are read a thousandth of a pixel further in.
        assert.ok(Math.abs(part.data[y * 10 + x]! - wanted) < 2e-3, `${x},${y}`);
      }
    }
  });

  it('rotates by a quarter', () => {
    const noise = whiteNoise({ width: 9, height: 9 }, 4);
    const rotated = sampleThrough(noise, { a: 0, b: 1, x0: 8, y0: 0 }, noise);
    assert.ok(Math.abs(rotated.data[3 * 9 + 2]! - noise.data[2 * 9 + 5]!) < 1e-5);
  });
});

describe('smoothPlane', () => {
  it('smooths grain and keeps an edge', () => {
    const size = { width: 60, height: 40 };
    const grain = whiteNoise(size, 8).data;
    const data = grain.map((value, i) => (i % 60 < 30 ? 0.2 : 0.8) + 0.04 * (value - 0.5));
    const smooth = smoothPlane({ ...size, data }, 6, 0.1).data;
    const deviation = (values: Float32Array) => {
      const part = Array.from({ length: 20 }, (_, x) => values[20 * 60 + x]!);
      const mean = part.reduce((sum, value) => sum + value, 0) / part.length;
      return Math.sqrt(part.reduce((sum, value) => sum + (value - mean) ** 2, 0) / part.length);
    };
    assert.ok(deviation(smooth) < 0.4 * deviation(data), `${deviation(data)} became ${deviation(smooth)}`);
    assert.ok(smooth[20 * 60 + 31]! - smooth[20 * 60 + 28]! > 0.5);
  });
});

/** The standard deviation, along x, of a plane taken as a heap of weight. */
function spread({ width, data }: Plane): number {
  let weight = 0;
  let sum = 0;
  let squares = 0;
  data.forEach((value, i) => {
    weight += value;
    sum += value * (i % width);
    squares += value * (i % width) ** 2;
  });
  return Math.sqrt(squares / weight - (sum / weight) ** 2);
}

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { applyFilmFinish, gradeOf } from '../../src/compose/film-finish.ts';
import { applyLook } from '../../src/looks/looks.ts';
import { kuwahara } from '../../src/looks/strokes/kuwahara.ts';
import { paperTooth, shadeRelief } from '../../src/looks/strokes/paper.ts';
import { tangentFlow } from '../../src/looks/strokes/tangent-flow.ts';
import { boxMean } from '../../src/pixels/box-mean.ts';
import { gaussianBlur } from '../../src/pixels/gaussian-blur.ts';
import { guidedFilter, smoothKeepingEdges } from '../../src/pixels/guided-filter.ts';
import { fromLab, toLab } from '../../src/pixels/lab.ts';
import { clouds, whiteNoise } from '../../src/pixels/noise.ts';
import { lumaPlane, type Picture } from '../../src/pixels/picture.ts';
import type { Plane } from '../../src/pixels/plane.ts';
import { randomFrom } from '../../src/pixels/random.ts';
import { enlarge, reduce } from '../../src/pixels/reduce.ts';
import { resample } from '../../src/pixels/resample.ts';
import { sampleThrough } from '../../src/pixels/sample-through.ts';
import { allocate, allocateIntegers, allocateZeros, withArena } from '../../src/runtime/arena.ts';
import { rowPool } from '../../src/runtime/parallel-rows.ts';
import { addRows, breakElsewhereRows, breakRows, forRows, runHidden, signRows } from './row-kernels.ts';

const width = 331;
const height = 257;
const size = width * height;
const usual = rowPool.threadCount;

afterEach(() => {
  rowPool.threadCount = usual;
});

/** The first task starts the threads; who is asked until all of them have answered is not early any more. */
function awake(threads: number): void {
  rowPool.threadCount = threads;
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    if (new Set(signed()).size === threads) return;
  }
  assert.fail(`not all of ${threads} threads took part within a minute`);
}

/** On a busy machine the calling thread may have done all rows before the others came. */
async function failureOf(work: () => void): Promise<string> {
  for (const until = Date.now() + 60_000; Date.now() < until; await setImmediate()) {
    try {
      withArena(work);
    } catch (error) {
      return String(error);
    }
  }
  return 'no failure within a minute';
}

function signed(): Float32Array {
  return withArena(() => {
    const out = allocate(size);
    forRows(signRows, height, { width }, { out });
    return out;
  });
}

describe('forRows', () => {
  it('has every row done, once, by several threads', () => {
    awake(3);
    const out = signed();
    for (let y = 0; y < height; y++) {
      const row = out.subarray(y * width, (y + 1) * width);
      assert.ok(row[0]! >= 0 && row.every((who) => who === row[0]), `row ${y}`);
    }
  });

  it('takes as many threads as the machine has cores, up to four', () => {
    assert.equal(usual, Math.min(4, availableParallelism()));
  });

  it('runs everything on the calling thread when there is one, or when an output is not shared', () => {
    rowPool.threadCount = 1;
    assert.deepEqual(new Set(signed()), new Set([0]));
    rowPool.threadCount = 3;
    const out = new Float32Array(size).fill(-1);
    forRows(signRows, height, { width }, { out });
    assert.deepEqual(new Set(out), new Set([0]));
  });

  it('reads inputs that are not shared, small or large, whole or parts, as they are at the time', () => {
    awake(3);
    const whole = whiteNoise({ width, height: height + 10 }, 1).data;
    const one = whole.subarray(5 * width, 5 * width + size);
    const few = Float32Array.of(9, 0.25, 0.5, 9).subarray(1, 3);
    for (const by of [0, 1]) {
      few[0] = 0.25 + by;
      const out = withArena(() => {
        const shared = allocateZeros(size).fill(2);
        const sum = allocate(size);
        forRows(addRows, height, { width, one, more: [{ values: few }, { values: shared }] }, { out: sum });
        return sum;
      });
      const wanted = one.map((value, i) => value + (few[i % 2]! + 2));
      assert.ok(out.every((value, i) => Math.abs(value - wanted[i]!) < 1e-6));
    }
  });

  it('throws what a kernel throws, whoever had the row, and goes on working', async () => {
    awake(3);
    for (const row of [0, 100, height - 1]) {
      assert.throws(
        () => withArena(() => forRows(breakRows, height, { width, row }, { out: allocate(size) })),
        {
          name: 'RangeError',
          message: `row ${row} is broken`,
        },
      );
    }
    const elsewhere = () => forRows(breakElsewhereRows, height, { width }, { out: allocate(size) });
    assert.match(await failureOf(elsewhere), /thread \d+ is broken/);
    assert.match(await failureOf(() => runHidden(width, height, allocate(size))), /exports no hiddenRows/);
    awake(3);
  });

  it('lets the process end, in the middle of nothing or of an error', async () => {
    const kernels = new URL('./row-kernels.ts', import.meta.url).href;
    const sources = ['arena', 'parallel-rows'].map(
      (name) => new URL(`../../src/runtime/${name}.ts`, import.meta.url).href,
    );
    const script = `
      const { forRows, signRows } = await import('${kernels}');
      const { allocate, withArena } = await import('${sources[0]}');
      (await import('${sources[1]}')).rowPool.threadCount = 3;
      withArena(() => forRows(signRows, 257, { width: 331 }, { out: allocate(257 * 331) }));
      console.log('done');`;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 60_000,
    });
    assert.equal(stdout, 'done\n');
    await assert.rejects(
      run(process.execPath, ['--input-type=module', '-e', `${script} throw new Error('after');`], {
        timeout: 60_000,
      }),
      /after/,
    );
  });

  it('works inline in threads that somebody else started', async () => {
    const script = `
      const { parentPort } = require('node:worker_threads');
      Promise.all([
        import(${JSON.stringify(new URL(import.meta.resolve('@guise/engine/pixels/gaussian-blur.ts')).href)}),
        import(${JSON.stringify(new URL(import.meta.resolve('@guise/engine/runtime/parallel-rows.ts')).href)}),
      ]).then(([{ gaussianBlur }, { rowPool }]) => {
        const blurred = gaussianBlur({ width: ${width}, height: ${height}, data: new Float32Array(${size}).fill(0.5) }, 3).data;
        parentPort.postMessage([rowPool.threadCount, blurred.buffer instanceof SharedArrayBuffer, blurred[1000]]);
      });`;
    const thread = new Worker(script, { eval: true });
    const [threads, shared, value] = await new Promise<[number, boolean, number]>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
    });
    await thread.terminate();
    assert.deepEqual([threads, shared], [1, false]);
    assert.ok(Math.abs(value - 0.5) < 1e-6);
  });
});

describe('pictures', () => {
  const results: Record<string, () => unknown> = {
    boxMean: () => boxMean(noise(1), 7),
    'gaussianBlur by its kernel': () => [0.9, 1.7].map((sigma) => gaussianBlur(noise(2), sigma)),
    'gaussianBlur by boxes': () => [3, 9, 30].map((sigma) => gaussianBlur(noise(3), sigma)),
    'reduce and enlarge': () => {
      const small = reduce(noise(4), 3);
      return [small, enlarge(small, { width, height }, 3)];
    },
    'resample, larger and smaller, beyond the borders': () =>
      [
        { x: -20.5, y: -9, width: 300, height: 280 },
        { x: 3.25, y: -40, width: 380, height: 400 },
      ].flatMap((window) => [
        resample(noise(7), window, { width: 420, height: 311 }),
        resample(noise(7), window, { width: 160, height: 141 }),
      ]),
    'sampleThrough, rotated and smaller': () =>
      [undefined, 0].map((outside) =>
        sampleThrough(noise(7), { a: 1.7, b: 0.6, x0: -9, y0: 4 }, { width: 240, height: 190 }, outside),
      ),
    'grade and grain': () =>
      applyFilmFinish({ width, height, colour: softPicture().planes }, noise(8), {
        grade: gradeOf(),
        plateGrain: 2,
        seed: 99,
      }),
    'Lab and back': () => withArena(() => [toLab(picture()), fromLab(toLab(picture()))]),
    'clouds, paper and its relief': () =>
      withArena(() => [
        clouds({ width, height }, { largest: 40, octaves: 3, seed: 5 }),
        shadeRelief(paperTooth({ width, height }, 2.4, 6)),
      ]),
    'kuwahara along the flow': () =>
      withArena(() => kuwahara(picture(), tangentFlow(lumaPlane(picture()), 9), 4)),
    'the guided filter, by colour and by lightness': () =>
      withArena(() => [
        guidedFilter({ guide: picture(), plane: noise(6), radius: 9, epsilon: 1e-3 }),
        smoothKeepingEdges(picture(), 6, 0.08),
      ]),
    ...Object.fromEntries(
      (['oil', 'watercolour', 'pencil', 'stained-glass', 'comic'] as const).map((name) => [
        `the look ${name}`,
        () => applyLook(name, picture(), [], 3),
      ]),
    ),
  };

  for (const [name, make] of Object.entries(results)) {
    it(`are the same to the last bit on one thread and on three: ${name}`, () => {
      rowPool.threadCount = 1;
      const one = make();
      awake(3);
      assert.deepEqual(make(), one);
      rowPool.threadCount = 2;
      assert.deepEqual(make(), one);
    });
  }

  it('have the noise that randomFrom gives', () => {
    awake(3);
    const random = randomFrom(77);
    const wanted = Float32Array.from({ length: size }, random);
    assert.deepEqual(withArena(() => whiteNoise({ width, height }, 77)).data, wanted);
  });
});

describe('withArena', () => {
  it('returns planes of its own, and none that is used again', () => {
    const first = withArena(() => allocateZeros(size).fill(1));
    const second = withArena(() => ({ deep: [allocateZeros(size).fill(2)], name: 'second' }));
    assert.ok(!(first.buffer instanceof SharedArrayBuffer));
    assert.ok(first.every((value) => value === 1));
    assert.ok(second.deep[0]!.every((value) => value === 2));
    assert.equal(second.name, 'second');
  });

  it('keeps what inner work returns until the outer work ends, and gives the rest away', () => {
    withArena(() => {
      let lost: Float32Array | undefined;
      const kept = withArena(() => {
        lost = allocate(size);
        return { plane: allocateZeros(size).fill(3), labels: allocateIntegers(size).fill(4) };
      });
      const others = Array.from({ length: 6 }, () => allocate(size).fill(9));
      assert.ok(kept.plane.every((value) => value === 3));
      assert.ok(kept.labels.every((value) => value === 4));
      assert.ok(
        others.some((plane) => plane.byteOffset === lost!.byteOffset && plane.buffer === lost!.buffer),
      );
    });
  });

  it('gives everything back when the work fails', () => {
    const places = () => withArena(() => Array.from({ length: 5 }, () => allocate(size).byteOffset).join());
    const before = places();
    assert.throws(() =>
      withArena(() => {
        allocate(3 * size);
        withArena(() => allocate(size));
        throw new Error('broken');
      }),
    );
    assert.equal(places(), before);
  });

  it('grows in the middle of the work: earlier planes keep their values, and threads read old and new ones', () => {
    awake(3);
    withArena(() => {
      const early = allocate(size).fill(0.25);
      const late = [early];
      // The memory grows by 128 MB at a time; pages that nobody writes cost nothing.
      while (late.at(-1)!.buffer === early.buffer) late.push(allocate(4_000_000));
      const sum = allocate(size);
      forRows(
        addRows,
        height,
        { width, one: early, more: [{ values: late.at(-1)!.fill(0.5) }] },
        { out: sum },
      );
      assert.ok(early.every((value) => value === 0.25));
      assert.ok(sum.every((value) => value === 0.75));
      const kept = withArena(() => [allocate(size).fill(1), allocate(size).fill(2)]);
      allocate(size).fill(9);
      assert.deepEqual([kept[0]![size - 1], kept[1]![size - 1]], [1, 2]);
    });
  });

  it('refuses planes of more than 4 GB, and goes on working', () => {
    assert.throws(() => withArena(() => allocate(2 ** 30)), /need more than 4 GB/);
    assert.ok(withArena(() => allocate(size).fill(1)).every((value) => value === 1));
  });

  it('never hands one place to two at a time, whatever the order of sizes', () => {
    const random = randomFrom(5);
    withArena(() => {
      const held: { plane: Float32Array; mark: number }[] = [];
      for (let mark = 0; mark < 400; mark++) {
        const plane = withArena(() => {
          allocate(1 + Math.floor(random() * 9000));
          return allocate(1 + Math.floor(random() * 9000));
        }).fill(mark);
        if (random() < 0.3) held.push({ plane, mark });
      }
      for (const { plane, mark } of held) assert.ok(plane.every((value) => value === mark));
    });
  });
});

describe('row kernels', () => {
  const root = join(import.meta.dirname, '../../src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const kernels = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(/forRows\(\s*(\w+),/g)].map(([, name]) => ({ file, name: name!, text }));
  });

  it('are all exported from the module that runs them, so that threads find them', () => {
    assert.ok(kernels.length > 30, `${kernels.length} kernels`);
    const hidden = kernels.filter(({ name, text }) => !text.includes(`export function ${name}(`));
    assert.deepEqual(
      hidden.map(({ file, name }) => `${file}: ${name}`),
      [],
    );
  });

  it('stand in modules that load neither networks nor decoders: every thread loads them', () => {
    const seen = new Set<string>();
    const walk = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(file, 'utf8').replaceAll(/import type [^;]+;/g, '');
      for (const [, path] of text.matchAll(/from\s+'([^']+)'/g)) {
        assert.ok(/^\.|^node:|^delaunator$/.test(path!), `${file} imports ${path}`);
        if (path!.startsWith('.')) walk(join(file, '..', path!));
      }
    };
    for (const { file } of kernels) walk(join(root, file));
  });
});

function noise(seed: number): Plane {
  return whiteNoise({ width, height }, seed);
}

/** Soft forms with some grain in three channels: edges to follow, flat places to smooth. Nothing writes into it. */
function picture(): Picture {
  soft ??= softPicture();
  return soft;
}

let soft: Picture | undefined;

function softPicture(): Picture {
  const planes = [1, 2, 3].map((seed) => {
    const forms = clouds({ width, height }, { largest: 60, octaves: 3, seed }).data;
    const grain = noise(seed + 9).data;
    return forms.map((value, i) => Math.min(1, Math.max(0, 0.5 + 1.2 * value + 0.05 * grain[i]!)));
  });
  return { width, height, planes: [planes[0]!, planes[1]!, planes[2]!] };
}

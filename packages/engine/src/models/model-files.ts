import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { RenderError } from '../runtime/render-error.ts';
import type { ModelFile } from './models.ts';

/**
 * Folders with models that were imported, for those that no package carries here. It is module state on purpose, as the
 * sessions are. A file is found by its SHA-256, so that it is the same in whichever folder.
 */
const importFolders = new Set<string>();

/** Lets this process use the models that were imported into the operator's folder of models. */
export function useImportedModels(modelsDir: string): void {
  importFolders.add(importedModelsDir(modelsDir));
}

/** Where the files of imported models are, each named after its SHA-256. */
export function importedModelsDir(modelsDir: string): string {
  return join(modelsDir, 'imported');
}

/** Reads a model's file and holds it against its SHA-256, so that nothing but the known weights is ever run. */
export async function readModelFile(model: ModelFile): Promise<Buffer> {
  return (await findModelFile(model)).bytes;
}

/** The file of the package that carries it, or else the one that was imported. */
export async function findModelFile(model: ModelFile): Promise<{ path: string; bytes: Buffer }> {
  const folder = packageFolder(model.package);
  const imported = [...importFolders].map((from) => join(from, model.sha256));
  let what = 'is missing';
  let cause: unknown;
  for (const path of [...(folder ? [join(folder, model.file)] : []), ...imported]) {
    try {
      const bytes = await readFile(path);
      if (sha256Of(bytes) === model.sha256) return { path, bytes };
      what = 'is not the one that was published';
    } catch (error) {
      cause ??= error;
    }
  }
  throw modelUnusable(model, what, cause);
}

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The folder of an installed package, or null. */
export function packageFolder(name: string): string | null {
  try {
    const manifest = findPackageJSON(name, import.meta.url);
    return manifest ? dirname(manifest) : null;
  } catch {
    return null;
  }
}

export function modelUnusable(model: ModelFile, what: string, cause?: unknown): RenderError {
  return new RenderError(
    'MODEL_UNUSABLE',
    `The model file ${model.file} of ${model.package} ${what}. Run npm ci, install Guise again, or import its models: guise models import FILE.`,
    { cause },
  );
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { RenderError } from '../runtime/render-error.ts';
import type { ModelFile } from './models.ts';

/** Reads a model's file and holds it against its SHA-256, so that nothing but the known weights is ever run. */
export async function readModelFile(model: ModelFile): Promise<Buffer> {
  const bytes = await readInstalled(model);
  if (sha256Of(bytes) !== model.sha256) {
    throw modelUnusable(model, 'is not the one that was published');
  }
  return bytes;
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

async function readInstalled(model: ModelFile): Promise<Buffer> {
  const folder = packageFolder(model.package);
  if (!folder) throw modelUnusable(model, 'is missing');
  try {
    return await readFile(join(folder, model.file));
  } catch (cause) {
    throw modelUnusable(model, 'is missing', cause);
  }
}

export function modelUnusable(model: ModelFile, what: string, cause?: unknown): RenderError {
  return new RenderError(
    'MODEL_UNUSABLE',
    `The model file ${model.file} of ${model.package} ${what}. Run npm ci or install Guise again.`,
    { cause },
  );
}

import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readModelFile, sha256Of } from './model-files.ts';
import type { Model } from './models.ts';

/**
 * The ONNX model that the runtime loads. A conversion is kept in `cacheDir` and read from there at the next start. A
 * folder that cannot be read or written, or none at all, costs a conversion in memory at every start.
 */
export async function readOnnxModel(model: Model, cacheDir: string | null): Promise<Buffer> {
  const { conversion } = model;
  if (!conversion) return readModelFile(model.weights);
  const { sha256 } = conversion;
  const cached = cacheDir === null ? null : await readCachedModel(cacheDir, sha256);
  if (cached) return cached;
  const { convertModel } = await import('./convert/convert-model.ts');
  const converted = await convertModel(model, conversion);
  if (cacheDir !== null) await writeCachedModel(cacheDir, sha256, converted).catch(() => {});
  return converted;
}

/** Null where there is no such file, and where it is cut off or altered. */
async function readCachedModel(cacheDir: string, sha256: string): Promise<Buffer | null> {
  const bytes = await readFile(cachedFile(cacheDir, sha256)).catch(() => null);
  return bytes && sha256Of(bytes) === sha256 ? bytes : null;
}

/** Writes the file under another name first: processes that start together never read half of it. */
export async function writeCachedModel(cacheDir: string, sha256: string, bytes: Buffer): Promise<void> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const file = cachedFile(cacheDir, sha256);
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A file is named after the SHA-256 of its content, which the table of models knows: another version is another file. */
function cachedFile(cacheDir: string, sha256: string): string {
  return join(cacheDir, `${sha256}.onnx`);
}

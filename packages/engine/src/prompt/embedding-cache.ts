import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of } from '../models/model-files.ts';
import { miniLm } from '../models/models.ts';
import type { Embedding } from './sentence-embedding.ts';

const hashBytes = 32;

/** Embeddings that were kept for exactly these texts; null where there are none, or the file is cut off or altered. */
export async function readEmbeddings(
  cacheDir: string,
  texts: readonly string[],
): Promise<Embedding[] | null> {
  const bytes = await readFile(fileFor(cacheDir, texts)).catch(() => null);
  if (!bytes || bytes.length <= hashBytes) return null;
  const content = bytes.subarray(hashBytes);
  if (bytes.toString('hex', 0, hashBytes) !== sha256Of(content)) return null;
  const values = new Float32Array(new Uint8Array(content).buffer);
  const size = values.length / texts.length;
  return texts.map((_, i) => values.subarray(i * size, (i + 1) * size));
}

/** Writes the file under another name first: processes that start together never read half of it. */
export async function writeEmbeddings(
  cacheDir: string,
  texts: readonly string[],
  embeddings: readonly Embedding[],
): Promise<void> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const content = Buffer.concat(embeddings.map((one) => Buffer.from(new Float32Array(one).buffer)));
  const file = fileFor(cacheDir, texts);
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, [Buffer.from(sha256Of(content), 'hex'), content]);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Other texts or another model are another file. */
function fileFor(cacheDir: string, texts: readonly string[]): string {
  const key = JSON.stringify([miniLm.weights.sha256, miniLm.conversion?.sha256, texts]);
  return join(cacheDir, `${createHash('sha256').update(key).digest('hex')}.embeddings`);
}

import { mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Keeps the converted models of a data folder where those of all tests are: a local engine takes 4 s of processor time to
 * make them, and as long again for the embeddings of the catalog.
 */
export function shareModelCache(dataDir: string): void {
  const shared = join(tmpdir(), 'guise-test-models');
  mkdirSync(shared, { recursive: true, mode: 0o700 });
  mkdirSync(join(dataDir, 'cache'), { recursive: true });
  symlinkSync(shared, join(dataDir, 'cache/models'), 'junction');
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogFilter } from '@guise/server/catalog/catalog.ts';

const root = join(import.meta.dirname, '../catalog');

export type PreviewedFilter = Pick<CatalogFilter, 'modes' | 'definition'>;

/** Changes with the filter, with its sample photo and with every file of the scene and the costume that it names. */
export function fingerprintOf({ modes, definition }: PreviewedFilter, photo: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([modes, definition]))
    .update(readFileSync(photo));
  const { scene, costume } = definition.kind === 'scene' ? definition : {};
  for (const place of [scene && `scenes/${scene}`, costume && `costumes/${costume}`]) {
    for (const file of place ? readdirSync(join(root, place)).sort() : []) {
      hash.update(withoutPromptFields(readFileSync(join(root, place!, file)), file));
    }
  }
  return hash.digest('hex').slice(0, 12);
}

/** The lines that only the reading of prompts uses change no picture. */
function withoutPromptFields(bytes: Buffer, file: string): Buffer | string {
  return file.endsWith('.json')
    ? String(bytes).replace(/^ *"(description|neutral|shows)": .*\n/gm, '')
    : bytes;
}

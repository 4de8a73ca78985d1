import { access, glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { RenderError } from '../runtime/render-error.ts';

export const catalogFolder = join(import.meta.dirname, '../../../../catalog');

/** The name of a file in the same folder as the JSON that names it. Without a path it cannot leave that folder. */
export const FileName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,80}$/i, 'must be the plain name of a file in the same folder');

/** Every entry of a kind in these catalogs, by name. Two entries of one name are refused. */
export async function readEntries<Entry extends { name: string; folder: string }>(
  catalogs: readonly string[],
  { kind, file }: { kind: string; file: string },
  read: (folder: string, name: string) => Promise<Entry>,
): Promise<Map<string, Entry>> {
  const all = new Map<string, Entry>();
  for (const catalog of catalogs) {
    const folder = join(catalog, kind);
    const names = await foldersWith(folder, file);
    for (const entry of await Promise.all(names.map((name) => read(folder, name)))) {
      const other = all.get(entry.name);
      if (other) {
        throw new RenderError(
          'CATALOG_BROKEN',
          `${join(entry.folder, file)}: ${other.folder} has that name already. Rename the folder.`,
        );
      }
      all.set(entry.name, entry);
    }
  }
  return all;
}

/** Reads and validates the JSON of one entry. */
export async function readEntry<Shape extends z.ZodType>(
  shape: Shape,
  folder: string,
  name: string,
  file: string,
): Promise<z.infer<Shape>> {
  const path = join(folder, name, file);
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new RenderError(
      'CATALOG_BROKEN',
      `${path}: is not readable JSON. Correct it or remove the folder.`,
      { cause },
    );
  }
  const parsed = shape.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as [z.core.$ZodIssue];
  throw new RenderError(
    'CATALOG_BROKEN',
    `${path}: ${issue.path.join('.') || 'the whole'}: ${issue.message}. docs/catalog.md describes the field.`,
    { cause: parsed.error },
  );
}

/** Refuses an entry that names files which are not in its folder. */
export async function assertFilesExist(
  folder: string,
  file: string,
  named: readonly string[],
): Promise<void> {
  for (const name of named) {
    await access(join(folder, name)).catch((cause) => {
      throw new RenderError(
        'CATALOG_BROKEN',
        `${join(folder, name)}: is missing, and ${file} names it. Add it or take it out of ${file}.`,
        { cause },
      );
    });
  }
}

/** The names of the folders inside `folder` that hold such a file, sorted. */
async function foldersWith(folder: string, file: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(`*/${file}`, { cwd: folder })) found.push(dirname(path));
  return found.sort();
}

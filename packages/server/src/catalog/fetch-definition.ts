import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { readTar } from '../read-tar.ts';

/** Writes a blob to a file of this name in the scratch folder, and returns its path. */
type FetchBlob = (key: string, name: string) => Promise<string>;

/** A definition for an engine: what it names as blobs lies as files in the scratch folder. */
export async function fetchDefinition(
  definition: FilterDefinition,
  fetchBlob: FetchBlob,
  scratch: string,
): Promise<FilterDefinition> {
  if (definition.kind === 'template')
    return { ...definition, image: await fetchBlob(definition.image, 'template') };
  if (definition.kind !== 'scene' || !definition.own) return definition;
  const archive = await fetchBlob(definition.own.files, 'scene.tar');
  const files = join(scratch, 'scene');
  await unpackScene(archive, files);
  return { ...definition, own: { ...definition.own, files } };
}

const plainName = /^[a-z0-9][a-z0-9.-]*$/;

async function unpackScene(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for await (const { name, isFile, content } of readTar(archive, 'plain'))
    if (isFile && plainName.test(name)) await writeFile(join(folder, name), content);
}

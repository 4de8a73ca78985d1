import { createHash } from 'node:crypto';
import { ownSceneName } from '@guise/contract/scenes/own-scenes.ts';
import { packTar, unpackTar } from 'modern-tar';
import { AppError } from '../errors.ts';
import type { Blobs } from '../store/blobs.ts';
import type { SceneRow } from '../store/scenes/scene-schema.ts';
import { settingsOf } from './own-scenes.ts';

/** Ids of filters that packs may have, above those that the catalog may grow to. */
const packIds = { from: 10_000, count: 900_000 };

/** A scene as a pack with one filter, in a folder of its name: a tar archive that any installation can import. */
export async function packScene(blobs: Blobs, row: SceneRow): Promise<{ folder: string; tar: Uint8Array }> {
  const stored = await blobs.read(row.files);
  if (!stored) throw new AppError('FILE_NOT_FOUND', 'The files of this scene are no longer there.');
  const { title } = settingsOf(row);
  const words =
    title
      .toLowerCase()
      .normalize('NFKD')
      .match(/[a-z0-9]+/g) ?? [];
  const folder = words.join('-').slice(0, 40).replace(/-$/, '') || 'scene';
  // The catalog may have a scene of the same title.
  const scene = `${folder}-${row.id.slice(-6)}`;
  const number = createHash('sha256').update(ownSceneName(row.id)).digest().readUInt32LE(0);
  const filter = {
    id: packIds.from + (number % packIds.count),
    name: title,
    modes: ['single', 'group'],
    definition: { kind: 'scene', scene },
  };
  const filters = Buffer.from(`${JSON.stringify({ face_swap: [filter] }, null, 2)}\n`);
  const files = (await unpackTar(stored)).map(({ header, data }) => ({
    name: `${folder}/scenes/${scene}/${header.name}`,
    body: data ?? new Uint8Array(),
  }));
  const entries = [{ name: `${folder}/filters.json`, body: filters }, ...files].map(({ name, body }) => ({
    header: { name, size: body.length },
    body,
  }));
  return { folder, tar: await packTar(entries) };
}

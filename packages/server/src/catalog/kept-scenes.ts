import type { FilterDefinition, KeptScene } from '@guise/contract/filters.ts';
import { ownSceneId, SceneSettings } from '@guise/contract/scenes/own-scenes.ts';
import { AppError } from '../errors.ts';
import type { Db, Queries } from '../store/db.ts';
import { readJson } from '../store/json-column.ts';
import { findSceneById, lockScene } from '../store/scenes/scene-records.ts';
import type { SceneRow } from '../store/scenes/scene-schema.ts';

const sceneIsGone = () =>
  new AppError('WORKFLOW_FETCH_FAILED', 'The scene of this filter is no longer there. Choose another one.');

/**
 * The definition with what a job needs of the account's own scene, if it names one. Part of the transaction that accepts
 * the job: whoever changes the scene later sees that the job needs these files.
 */
export async function keepScene(
  tx: Pick<Queries, 'one'>,
  account_id: string,
  definition: FilterDefinition,
): Promise<FilterDefinition> {
  if (definition.kind !== 'scene' || definition.own) return definition;
  const id = ownSceneId(definition.scene);
  if (id === null) return definition;
  const scene = await tx.one(lockScene, { id, account_id });
  if (!scene) throw sceneIsGone();
  return { ...definition, own: keptSceneOf(scene) };
}

export function keptSceneOf({ files, settings }: Pick<SceneRow, 'files' | 'settings'>): KeptScene {
  const { title, place } = readJson(SceneSettings, settings);
  return { files, title, place };
}

/** Whether the scene whose id the key begins with names the blob. */
export async function isNamedByScene(db: Db, key: string): Promise<boolean> {
  const id = key.slice(key.indexOf('/') + 1).slice(0, 36);
  const scene = await db.one(findSceneById, { id });
  return scene !== undefined && blobsOfScene(scene).includes(key);
}

export const blobsOfScene = ({
  backdrop,
  thumbnail,
  mask,
  files,
}: Pick<SceneRow, 'backdrop' | 'thumbnail' | 'mask' | 'files'>): string[] => [
  backdrop,
  thumbnail,
  files,
  ...(mask === null ? [] : [mask]),
];

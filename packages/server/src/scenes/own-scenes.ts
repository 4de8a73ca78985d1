import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@guise/contract/jobs.ts';
import {
  type NewOwnScene,
  OwnScene,
  type OwnSceneChange,
  type OwnSceneEntry,
  type OwnSceneList,
  ownSceneName,
  SceneSettings,
  sceneLimits,
} from '@guise/contract/scenes/own-scenes.ts';
import { blobsOfScene } from '../catalog/kept-scenes.ts';
import { limitReached } from '../catalog/limit-reached.ts';
import { removeUnneededTemplate } from '../catalog/templates.ts';
import { AppError } from '../errors.ts';
import { afterEveryId, newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import type { KeepKey } from '../jobs/create-once.ts';
import { withScratchFolder } from '../jobs/scratch.ts';
import { readImage } from '../media/image-input.ts';
import type { Upload } from '../media/upload.ts';
import { nextCursor } from '../next-cursor.ts';
import { changedElsewhere, type Precondition } from '../precondition.ts';
import type { Db, Queries } from '../store/db.ts';
import { readJson, TextList } from '../store/json-column.ts';
import {
  countScenes,
  deleteScene,
  findScene,
  insertScene,
  listFiltersOfScene,
  listScenes,
  updateScene,
} from '../store/scenes/scene-records.ts';
import type { SceneRow } from '../store/scenes/scene-schema.ts';
import {
  assertCrops,
  encodeBackdrop,
  type ForegroundInput,
  newSceneKey,
  refuseBackdrop,
  type SceneCaller,
  type SceneFileParts,
  storeSceneFiles,
} from './scene-files.ts';

export interface SceneParts extends SceneFileParts {
  db: Db;
}

/** A scene as an account names it. */
export interface SceneRef {
  accountId: string;
  id: string;
}

/** Makes links to blobs of the caller. */
export type SceneLinks = (key: string) => string;

/** Gives the image of the request's body that a text stands for. */
export type UploadOf = (image: string) => string | Upload;

export const sceneNotFound = () => new AppError('SCENE_NOT_FOUND', 'There is no scene with this id.');

const sceneInUse = (filters: readonly { name: string }[]) =>
  new AppError(
    'SCENE_IN_USE',
    `Filters are made with this scene: ${filters.map(({ name }) => name).join(', ')}. Change them first, or add force=true.`,
  );

/** Finds out how people stand in a backdrop and stores it as a scene. Returns the id. */
export async function createScene(
  parts: SceneParts,
  { image, title }: NewOwnScene,
  { uploadOf, ...asked }: SceneCaller & { uploadOf: UploadOf },
  keepKey: KeepKey,
): Promise<string> {
  const { db, blobs } = parts;
  const { accountId } = asked;
  await assertRoom(db, accountId);
  const encoded = await encodeBackdrop(parts, await readImage(uploadOf(image), parts, asked), asked);
  const { found, warnings, width, height } = await analyse(parts, encoded.backdrop, asked);
  const id = newId();
  const [backdrop, thumbnail] = [newSceneKey(id, 'webp'), newSceneKey(id, 'webp')];
  const settings: SceneSettings = { title, place: '', ...found };
  const stored: string[] = [];
  try {
    for (const [key, bytes] of [
      [backdrop, encoded.backdrop],
      [thumbnail, encoded.thumbnail],
    ] as const) {
      stored.push(key);
      await blobs.put(key, bytes);
    }
    const drawing = { backdrop, settings, foreground: null, uploadOf };
    const { files, mask } = await storeSceneFiles(parts, id, drawing, asked);
    stored.push(files);
    const now = db.now();
    await db.transaction(async (tx) => {
      await keepKey(tx, id);
      await assertRoom(tx, accountId);
      await tx.run(insertScene, {
        ...{ id, account_id: accountId, width, height, backdrop, thumbnail, mask, files },
        settings: JSON.stringify(settings),
        found: JSON.stringify(found),
        warnings: JSON.stringify(warnings),
        version: 1,
        created_at: now,
        updated_at: now,
      });
    });
    return id;
  } catch (error) {
    await removeAll(parts, stored);
    throw error;
  }
}

async function analyse(parts: SceneParts, backdrop: Buffer, asked: SceneCaller) {
  return withScratchFolder(parts.scratchDir, async (folder) => {
    const file = join(folder, 'backdrop');
    await writeFile(file, backdrop);
    return parts.pictureTasks.doTask({ kind: 'analyse-backdrop', file }, asked).catch(refuseBackdrop);
  });
}

async function assertRoom(db: Pick<Queries, 'one'>, account_id: string): Promise<void> {
  const { count } = (await db.one(countScenes, { account_id }))!;
  if (count >= sceneLimits.scenes) throw limitReached(sceneLimits.scenes, 'scenes');
}

export async function findOwnScene(db: Pick<Queries, 'one'>, { accountId, id }: SceneRef): Promise<SceneRow> {
  const row = await db.one(findScene, { id, account_id: accountId });
  if (!row) throw sceneNotFound();
  return row;
}

export async function readScenes(
  db: Db,
  accountId: string,
  page: Page,
  links: SceneLinks,
): Promise<OwnSceneList> {
  const before = page.cursor ?? afterEveryId;
  const rows = await db.all(listScenes, { account_id: accountId, before, limit: page.limit });
  const scenes = rows.map((row) => entryOf(row, links));
  return { scenes, next_cursor: nextCursor(rows, page.limit, ({ id }) => id) };
}

function entryOf(row: SceneRow, links: SceneLinks): OwnSceneEntry {
  const { id, width, height, thumbnail } = row;
  return {
    ...{ id, name: ownSceneName(id), title: settingsOf(row).title, width, height },
    thumbnail_url: links(thumbnail),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

export const settingsOf = ({ settings }: Pick<SceneRow, 'settings'>) => readJson(SceneSettings, settings);

/** A scene with the filters that are made with it, and the version that its `ETag` tells. */
export async function readScene(
  db: Db,
  ref: SceneRef,
  links: SceneLinks,
): Promise<{ version: number; scene: OwnScene }> {
  const row = await findOwnScene(db, ref);
  const { title: _, ...entry } = entryOf(row, links);
  const scene = {
    ...entry,
    settings: settingsOf(row),
    found: readJson(OwnScene.shape.found, row.found),
    warnings: readJson(TextList, row.warnings),
    backdrop_url: links(row.backdrop),
    foreground_url: row.mask === null ? null : links(row.mask),
    filters: await filtersOf(db, ref),
  };
  return { version: row.version, scene };
}

const filtersOf = (db: Pick<Queries, 'all'>, { accountId, id }: SceneRef) =>
  db.all(listFiltersOfScene, { account_id: accountId, pattern: `%"${ownSceneName(id)}"%` });

/** The settings and the foreground that a scene has after a change. */
export function changedScene(
  row: SceneRow,
  { foreground, ...change }: OwnSceneChange,
): { settings: SceneSettings; foreground: ForegroundInput } {
  const settings = SceneSettings.parse({ ...settingsOf(row), ...change });
  assertCrops(settings, row);
  const kept = row.mask === null ? null : { kept: row.mask };
  return { settings, foreground: foreground === undefined ? kept : foreground };
}

/** Changes a scene. Jobs that were accepted before are made with what it was. */
export async function changeScene(
  parts: SceneParts,
  ref: SceneRef,
  change: OwnSceneChange,
  asked: SceneCaller & { uploadOf: UploadOf; precondition: Precondition },
): Promise<void> {
  const { db } = parts;
  const before = await findOwnScene(db, ref);
  asked.precondition(before.version);
  const drawing = { backdrop: before.backdrop, uploadOf: asked.uploadOf, ...changedScene(before, change) };
  const made = await storeSceneFiles(parts, ref.id, drawing, asked);
  const row = { id: ref.id, account_id: ref.accountId, version: before.version, updated_at: db.now() };
  const settings = JSON.stringify(drawing.settings);
  const rows = await db.run(updateScene, { ...row, ...made, settings });
  // Whatever the scene does not name now, and no job needs, goes.
  await removeAll(parts, [made.files, made.mask, before.files, before.mask]);
  if (rows === 0) throw changedElsewhere();
}

/** Removes a scene. Filters that are made with it answer `WORKFLOW_FETCH_FAILED` from then on. */
export async function removeScene(
  parts: SceneParts,
  ref: SceneRef,
  force: boolean,
  precondition: Precondition,
): Promise<void> {
  const removed = await parts.db.transaction(async (tx) => {
    const row = await findOwnScene(tx, ref);
    precondition(row.version);
    const filters = await filtersOf(tx, ref);
    if (filters.length > 0 && !force) throw sceneInUse(filters);
    return tx.one(deleteScene, { id: ref.id, account_id: ref.accountId });
  });
  if (removed) await removeAll(parts, blobsOfScene(removed));
  await parts.db.scrub();
}

/** Removes blobs that neither their scene nor a job needs. */
async function removeAll(parts: SceneParts, keys: readonly (string | null)[]): Promise<void> {
  for (const key of keys) await removeUnneededTemplate(parts, key);
}

import type { FilterOption } from '@guise/contract/filter-options.ts';
import { ownSceneName, sceneLimits } from '@guise/contract/scenes/own-scenes.ts';
import { afterEveryId } from '../ids.ts';
import type { Db } from '../store/db.ts';
import { listScenes } from '../store/scenes/scene-records.ts';
import { type SceneLinks, settingsOf } from './own-scenes.ts';

/** The scenes of an account as filters can be made with them, newest first. */
export async function readSceneOptions(
  db: Db,
  account_id: string,
  links: SceneLinks,
): Promise<FilterOption[]> {
  const rows = await db.all(listScenes, { account_id, before: afterEveryId, limit: sceneLimits.scenes });
  return rows.map((row) => ({
    name: ownSceneName(row.id),
    title: settingsOf(row).title,
    preview_url: links(row.thumbnail),
    modes: ['single', 'group'],
  }));
}

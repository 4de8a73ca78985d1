import type { NamedFilter } from '@guise/contract/other-clients/named-filters.ts';
import type { SdModel, SdOptions } from '@guise/contract/other-clients/sdapi.ts';
import type { Caller } from '../../../accounts/callers.ts';
import { findNamedFilter, listNamedFilters } from '../../../catalog/named-filters.ts';
import { AppError } from '../../../errors.ts';
import type { Db } from '../../../store/db.ts';
import { findSetting, putSetting } from '../../../store/settings.ts';
import type { HttpParts } from '../../parts.ts';

/** In the place of a filter: the request's prompt says what is made. */
export const promptTitle = 'Prompt';

/** Two booths of one account have keys of their own, and each its own filter. */
const settingOf = ({ id, key_id }: Caller) => `sd_model_checkpoint ${key_id ?? id}`;

/** The filter of calls that name none, as it was last chosen with this key. */
export async function readCheckpoint(db: Db, caller: Caller): Promise<string> {
  return (await db.one(findSetting, { name: settingOf(caller) }))?.value ?? promptTitle;
}

export async function readSdOptions(parts: HttpParts, caller: Caller): Promise<SdOptions> {
  const stored = await readCheckpoint(parts.db, caller);
  return {
    sd_model_checkpoint: await titleOf(parts, caller, stored),
    sd_checkpoint_hash: '',
    samples_format: 'png',
  };
}

/** The filter of a title, null for the prompt. Throws where there is none. */
export async function chosenFilter(
  parts: HttpParts,
  caller: Caller,
  title: string,
): Promise<NamedFilter | null> {
  if (title.trim().toLowerCase() === promptTitle.toLowerCase()) return null;
  return findNamedFilter(parts, title, { accountId: caller.id, listedAt: '/sdapi/v1/sd-models' });
}

export async function chooseCheckpoint(parts: HttpParts, caller: Caller, title: string): Promise<void> {
  const value = (await chosenFilter(parts, caller, title))?.key ?? promptTitle;
  await parts.db.run(putSetting, { name: settingOf(caller), value });
}

/** The filters as models, after the one that stands for the prompt. */
export async function listSdModels(parts: HttpParts, caller: Caller): Promise<SdModel[]> {
  const filters = await listNamedFilters(parts, caller.id);
  return [sdModel(promptTitle, promptTitle), ...filters.map(({ title, key }) => sdModel(title, key))];
}

function sdModel(title: string, model_name: string): SdModel {
  return { title, model_name, hash: null, sha256: null, filename: model_name, config: null };
}

/** What was stored, where the filter has gone since. */
async function titleOf(parts: HttpParts, caller: Caller, stored: string): Promise<string> {
  try {
    return (await chosenFilter(parts, caller, stored))?.title ?? stored;
  } catch (error) {
    if (error instanceof AppError) return stored;
    throw error;
  }
}

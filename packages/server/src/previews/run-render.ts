import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TemplateCheck } from '@guise/contract/definition-checks.ts';
import { familyOf } from '@guise/contract/families/families.ts';
import { sentencesOf } from '@guise/contract/notes.ts';
import { definitionOf } from '../catalog/definitions.ts';
import { familyWanted, wantsFaces } from '../catalog/filter-renders.ts';
import { removeUnneededPreviews, templateOf } from '../catalog/templates.ts';
import { abortWith } from '../engines/abort.ts';
import type { EngineResult } from '../engines/engine.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { holdLease } from '../jobs/heartbeat.ts';
import { type RunParts, withGracePeriod } from '../jobs/run-job.ts';
import { removeScratchFolder } from '../jobs/scratch.ts';
import { findCustomFilterById, previewKeysOf, setPreviews } from '../store/filter-records.ts';
import { deletePreview, endTest, releaseRender, renewRender } from '../store/render-records.ts';
import type { CustomFilterRow, RenderRow } from '../store/schema.ts';
import { isStorageAway } from '../store/storage-unavailable.ts';
import { cannotBeTried, copyBlob, renderSample, type SampleInput, sampleInputOf } from './sample-render.ts';
import { storeCheck, storeFailedCheck } from './store-check.ts';
import { writePreview } from './write-preview.ts';

/** A render that so many workers did not survive is not tried again. */
const maxTries = 3;

/** Makes a claimed preview or test and ends it, or hands it back. Never throws for what an engine does. */
export async function runRender(parts: RunParts, render: RenderRow, shutdown: AbortSignal): Promise<void> {
  const { id, claim } = render;
  const stop = new AbortController();
  const { signal } = stop;
  // Nobody goes on with a run on a GPU server that has no handle: it is cancelled there, and made anew later.
  const onShutdown = () => abortWith(stop, 'cancelled');
  if (shutdown.aborted) onShutdown();
  else shutdown.addEventListener('abort', onShutdown, { once: true });
  const limit = setTimeout(() => abortWith(stop, 'timed-out'), limitOf(parts, render));
  let isLost = false;
  // It is lost when the render was deleted: the caller has hung up, or the filter changed.
  const lease = holdLease(parts, {
    id,
    renew: async () => (await parts.db.run(renewRender, { id, claim })) === 1,
    onLost() {
      isLost = true;
      abortWith(stop, 'cancelled');
    },
  });
  const scratch = join(parts.scratchDir, `render-${id}-${claim}`);
  const makeAndStore = async () => {
    const filter = await parts.db.one(findCustomFilterById, { id: render.filter_id });
    const input = sampleInputOf(render, filter);
    if (!input || render.tries > maxTries) throw cannotBeTried('This filter cannot be tried.');
    await mkdir(scratch, { recursive: true });
    if (wantsFaces(render)) {
      await storeFaces(parts, render, await findTemplateFaces(parts, input, scratch, signal));
      return;
    }
    const sample = { ...input, accountId: render.account_id };
    const result = await renderSample(parts, sample, scratch, signal);
    signal.throwIfAborted();
    if (render.purpose === 'preview') await storePreview(parts, render, { filter: filter!, result, signal });
    else if (render.purpose === 'check')
      await storeCheck(parts, render, { result, isSample: input.photo === null, signal });
    else await storeTest(parts, render, { result, signal });
  };
  try {
    await withGracePeriod(makeAndStore(), signal);
  } catch (error) {
    if (isLost) return;
    if (shutdown.aborted) await parts.db.run(releaseRender, { id, claim });
    // Then it is tried again when the lease has ended.
    else if (isStorageAway(error)) throw error;
    else await endFailed(parts, render, error);
  } finally {
    clearTimeout(limit);
    shutdown.removeEventListener('abort', onShutdown);
    lease.stop();
    await removeScratchFolder(scratch, parts.log);
  }
}

/** As long as a job may take whichever engine makes it. */
function limitOf({ engines }: RunParts, render: RenderRow): number {
  const family = familyWanted(render);
  return Math.max(
    familyOf(family).timeLimitMs,
    ...engines
      .filter(({ abilities }) => abilities.some((ability) => ability.family === family))
      .map((engine) => engine.timeLimitOf?.(family) ?? 0),
  );
}

async function storePreview(
  parts: RunParts,
  { id, claim }: RenderRow,
  { filter, result, signal }: { filter: CustomFilterRow; result: EngineResult; signal: AbortSignal },
): Promise<void> {
  const key = `previews/${filter.id}-${newId().slice(-12)}.webp`;
  const asked = { accountId: filter.account_id, signal };
  await parts.blobs.put(key, await writePreview(parts.decoder, result.file, asked), signal);
  // The definition may have changed meanwhile: its own preview is on the way then.
  const rows = await parts.db.run(setPreviews, {
    id: filter.id,
    previews: JSON.stringify([key]),
    definition: filter.definition,
  });
  await parts.db.run(deletePreview, { id, claim });
  const unneeded = rows === 1 ? previewKeysOf(filter) : [key];
  await removeUnneededPreviews(parts, unneeded);
}

async function storeTest(
  parts: RunParts,
  { id, claim, filter_id }: RenderRow,
  { result, signal }: { result: EngineResult; signal: AbortSignal },
): Promise<void> {
  // Under the filter's id, but not named by it: a test that is not fetched is removed by the sweep.
  const key = `previews/${filter_id}-${id.slice(-12)}.png`;
  await parts.blobs.put(key, await readFile(result.file), signal);
  const notes = JSON.stringify(sentencesOf(result));
  const ended = { id, claim, result_key: key, result_notes: notes, error: null };
  if ((await parts.db.run(endTest, ended)) === 0) await parts.blobs.remove(key);
  parts.changes.publish(id);
}

/** The faces of the template that a render shows. */
async function findTemplateFaces(
  { engines, blobs }: RunParts,
  input: SampleInput,
  scratch: string,
  signal: AbortSignal,
): Promise<TemplateCheck> {
  const engine = engines.find((candidate) => candidate.checkTemplate !== undefined);
  const template = templateOf(definitionOf(input));
  if (!engine?.checkTemplate || template === null) {
    throw cannotBeTried('This server has no engine that finds faces.');
  }
  const file = await copyBlob(blobs, template, join(scratch, 'template'));
  return engine.checkTemplate(file, signal);
}

async function storeFaces(parts: RunParts, { id, claim }: RenderRow, check: TemplateCheck): Promise<void> {
  const result_notes = JSON.stringify(check);
  await parts.db.run(endTest, { id, claim, result_key: null, result_notes, error: null });
  parts.changes.publish(id);
}

async function endFailed(parts: RunParts, render: RenderRow, error: unknown): Promise<void> {
  const { id, claim, filter_id, purpose } = render;
  parts.log.warn({ err: error, filter: filter_id, purpose }, 'a custom filter could not be shown');
  if (purpose === 'preview') {
    await parts.db.run(deletePreview, { id, claim });
    return;
  }
  if (purpose === 'check') {
    await storeFailedCheck(parts, render, error);
    return;
  }
  const sentence = error instanceof AppError ? error.message : null;
  await parts.db.run(endTest, { id, claim, result_key: null, result_notes: null, error: sentence });
  parts.changes.publish(id);
}

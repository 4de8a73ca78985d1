import type { GuiseApi } from '@guise/client/guise-api.ts';
import type { JobBatch, JobBatchResults } from '@guise/contract/job-details.ts';
import { saveLink } from '../../ui/save-file.ts';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';

export type BatchAction = JobBatch['action'];
export type BatchResult = JobBatchResults['results'][number];

const mostInBatch = 200;
const mostInArchive = 1000;

interface Progress {
  signal: AbortSignal;
  /** How many are done. */
  onProgress(done: number): void;
}

/**
 * Does the same with many jobs, as many at a time as the server takes. Stops between two parts when it is aborted, and
 * where a part fails: then `error` says why, and what came of the parts before is told all the same.
 */
export async function runBatch(
  guise: GuiseApi,
  action: BatchAction,
  ids: readonly string[],
  { signal, onProgress }: Progress,
): Promise<{ results: BatchResult[]; error?: unknown }> {
  const results: BatchResult[] = [];
  for (const part of partsOf(ids, mostInBatch)) {
    if (signal.aborted) break;
    try {
      results.push(...(await guise.jobs.batch({ ids: part, action })).results);
    } catch (error) {
      return { results, error };
    }
    onProgress(results.length);
  }
  return { results };
}

/** Saves the results of jobs as zip files of up to 1000; tells how many there are. */
export async function saveArchives(
  guise: GuiseApi,
  ids: readonly string[],
  { signal, onProgress }: Progress,
): Promise<number> {
  let saved = 0;
  let done = 0;
  for (const part of partsOf(ids, mostInArchive)) {
    if (signal.aborted) break;
    const { url, jobs } = await guise.jobs.archive(part);
    if (jobs > 0) saveLink(url);
    saved += jobs;
    done += part.length;
    onProgress(done);
  }
  return saved;
}

function partsOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  );
}

/** What came of it, in one sentence, with the first reason where something was refused. */
export function batchSentence(results: readonly BatchResult[], done: (count: number) => string): string {
  const ok = results.filter((result) => result.ok).length;
  const refused = results.filter((result) => !result.ok);
  const why = new Set(refused.map(({ error }) => error));
  if (refused.length === 0) return done(ok);
  const [first] = why;
  const reason = first === undefined ? say('the server refused.') : sayOfServer(first);
  return `${done(ok)} ${say('{count} not: {reason}', { count: refused.length, reason })}`;
}

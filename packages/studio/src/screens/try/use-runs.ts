import { GuiseError } from '@guise/client/guise-error.ts';
import { pause, randomId } from '@guise/client/transport.ts';
import { useCallback, useRef } from 'react';
import { useJobChange } from '../../app/changes.tsx';
import { useGuise } from '../../app/guise-context.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import { hasEnded, jobTitle } from '../jobs/job-words.ts';
import type { NamedRun, PlannedRun } from './run-choice.ts';
import { beforeOf, endOf, imagesOf, isUnderWay, type Photos, progressOf, type Run } from './run-states.ts';
import { useRunList } from './use-run-list.ts';

/** How long after a lost connection a run is asked for again. */
const settleAgainMs = 3000;

/** Sends runs of one photo and follows each to its end. */
export function useRuns() {
  const guise = useGuise();
  const { runs, list } = useRunList();
  const aborts = useRef(new Map<string, AbortController>());

  const settle = useSettledRuns(list);

  const send = async (key: string, plan: PlannedRun, photos: Photos) => {
    const { signal } = aborts.current.get(key)!;
    const onUpload = (share: number) => list.update(key, { state: { step: 'sending', share } });
    try {
      // A file may have been moved or changed since it was chosen.
      const body = { ...plan.body, ...(await imagesOf(plan, photos)) };
      const { id } = await guise.submitBody(plan.family, body, { signal, onUpload });
      list.update(key, { id, state: { step: 'waiting', share: 0 } });
      // It may have ended before its id was known here.
      await settle(key, id);
    } catch (error) {
      list.update(key, { state: { step: 'failed', sentence: errorSentence(error) } });
    }
  };

  /** Sends the photos with each of the plans, one after the other, in place of what was shown. */
  const start = async (plans: readonly NamedRun[], photos: Photos) => {
    const begun = plans.map(({ name, plan }) => ({ name, plan, key: randomId() }));
    for (const { key } of begun) aborts.current.set(key, new AbortController());
    const before = beforeOf(plans, photos);
    const state = { step: 'sending', share: 0 } as const;
    list.replace(begun.map(({ key, name }) => ({ key, name, id: undefined, before, state })));
    for (const { key, plan } of begun) {
      // Cancelled, or something else is shown by now.
      if (list.find((run) => run.key === key)) await send(key, plan, photos);
    }
  };

  /** Shows jobs that were submitted before: by this page before it was loaded anew, or elsewhere. */
  const show = useCallback(
    (ids: readonly string[], before?: string) => {
      const state = { step: 'waiting', share: 0 } as const;
      list.replace(ids.map((id): Run => ({ key: id, name: '', id, before, state })));
      for (const id of ids) void settle(id, id);
    },
    [list, settle],
  );

  const cancel = async (key: string) => {
    const run = list.find((other) => other.key === key);
    list.keep((other) => other.key !== key);
    aborts.current.get(key)?.abort();
    if (run?.id) await guise.jobs.cancel(run.id).catch(() => {});
  };

  /** What failed says nothing about another photo or filter. */
  const dismissFailures = useCallback(() => list.keep(({ state }) => state.step !== 'failed'), [list]);

  return { runs, start, show, cancel, dismissFailures };
}

/** Reads runs whose jobs have ended, and keeps those that go on up to date. */
function useSettledRuns(list: ReturnType<typeof useRunList>['list']) {
  const guise = useGuise();
  const settle = useCallback(
    async (key: string, id: string): Promise<void> => {
      try {
        const job = await guise.jobs.get(id);
        const before = list.find((run) => run.key === key)?.before;
        list.update(key, {
          name: jobTitle(job),
          state: hasEnded(job) ? endOf(job, before) : progressOf(job),
        });
      } catch (error) {
        if (error instanceof GuiseError && error.retryable) {
          // The run goes on, whether the server answers or not: whoever is told that it failed pays for another.
          await pause(settleAgainMs);
          if (list.find((run) => run.key === key)) await settle(key, id);
          return;
        }
        list.update(key, { state: { step: 'failed', sentence: errorSentence(error) } });
      }
    },
    [guise, list],
  );

  useJobChange((job) => {
    const run = list.find(({ id }) => id === job.id);
    if (!run || !isUnderWay(run.state)) return;
    if (hasEnded(job)) return void settle(run.key, job.id);
    list.update(run.key, { state: progressOf(job) });
  });
  return settle;
}

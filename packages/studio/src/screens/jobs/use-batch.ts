import { type RefObject, useCallback, useRef, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import { useToast } from '../../ui/toasts.tsx';
import { countOf } from './job-words.ts';
import { type BatchAction, type BatchResult, batchSentence, runBatch, saveArchives } from './run-batch.ts';

const done: Record<BatchAction, (count: number) => string> = {
  cancel: (count) => `${countOf(count, 'job')} cancelled.`,
  erase: (count) => `${countOf(count, 'job')} erased.`,
  retry: (count) => `${countOf(count, 'job')} submitted again.`,
};

function newStopper(place: RefObject<AbortController | undefined>): AbortController {
  place.current = new AbortController();
  return place.current;
}

interface Working {
  label: string;
  done: number;
  all: number;
}

/** Does something with many jobs, tells how far it is, and can be stopped. */
export function useBatch() {
  const guise = useGuise();
  const { tell, fail } = useToast();
  const [working, setWorking] = useState<Working>();
  const stopper = useRef<AbortController>(undefined);

  const work = useCallback(
    async <T>(
      label: string,
      ids: readonly string[],
      run: (progress: Parameters<typeof runBatch>[3]) => Promise<T>,
    ) => {
      const { signal } = newStopper(stopper);
      setWorking({ label, done: 0, all: ids.length });
      try {
        return await run({ signal, onProgress: (done) => setWorking({ label, done, all: ids.length }) });
      } catch (error) {
        fail(errorSentence(error));
        return undefined;
      } finally {
        setWorking(undefined);
      }
    },
    [fail],
  );

  const act = async (action: BatchAction, ids: readonly string[]): Promise<BatchResult[]> => {
    const labels = { cancel: 'Cancelling', erase: 'Erasing', retry: 'Submitting again' };
    const results = await work(labels[action], ids, (progress) => runBatch(guise, action, ids, progress));
    if (!results) return [];
    const sentence = batchSentence(results, done[action]);
    if (results.some(({ ok }) => ok)) tell(sentence);
    else fail(results[0]?.error ?? sentence);
    return results;
  };
  const download = async (ids: readonly string[]) => {
    const count = await work('Collecting', ids, (progress) => saveArchives(guise, ids, progress));
    if (count === 0) fail('None of these jobs has a result to download.');
    else if (count !== undefined) tell(`${countOf(count, 'result')} in the zip file.`);
  };
  return { working, act, download, stop: () => stopper.current?.abort() };
}

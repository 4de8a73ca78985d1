import { type RefObject, useCallback, useRef, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import { useToast } from '../../ui/toasts.tsx';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';
import { type BatchAction, type BatchResult, batchSentence, runBatch, saveArchives } from './run-batch.ts';

const done: Record<BatchAction, (count: number) => string> = {
  cancel: (count) =>
    count === 1 ? say('1 job cancelled.') : say('{count} jobs cancelled.', { count: numberText(count) }),
  erase: (count) =>
    count === 1 ? say('1 job erased.') : say('{count} jobs erased.', { count: numberText(count) }),
  retry: (count) =>
    count === 1
      ? say('1 job submitted again.')
      : say('{count} jobs submitted again.', { count: numberText(count) }),
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
    const labels = { cancel: say('Cancelling'), erase: say('Erasing'), retry: say('Submitting again') };
    const outcome = await work(labels[action], ids, (progress) => runBatch(guise, action, ids, progress));
    const { results = [], error } = outcome ?? {};
    if (error !== undefined) fail(errorSentence(error));
    if (results.length === 0) return [];
    const sentence = batchSentence(results, done[action]);
    if (results.some(({ ok }) => ok)) tell(sentence);
    else fail(results[0]?.error === undefined ? sentence : sayOfServer(results[0].error));
    return results;
  };
  const download = async (ids: readonly string[]) => {
    const count = await work(say('Collecting'), ids, (progress) => saveArchives(guise, ids, progress));
    if (count === 0) fail(say('None of these jobs has a result to download.'));
    else if (count === 1) tell(say('1 result in the zip file.'));
    else if (count !== undefined) tell(say('{count} results in the zip file.', { count: numberText(count) }));
  };
  return { working, act, download, stop: () => stopper.current?.abort() };
}

import type { FilterType } from '@guise/contract/catalogs.ts';
import type { CustomDefinition } from '@guise/contract/filters.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { pngUrl } from './png-url.ts';
import type { TestPerson } from './test-people.ts';

/** What a filter made of one person. The picture before stays while the next one is made. */
export interface DraftTest {
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  url?: string | undefined;
  applied: string[];
  ignored: string[];
  error?: string | undefined;
}

/** An account may have four tests waiting: two leave room for those of another page. */
const atOnce = 2;
const quietMs = 700;

/** Tries a definition on every person, again whenever it has changed and then stayed the same for a moment. */
export function useDraftTests(
  filterType: FilterType,
  definition: CustomDefinition | undefined,
  people: TestPerson[],
) {
  const guise = useGuise();
  const [tests, setTests] = useState<ReadonlyMap<string, DraftTest>>(new Map());
  const [round, setRound] = useState(0);
  const running = useRef<AbortController>(undefined);

  const put = useCallback((key: string, change: Partial<DraftTest>) => {
    setTests((before) => {
      const last = before.get(key) ?? { state: 'waiting', applied: [], ignored: [] };
      if (change.url && last.url) URL.revokeObjectURL(last.url);
      return new Map(before).set(key, { ...last, ...change });
    });
  }, []);

  const cancel = useCallback(() => {
    running.current?.abort();
    setTests(
      (before) =>
        new Map(
          [...before].map(([key, test]) => [key, isUnderWay(test) ? { ...test, state: 'cancelled' } : test]),
        ),
    );
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round tries the same again
  useEffect(() => {
    setTests(withoutFailures);
    if (!definition) return cancel();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const waiting = [...people];
    const testNext = async (): Promise<void> => {
      const person = waiting.shift();
      if (!person || signal.aborted) return;
      put(person.key, { state: 'running', error: undefined });
      try {
        const body = { filter_type: filterType, definition, ...person.photo };
        const { images, applied, ignored } = await guise.filterDrafts.test(body, signal);
        if (!signal.aborted) put(person.key, { state: 'done', url: pngUrl(images[0]!), applied, ignored });
      } catch (error) {
        if (!signal.aborted) put(person.key, { state: 'failed', error: errorSentence(error) });
      }
      return testNext();
    };
    const timer = setTimeout(() => {
      for (const { key } of people) put(key, { state: 'waiting', error: undefined });
      for (let at = 0; at < atOnce; at++) void testNext();
    }, quietMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [guise, filterType, definition, people, round, put, cancel]);

  const again = useCallback(() => setRound((last) => last + 1), []);
  const isBusy = people.some(({ key }) => isUnderWay(tests.get(key)));
  return { tests, isBusy, cancel, again };
}

/** What failed says nothing about another definition. */
function withoutFailures(tests: ReadonlyMap<string, DraftTest>): ReadonlyMap<string, DraftTest> {
  const kept = [...tests].filter(([, { state }]) => state !== 'failed');
  return kept.length === tests.size ? tests : new Map(kept);
}

const isUnderWay = (test: DraftTest | undefined) => test?.state === 'waiting' || test?.state === 'running';

import { GuiseError } from '@guise/client/guise-error.ts';
import type { EventDraft } from '@guise/contract/events/event-drafts.ts';
import type { SavedDraft } from '@guise/contract/filter-details.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useGuise } from '../../../app/guise-context.ts';
import { eventQuery } from '../event-query.ts';
import { saySentences } from '../say-sentences.ts';
import type { EditedEvent } from './edited-event.ts';
import { changesOf, type EventFields, fieldsOfEvent } from './event-fields.ts';
import { showRefusal } from './show-refusal.ts';

/** What is typed is saved when the typing rests so long. */
const restMs = 700;
/** While checks wait, what came of them is read again so often. */
const waitingMs = 2000;

/** What is typed and what is saved: the same, not yet, not as it stands, or not over what somebody else has saved. */
export type SaveState = 'saved' | 'unsaved' | 'invalid' | 'refused';

/** Saves what is typed into the form of an event as a draft, which booths do not get, and reads what is checked of it. */
export function useEventDraft(read: EditedEvent, form: UseFormReturn<EventFields>) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { id } = read.live.value;
  const [draft, setDraft] = useState<SavedDraft | null>(read.live.value.draft);
  const [state, setState] = useState<SaveState>('saved');
  const liveFields = useMemo(() => fieldsOfEvent(read.live.value), [read]);
  const latest = useRef({
    number: draft?.number ?? null,
    sent: JSON.stringify(changesOf(liveFields, read.fields)),
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const saving = useRef<Promise<unknown>>(Promise.resolve());

  const change = () => changesOf(liveFields, form.getValues());
  const saveNow = async ({ force = false } = {}): Promise<boolean> => {
    if (!(await form.trigger())) {
      setState('invalid');
      return false;
    }
    const typed = JSON.stringify(form.getValues());
    const body = { change: change(), ...(!force && { based_on: latest.current.number }) };
    const sent = JSON.stringify(body.change);
    if (sent === latest.current.sent && !force) {
      setState('saved');
      return true;
    }
    try {
      const saved = await guise.events.saveDraft(id, body);
      latest.current = { number: saved.value.draft?.number ?? null, sent };
      setDraft(saved.value.draft);
      queries.setQueryData(eventQuery(guise, id).queryKey, saved);
      setState(JSON.stringify(form.getValues()) === typed ? 'saved' : 'unsaved');
      return true;
    } catch (error) {
      if (error instanceof GuiseError && error.code === 'CHANGED_ELSEWHERE') {
        setState('refused');
        return false;
      }
      showRefusal(form, error, { focus: false });
      setState('invalid');
      return false;
    }
  };
  /** One after the other: each is based on the one before. */
  const save = (options?: { force?: boolean }): Promise<boolean> => {
    clearTimeout(timer.current);
    const next = saving.current.then(() => saveNow(options));
    saving.current = next.catch(() => {});
    return next;
  };

  useWhenTyped(form, () => {
    setState('unsaved');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), restMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const { checked, checkAgain } = useDraftChecks(id, draft?.number);
  return {
    draft,
    state,
    change,
    liveFields,
    save,
    checked,
    checkAgain,
    /** Returns what was saved. */
    async discard(): Promise<ReturnType<typeof changesOf>> {
      clearTimeout(timer.current);
      await saving.current;
      await guise.events.discardDraft(id);
      setDraft(null);
      return JSON.parse(latest.current.sent);
    },
    /** The draft is live. */
    end: () => setDraft(null),
  };
}

/** Calls back whenever something of the form changes. */
function useWhenTyped(form: UseFormReturn<EventFields>, onTyped: () => void): void {
  const latest = useRef(onTyped);
  latest.current = onTyped;
  useEffect(() => {
    const { unsubscribe } = form.watch(() => latest.current());
    return unsubscribe;
  }, [form]);
}

/** What is found of a printer stands behind its name, which lists of checks do not know. */
const sayChecks = (draft: EventDraft): EventDraft => ({
  ...draft,
  checks: draft.checks.map((check) => ({ ...check, sentences: check.sentences.map(saySentences) })),
});

/** What is checked of the draft that is saved, as far as it is read. */
function useDraftChecks(id: string, number: number | undefined) {
  const guise = useGuise();
  const queries = useQueryClient();
  const queryKey = ['event-drafts', id, number];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => guise.events.draft(id, signal),
    select: sayChecks,
    enabled: number !== undefined,
    refetchInterval: ({ state }) => state.data?.outcome === 'waiting' && waitingMs,
  });
  return {
    checked: data?.number === number ? data : undefined,
    async checkAgain() {
      queries.setQueryData(queryKey, await guise.events.checkDraft(id));
    },
  };
}

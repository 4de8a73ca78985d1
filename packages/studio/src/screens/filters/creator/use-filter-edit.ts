import { GuiseError } from '@guise/client/guise-error.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { type EditedFilter, isSameDefinition } from '../definition/edited-filter.ts';
import { assertUsableTemplate } from '../definition/template-check.ts';
import { useDefinition } from '../definition/use-definition.ts';
import { type SavedFilter, savedFilterQuery, workedOn } from './saved-filter.ts';

/**
 * The changes to a saved filter, which are saved as a draft: what was typed stays, also when the filter is changed elsewhere
 * meanwhile.
 */
export function useFilterEdit(saved: SavedFilter) {
  const guise = useGuise();
  const queries = useQueryClient();
  const toast = useToast();
  /** The version that the edit began with. */
  const [base, setBase] = useState(saved);
  const [edited, setEdited] = useState(saved.edited);
  const [note, setNote] = useState('');
  const definition = useDefinition(edited);
  const isRedefined = useMemo(() => !isSameDefinition(edited, base.edited), [edited, base]);
  const isRenamed = edited.name.trim() !== base.edited.name;
  const isChanged = isRedefined || isRenamed;
  const { id } = base.detail;

  const readNewest = () => queries.fetchQuery({ ...savedFilterQuery(guise, id), staleTime: 0 });
  const save = useMutation({
    async mutationFn(from: { edited: EditedFilter; basedOn: number }) {
      if (isRedefined) await assertUsableTemplate(guise, queries, from.edited);
      await guise.customFilters.saveDraft(id, {
        based_on: from.basedOn,
        ...(isRenamed && { name: from.edited.name.trim() }),
        ...(isRedefined && definition && { definition }),
        ...(note.trim() && { note: note.trim() }),
      });
      return readNewest();
    },
    onSuccess(newest, { edited: sent }) {
      setBase(newest);
      setNote('');
      // The server may write a definition in another way. Without that, the tests need not be made again.
      if (!isSameDefinition(newest.edited, sent)) setEdited((now) => (now === sent ? newest.edited : now));
      void queries.invalidateQueries({ queryKey: ['filters'] });
      toast.tell(savedSentence(newest));
    },
  });

  const isRefused = save.error instanceof GuiseError && save.error.code === 'CHANGED_ELSEWHERE';
  const isNewer = workedOn(saved) !== workedOn(base) && !save.isPending;
  useEffect(() => {
    if (!isNewer || isChanged) return;
    setBase(saved);
    setEdited(saved.edited);
  }, [isNewer, isChanged, saved]);

  const loadNewer = async () => {
    const newest = await readNewest();
    save.reset();
    setBase(newest);
    setEdited(newest.edited);
  };
  /** Goes on from the newer version, and saves where that was refused. */
  const keepMine = async () => {
    const newest = await readNewest();
    setBase(newest);
    save.reset();
    if (isRefused) save.mutate({ edited, basedOn: workedOn(newest) });
  };
  return {
    detail: saved.detail,
    draft: saved.draft,
    etag: saved.etag,
    edited,
    setEdited(next: EditedFilter) {
      setEdited(next);
      // What was refused is not what would be saved now.
      if (!isRefused && save.isError) save.reset();
    },
    note,
    setNote,
    definition,
    isChanged,
    isSaving: save.isPending,
    error: isRefused ? null : save.error,
    isChangedElsewhere: (isRefused || isNewer) && isChanged,
    save: () => save.mutate({ edited, basedOn: workedOn(base) }),
    loadNewer,
    keepMine,
  };
}

const savedSentence = (saved: SavedFilter) =>
  say('Saved as draft, version {draft}. Guests still get version {live}.', {
    draft: workedOn(saved),
    live: saved.detail.version,
  });

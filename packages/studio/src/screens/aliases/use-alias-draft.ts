import type { Alias, AliasDraft } from '@guise/contract/aliases.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { type NamedFilter, useAliasActions } from './use-alias-actions.ts';

const aliasDraftKey = (id: string, number: number) => ['alias-drafts', id, number];

/** While checks wait, what came of them is read again so often. */
const waitingMs = 2000;

/** What was checked of a slot's draft; undefined until it is read. */
export function useAliasDraft({ id }: Pick<Alias, 'id'>, number: number) {
  const guise = useGuise();
  const queries = useQueryClient();
  const queryKey = aliasDraftKey(id, number);
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => guise.aliases.draft(id, signal),
    refetchInterval: ({ state }) => state.data?.outcome === 'waiting' && waitingMs,
  });
  return {
    checked: data,
    async checkAgain() {
      queries.setQueryData(queryKey, await guise.aliases.checkDraft(id));
    },
  };
}

/** What a slot gets next: saved, put away, and put into the slot. */
export function useAliasDraftActions() {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell, fail } = useToast();
  const { show, tellWithUndo } = useAliasActions();
  /** Booths go on with what is in the slot. */
  const saveDraft = async (alias: Alias, filter: NamedFilter) => {
    if (alias.ai_filter === filter.id) return;
    try {
      const saved = await guise.aliases.saveDraft(alias.id, { ai_filter: filter.id });
      const { ai_filter, number, changed_at } = saved;
      queries.setQueryData(aliasDraftKey(alias.id, number), saved);
      show({ ...alias, draft: { ai_filter, number, changed_at } });
    } catch (error) {
      fail(errorSentence(error));
    }
  };

  return {
    saveDraft,
    async discardDraft(alias: Alias, filter: NamedFilter | undefined) {
      try {
        await guise.aliases.discardDraft(alias.id);
        show({ ...alias, draft: null });
      } catch (error) {
        fail(errorSentence(error));
        return;
      }
      if (filter)
        tell(say('The draft is put away.'), {
          label: say('Undo'),
          onClick: () => void saveDraft(alias, filter),
        });
    },
    /** Throws where it is refused: a dialog says why. */
    async makeLive(alias: Alias, draft: AliasDraft) {
      const unchecked = draft.outcome === 'waiting' || draft.outcome === null;
      const changed = await guise.aliases.makeLive(alias.id, { number: draft.number, unchecked });
      show(changed.value);
      tellWithUndo(say('“{name}” is in the slot.', { name: changed.value.ai_filter_data.label }), changed);
    },
  };
}

import type { Tagged } from '@guise/client/transport.ts';
import type { Alias } from '@guise/contract/aliases.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { aliasesKey, withAlias } from './use-aliases.ts';

export interface NamedFilter {
  id: string;
  name: string;
}

/** What is done to a slot with one click. Each tells what it did, with a way back. */
export function useAliasActions() {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell, fail } = useToast();

  const show = (alias: Alias) =>
    queries.setQueryData<Alias[]>(aliasesKey, (list) => list && withAlias(list, alias));
  const attempt = async (work: () => Promise<Tagged<Alias>>): Promise<Tagged<Alias> | undefined> => {
    try {
      const changed = await work();
      show(changed.value);
      return changed;
    } catch (error) {
      fail(errorSentence(error));
      void queries.invalidateQueries({ queryKey: aliasesKey });
      return undefined;
    }
  };
  const undo = async (id: string, etag?: string) => {
    const changed = await attempt(() => guise.aliases.undo(id, etag));
    if (changed) tell(say('“{name}” is back in the slot.', { name: changed.value.ai_filter_data.label }));
  };

  const tellWithUndo = (text: string, { value, etag }: Tagged<Alias>) =>
    tell(text, { label: say('Undo'), onClick: () => void undo(value.id, etag) });

  return {
    show,
    undo,
    tellWithUndo,
    async pointTo(alias: Alias, filter: NamedFilter) {
      if (alias.ai_filter === filter.id) return;
      // The picture changes at once: whoever swaps at an event looks at it.
      show({ ...alias, ai_filter: filter.id, ai_filter_data: { label: filter.name } });
      const changed = await attempt(() => guise.aliases.change(alias.id, { ai_filter: filter.id }));
      if (changed) tellWithUndo(say('“{name}” is in the slot.', { name: filter.name }), changed);
    },
    async setSafe(alias: Alias, filter: NamedFilter | null) {
      const before = alias.safe_filter;
      const changed = await attempt(() =>
        guise.aliases.change(alias.id, { safe_filter: filter?.id ?? null }),
      );
      if (changed)
        tell(
          filter
            ? say('“{name}” is the safe filter.', { name: filter.name })
            : say('The slot has no safe filter now.'),
          {
            label: say('Undo'),
            onClick: () => void attempt(() => guise.aliases.change(alias.id, { safe_filter: before })),
          },
        );
    },
    /** Switches one slot or all slots of a project. */
    async switchToSafe(aliases: readonly Alias[]) {
      const changed = await Promise.all(
        aliases.map(({ id }) => attempt(() => guise.aliases.switchToSafe(id))),
      );
      const done = changed.filter((entry) => entry !== undefined);
      const [first] = done;
      if (!first) return;
      tell(
        done.length === 1
          ? say('“{name}” is in the slot.', { name: first.value.ai_filter_data.label })
          : say('{count} slots have their safe filter.', { count: done.length }),
        {
          label: say('Undo'),
          onClick: () => void Promise.all(done.map(({ value, etag }) => undo(value.id, etag))),
        },
      );
    },
  };
}

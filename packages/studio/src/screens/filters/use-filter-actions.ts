import type { CustomFilter } from '@guise/contract/catalogs.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useGuise } from '../../app/guise-context.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { saveJsonFile } from './json-file.ts';

type Named = Pick<CustomFilter, 'id' | 'name'>;

/** What can be done with an own filter wherever it is shown. */
export function useFilterActions() {
  const guise = useGuise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const readAgain = () => queries.invalidateQueries({ queryKey: ['filters'] });

  return {
    async duplicate({ id, name }: Named) {
      try {
        const copy = await guise.customFilters.duplicate(id);
        await readAgain();
        toast.tell(say('{copy} is a copy of {name}.', { copy: copy.name, name }), {
          label: say('Edit it'),
          onClick: () => void navigate({ to: '/studio/filters/$id', params: { id: copy.id } }),
        });
      } catch (error) {
        toast.fail(errorSentence(error));
      }
    },
    async exportFile({ id, name }: Named) {
      try {
        saveJsonFile(`${name}.guise-filter.json`, await guise.customFilters.export(id));
      } catch (error) {
        toast.fail(errorSentence(error));
      }
    },
    async remove({ id, name }: Named, force: boolean) {
      await guise.customFilters.remove(id, force);
      // Only the lists: a page that still shows the filter would ask for what is gone.
      for (const list of ['list', 'own']) void queries.invalidateQueries({ queryKey: ['filters', list] });
      toast.tell(say('{name} is deleted.', { name }));
    },
  };
}

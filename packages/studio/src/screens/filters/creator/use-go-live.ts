import type { CheckedVersion, CustomFilterDetail } from '@guise/contract/filter-details.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useGuise } from '../../../app/guise-context.ts';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { savedFilterQuery } from './saved-filter.ts';

/** Makes a draft or an older version live. Both can be undone in one click. */
export function useGoLive({ id, version: liveNow }: CustomFilterDetail) {
  const guise = useGuise();
  const queries = useQueryClient();
  const toast = useToast();
  const readAgain = async () => {
    await queries.fetchQuery({ ...savedFilterQuery(guise, id), staleTime: 0 });
    void queries.invalidateQueries({ queryKey: ['filters'] });
  };

  async function goBack(version: number, live: number, etag?: string): Promise<void> {
    const { value } = await guise.customFilters.restore(id, version, etag);
    await readAgain();
    tellWithUndo(
      say('Version {version} is live again, as version {next}.', { version, next: value.version }),
      live,
      value.version,
    );
  }
  const tellWithUndo = (text: string, before: number, live: number) =>
    toast.tell(text, {
      label: say('Undo'),
      onClick: () => void goBack(before, live).catch((error: unknown) => toast.fail(errorSentence(error))),
    });

  return {
    /** An older version becomes the newest. Nothing is lost by it. */
    goBack: (version: number, etag: string | undefined) => goBack(version, liveNow, etag),
    async makeLive(draft: CheckedVersion, etag: string | undefined): Promise<void> {
      const unchecked = draft.outcome === 'waiting' || draft.outcome === null;
      const { value } = await guise.customFilters.makeLive(id, draft.version, { etag, unchecked });
      await readAgain();
      tellWithUndo(say('Version {version} is live.', { version: value.version }), liveNow, value.version);
    },
  };
}

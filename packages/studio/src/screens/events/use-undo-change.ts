import { useQueryClient } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { eventsKey } from './event-query.ts';

/** Takes back the change of an event that went live last. */
export function useUndoChange(id: string) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell, fail } = useToast();
  return async () => {
    try {
      await guise.events.undo(id);
      tell(say('The event is as it was before the last change.'));
    } catch (error) {
      fail(errorSentence(error));
    }
    await queries.invalidateQueries({ queryKey: eventsKey });
  };
}

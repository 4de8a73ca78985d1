import type { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BadgeCheck } from 'lucide-react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { fullTime } from '../../../ui/format-time.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';

/** Whether a person has said that the filter may go live. It is of a saved version: changes must be saved first. */
export function ReadyMark({ detail, isChanged }: { detail: CustomFilterDetail; isChanged: boolean }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const toast = useToast();
  const mark = useMutation({
    mutationFn: (ready: boolean) =>
      guise.customFilters.setReady(detail.id, { version: detail.version, ready }),
    onSuccess: ({ version, ready }) => {
      void queries.invalidateQueries({ queryKey: ['filters'] });
      toast.tell(
        ready
          ? say('Version {version} is ready.', { version })
          : say('Version {version} is no longer ready.', { version }),
        {
          label: say('Undo'),
          onClick: () => mark.mutate(!ready),
        },
      );
    },
    onError: (error) => toast.fail(errorSentence(error)),
  });
  return (
    <Button
      busy={mark.isPending}
      disabled={isChanged}
      aria-pressed={detail.ready}
      title={titleOf(detail)}
      icon={<BadgeCheck size={17} className={detail.ready ? 'text-good' : ''} aria-hidden />}
      onClick={() => mark.mutate(!detail.ready)}
    >
      {detail.ready ? say('Ready') : say('Mark ready')}
    </Button>
  );
}

function titleOf({ ready, ready_at, ready_by }: CustomFilterDetail): string {
  if (!ready || !ready_at) return say('Mark this version as ready to go live');
  const time = fullTime(ready_at);
  return ready_by === null
    ? say('Marked by somebody, {time}', { time })
    : say('Marked by {name}, {time}', { name: ready_by, time });
}

import type { EngineInfo, EngineList } from '@guise/contract/operator.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { useToast } from '../../ui/toasts.tsx';

export const enginesKey = ['engines'];

/** Pauses, resumes and removes an engine. */
export function EngineActions({ engine: { name, paused, removable } }: { engine: EngineInfo }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell, fail } = useToast();
  const change = useMutation({
    mutationFn: (wanted: boolean) => guise.operator.changeEngine(name, { paused: wanted }),
    onSuccess(list, wanted) {
      queries.setQueryData<EngineList>(enginesKey, list);
      tell(
        wanted
          ? `${name} is paused. Jobs that it has end; new ones go elsewhere or wait.`
          : `${name} gets jobs again.`,
        { label: 'Undo', onClick: () => change.mutate(!wanted) },
      );
    },
    onError: (error) => fail(errorSentence(error)),
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        className="min-h-9 text-small"
        kind={paused ? 'primary' : 'plain'}
        busy={change.isPending}
        icon={paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
        onClick={() => change.mutate(!paused)}
      >
        {paused ? `Resume ${name}` : `Pause ${name}`}
      </Button>
      {removable && (
        <Confirm
          trigger={
            <Button kind="quiet" className="min-h-9 text-small">
              Remove {name}
            </Button>
          }
          title={`Remove ${name}?`}
          text="Its address and its key are deleted here. It gets jobs until the server is restarted; pause it to stop that now."
          action="Remove"
          onConfirm={async () => {
            await guise.operator.removeEngine(name);
            await queries.invalidateQueries({ queryKey: enginesKey });
          }}
        />
      )}
    </div>
  );
}

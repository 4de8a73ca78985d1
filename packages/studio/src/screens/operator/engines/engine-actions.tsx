import type { EngineInfo, EngineList } from '@guise/contract/operator/operator.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { AddEngineDialog } from './add-engine-dialog.tsx';

export const enginesKey = ['engines'];

/** Pauses, resumes, sets up again and removes an engine. */
export function EngineActions({ engine }: { engine: EngineInfo }) {
  const { name, paused, removable, urls, fallback } = engine;
  const guise = useGuise();
  const [isSettingUp, setSettingUp] = useState(false);
  const [url, ...more_urls] = urls;
  const queries = useQueryClient();
  const { tell, fail } = useToast();
  const change = useMutation({
    mutationFn: (wanted: boolean) => guise.operator.changeEngine(name, { paused: wanted }),
    onSuccess(list, wanted) {
      queries.setQueryData<EngineList>(enginesKey, list);
      tell(
        wanted
          ? say('{name} is paused. Jobs that it has end; new ones go elsewhere or wait.', { name })
          : say('{name} gets jobs again.', { name }),
        { label: say('Undo'), onClick: () => change.mutate(!wanted) },
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
        {say(paused ? 'Resume {name}' : 'Pause {name}', { name })}
      </Button>
      {url !== undefined && (
        <Button kind="quiet" className="min-h-9 text-small" onClick={() => setSettingUp(true)}>
          {say('Set up {name} again', { name })}
        </Button>
      )}
      {url !== undefined && isSettingUp && (
        <AddEngineDialog
          again={{ name, type: 'comfyui', url, more_urls, fallback, replace: true }}
          onAdded={(list) => queries.setQueryData<EngineList>(enginesKey, list)}
          onClose={() => setSettingUp(false)}
        />
      )}
      {removable && (
        <Confirm
          trigger={
            <Button kind="quiet" className="min-h-9 text-small">
              {say('Remove {name}', { name })}
            </Button>
          }
          title={say('Remove {name}?', { name })}
          text={say(
            'Its address and its key are deleted here. It gets jobs until the server is restarted; pause it to stop that now.',
          )}
          action={say('Remove')}
          onConfirm={async () => {
            await guise.operator.removeEngine(name);
            await queries.invalidateQueries({ queryKey: enginesKey });
          }}
        />
      )}
    </div>
  );
}

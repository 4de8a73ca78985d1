import type { EngineList } from '@guise/contract/operator/operator.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { say } from '../../../words/say.ts';
import { RestartNotice } from '../restart-notice.tsx';
import { AddEngineDialog } from './add-engine-dialog.tsx';
import { enginesKey } from './engine-actions.tsx';
import { EngineDownloadBar } from './engine-download.tsx';

/** The way to another engine, or why there is none, and what waits for a restart. */
export function AddedEngines({ list: { can_change, pending } }: { list: EngineList }) {
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  if (!can_change)
    return (
      <p className="max-w-prose text-small text-ink-soft">
        {say(
          'Engines are added in the file that GUISE_ENGINES names, or where the processes of this installation are started. They can be paused here.',
        )}
      </p>
    );
  return (
    <div className="flex flex-col items-start gap-4">
      {pending && (
        <RestartNotice
          text={say('Engines that were added or removed change with the next start.')}
          canRestart
        />
      )}
      <Button icon={<Plus size={17} aria-hidden />} onClick={() => setAdding(true)}>
        {say('Add an engine')}
      </Button>
      {!isAdding && <EngineDownloadBar />}
      {isAdding && (
        <AddEngineDialog
          onAdded={(list) => queries.setQueryData<EngineList>(enginesKey, list)}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  );
}

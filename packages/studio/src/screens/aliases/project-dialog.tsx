import type { Alias } from '@guise/contract/aliases.ts';
import { type FormEvent, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { say } from '../../words/say.ts';
import { ProjectField } from './project-field.tsx';
import { useAliasActions } from './use-alias-actions.ts';

/** Moves a slot to another project. */
export function ProjectDialog({ alias, onClose }: { alias: Alias; onClose(): void }) {
  const guise = useGuise();
  const { show } = useAliasActions();
  const [project, setProject] = useState(alias.project);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const move = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      show((await guise.aliases.change(alias.id, { project: project.trim() })).value);
      onClose();
    } catch (caught) {
      setError(errorSentence(caught));
      setBusy(false);
    }
  };
  return (
    <Dialog open title={say('Move to another project')} onClose={onClose}>
      <form onSubmit={move} className="flex flex-col gap-5">
        <ProjectField value={project} onChange={setProject} error={error} />
        <Button kind="primary" type="submit" busy={busy} className="self-end">
          {say('Move')}
        </Button>
      </form>
    </Dialog>
  );
}

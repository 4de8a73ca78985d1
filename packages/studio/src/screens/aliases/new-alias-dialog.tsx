import type { CustomFilter } from '@guise/contract/catalogs.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { wallColumns } from './choose-filter-dialog.tsx';
import { OwnFilterWall } from './own-filter-wall.tsx';
import { ProjectField } from './project-field.tsx';
import { useAliasActions } from './use-alias-actions.ts';

/** A new slot: its starting filter, and which project it belongs to. */
export function NewAliasDialog({ project: firstProject, onClose }: { project: string; onClose(): void }) {
  const guise = useGuise();
  const { tell } = useToast();
  const { show } = useAliasActions();
  const [project, setProject] = useState(firstProject);
  const [filter, setFilter] = useState<CustomFilter>();
  const make = useMutation({
    mutationFn: (id: string) => guise.aliases.create({ ai_filter: id, project: project.trim() }),
    onSuccess(alias) {
      show(alias);
      tell(say('The alias is made. Copy its id into the booth.'));
      onClose();
    },
  });
  return (
    <Dialog open wide title={say('Make an alias')} onClose={onClose}>
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (filter) make.mutate(filter.id);
        }}
      >
        <div className="max-w-md">
          <ProjectField value={project} onChange={setProject} />
        </div>
        <fieldset>
          <legend className="mb-2 text-small font-medium">{say('Starting filter')}</legend>
          <OwnFilterWall columns={wallColumns} chosenId={filter?.id ?? null} onChoose={setFilter} />
        </fieldset>
        {make.error && <Problem error={make.error} />}
        <div className="sticky -bottom-5 -mx-5 -mb-5 flex justify-end border-t bg-raised px-5 py-3">
          <Button kind="primary" type="submit" disabled={!filter} busy={make.isPending}>
            {filter ? say('Make the alias') : say('Choose a filter')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

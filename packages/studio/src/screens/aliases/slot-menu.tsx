import type { Alias } from '@guise/contract/aliases.ts';
import { useQueryClient } from '@tanstack/react-query';
import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { shortId } from '../../ui/short-id.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { ChooseFilterDialog } from './choose-filter-dialog.tsx';
import { ProjectDialog } from './project-dialog.tsx';
import { usePutFilter } from './put-filter.tsx';
import { useAliasActions } from './use-alias-actions.ts';
import { aliasesKey } from './use-aliases.ts';

/** What is seldom done to a slot. */
export function SlotMenu({ alias }: { alias: Alias }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell } = useToast();
  const { setSafe } = useAliasActions();
  const putFilter = usePutFilter();
  const [open, setOpen] = useState<'safe' | 'project' | 'delete'>();
  const close = () => setOpen(undefined);
  const remove = async () => {
    await guise.aliases.remove(alias.id);
    queries.setQueryData<Alias[]>(aliasesKey, (list) => list?.filter(({ id }) => id !== alias.id));
    tell(say('The alias is deleted.'));
  };
  return (
    <>
      <Menu
        label={say('More for the slot {id}', { id: shortId(alias.id) })}
        className="-mr-2 grid size-9 shrink-0 place-items-center rounded-card text-ink-soft hover:bg-panel hover:text-ink"
        trigger={<MoreHorizontal size={18} aria-hidden />}
      >
        <MenuItem onClick={() => setOpen('safe')}>
          {alias.safe_filter ? say('Choose another safe filter') : say('Set a safe filter')}
        </MenuItem>
        {alias.safe_filter && (
          <MenuItem onClick={() => void setSafe(alias, null)}>{say('Remove the safe filter')}</MenuItem>
        )}
        <MenuItem onClick={() => setOpen('project')}>{say('Move to another project')}</MenuItem>
        <MenuSeparator />
        <MenuItem isDanger onClick={() => setOpen('delete')}>
          {say('Delete')}
        </MenuItem>
      </Menu>
      {open === 'safe' && (
        <ChooseFilterDialog
          title={say('Choose the safe filter')}
          chosenId={alias.safe_filter}
          onChoose={(filter) => putFilter(alias, filter, 'safe')}
          onClose={close}
        />
      )}
      {open === 'project' && <ProjectDialog alias={alias} onClose={close} />}
      <Confirm
        open={open === 'delete'}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={say('Delete this alias?')}
        text={say(
          'Booths that call its id will get an error, and a new alias has another id. The filter is kept.',
        )}
        action={say('Delete')}
        onConfirm={remove}
      />
    </>
  );
}

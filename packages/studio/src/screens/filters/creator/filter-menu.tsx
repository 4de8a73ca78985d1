import type { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../../../ui/copy-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx';
import { say } from '../../../words/say.ts';
import { DeleteFilter } from '../delete-filter.tsx';
import { tryAddress } from '../try-address.ts';
import { useFilterActions } from '../use-filter-actions.ts';

/** What else can be done with a saved filter. */
export function FilterMenu({ detail }: { detail: CustomFilterDetail }) {
  const navigate = useNavigate();
  const { duplicate, exportFile } = useFilterActions();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <Menu
        label={say('More')}
        className="grid size-10 place-items-center rounded-card border bg-raised hover:border-ink-soft"
        trigger={<Ellipsis size={18} aria-hidden />}
      >
        <MenuItem onClick={() => void navigate({ href: tryAddress({ id: detail.id }) })}>
          {say('Try')}
        </MenuItem>
        <MenuItem onClick={() => void navigate({ href: `/studio/qa/new?filter=${detail.id}` })}>
          {say('Check on many photos')}
        </MenuItem>
        <MenuItem onClick={() => void duplicate(detail)}>{say('Duplicate')}</MenuItem>
        <MenuItem onClick={() => void exportFile(detail)}>{say('Export as a file')}</MenuItem>
        <MenuItem onClick={() => void copyText(detail.id)}>{say('Copy its id')}</MenuItem>
        <MenuSeparator />
        <MenuItem isDanger onClick={() => setDeleting(true)}>
          {say('Delete')}
        </MenuItem>
      </Menu>
      {isDeleting && (
        <DeleteFilter
          filter={detail}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: '/studio/filters', ignoreBlocker: true })}
        />
      )}
    </>
  );
}

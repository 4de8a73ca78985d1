import type { VersionedFilter } from '@guise/contract/filter-details.ts';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { shortTime } from '../../ui/format-time.ts';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { PictureCard } from '../../ui/picture-card.tsx';
import { say } from '../../words/say.ts';
import { DeleteFilter } from './delete-filter.tsx';
import { tryAddress } from './try-address.ts';
import { useFilterActions } from './use-filter-actions.ts';

/** The version that guests get, and the draft beside it. */
function noteOf({ version, draft, updated_at }: VersionedFilter): string {
  return draft
    ? say('Version {version}, draft {draft}', { version, draft: draft.version })
    : say('Version {version}, {time}', { version, time: shortTime(updated_at) });
}

/** An own filter with what can be done with it. */
export function OwnFilterCard({ filter }: { filter: VersionedFilter }) {
  const navigate = useNavigate();
  const { duplicate, exportFile } = useFilterActions();
  const [isDeleting, setDeleting] = useState(false);
  const href = `/studio/filters/${filter.id}`;
  return (
    <>
      <PictureCard
        src={filter.preview_images[0]}
        name={filter.name}
        note={noteOf(filter)}
        ratio={filter.filter_type === 'face_swap' ? '2/3' : '3/2'}
        href={href}
        actions={
          <>
            <Button
              className="min-h-9"
              aria-label={say('Try {name}', { name: filter.name })}
              onClick={() => void navigate({ href: tryAddress({ id: filter.id }) })}
            >
              {say('Try')}
            </Button>
            <Menu
              label={say('More for {name}', { name: filter.name })}
              className="grid size-9 place-items-center rounded-card border bg-raised hover:border-ink-soft"
              trigger={<Ellipsis size={18} aria-hidden />}
            >
              <MenuItem onClick={() => void navigate({ to: href })}>{say('Edit')}</MenuItem>
              <MenuItem onClick={() => void duplicate(filter)}>{say('Duplicate')}</MenuItem>
              <MenuItem onClick={() => void exportFile(filter)}>{say('Export as a file')}</MenuItem>
              <MenuItem onClick={() => void navigate({ href: `/studio/qa/new?filter=${filter.id}` })}>
                {say('Check on many photos')}
              </MenuItem>
              <MenuSeparator />
              <MenuItem isDanger onClick={() => setDeleting(true)}>
                {say('Delete')}
              </MenuItem>
            </Menu>
          </>
        }
      />
      {isDeleting && <DeleteFilter filter={filter} onClose={() => setDeleting(false)} />}
    </>
  );
}

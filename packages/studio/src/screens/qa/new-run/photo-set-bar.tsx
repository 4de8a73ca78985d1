import { MoreHorizontal, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { plural } from '../qa-words.ts';
import { NameSetDialog } from './name-set-dialog.tsx';
import type { PhotoChoiceState } from './use-photo-choice.ts';
import type { PhotoSetActions } from './use-photo-set-actions.ts';

interface PhotoSetBarProps {
  photos: PhotoChoiceState;
  actions: PhotoSetActions;
  onNew(): void;
}

/** Which set the photos are from; sets are made, renamed and deleted here. */
export function PhotoSetBar({ photos, actions, onNew }: PhotoSetBarProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const { set } = photos;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-48 sm:max-w-80">
        <SelectField
          label="Photos from"
          value={photos.setId ?? ''}
          onChange={(event) => photos.chooseSet(event.target.value)}
          options={photos.sets.map(({ id, name, photo_count }) => ({
            value: id,
            label: `${name} (${photo_count})`,
          }))}
        />
      </div>
      <Button icon={<Plus size={17} aria-hidden />} onClick={onNew}>
        New set
      </Button>
      {set && !set.read_only && (
        <Menu
          label="More about this set"
          trigger={<MoreHorizontal size={18} aria-hidden />}
          className="grid size-10 place-items-center rounded-card text-ink-soft hover:bg-panel hover:text-ink"
        >
          <MenuItem onClick={() => setDialog('rename')}>Rename</MenuItem>
          <MenuItem isDanger onClick={() => setDialog('delete')}>
            Delete the set
          </MenuItem>
        </Menu>
      )}
      {set && dialog === 'rename' && (
        <NameSetDialog
          title="Rename the set"
          action="Rename"
          name={set.name}
          onName={(name) => actions.rename(set.id, name)}
          onClose={() => setDialog(undefined)}
        />
      )}
      {set && (
        <Confirm
          open={dialog === 'delete'}
          onOpenChange={(open) => !open && setDialog(undefined)}
          title={`Delete ${set.name}?`}
          text={`${plural(set.photos.length, 'photo is', 'photos are')} erased. Runs keep their pictures, and lose the photos they were made of.`}
          action="Delete"
          onConfirm={async () => {
            await actions.remove(set.id);
            photos.chooseSet(photos.sets[0]!.id);
          }}
        />
      )}
    </div>
  );
}

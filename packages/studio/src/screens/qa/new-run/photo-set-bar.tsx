import { MoreHorizontal, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { numberText } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';
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
          label={say('Photos from')}
          value={photos.setId ?? ''}
          onChange={(event) => photos.chooseSet(event.target.value)}
          options={photos.sets.map(({ id, name, photo_count }) => ({
            value: id,
            label: `${name} (${photo_count})`,
          }))}
        />
      </div>
      <Button icon={<Plus size={17} aria-hidden />} onClick={onNew}>
        {say('New set')}
      </Button>
      {set && !set.read_only && (
        <Menu
          label={say('More about this set')}
          trigger={<MoreHorizontal size={18} aria-hidden />}
          className="grid size-10 place-items-center rounded-card text-ink-soft hover:bg-panel hover:text-ink"
        >
          <MenuItem onClick={() => setDialog('rename')}>{say('Rename')}</MenuItem>
          <MenuItem isDanger onClick={() => setDialog('delete')}>
            {say('Delete the set')}
          </MenuItem>
        </Menu>
      )}
      {set && dialog === 'rename' && (
        <NameSetDialog
          title={say('Rename the set')}
          action={say('Rename')}
          name={set.name}
          onName={(name) => actions.rename(set.id, name)}
          onClose={() => setDialog(undefined)}
        />
      )}
      {set && (
        <Confirm
          open={dialog === 'delete'}
          onOpenChange={(open) => !open && setDialog(undefined)}
          title={say('Delete {name}?', { name: set.name })}
          text={
            set.photos.length === 1
              ? say('1 photo is erased. Runs keep their pictures, and lose the photos they were made of.')
              : say(
                  '{count} photos are erased. Runs keep their pictures, and lose the photos they were made of.',
                  { count: numberText(set.photos.length) },
                )
          }
          action={say('Delete')}
          onConfirm={async () => {
            await actions.remove(set.id);
            photos.chooseSet(photos.sets[0]!.id);
          }}
        />
      )}
    </div>
  );
}

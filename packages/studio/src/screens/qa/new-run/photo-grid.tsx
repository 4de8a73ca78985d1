import type { Photo } from '@guise/contract/photo-sets.ts';
import { Check, Trash2 } from 'lucide-react';
import { IconButton } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { say } from '../../../words/say.ts';
import { peopleText } from '../qa-words.ts';
import type { PhotoChoiceState } from './use-photo-choice.ts';
import type { PhotoSetActions } from './use-photo-set-actions.ts';

interface PhotoGridProps {
  photos: PhotoChoiceState;
  actions: PhotoSetActions;
}

/** The photos of a set, as they are; a click chooses one or leaves it out. */
export function PhotoGrid({ photos, actions }: PhotoGridProps) {
  const { set, chosen } = photos;
  if (!set) return null;
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-4 gap-y-5 max-md:grid-cols-2 max-md:gap-x-3">
      {set.photos.map((photo) => (
        <li key={photo.id} className="group relative min-w-0">
          <ChosenPhoto
            photo={photo}
            isChosen={chosen.includes(photo.id)}
            onToggle={() => photos.toggle(photo.id)}
          />
          {!set.read_only && (
            <Confirm
              trigger={
                <IconButton
                  label={say('Remove {name}', { name: photo.name })}
                  className="absolute top-1.5 right-1.5 bg-raised opacity-0 group-hover:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
                >
                  <Trash2 size={17} aria-hidden />
                </IconButton>
              }
              title={say('Remove {name}?', { name: photo.name })}
              text={say('The photo is erased. Runs that were made with it keep their pictures.')}
              action={say('Remove')}
              onConfirm={() => actions.removePhoto(set.id, photo.id)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

interface ChosenPhotoProps {
  photo: Photo;
  isChosen: boolean;
  onToggle(): void;
}

function ChosenPhoto({ photo, isChosen, onToggle }: ChosenPhotoProps) {
  return (
    <button type="button" aria-pressed={isChosen} onClick={onToggle} className="block w-full text-left">
      <span className="relative grid aspect-square place-items-center overflow-hidden rounded-card bg-panel">
        <img
          src={photo.thumbnail_url}
          alt=""
          loading="lazy"
          className={`size-full object-contain transition-opacity ${isChosen ? '' : 'opacity-35'}`}
        />
        <span
          aria-hidden
          className={`absolute top-2 left-2 grid size-6 place-items-center rounded-full border ${isChosen ? 'border-accent bg-accent text-on-accent' : 'border-ink-soft bg-raised text-transparent'}`}
        >
          <Check size={15} strokeWidth={2.5} />
        </span>
      </span>
      <span className="mt-1.5 block truncate text-small font-medium">{photo.name}</span>
      <span className="block text-small text-ink-soft">
        {photo.people === null ? `${photo.width} × ${photo.height}` : peopleText(photo.people)}
      </span>
    </button>
  );
}

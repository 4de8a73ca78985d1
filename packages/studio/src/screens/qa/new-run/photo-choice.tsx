import { type DragEvent, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { say } from '../../../words/say.ts';
import { LeaveGuard } from '../../filters/creator/leave-guard.tsx';
import { AddPhotos } from './add-photos.tsx';
import { NameSetDialog } from './name-set-dialog.tsx';
import { PhotoGrid } from './photo-grid.tsx';
import { PhotoSetBar } from './photo-set-bar.tsx';
import { UploadProgress } from './upload-progress.tsx';
import type { PhotoChoiceState } from './use-photo-choice.ts';
import { usePhotoSetActions } from './use-photo-set-actions.ts';
import { usePhotoUploads } from './use-photo-uploads.ts';

/** The photos of a run: from a set that is kept. Files that are dropped anywhere here are added to it. */
export function PhotoChoice({ photos }: { photos: PhotoChoiceState }) {
  const uploads = usePhotoUploads();
  const actions = usePhotoSetActions();
  const [isOver, setOver] = useState(false);
  /** Files that wait for the set they go into to be named. */
  const [waiting, setWaiting] = useState<File[]>();
  const { set } = photos;

  const take = (files: File[]) => {
    if (files.length === 0 || !set) return;
    if (set.read_only) setWaiting(files);
    else uploads.add(set.id, files);
  };
  const makeSet = async (name: string) => {
    const made = await actions.create(name);
    photos.chooseSet(made.id);
    uploads.add(made.id, waiting ?? []);
  };
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(over);
  };
  return (
    <section
      aria-label={say('Photos')}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event);
        take([...event.dataTransfer.files]);
      }}
      className={`flex min-w-0 flex-col gap-4 p-6 transition-colors max-md:p-4 ${isOver ? 'bg-panel' : ''}`}
    >
      <PhotoSetBar photos={photos} actions={actions} onNew={() => setWaiting([])} />
      {photos.error && <Problem error={photos.error} onRetry={photos.retry} />}
      <UploadProgress uploads={uploads} />
      {set && set.photos.length > 0 && (
        <div className="flex items-center gap-3">
          <p className="text-small text-ink-soft">
            {say('{chosen} of {count} chosen', { chosen: photos.chosen.length, count: set.photos.length })}
          </p>
          <div className="flex gap-1">
            <Button kind="quiet" onClick={photos.chooseAll}>
              {say('All')}
            </Button>
            <Button kind="quiet" onClick={photos.chooseNone}>
              {say('None')}
            </Button>
          </div>
        </div>
      )}
      {set && <PhotoGrid photos={photos} actions={actions} />}
      {set && <AddPhotos isEmpty={set.photos.length === 0} isReadOnly={set.read_only} onFiles={take} />}
      {waiting && (
        <NameSetDialog
          title={say('New photo set')}
          text={
            waiting.length > 0
              ? say('The sample photos stay as they are. Yours go into a set of their own.')
              : undefined
          }
          action={say('Make the set')}
          onName={makeSet}
          onClose={() => setWaiting(undefined)}
        />
      )}
      <LeaveGuard
        isChanged={uploads.state.total > 0}
        text={say('Photos that are still uploading will be lost.')}
      />
    </section>
  );
}

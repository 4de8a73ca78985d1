import { useState } from 'react';
import type { Photo } from '../../../photo/photo.ts';
import { PhotoInput } from '../../../photo/photo-input.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { say } from '../../../words/say.ts';

/** Adds a photo to the test people. It is kept until it is removed from its photo set. */
export function AddPerson({ onAdd, onClose }: { onAdd(photo: Photo): Promise<void>; onClose(): void }) {
  const [photo, setPhoto] = useState<Photo>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const add = async () => {
    if (!photo) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await onAdd(photo);
      onClose();
    } catch (error) {
      setProblem(errorSentence(error));
      setBusy(false);
    }
  };
  return (
    <Dialog open title={say('Add a test person')} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <PhotoInput label={say('Photo of a test person')} photo={photo} onChange={setPhoto} takesPasted />
        <p className="text-small text-ink-soft">
          {say('The photo is kept in a photo set of this account until you remove it there.')}
        </p>
        {problem && (
          <p role="alert" className="text-lost">
            {problem}
          </p>
        )}
        <Button kind="primary" disabled={!photo} busy={isBusy} onClick={() => void add()}>
          {say('Add')}
        </Button>
      </div>
    </Dialog>
  );
}

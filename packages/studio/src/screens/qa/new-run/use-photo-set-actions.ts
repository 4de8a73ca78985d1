import type { PhotoSet } from '@guise/contract/photo-sets.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useGuise } from '../../../app/guise-context.ts';
import { photoSetsKey } from './use-photo-choice.ts';

/** Changes of photo sets; what shows them is read again. */
export function usePhotoSetActions() {
  const { photoSets } = useGuise();
  const queries = useQueryClient();
  const oneKey = (id: string) => [...photoSetsKey, 'one', id];
  const readAgain = () => queries.invalidateQueries({ queryKey: photoSetsKey });
  return {
    async create(name: string) {
      const made = await photoSets.create(name);
      await readAgain();
      return made;
    },
    async rename(id: string, name: string) {
      await photoSets.rename(id, name);
      await readAgain();
    },
    async remove(id: string) {
      await photoSets.remove(id);
      queries.removeQueries({ queryKey: oneKey(id) });
      await queries.invalidateQueries({ queryKey: photoSetsKey, exact: true });
    },
    async removePhoto(id: string, photoId: string) {
      await photoSets.removePhoto(id, photoId);
      queries.setQueryData<PhotoSet>(
        oneKey(id),
        (set) => set && { ...set, photos: set.photos.filter((photo) => photo.id !== photoId) },
      );
      await readAgain();
    },
  };
}
export type PhotoSetActions = ReturnType<typeof usePhotoSetActions>;

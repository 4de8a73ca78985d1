import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';

export const photoSetsKey = ['photo-sets'] as const;

/** A photo set and the photos of it that are chosen. All are, and new ones too, until a person says otherwise. */
export function usePhotoChoice() {
  const guise = useGuise();
  const [wantedSet, setWantedSet] = useState<string>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const sets = useQuery({ queryKey: photoSetsKey, queryFn: () => guise.photoSets.list() });
  const all = sets.data?.photo_sets ?? [];
  const setId = all.find(({ id }) => id === wantedSet)?.id ?? wantedSet ?? all[0]?.id;
  const one = useQuery({
    queryKey: [...photoSetsKey, 'one', setId],
    queryFn: () => guise.photoSets.get(setId!),
    enabled: setId !== undefined,
  });
  const set = one.data;
  return {
    sets: all,
    setId,
    set,
    error: sets.error ?? one.error,
    retry: () => void (sets.error ? sets.refetch() : one.refetch()),
    chosen: set?.photos.filter(({ id }) => !left.has(id)).map(({ id }) => id) ?? [],
    chooseSet: setWantedSet,
    toggle: (id: string) =>
      setLeft((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    chooseAll: () => setLeft(new Set()),
    chooseNone: () => setLeft(new Set(set?.photos.map(({ id }) => id))),
  };
}
export type PhotoChoiceState = ReturnType<typeof usePhotoChoice>;

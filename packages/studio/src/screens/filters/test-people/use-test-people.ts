import { base64Of } from '@guise/client/bytes.ts';
import type { FilterType } from '@guise/contract/catalogs.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import type { Photo } from '../../../photo/photo.ts';
import { say } from '../../../words/say.ts';
import { mostTestPeople, personOf, samplePeople } from './test-people.ts';

const chosenKey = 'guise-test-people';
/** The set that photos go to which are added here. */
const ownSetName = say('Test people');
export const sampleSetId = 'samples';

/** The people a filter is tried on: those who come with the server, or a photo set of the account. */
export function useTestPeople(filterType: FilterType) {
  const guise = useGuise();
  const queries = useQueryClient();
  const [setId, setSetId] = useState(() => localStorage.getItem(chosenKey) ?? sampleSetId);
  const sets = useQuery({ queryKey: ['photo-sets'], queryFn: () => guise.photoSets.list() });
  const ownSets = useMemo(
    () => sets.data?.photo_sets.filter(({ read_only }) => !read_only) ?? [],
    [sets.data],
  );
  const chosen = ownSets.find(({ id }) => id === setId);
  const photos = useQuery({
    queryKey: ['photo-sets', setId],
    queryFn: () => guise.photoSets.get(setId),
    enabled: chosen !== undefined,
  });
  const ownPhotos = chosen && photos.data?.photos;
  // The same list while nothing of it changed: a new one would try every photo again.
  const ids = ownPhotos?.map(({ id }) => id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the links of photos are signed anew at every read
  const people = useMemo(
    () => ownPhotos?.slice(0, mostTestPeople).map(personOf) ?? samplePeople[filterType],
    [ids, filterType],
  );

  const choose = (id: string) => {
    localStorage.setItem(chosenKey, id);
    setSetId(id);
  };
  const add = async (photo: Photo) => {
    const set =
      chosen ?? ownSets.find(({ name }) => name === ownSetName) ?? (await guise.photoSets.create(ownSetName));
    const name = photo.name.slice(0, 120) || say('Photo');
    await guise.photoSets.addPhoto(set.id, { image: await base64Of(photo.blob), name });
    choose(set.id);
    await queries.invalidateQueries({ queryKey: ['photo-sets'] });
  };
  return { people, sets: ownSets, setId: chosen?.id ?? sampleSetId, choose, add };
}
export type TestPeople = ReturnType<typeof useTestPeople>;

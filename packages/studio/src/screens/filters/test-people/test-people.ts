import type { FilterType } from '@guise/contract/catalogs.ts';
import type { SamplePhoto } from '@guise/contract/filter-drafts.ts';
import type { Photo } from '@guise/contract/photo-sets.ts';
import { say } from '../../../words/say.ts';

/** A photo that a filter is tried on. */
export interface TestPerson {
  key: string;
  name: string;
  /** A small picture of the photo, and the photo itself. */
  src: string;
  full: string;
  /** How the request names it. */
  photo: { sample: SamplePhoto } | { photo_id: string };
}

const sample = (name: SamplePhoto, title: string, file: string): TestPerson => ({
  key: name,
  name: title,
  src: `/samples/${file}.webp`,
  full: `/samples/${file}.jpg`,
  photo: { sample: name },
});
const onePerson = sample('one_person', say('One person'), 'astronaut');
const man = sample('man', say('Man'), 'glover');
const twoPeople = sample('two_people', say('Two people'), 'two-people');

/** The people who come with the server, as far as they suit the type. */
export const samplePeople: Record<FilterType, TestPerson[]> = {
  face_swap: [onePerson, man],
  multi_swap: [twoPeople, onePerson],
};

/** More would wait too long: a test takes seconds, and few may wait at once. */
export const mostTestPeople = 6;

export const personOf = ({ id, name, url, thumbnail_url }: Photo): TestPerson => ({
  key: id,
  name,
  src: thumbnail_url,
  full: url,
  photo: { photo_id: id },
});

import type { Spent } from '../run-once.ts';

/** What one engine made of one photo. */
export interface ComparedPicture extends Spent {
  engine: string;
  /** Its name in the folder; null where nothing was made. */
  file: string | null;
  seconds: number;
  /** How like the photo each person is, from 0 to 1, the largest face first; null for who is not there. */
  likeness: (number | null)[];
  /** Faces as large as theirs that are in no photo. */
  strangers: number;
  error: string | null;
}

/** A photo with one filter, as each of the engines makes it. */
export interface Compared {
  /** Its name in the folder. */
  photo: string;
  people: number;
  filter: string;
  pictures: ComparedPicture[];
}

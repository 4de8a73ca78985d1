import { say } from '../../../words/say.ts';

/** face_swap as "face swap". */
export const familyWords = (families: readonly string[]) =>
  families.map((family) => family.replaceAll('_', ' ')).join(', ') || say('nothing at the moment');

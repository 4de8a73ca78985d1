import { AppError } from './errors.ts';

/**
 * What a caller expects of a thing before it is changed. Called with the version that is about to be replaced, within the
 * transaction that replaces it; throws `CHANGED_ELSEWHERE` when the caller has read another one.
 */
export type Precondition = (version: number) => void;

export const changedElsewhere = () =>
  new AppError('CHANGED_ELSEWHERE', 'This was changed elsewhere meanwhile. Read it again, then change it.');

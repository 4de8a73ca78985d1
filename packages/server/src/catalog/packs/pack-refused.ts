import { AppError } from '../../errors.ts';

/** `problem` says what is wrong and what to do about it, without the final period. */
export function packRefused(file: string, problem: string): AppError {
  return new AppError('CATALOG_BROKEN', `${file}: ${problem}. Nothing was imported.`);
}

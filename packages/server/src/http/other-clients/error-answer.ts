import type { AppError } from '../../errors.ts';

/** What an error is answered with. */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Writes an error, whose status elsewhere is given, as clients of another interface read it. */
export type WriteError = (error: AppError, status: number) => ErrorAnswer;

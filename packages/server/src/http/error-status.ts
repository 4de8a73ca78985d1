import { errorCodes } from '@guise/contract/error-codes.ts';

/** The table of error codes, by a code that may not be in it. */
export const errorStatus: Readonly<Record<string, { status: number; means: string }>> = errorCodes;

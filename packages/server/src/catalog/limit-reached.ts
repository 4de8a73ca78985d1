import { AppError } from '../errors.ts';

/** An account has as many `things` as it may have. */
export const limitReached = (limit: number, things: string) =>
  new AppError('LIMIT_REACHED', `This account has ${limit} ${things}, as many as it may have.`);

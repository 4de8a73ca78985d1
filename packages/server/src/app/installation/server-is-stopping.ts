import { AppError } from '../../errors.ts';

/** For what would begin in the background of a server that is about to end. */
export const serverIsStopping = () =>
  new AppError('OVERLOADED', 'The server is being stopped. Try again in a while.', {
    retryable: true,
    headers: { 'retry-after': '5' },
  });

import { AppError } from '../errors.ts';

/** The same for every cause: nothing tells whether a key was ever one. */
export function unauthorized(): AppError {
  return new AppError('UNAUTHORIZED', 'Valid credentials are needed: an API key or an access token.', {
    headers: { 'www-authenticate': 'Bearer realm="guise"' },
  });
}

import { AppError } from './errors.ts';

/** The same answer for every cause, so that it does not reveal whether a key ever existed. */
export function unauthorized(scheme: 'Basic' | 'Bearer' = 'Bearer'): AppError {
  return new AppError('UNAUTHORIZED', 'Valid credentials are required: an API key or an access token.', {
    headers: { 'www-authenticate': `${scheme} realm="guise"` },
  });
}

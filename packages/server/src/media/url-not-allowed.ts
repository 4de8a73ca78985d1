import { AppError } from '../errors.ts';

/** One sentence for every cause: it must not reveal which names and addresses exist in the operator's network. */
export function urlNotAllowed(): AppError {
  return new AppError(
    'URL_NOT_ALLOWED',
    'The URL must use http or https, contain no user name or password, and lead to a public address on port 80, 443 or above 1023.',
  );
}

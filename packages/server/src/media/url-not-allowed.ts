import { AppError } from '../errors.ts';

/** For everything that is told from the URL alone, without asking for its host. */
export function urlNotAllowed(): AppError {
  return new AppError(
    'URL_NOT_ALLOWED',
    'The URL must use http or https, contain no user name or password, and lead to a public address on port 80, 443 or above 1023.',
  );
}

/**
 * One sentence for names that do not exist and for those with addresses that are not allowed: it must not reveal which
 * names exist in the operator's network.
 */
export function hostNotAllowed(host: string): AppError {
  return new AppError(
    'URL_NOT_ALLOWED',
    `The host name ${host} was not found, or it does not lead to a public address. Check how it is spelt.`,
  );
}

import { GuiseError } from '@guise/client/guise-error.ts';
import { language } from '../words/language.ts';
import { say } from '../words/say.ts';
import { sayOfServer } from '../words/say-of-server.ts';

const german = language === 'de' ? await import('../words/german/errors.ts') : null;

/** One sentence for whatever went wrong: the server's own where there is one. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof Error) || error.message === '') return say('Something went wrong. Try again.');
  const translated = error instanceof GuiseError ? german?.errorInGerman(error) : null;
  return translated ?? sayOfServer(error.message);
}

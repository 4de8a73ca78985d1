import { GuiseError } from '@guise/client/guise-error.ts';
import type { FieldPath, UseFormReturn } from 'react-hook-form';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import type { EventFields } from './event-fields.ts';

/** The form's field for a field of the interface, by the beginning of its path. */
const fieldNames: [RegExp, FieldPath<EventFields>][] = [
  [/^name$/, 'name'],
  [/^starts_at$/, 'begins'],
  [/^ends_at$/, 'ends'],
  [/^time_zone$/, 'zone'],
  [/^offers/, 'offers'],
  [/^safe_offer/, 'safeOffer'],
  [/^ratios/, 'ratios'],
  [/^budget$/, 'budget'],
  [/^pictures_per_guest$/, 'pictures'],
  [/^tries_per_guest$/, 'tries'],
  [/^result_hours$/, 'hours'],
  [/^gallery_password$/, 'password'],
  [/^webhook_url$/, 'webhookUrl'],
  [/^details/, 'details'],
  [/^blocked_words/, 'blockedWords'],
  [/^branding\.background$/, 'background'],
  [/^branding\.text$/, 'text'],
  [/^branding\.accent$/, 'accent'],
];

/** Shows what the server refused at the field that it means, which gets the focus unless somebody is typing, and the whole sentence beside the button. */
export function showRefusal(form: UseFormReturn<EventFields>, error: unknown, { focus = true } = {}): void {
  const fields = error instanceof GuiseError ? error.fields : [];
  let shouldFocus = focus;
  for (const { path, message } of fields) {
    const name = fieldNames.find(([pattern]) => pattern.test(path))?.[1];
    if (!name) continue;
    form.setError(name, { message: problemOf(path, message) }, { shouldFocus });
    shouldFocus = false;
  }
  if (error instanceof GuiseError && error.message.startsWith('Offer '))
    form.setError('offers', { message: sayOfServer(error.message) });
  form.setError('root', { message: errorSentence(error) });
}

/** What is wrong with a field, as a sentence of its own. */
function problemOf(path: string, message: string): string {
  const whole = `${path}: ${message}.`;
  const known = sayOfServer(whole);
  return known === whole ? `${message.charAt(0).toUpperCase()}${message.slice(1)}.` : known;
}

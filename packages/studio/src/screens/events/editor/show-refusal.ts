import { GuiseError } from '@guise/client/guise-error.ts';
import type { FieldPath, UseFormReturn } from 'react-hook-form';
import { errorSentence } from '../../../ui/error-sentence.ts';
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
    form.setError(
      name,
      { message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` },
      { shouldFocus },
    );
    shouldFocus = false;
  }
  if (error instanceof GuiseError && error.message.startsWith('Offer '))
    form.setError('offers', { message: error.message });
  form.setError('root', { message: errorSentence(error) });
}

import type { NewBoothEventInput } from '@guise/contract/events/events.ts';
import { say } from '../../../words/say.ts';

/** What a change is about, in the words of the form. */
export const fieldNamesOf = (change: Partial<NewBoothEventInput>): string[] => [
  ...new Set(Object.keys(change).map((name) => fieldNames[name] ?? name)),
];

const fieldNames: Readonly<Record<string, string>> = {
  name: say('Name'),
  time_zone: say('Times'),
  starts_at: say('Times'),
  ends_at: say('Times'),
  offers: say('Offers'),
  safe_offer: say('Safe offer'),
  ratios: say('Shapes'),
  budget: say('Budget'),
  pictures_per_guest: say('Limits for guests'),
  tries_per_guest: say('Limits for guests'),
  result_hours: say('How long pictures are kept'),
  texts: say('Texts and consent'),
  questions: say('Questions'),
  details: say('What guests are asked for'),
  blocked_words: say('Words that nobody may type'),
  moments: say('Quick shots'),
  branding: say('Look'),
  printer_id: say('Printing'),
  prints_per_guest: say('Printing'),
  print_limit: say('Printing'),
  mail: say('Mail'),
  wall: say('Wall'),
  gallery: say('Gallery'),
  gallery_password: say('Gallery'),
  webhook_url: say('Webhook'),
  hosted_engines: say('Hosted engines'),
};

import type { NewBoothEventInput } from '@guise/contract/events/events.ts';

/** What a change is about, in the words of the form. */
export const fieldNamesOf = (change: Partial<NewBoothEventInput>): string[] => [
  ...new Set(Object.keys(change).map((name) => fieldNames[name] ?? name)),
];

const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  time_zone: 'Times',
  starts_at: 'Times',
  ends_at: 'Times',
  offers: 'Offers',
  safe_offer: 'Safe offer',
  ratios: 'Shapes',
  budget: 'Budget',
  pictures_per_guest: 'Limits for guests',
  tries_per_guest: 'Limits for guests',
  result_hours: 'How long pictures are kept',
  texts: 'Texts and consent',
  questions: 'Questions',
  details: 'What guests are asked for',
  blocked_words: 'Words that nobody may type',
  moments: 'Quick shots',
  branding: 'Look',
  printer_id: 'Printing',
  prints_per_guest: 'Printing',
  print_limit: 'Printing',
  mail: 'Mail',
  wall: 'Wall',
  gallery: 'Gallery',
  gallery_password: 'Gallery',
  webhook_url: 'Webhook',
  hosted_engines: 'Hosted engines',
};

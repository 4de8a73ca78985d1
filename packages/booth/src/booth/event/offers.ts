import type { Booth } from '@guise/contract/events/event-guests.ts';
import { guestLanguageOf } from '@guise/contract/events/guest-languages.ts';
import type { Guest } from '../guests/guest.ts';

export type BoothOffer = Booth['offers'][number];

/** What one person, or several, can choose. Art styles and videos take everybody. */
export function offersFor(booth: Booth, who: Guest['who']): BoothOffer[] {
  if (who === null) return booth.offers;
  const other = who === 'one' ? 'group' : 'single';
  return booth.offers.filter(({ kind }) => kind !== other);
}

/** Whether it matters who is in the picture. */
export function asksWho(booth: Booth): boolean {
  const kinds = new Set(booth.offers.map(({ kind }) => kind));
  return kinds.has('single') && kinds.has('group');
}

/** Whether guests choose a shape: other pictures than those of one person keep the shape of their photo. */
export function asksShape(booth: Booth, offers: readonly BoothOffer[]): boolean {
  return booth.ratios.length > 1 && offers.some(({ kind }) => kind === 'single');
}

/** What there is to choose where there is one thing alone; null where there is a choice. */
export function onlyOffer(booth: Booth, who: Guest['who']): BoothOffer | null {
  const offers = offersFor(booth, who);
  return offers.length === 1 && !asksShape(booth, offers) ? offers[0]! : null;
}

/** Whom a style is for; null where it takes anybody. */
export function takenBy(booth: Booth, offerId: string | null): 'one' | 'group' | null {
  const kind = booth.offers.find(({ id }) => id === offerId)?.kind;
  return kind === 'single' ? 'one' : kind === 'group' ? 'group' : null;
}

/** Whether a style is made of a burst of shots, and not of one photo. */
export function needsBurst(booth: Booth, offerId: string | null): boolean {
  return booth.offers.find(({ id }) => id === offerId)?.kind === 'living_portrait';
}

/** Whether there is anything that a guest has to agree to. */
export function asksConsent(booth: Booth): boolean {
  return booth.questions.length > 0 || Object.values(booth.texts).some(({ consent }) => consent !== '');
}

/** The languages that guests may choose: those that the event wrote in, as far as the page speaks them. */
export function languagesOf(booth: Booth): string[] {
  const written = [booth.texts, ...booth.questions.map(({ labels }) => labels)].flatMap(Object.keys);
  const found = [
    ...new Set(written.length > 0 ? written : booth.offers.flatMap(({ labels }) => Object.keys(labels))),
  ];
  // A page that is half in another language helps nobody.
  const whole = found.filter((language) => guestLanguageOf(language));
  return whole.length > 0 ? whole : ['en'];
}

import type { Booth } from '@guise/contract/events/event-guests.ts';
import { usualLayoutOf } from '@guise/contract/events/events.ts';
import { guestLanguageOf } from '@guise/contract/events/guest-languages.ts';
import { type PrintLayout, stripLayouts } from '@guise/contract/events/print-template.ts';
import type { Guest, TakeKind } from '../guests/guest.ts';

export type BoothOffer = Booth['offers'][number];

/**
 * What one person, or several, can choose. Art styles and videos take everybody. Where one kind alone is left, the answer
 * of who is in the picture cannot be changed any more, and leaves nothing out.
 */
export function offersFor(booth: Booth, who: Guest['who']): BoothOffer[] {
  if (who === null || !asksWho(booth)) return booth.offers;
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

/** What a touch for a style takes, and how many jobs it becomes. */
export function takeFor(booth: Booth, offerId: string | null): { kind: TakeKind; parts: number } {
  const offer = booth.offers.find(({ id }) => id === offerId);
  if (offer?.kind === 'living_portrait') return { kind: 'burst', parts: 1 };
  if (offer && offer.shots > 1) return { kind: 'shots', parts: offer.shots };
  if (offer && offer.variations > 0) return { kind: 'variations', parts: 1 + offer.variations };
  return { kind: 'one', parts: 1 };
}

/** Whether photos that were taken in one way serve a style: a single photo is the first of any. */
export const serves = (taken: TakeKind, wanted: TakeKind): boolean =>
  wanted === taken || wanted === 'one' || wanted === 'variations';

/** The layout for several pictures of one touch, where the usual one of the event has a place for one alone. */
export function stripLayoutOf({ branding }: Booth): PrintLayout | undefined {
  const { print_template: template } = branding;
  const hasPlaces = template?.items.some((item) => item.kind === 'picture' && item.number > 1);
  return hasPlaces || stripLayouts.includes(usualLayoutOf(branding)) ? undefined : 'two_strips';
}

/** Whether there is anything that a guest has to agree to. */
export function asksConsent(booth: Booth): boolean {
  return booth.questions.length > 0 || Object.values(booth.texts).some(({ consent }) => consent !== '');
}

/**
 * The languages that guests may choose, as far as the page speaks them: those in which the event says what they agree to.
 * Where it says nothing, those of its other texts, of its questions or of its offers.
 */
export function languagesOf({ texts, questions, offers }: Booth): string[] {
  const consents = Object.keys(texts).filter((language) => texts[language]?.consent);
  const ofLabels = (labelled: readonly { labels: object }[]) => [
    ...new Set(labelled.flatMap(({ labels }) => Object.keys(labels))),
  ];
  const written = [consents, Object.keys(texts), ofLabels(questions), ofLabels(offers)];
  const found = written.find((languages) => languages.length > 0) ?? [];
  // A page that is half in another language helps nobody.
  const whole = found.filter((language) => guestLanguageOf(language));
  return whole.length > 0 ? whole : ['en'];
}

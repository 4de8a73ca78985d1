import { problemsOf } from '@guise/contract/events/check-details.ts';
import {
  type DetailProblem,
  detailsIn,
  type GivenDetails,
  GivenDetails as GivenDetailsShape,
  type GuestDetail,
  mostLettersOf,
} from '@guise/contract/events/details.ts';
import type { NewBoothEvent } from '@guise/contract/events/events.ts';
import type { Offer } from '@guise/contract/events/offers.ts';
import { AppError, type FieldProblem } from '../errors.ts';
import type { EventJobRow } from '../store/events/event-schema.ts';
import { readJson } from '../store/json-column.ts';
import type { EventSettings } from './event-settings.ts';

type Asked = Pick<EventSettings, 'details' | 'blocked_words'>;

const sentences: Readonly<Record<DetailProblem, string>> = {
  missing: 'is required',
  long: 'is too long',
  number: 'must be a number that the event takes',
  choice: 'must be one of the choices',
  blocked: 'has a word that may not be used at this event',
};

/** What a guest gave, without what was left empty. Throws where the event does not take it. */
export function checkDetails({ details, blocked_words }: Asked, given: GivenDetails): GivenDetails {
  const unknown = Object.keys(given).filter((id) => !details.some((detail) => detail.id === id));
  const problems = problemsOf(details, given, blocked_words);
  const wrong: FieldProblem[] = [
    ...unknown.map((id) => ({ path: `details.${id}`, message: 'is not asked for at this event' })),
    ...Object.entries(problems).map(([id, problem]) => ({
      path: `details.${id}`,
      message: sentences[problem],
    })),
  ];
  const [first] = wrong;
  if (first) throw new AppError('VALIDATION_ERROR', `${first.path}: ${first.message}.`, { fields: wrong });
  return Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''));
}

export const detailsOf = ({ details }: Pick<EventJobRow, 'details'>): GivenDetails =>
  details === null ? {} : readJson(GivenDetailsShape, details);

/** The words that stand for what a guest gave: of a choice its label, in the language if it has one. */
export function wordsOf(
  details: readonly GuestDetail[],
  given: GivenDetails,
  language: string | null,
): Record<string, string> {
  const wordOf = (detail: GuestDetail, text: string) => {
    if (detail.kind !== 'choice') return text;
    const labels = detail.choices.find(({ id }) => id === text)?.labels ?? {};
    return labels[language ?? ''] ?? labels.en ?? Object.values(labels)[0] ?? '';
  };
  return Object.fromEntries(
    details.flatMap((detail) => {
      const text = given[detail.id];
      return text ? [[detail.id, wordOf(detail, text)] as const] : [];
    }),
  );
}

const longestPrompt = 2000;

/** A field of an event that its details do not go with: a place for one that is not asked for, or too much text. */
export function wrongPlaceOf(
  wanted: Pick<NewBoothEvent, 'offers' | 'branding' | 'details'>,
): FieldProblem | null {
  const { details, offers, branding } = wanted;
  const items = [...(branding.print_template?.items ?? []), ...(branding.overlay_texts ?? [])];
  const texts = [
    ...offers.flatMap((offer) => (promptOf(offer) ? [[`offers`, promptOf(offer)!] as const] : [])),
    ...items.flatMap((item) => ('text' in item ? [['branding', item.text] as const] : [])),
  ];
  for (const [path, text] of texts) {
    const unknown = detailsIn(text).find((id) => !details.some((detail) => detail.id === id));
    if (unknown !== undefined)
      return { path, message: `has a place for {guest.${unknown}}, which guests are not asked for` };
  }
  for (const offer of offers) {
    const prompt = promptOf(offer) ?? '';
    const named = details.filter(({ id }) => detailsIn(prompt).includes(id));
    const length = named.reduce((sum, detail) => sum + mostLettersOf(detail), prompt.length);
    if (length > longestPrompt)
      return { path: 'offers', message: `has a prompt that can be longer than ${longestPrompt} letters` };
  }
  const empty = details.find((detail) => detail.kind === 'number' && detail.least > detail.most);
  return empty ? { path: 'details', message: 'must have a least number that is not above the most' } : null;
}

const promptOf = (offer: Offer) => ('prompt' in offer ? offer.prompt : null);

import type { NewConsent } from '@guise/contract/events/event-guests.ts';
import {
  type ConsentQuestion,
  type GivenConsent,
  type NewBoothEvent,
  NewConsentQuestion,
} from '@guise/contract/events/events.ts';
import { guestLanguages } from '@guise/contract/events/guest-languages.ts';
import { guestSentences } from '@guise/contract/events/guest-sentences.ts';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import type { Queries } from '../store/db.ts';
import { findEventConsent, listEventConsents } from '../store/events/event-records.ts';
import type { EventConsentRow, EventJobRow } from '../store/events/event-schema.ts';
import { readJson } from '../store/json-column.ts';

/** What guests are asked in one version: a text for each language, and questions. */
const ConsentDocument = z.object({
  texts: z.record(z.string(), z.string()),
  questions: z.array(NewConsentQuestion),
});
export type ConsentDocument = z.infer<typeof ConsentDocument>;

export const readConsentDocument = ({ document }: Pick<EventConsentRow, 'document'>): ConsentDocument =>
  readJson(ConsentDocument, document);

const consentMissing = (sentence: string) => new AppError('CONSENT_MISSING', sentence);

/** The columns of a job that say what its guest agreed to. */
export type ConsentColumns = Pick<
  EventJobRow,
  'consent_version' | 'consent_language' | 'consent_answers' | 'consent_at'
>;

const noConsent: ConsentColumns = {
  consent_version: null,
  consent_language: null,
  consent_answers: null,
  consent_at: null,
};

/**
 * Checks a consent against the version that the guest was shown: a photo that waited in a booth without a network may
 * come after the texts were edited. An event without consent texts asks for none.
 */
export async function checkConsent(
  db: Queries,
  event: { id: string; consent_version: number },
  given: NewConsent | undefined,
  now: number,
): Promise<ConsentColumns> {
  const row = await db.one(findEventConsent, {
    event_id: event.id,
    version: given?.version ?? event.consent_version,
  });
  if (!row) throw consentMissing('This event has no consent text of this version.');
  const { texts, questions } = readConsentDocument(row);
  if (!given) {
    if (Object.keys(texts).length === 0 && questions.length === 0) return noConsent;
    throw consentMissing('Please agree to the terms first.');
  }
  if (texts[given.language] === undefined && Object.keys(texts).length > 0)
    throw consentMissing('This event has no consent text in this language.');
  for (const { id, required } of questions) {
    if (required && given.answers[id] !== true)
      throw consentMissing('Please agree to everything that is required.');
  }
  const asked = new Set(questions.map(({ id }) => id));
  if (Object.keys(given.answers).some((id) => !asked.has(id)))
    throw consentMissing('There is an answer to a question that this event does not ask.');
  return {
    consent_version: row.version,
    consent_language: given.language,
    consent_answers: JSON.stringify(given.answers),
    consent_at: consentTime(given.given_at, { from: row.created_at, now }),
  };
}

/** When a guest agreed. A booth that says a time before there was the text, or one to come, has a wrong clock. */
function consentTime(given_at: string | undefined, { from, now }: { from: number; now: number }): number {
  const given = given_at === undefined ? now : Date.parse(given_at);
  return given < from || given > now ? now : given;
}

/** Asked where an event has a gallery and asks about the wall alone: who agrees to a room has not agreed to the web. */
function galleryQuestion(languages: ReadonlySet<string>): ConsentQuestion {
  const asked = guestLanguages.filter((language) => languages.has(language));
  const labels = (asked.length > 0 ? asked : (['en'] as const)).map(
    (language) => [language, guestSentences[language].galleryQuestion] as const,
  );
  return { id: 'gallery', required: false, labels: Object.fromEntries(labels) };
}

/** The questions of an event, with the one about its gallery in the languages of its texts and questions. */
export function withGalleryQuestion<T extends Pick<NewBoothEvent, 'gallery' | 'questions' | 'texts'>>(
  wanted: T,
): T {
  const { gallery, questions, texts } = wanted;
  const asks = (id: string) => questions.some((question) => question.id === id);
  if (gallery === 'off' || !asks('wall') || asks('gallery')) return wanted;
  const languages = new Set([texts, ...questions.map(({ labels }) => labels)].flatMap(Object.keys));
  return { ...wanted, questions: [...questions, galleryQuestion(languages)] };
}

/** The questions of each version of an event's consent. */
export type QuestionsByVersion = ReadonlyMap<number, ReadonlySet<string>>;

export async function readQuestions(db: Queries, event_id: string): Promise<QuestionsByVersion> {
  const rows = await db.all(listEventConsents, { event_id });
  return new Map(
    rows.map((row) => [row.version, new Set(readConsentDocument(row).questions.map(({ id }) => id))]),
  );
}

/** Where a picture is shown to others than its guest. */
export type Place = 'wall' | 'gallery';

/**
 * Whether a guest lets a picture be shown. The question is the one whose id is the place. What is asked by the version
 * that the guest saw or by the newest one needs a yes, so that neither a question that was added nor one that was taken
 * away shows anybody who did not agree. A guest who was asked about the wall alone has not agreed to the gallery.
 */
export function allowsShowing(
  place: Place,
  row: ConsentColumns,
  questions: QuestionsByVersion,
  newestVersion: number,
): boolean {
  const seen = row.consent_version === null ? undefined : questions.get(row.consent_version);
  const newest = questions.get(newestVersion);
  const isAsked = (id: string) => seen?.has(id) === true || newest?.has(id) === true;
  if (place === 'gallery' && !isAsked('gallery')) return !isAsked('wall');
  return !isAsked(place) || consentOf(row)?.answers[place] === true;
}

/** What a guest agreed to; null where nothing was asked. */
export function consentOf(row: ConsentColumns): GivenConsent | null {
  const { consent_version, consent_language, consent_answers, consent_at } = row;
  if (consent_version === null) return null;
  return {
    version: consent_version,
    language: consent_language ?? '',
    answers: readJson(z.record(z.string(), z.boolean()), consent_answers ?? '{}'),
    given_at: isoTime(consent_at ?? 0),
  };
}

import type { Ratio } from '@guise/contract/common.ts';
import type { NewEventJobInput, StartedEventJob } from '@guise/contract/events/event-guests.ts';

/** Where a guest is between the first touch and the end. Without a guest, the booth attracts. */
export type GuestStep = 'consent' | 'details' | 'who' | 'style' | 'shoot' | 'review' | 'handOver' | 'result';

/** What the guest is told at the top of a step. */
export type GuestNotice = 'offerGone' | 'consentChanged' | 'detailsChanged' | 'photoRefused';

/** What one touch takes: a photo, a burst, several photos for a strip, or one photo for pictures to choose from. */
export type TakeKind = 'one' | 'burst' | 'shots' | 'variations';

/** A photo that was accepted by its guest and has to reach the server once: the same key, the same body. */
export interface Submission {
  idempotencyKey: string;
  body: Omit<NewEventJobInput, 'image' | 'images'>;
  kind: TakeKind;
  /** Jobs that it becomes, and those that the server has. */
  parts: number;
  sent: number;
}

/**
 * What keeps a submission from being sent now. `budget` lasts until the operator raises it; `closed` is for guests who
 * left: the event may be opened again.
 */
export type SendingObstacle = 'away' | 'paused' | 'budget' | 'key' | 'closed';

/** Why nothing more is made for the guest at the booth. */
export type Refusal = 'limit' | 'planned' | 'ended';

/** One guest of the booth. Everything but the photo, which is stored beside it. */
export interface Guest {
  /** Chosen here; limits per guest count by it. */
  id: string;
  step: GuestStep;
  language: string;
  consent: NewEventJobInput['consent'] | null;
  who: 'one' | 'group' | null;
  /** What the guest typed or chose, by detail. */
  details: Readonly<Record<string, string>>;
  offerId: string | null;
  /** How the photos that there are were taken. */
  taken: TakeKind;
  ratio: Ratio | null;
  notice: GuestNotice | null;
  submission: Submission | null;
  obstacle: SendingObstacle | null;
  refusal: Refusal | null;
  job: StartedEventJob | null;
  /** Those of the same touch after it. */
  further: readonly StartedEventJob[];
  /** How that touch was taken: of variations, the guest has not chosen one yet. */
  made: TakeKind;
  /** What a guest who left before the photo was sent comes back with. */
  code: string;
  /** When a guest left whose photo was not sent: milliseconds since 1970. */
  leftAt: number | null;
  /** When the guest was stored last: milliseconds since 1970. */
  storedAt: number;
}

/** A guest with a code that is none of those `taken`. */
export function newGuest(language: string, taken: readonly string[] = []): Guest {
  return {
    id: crypto.randomUUID(),
    step: 'consent',
    language,
    consent: null,
    who: null,
    details: {},
    offerId: null,
    taken: 'one',
    ratio: null,
    notice: null,
    submission: null,
    obstacle: null,
    refusal: null,
    job: null,
    further: [],
    made: 'one',
    code: newCode(taken),
    leftAt: null,
    storedAt: Date.now(),
  };
}

const wholeSubmission: Partial<Submission> = { kind: 'one', parts: 1, sent: 0 };

/** A guest whom a page before this one has stored, with what that one did not know. */
export function withNewFields(guest: Guest): Guest {
  const { submission } = guest;
  const complete = submission && { ...wholeSubmission, ...submission };
  return { ...newGuest(guest.language), ...guest, submission: complete };
}

/** The jobs of the last touch. */
export const jobsOf = ({ job, further }: Pick<Guest, 'job' | 'further'>): StartedEventJob[] =>
  job ? [job, ...further] : [];

/** More guests do not wait: where all codes seem to be taken, one is given twice. */
const mostTries = 1000;

/** Four digits are read out loud and typed without a keyboard. Two guests with the same would collect each other's picture. */
function newCode(taken: readonly string[]): string {
  let code = '';
  for (let tries = 0; tries < mostTries && (code === '' || taken.includes(code)); tries++)
    code = String(crypto.getRandomValues(new Uint32Array(1))[0]! % 10_000).padStart(4, '0');
  return code;
}

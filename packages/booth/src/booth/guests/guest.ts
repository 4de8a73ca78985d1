import type { Ratio } from '@guise/contract/common.ts';
import type { NewEventJobInput, StartedEventJob } from '@guise/contract/events/event-guests.ts';

/** Where a guest is between the first touch and the end. Without a guest, the booth attracts. */
export type Step = 'consent' | 'who' | 'style' | 'shoot' | 'review' | 'handOver' | 'result';

/** What the guest is told at the top of a step. */
export type GuestNotice = 'offerGone' | 'consentChanged' | 'photoRefused';

/** A photo that was accepted by its guest and has to reach the server once: the same key, the same body. */
export interface Submission {
  idempotencyKey: string;
  body: Omit<NewEventJobInput, 'image' | 'images'>;
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
  step: Step;
  language: string;
  consent: NewEventJobInput['consent'] | null;
  who: 'one' | 'group' | null;
  offerId: string | null;
  ratio: Ratio | null;
  notice: GuestNotice | null;
  submission: Submission | null;
  obstacle: SendingObstacle | null;
  refusal: Refusal | null;
  job: StartedEventJob | null;
  /** What a guest who left before the photo was sent comes back with. */
  code: string;
  /** When a guest left whose photo was not sent: milliseconds since 1970. */
  leftAt: number | null;
}

export function newGuest(language: string): Guest {
  return {
    id: crypto.randomUUID(),
    step: 'consent',
    language,
    consent: null,
    who: null,
    offerId: null,
    ratio: null,
    notice: null,
    submission: null,
    obstacle: null,
    refusal: null,
    job: null,
    code: newCode(),
    leftAt: null,
  };
}

/** Four digits are read out loud and typed without a keyboard. Few guests wait at a time, so they rarely collide. */
function newCode(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]! % 10_000).padStart(4, '0');
}

import type { boothApi } from '@guise/client/events-api.ts';
import { GuiseError } from '@guise/client/guise-error.ts';
import type { StartedEventJob } from '@guise/contract/events/event-guests.ts';
import type { Guest, Refusal, SendingObstacle, Submission } from './guest.ts';

export type BoothApi = ReturnType<typeof boothApi>;

/** What became of a photo that was sent. */
export type SubmitOutcome =
  | { kind: 'started'; job: StartedEventJob }
  | { kind: 'waits'; obstacle: Exclude<SendingObstacle, 'closed'> }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'asksAgain'; change: Pick<Guest, 'step' | 'notice'> };

/** A server that does not answer is away: the guest is told before getting impatient. */
const longestMs = 15_000;

/** Sends the next part of a submission. It may be sent any number of times: the server makes one job of it. */
export async function submitPhoto(
  api: BoothApi,
  submission: Submission,
  images: readonly [string, ...string[]],
): Promise<SubmitOutcome> {
  const { body, idempotencyKey, kind, sent } = submission;
  const photo = kind === 'burst' ? { images: [...images] } : { image: images[kind === 'shots' ? sent : 0]! };
  try {
    const job = await api.submit(
      { ...body, ...photo, ...(kind === 'variations' && { variation: sent }) },
      {
        headers: { 'idempotency-key': sent === 0 ? idempotencyKey : `${idempotencyKey}-${sent}` },
        signal: AbortSignal.timeout(longestMs),
      },
    );
    return { kind: 'started', job };
  } catch (error) {
    return outcomeOf(error);
  }
}

const refusals: Readonly<Record<string, Refusal>> = {
  GUEST_LIMIT_REACHED: 'limit',
  EVENT_NOT_BEGUN: 'planned',
  EVENT_ENDED: 'ended',
};

function outcomeOf(error: unknown): SubmitOutcome {
  if (!(error instanceof GuiseError)) return { kind: 'waits', obstacle: 'away' };
  const refusal = refusals[error.code];
  if (refusal) return { kind: 'refused', refusal };
  if (error.code === 'EVENT_PAUSED') return { kind: 'waits', obstacle: 'paused' };
  if (error.code === 'EVENT_BUDGET_SPENT') return { kind: 'waits', obstacle: 'budget' };
  if (error.status === 401 || error.status === 403) return { kind: 'waits', obstacle: 'key' };
  if (error.code === 'OFFER_NOT_FOUND') return asksAgain('style', 'offerGone');
  if (error.code === 'CONSENT_MISSING') return asksAgain('consent', 'consentChanged');
  if (error.fields.some(({ path }) => path.startsWith('details.')))
    return asksAgain('details', 'detailsChanged');
  if (error.retryable) return { kind: 'waits', obstacle: 'away' };
  return asksAgain('shoot', 'photoRefused');
}

function asksAgain(step: Guest['step'], notice: Guest['notice']): SubmitOutcome {
  return { kind: 'asksAgain', change: { step, notice } };
}

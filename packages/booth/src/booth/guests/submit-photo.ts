import type { boothApi } from '@guise/client/events-api.ts';
import { GuiseError } from '@guise/client/guise-error.ts';
import type { StartedEventJob } from '@guise/contract/events/event-guests.ts';
import type { Guest, Refusal, SendingObstacle, Submission } from './guest.ts';

export type BoothApi = ReturnType<typeof boothApi>;

/** The photo is of no use, or is not there any more. */
export const noPhoto: SubmitOutcome = asksAgain('shoot', 'photoRefused');

/** What became of a photo that was sent. */
export type SubmitOutcome =
  | { kind: 'started'; job: StartedEventJob }
  | { kind: 'waits'; obstacle: Exclude<SendingObstacle, 'closed'> }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'asksAgain'; change: Pick<Guest, 'step' | 'notice'> & Partial<Pick<Guest, 'ratio'>> };

/** A server that does not answer is away: the guest is told before getting impatient. */
const longestMs = 15_000;
/**
 * Whoever was told can wait: the seven megabytes of a burst take a minute at one megabit a second. The server itself gives
 * up on a request after 60 s.
 */
const longestRepeatedMs = 55_000;

/**
 * Sends the next part of a submission. It may be sent any number of times: the server makes one job of it. `isRepeated`
 * says that it could not be sent before.
 */
export async function submitPhoto(
  api: BoothApi,
  submission: Submission,
  images: readonly [string, ...string[]],
  isRepeated: boolean,
): Promise<SubmitOutcome> {
  const { body, idempotencyKey, kind, sent } = submission;
  const photo = kind === 'burst' ? { images: [...images] } : { image: images[kind === 'shots' ? sent : 0]! };
  try {
    const job = await api.submit(
      { ...body, ...photo, ...(kind === 'variations' && { variation: sent }) },
      {
        headers: { 'idempotency-key': sent === 0 ? idempotencyKey : `${idempotencyKey}-${sent}` },
        signal: AbortSignal.timeout(isRepeated ? longestRepeatedMs : longestMs),
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
  // A shape that the event does not offer any more. The styles are where guests choose it.
  if (error.fields.some(({ path }) => path === 'ratio'))
    return { kind: 'asksAgain', change: { step: 'style', notice: 'offerGone', ratio: null } };
  if (error.retryable || isOfProxy(error)) return { kind: 'waits', obstacle: 'away' };
  return noPhoto;
}

/** Whether a proxy answered, which may say 404 while the server behind it starts. A body too large for it stays so. */
const isOfProxy = ({ code, status }: GuiseError) => code.startsWith('HTTP_') && status !== 413;

function asksAgain(step: Guest['step'], notice: Guest['notice']): SubmitOutcome {
  return { kind: 'asksAgain', change: { step, notice } };
}

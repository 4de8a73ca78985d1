import { GuiseError } from '@guise/client/guise-error.ts';
import type { BoothApi } from '../guests/submit-photo.ts';
import type { WantedPrint } from './print-picture.ts';

const askEveryMs = 700;

/** Keys of prints that were asked for without an answer, by their pictures: asked for again, they are the same print. */
const unanswered = new Map<string, string>();

/**
 * Prints on the printer of the event, and resolves when the printer has the picture or holds it up: the guest may leave
 * then. Rejects when it cannot be printed. A touch that is sent twice prints once, also where the guest touches again
 * because the first answer was lost.
 */
export async function queuePrint(
  api: BoothApi,
  { jobIds, layout }: WantedPrint,
  left: AbortSignal,
): Promise<void> {
  const wanted = { job_ids: [...jobIds], ...(layout && { layout }) };
  const name = JSON.stringify(wanted);
  const key = unanswered.get(name) ?? crypto.randomUUID();
  unanswered.set(name, key);
  const started = api.startPrint(wanted, { headers: { 'idempotency-key': key }, signal: left });
  let print = await started.catch((error) => {
    if (!isAway(error)) unanswered.delete(name);
    throw error;
  });
  unanswered.delete(name);
  while (print.sent_at === null && print.sentence === null) {
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
    if (left.aborted) return;
    const before = print;
    print = await api.printState(print.id, left).catch((error) => {
      // The print waits at the server, whether this device reaches it or not.
      if (isAway(error) && !left.aborted) return before;
      throw error;
    });
  }
  if (print.state === 'failed') throw new Error(print.sentence ?? 'The print has failed.');
}

const isAway = (error: unknown) => !(error instanceof GuiseError) || error.retryable;

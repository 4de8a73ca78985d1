import type { BoothApi } from '../guests/submit-photo.ts';
import type { WantedPrint } from './print-picture.ts';

const askEveryMs = 700;

/**
 * Prints on the printer of the event, and resolves when the printer has the picture or holds it up: the guest may leave
 * then. Rejects when it cannot be printed. A touch that is sent twice prints once.
 */
export async function queuePrint(
  api: BoothApi,
  { jobIds, layout }: WantedPrint,
  left: AbortSignal,
): Promise<void> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  let print = await api.startPrint(
    { job_ids: [...jobIds], ...(layout && { layout }) },
    { headers, signal: left },
  );
  while (print.sent_at === null && print.sentence === null) {
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
    if (left.aborted) return;
    print = await api.printState(print.id, left);
  }
  if (print.state === 'failed') throw new Error(print.sentence ?? 'The print has failed.');
}

import { startPollLoop } from '../../jobs/poll-loop.ts';
import type { EventPrintRow } from '../../store/events/outbox-schema.ts';
import { prints } from '../../store/events/print-records.ts';
import { printWaiting } from './event-prints.ts';
import { advancePrint, type PrintQueueParts } from './send-print.ts';

/** For prints that are printed or held up, and in case a message that one waits is lost. */
const pollIntervalMs = 1000;
/** Printers that a node talks to at once, each about one print at a time. */
const slots = 8;
/** Behind as many prints of printers that are busy, those of others wait. */
const lookAhead = 100;

/** Sends prints that are due to their printers until stopped. */
export function startPrintQueue(parts: PrintQueueParts): { stop(): Promise<void> } {
  const busy = new Map<string, Promise<void>>();
  let stopping = false;

  const start = (row: EventPrintRow) => {
    const advanced = advancePrint(parts, row)
      .catch((error) => parts.log.error({ err: error, print: row.id }, 'a print could not be advanced'))
      .finally(() => {
        busy.delete(row.printer_id);
        loop.poll();
      });
    busy.set(row.printer_id, advanced);
  };
  const claimDue = async () => {
    for (const { id, claim, printer_id } of await parts.db.all(prints.due, { limit: lookAhead })) {
      if (stopping || busy.size >= slots) return;
      if (busy.has(printer_id)) continue;
      const row = await parts.db.one(prints.claim, { id, claim });
      if (row) start(row);
    }
  };
  const loop = startPollLoop(pollIntervalMs, claimDue, (error) =>
    parts.log.error({ err: error }, 'the queue of prints could not be read'),
  );
  const unsubscribe = parts.changes.subscribe(printWaiting, loop.poll);
  return {
    async stop() {
      stopping = true;
      unsubscribe();
      await loop.stop();
      await Promise.all(busy.values());
    },
  };
}

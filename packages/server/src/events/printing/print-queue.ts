import { prints } from '../../store/events/print-records.ts';
import { startOutboxLoop } from '../outbox-loop.ts';
import { printWaiting } from './event-prints.ts';
import { advancePrint, type PrintQueueParts } from './send-print.ts';

/** For prints that are printed or held up, and in case a message that one waits is lost. */
const pollIntervalMs = 1000;

/** Sends prints that are due to their printers until stopped, to each printer one at a time. */
export function startPrintQueue(parts: PrintQueueParts): { stop(): Promise<void> } {
  const { due, claim, renew } = prints;
  return startOutboxLoop(parts, {
    noun: 'print',
    due,
    claim,
    renew,
    advance: (row) => advancePrint(parts, row),
    nameOf: ({ printer_id }) => printer_id,
    waiting: printWaiting,
    pollIntervalMs,
  });
}

import { stopPrintsOf } from '../../events/printing/stop-prints.ts';
import { erase } from '../../jobs/end.ts';
import type { HttpParts } from '../parts.ts';

/** Erases a job with its photos and results. Prints of its picture come out no more, as far as printers still can stop. */
export async function eraseJob(parts: HttpParts, accountId: string, id: string): Promise<void> {
  await stopPrintsOf(parts, accountId, id);
  await erase(parts, accountId, id);
}

import { Counter, Gauge, type Registry } from 'prom-client';
import type { Admission } from '../admission/admission.ts';
import { admissionStates, type StoredUse } from '../admission/admission-state.ts';

/** Returns what writes the figures of admission, given what is in the queues of the database. */
export function admissionMetrics(
  registry: Registry,
  admission: Admission,
): (stored: readonly StoredUse[]) => void {
  const options = (name: string, help: string) => ({
    name,
    help,
    labelNames: ['row'],
    registers: [registry],
  });
  const running = new Gauge(options('guise_admission_running', 'What is in use of something shared.'));
  const waiting = new Gauge(options('guise_admission_waiting', 'Requests that wait for it.'));
  const refused = new Counter(options('guise_admission_refused_total', 'Requests that were refused for it.'));
  const waited = new Counter(
    options('guise_admission_waited_seconds_total', 'How long requests waited for it, all together.'),
  );
  return (stored) => {
    for (const metric of [refused, waited]) metric.reset();
    for (const row of admissionStates(admission, stored)) {
      const labels = { row: row.name };
      running.set(labels, row.running);
      waiting.set(labels, row.waiting);
      refused.inc(labels, row.refused);
      waited.inc(labels, row.waitedSeconds);
    }
  };
}

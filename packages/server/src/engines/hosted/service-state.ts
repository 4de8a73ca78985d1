import { isoTime } from '../../iso-time.ts';
import { circuit } from '../circuit.ts';
import { createServerReports, type ServerReports } from '../server-reports.ts';
import type { ServiceFailure } from './service-failures.ts';

/** Keeps jobs away from a service that is down, or that its operator has to see to, and shows it. */
export interface ServiceState {
  readonly reports: ServerReports;
  /** Counts a run, where one may go there now. */
  begin(): boolean;
  end(): void;
  worked(): void;
  failed(failure: ServiceFailure): void;
  /** Why it gets no jobs, for the operator. */
  reason(): string;
}

/** As many failures in a row as make it rest. */
const enoughToRest = 3;

export function createServiceState(address: string): ServiceState {
  const state = circuit();
  let running = 0;
  let last: { name: string; at: number } | null = null;
  const reports = createServerReports(() => [
    {
      address,
      state: state.state(),
      running,
      queue: null,
      version: null,
      reason: state.state() === 'up' ? null : (last?.name ?? null),
      last_error: last?.name ?? null,
      last_error_at: last && isoTime(last.at),
    },
  ]);
  return {
    reports,
    begin() {
      if (!state.allows(running)) return false;
      running++;
      return true;
    },
    end: () => void running--,
    worked() {
      state.worked();
      reports.compare();
    },
    failed({ name, whose }) {
      last = { name, at: Date.now() };
      // What only the operator can mend does not mend itself with the next job: it rests at once.
      const failures = whose === 'operator' ? enoughToRest : whose === 'service' ? 1 : 0;
      for (let i = 0; i < failures; i++) state.failed();
      reports.compare();
    },
    reason: () => last?.name ?? 'jobs failed there one after the other',
  };
}

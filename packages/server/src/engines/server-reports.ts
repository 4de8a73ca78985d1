import type { ServerReport } from '@guise/contract/operator/operator.ts';
import { isoTime } from '../iso-time.ts';

/** The servers of an engine, for operators, figures and the log. */
export interface ServerReports {
  list(): ServerReport[];
  /** Tells of each server whose state is another than before. */
  onChange(listener: (report: ServerReport) => void): void;
}

/** Compares the states of servers from one look to the next. */
export function createServerReports(
  read: () => Omit<ServerReport, 'since'>[],
): ServerReports & { compare(): void } {
  const listeners = new Set<(report: ServerReport) => void>();
  const told = new Map<string, ServerReport['state']>();
  const seen = new Map<string, Pick<ServerReport, 'state' | 'since'>>();
  const list = () =>
    read().map((report) => {
      const before = seen.get(report.address);
      const since = before?.state === report.state ? before.since : isoTime(Date.now());
      seen.set(report.address, { state: report.state, since });
      return { ...report, since };
    });
  list();
  return {
    list,
    onChange: (listener) => void listeners.add(listener),
    compare() {
      for (const report of list()) {
        const before = told.get(report.address) ?? 'up';
        told.set(report.address, report.state);
        if (before !== report.state) for (const tell of listeners) tell(report);
      }
    },
  };
}

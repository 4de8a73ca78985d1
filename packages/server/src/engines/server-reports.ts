import type { ServerReport } from '@guise/contract/operator.ts';

/** The servers of an engine, for operators, figures and the log. */
export interface ServerReports {
  list(): ServerReport[];
  /** Tells of each server whose state is another than before. */
  onChange(listener: (report: ServerReport) => void): void;
}

/** Compares the states of servers from one look to the next. */
export function createServerReports(list: () => ServerReport[]): ServerReports & { compare(): void } {
  const listeners = new Set<(report: ServerReport) => void>();
  const told = new Map<string, ServerReport['state']>();
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

import { isoTime } from '../../iso-time.ts';
import type { Circuit } from '../circuit.ts';
import { createServerReports, type ServerReports } from '../server-reports.ts';
import { type Upstream, UpstreamError } from '../upstream.ts';

const healthMs = 5000;

export interface HealthWatch {
  readonly reports: ServerReports;
  stop(): void;
}

/** Asks the other server now and again whether it is there, and reports it to operators. */
export function watchHealth(
  server: Upstream,
  { address, circuit, closed }: { address: string; circuit: Circuit; closed: AbortSignal },
): HealthWatch {
  let lastError: { what: string; at: number } | null = null;
  const reports = createServerReports(() => [
    {
      address,
      state: circuit.state(),
      running: null,
      queue: null,
      version: null,
      reason: circuit.state() === 'up' ? null : (lastError?.what ?? 'jobs failed there one after the other'),
      last_error: lastError?.what ?? null,
      last_error_at: lastError && isoTime(lastError.at),
    },
  ]);
  const check = () =>
    server
      .send({ path: '/health', signal: closed, timeoutMs: healthMs })
      .then(circuit.reached, (error) => {
        // Any answer shows that it is there.
        if (error instanceof UpstreamError && error.kind === 'status') circuit.reached();
        else if (!closed.aborted) {
          circuit.unreached();
          lastError = { what: error instanceof UpstreamError ? error.message : 'no answer', at: Date.now() };
        }
      })
      .then(() => reports.compare());
  const timer = setInterval(() => void check(), healthMs).unref();
  void check();
  return { reports, stop: () => clearInterval(timer) };
}

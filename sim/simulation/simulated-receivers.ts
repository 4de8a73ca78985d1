import type { PostWebhook } from '@guise/server/jobs/webhooks/send-delivery.ts';
import { call, type Simulation } from './simulation.ts';

/** Whoever receives webhooks. */
export interface Receivers {
  post: PostWebhook;
  /** What each message got, in order: the status of the answer, or null where none came. */
  attempts: Map<string, { at: number; by: string; status: number | null }[]>;
}

/** As `reachOutside` sets it. */
const timeoutMs = 10_000;

/** How a host answers: its name says it. */
export const receiverHosts = ['fine', 'slow', 'flaky', 'hangs', 'broken', 'gone'] as const;

export function createReceivers(simulation: Simulation): Receivers {
  const { scheduler, conditions } = simulation;
  const random = simulation.random.fork('receivers');
  const server = scheduler.start('receiver');
  const attempts: Receivers['attempts'] = new Map();
  const latencyMs = () => random.between(5, 60);

  const answer = (host: string): number | null => {
    if (conditions.receivers === 'hanging') return null;
    if (conditions.receivers === 'refusing') return 503;
    if (host === 'hangs') return null;
    if (host === 'broken') return 500;
    if (host === 'gone') return 410;
    if (host === 'flaky' && random.chance(0.4)) return random.pick([500, 429, null]);
    return 200;
  };

  return {
    attempts,
    post: (url, { headers }) => {
      const [host = ''] = new URL(url).hostname.split('.');
      const by = scheduler.current.name;
      const id = headers['webhook-id'] ?? '';
      return call(simulation, server, latencyMs, async () => {
        const status = answer(host);
        const at = scheduler.now;
        attempts.set(id, [...(attempts.get(id) ?? []), { at, by, status }]);
        simulation.timeline.add(at, 'receiver', `${host} got ${id} from ${by}: ${status ?? 'no answer'}`);
        if (status === null) {
          await scheduler.wait(timeoutMs);
          throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
        }
        if (host === 'slow') await scheduler.wait(random.between(1000, 9000));
        return status;
      });
    },
  };
}

import type { Installation } from '../world/installation.ts';
import { epochMs } from '../world/scheduler.ts';
import type { Handlers } from './change-log.ts';
import { RuleBroken } from './violation.ts';

/** As `send-delivery.ts` says: one attempt, and one after each of seven waits. */
const mostAttempts = 8;

/** Rules of single webhook deliveries. */
export function watchDeliveries({ world, receivers, isEmbedded }: Installation): Handlers {
  const { scheduler, timeline } = world;
  const note = (what: string) => timeline.add(scheduler.now, 'database', what);
  return {
    'delivery-new'({ id }) {
      timeline.name(id, 'D');
      note(`delivery ${id} is due`);
    },
    delivery({ id, from, to, attempts, attempts_before, lease_before }) {
      // The clock of an embedded database jumps with that of its machine.
      const isLeased = lease_before !== null && lease_before > epochMs + scheduler.now + 1 && !isEmbedded;
      if (attempts === attempts_before + 1 && isLeased)
        throw new RuleBroken('webhooks', `${id} was claimed while another node had it`);
      if (attempts > mostAttempts) throw new RuleBroken('webhooks', `${id} has ${attempts} attempts`);
      if (from === to) return;
      note(`delivery ${id} is ${to} after ${attempts} attempts`);
      const answers = receivers.attempts.get(id) ?? [];
      const isAcknowledged = answers.some(({ status }) => status === 200);
      if (to === 'delivered' && !isAcknowledged)
        throw new RuleBroken('webhooks', `${id} counts as delivered, and its receiver never said so`);
      const isGivenUp = attempts === mostAttempts || answers.some(({ status }) => status === 410);
      if (to === 'failed' && !isGivenUp)
        throw new RuleBroken('webhooks', `${id} was given up after ${attempts} attempts`);
    },
  };
}

import type { FaultTimes } from '../inject-faults.ts';
import type { Installation } from '../simulation/installation.ts';
import { epochMs } from '../simulation/scheduler.ts';
import type { Handlers } from './change-log.ts';
import { RuleBroken } from './violation.ts';

/** As `send-delivery.ts` says: one attempt, and one after each of seven waits. */
const mostAttempts = 8;

/** `GUISE_WEBHOOK_ACCOUNT_CONCURRENCY` as it is set without an operator. */
const ownAtOnce = 8;
/** Nodes look every second. The rest is for nodes that have just started. */
const waitMs = 8000;

/** Rules of webhook deliveries. */
export function watchDeliveries(
  { simulation, receivers, isEmbedded }: Installation,
  faults: FaultTimes,
): Handlers {
  const { scheduler, timeline } = simulation;
  const note = (what: string) => timeline.add(scheduler.now, 'database', what);
  const unsent = new Map<string, { account: string; dueAt: number }>();
  /** Attempts of nodes that died or slept over them. Whether their receivers got them is unknown: one more is made. */
  const lost = new Map<string, number>();
  /** The account's own receivers may keep it waiting; those of others may not. */
  const checkWait = (id: string) => {
    const waiting = unsent.get(id);
    unsent.delete(id);
    if (!waiting) return;
    const { account, dueAt } = waiting;
    const own = [...unsent.values()].filter((other) => other.account === account).length;
    const waited = scheduler.now - dueAt;
    // What was due by a clock that was wrong is due when the right one gets there.
    const wasWrong = isEmbedded && faults.takenBetween(dueAt, scheduler.now, ['clock jumps']) > 0;
    if (wasWrong || own >= ownAtOnce || waited <= waitMs + 3 * faults.takenBetween(dueAt, scheduler.now))
      return;
    throw new RuleBroken(
      'isolation',
      `${id} of ${account} waited ${Math.round(waited)} ms for its first attempt`,
    );
  };
  return {
    'delivery-new'({ id, account }) {
      timeline.name(id, 'D');
      note(`delivery ${id} is due`);
      unsent.set(id, { account, dueAt: scheduler.now });
    },
    'delivery-gone'({ id }) {
      unsent.delete(id);
      lost.delete(id);
    },
    delivery({ id, from, to, attempts, attempts_before, lease_before }) {
      if (attempts === 1 && attempts_before === 0) checkWait(id);
      const hadEnded = lease_before !== null && lease_before <= epochMs + scheduler.now + 1;
      // The clock of an embedded database jumps with that of its machine.
      const isLeased = lease_before !== null && !hadEnded && !isEmbedded;
      if (attempts === attempts_before + 1 && isLeased)
        throw new RuleBroken('webhooks', `${id} was claimed while another node had it`);
      if (hadEnded && to === 'pending') lost.set(id, (lost.get(id) ?? 0) + 1);
      if (attempts > mostAttempts + (lost.get(id) ?? 0))
        throw new RuleBroken('webhooks', `${id} has ${attempts} attempts`);
      if (from === to) return;
      note(`delivery ${id} is ${to} after ${attempts} attempts`);
      const answers = receivers.attempts.get(id) ?? [];
      const isAcknowledged = answers.some(({ status }) => status === 200);
      if (to === 'delivered' && !isAcknowledged)
        throw new RuleBroken('webhooks', `${id} counts as delivered, and its receiver never said so`);
      const isGivenUp = attempts >= mostAttempts || answers.some(({ status }) => status === 410);
      if (to === 'failed' && !isGivenUp)
        throw new RuleBroken('webhooks', `${id} was given up after ${attempts} attempts`);
    },
  };
}

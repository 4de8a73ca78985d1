import type { ChangeReader } from './rules/change-log.ts';
import {
  checkDeliveries,
  checkEnds,
  checkNothingKept,
  checkPhotos,
  checkResults,
  checkSlots,
} from './rules/check-at-rest.ts';
import type { ObservedState } from './rules/observed-state.ts';
import { RuleBroken } from './rules/violation.ts';
import type { Scenario } from './scenario.ts';
import type { Installation } from './simulation/installation.ts';
import { epochMs } from './simulation/scheduler.ts';
import { silenceMs } from './simulation/simulated-blobs.ts';
import { fineConditions } from './simulation/simulation.ts';
import type { ClientLog } from './workload.ts';

/** A scenario that is being played. */
export interface Stage {
  installation: Installation;
  scenario: Scenario;
  reader: ChangeReader;
  observed: ObservedState;
  clientLog: ClientLog;
  /** Whether every client has had its last answer. */
  isAnswered(): boolean;
  isOver(): boolean;
  /** Ends the faults that last. */
  endFaults(): void;
  guard(check: () => void): void;
}

const minuteMs = 60_000;
/** A delivery has eight attempts, and few of them fall together. */
const mostRounds = 1000;
const hourMs = 60 * minuteMs;

/** The guests come, the faults pass, and then the days after: every rule that holds at rest is checked at its time. */
export async function playToRest(stage: Stage): Promise<void> {
  const { installation, isOver, guard } = stage;
  const { scheduler } = installation.simulation;
  await playFaults(stage);
  endAllFaults(stage);
  await waitForEnds(stage);
  // Workers tell how many slots they have taken every ten seconds.
  await scheduler.advance(scheduler.now + 15_000, isOver);
  guard(() => checkEnds(stage));
  guard(() => checkSlots(stage));
  await waitForDeliveries(stage);
  guard(() => checkDeliveries(stage));
  await waitForStorage(stage);
  await sleepAndSweep(stage, 2 * hourMs);
  guard(() => checkPhotos(stage));
  await sleepAndSweep(stage, 25 * hourMs);
  guard(() => checkResults(stage));
  await sleepAndSweep(stage, 9 * 24 * hourMs);
  await sleepAndSweep(stage, 31 * 24 * hourMs);
  guard(() => checkNothingKept(stage));
}

/** Until the last fault is over, or has nothing left to harm. */
async function playFaults({ installation, scenario, observed, isAnswered, isOver }: Stage): Promise<void> {
  const { scheduler } = installation.simulation;
  await scheduler.advance(scheduler.now + scenario.activeMs, isOver);
  const lastFault = Math.max(0, ...scenario.faults.map(({ at, ms }) => at + ms - scenario.activeMs));
  const isHarmless = () => isAnswered() && observed.unended === 0;
  await scheduler.advance(scheduler.now + lastFault, () => isOver() || isHarmless());
}

/** All faults are over, every node runs, and engines make what they are asked for. */
function endAllFaults({ installation, endFaults }: Stage): void {
  const { simulation, nodes, start } = installation;
  endFaults();
  Object.assign(simulation.conditions, fineConditions(), { engines: 'reliable' });
  simulation.timeline.add(simulation.scheduler.now, 'fault', 'from here on there are none');
  for (const { process, isWanted, spec } of [...nodes.values()]) {
    simulation.scheduler.resume(process);
    if (isWanted && process.state === 'dead') start(spec);
  }
}

/** What ran when the last fault ended may take a whole video's time; then the queue is worked off. */
async function waitForEnds({ installation, observed, isAnswered, isOver, guard }: Stage): Promise<void> {
  const { scheduler } = installation.simulation;
  const unended = () => [...observed.jobs.values()].filter(({ endedAt }) => endedAt === null);
  const isDone = () => isOver() || (isAnswered() && observed.unended === 0);
  const limit = 20 * minuteMs + 2 * minuteMs * observed.jobs.size;
  if (await scheduler.advance(scheduler.now + limit, isDone)) return;
  guard(() => {
    if (!isAnswered()) throw new RuleBroken('deadline', 'a request was not answered');
    const left = unended().map(({ id, state }) => `${id} is ${state}`);
    throw new RuleBroken('deadline', `${left.join(', ')} ${limit / minuteMs} minutes after the last fault`);
  });
}

/** Sleeps from one due time to the next until every delivery has ended, which takes a day for those given up. */
async function waitForDeliveries(stage: Stage): Promise<void> {
  const { reader, installation, isOver } = stage;
  const { scheduler } = installation.simulation;
  let askedAt = scheduler.now;
  for (let round = 0; round < mostRounds && !isOver(); round++) {
    const [next] = reader.rows<{ due: number | null }>(
      `select min(due_at) as due from webhooks where state = 'pending'`,
    );
    if (!next || next.due === null) return;
    sleep(stage, Math.max(0, next.due - epochMs - scheduler.now));
    await scheduler.advance(scheduler.now + 12_000, () => isOver() || areSent());
  }

  /** Asked now and then: asking costs as much as what happens in between. */
  function areSent(): boolean {
    if (scheduler.now < askedAt + 500) return false;
    askedAt = scheduler.now;
    const sql = `select 1 from webhooks where state = 'pending' and (due_at <= ? or lease_until is not null) limit 1`;
    return reader.rows(sql, epochMs + scheduler.now).length === 0;
  }
}

/** What a silent bucket does late is done before the night, in which it would count as just written. */
async function waitForStorage({ installation, isOver }: Stage): Promise<void> {
  const { scheduler } = installation.simulation;
  const isDone = () => isOver() || installation.storage.callsUnderWay === 0;
  await scheduler.advance(scheduler.now + silenceMs, isDone);
}

/** Time passes in which nobody does anything; what came due happens at its end. */
function sleep({ installation }: Stage, ms: number): void {
  const { scheduler, timeline } = installation.simulation;
  timeline.add(scheduler.now, 'all', `sleep for ${Math.round(ms / 1000)} s`);
  scheduler.leap(ms);
}

/** A night in which nobody does anything, and the time that the sweep after it takes. */
async function sleepAndSweep(stage: Stage, ms: number): Promise<void> {
  const { scheduler } = stage.installation.simulation;
  if (stage.isOver()) return;
  sleep(stage, ms);
  await scheduler.advance(scheduler.now + 4000, stage.isOver);
}

import { createFaultTimes, injectFaults } from './inject-faults.ts';
import { playToRest } from './play-to-rest.ts';
import { createRandom } from './random.ts';
import { checkDeadlines } from './rules/check-deadlines.ts';
import { RuleBroken, type Violation } from './rules/violation.ts';
import { watchChanges } from './rules/watch-changes.ts';
import { watchRemovals } from './rules/watch-removals.ts';
import type { Scenario } from './scenario.ts';
import { createInstallation, type Installation } from './simulation/installation.ts';
import type { ReusedDatabase } from './simulation/reused-database.ts';
import { Scheduler } from './simulation/scheduler.ts';
import { useSimulatedFiles } from './simulation/simulated-files.ts';
import { fineConditions, type Simulation } from './simulation/simulation.ts';
import { useVirtual } from './simulation/virtual-globals.ts';
import { createTimeline } from './timeline.ts';
import { createClients, createTenants, type Tenants } from './workload.ts';

/** What came of a run. */
export interface RunReport {
  violation: Violation | null;
  jobs: number;
  simulatedMs: number;
  /** Of the timeline. */
  hash: string;
  lines: readonly string[];
}

/** Plays a scenario from its beginning to a state in which nothing is left to do, or to the first broken rule. */
export async function runScenario(scenario: Scenario, database: ReusedDatabase): Promise<RunReport> {
  const simulation = createSimulation(scenario.seed);
  const { scheduler, timeline } = simulation;
  database.empty();
  const { reader, open: openStore } = database;
  const installation = createInstallation(simulation, { ...scenario, openStore });
  const faults = createFaultTimes();
  const watch = watchChanges(installation, { reader, faults });
  const record = createViolationRecord(simulation);
  const { guard, isOver, report } = record;
  process.on('unhandledRejection', report);
  installation.database.onCommit = ({ name }) => guard(() => watch.collect(name));
  const checkRemoval = watchRemovals(installation, reader);
  installation.storage.onRemove = (key) => guard(() => checkRemoval(key));
  try {
    const tenants = await startInstallation(installation, scenario, isOver);
    const { endAll: endFaults } = injectFaults(installation, scenario, faults);
    const clients = createClients(installation, tenants);
    const checkTimes = checkDeadlines(installation, watch.observed, faults);
    let unanswered = scenario.actions.length;
    for (const action of scenario.actions)
      scheduler.schedule(action.at, () => {
        clients
          .perform(action)
          .catch(report)
          .finally(() => unanswered--);
      });
    const stage = {
      ...{
        installation,
        scenario,
        reader,
        observed: watch.observed,
        clientLog: clients.log,
        guard,
        endFaults,
      },
      // A node may still accept what its client no longer waits for.
      isAnswered: () =>
        unanswered === 0 && ![...clients.log.underWay].some((request) => request.process.state === 'up'),
      isOver() {
        guard(checkTimes);
        return isOver();
      },
    };
    await playToRest(stage);
  } catch (error) {
    report(error);
  } finally {
    process.off('unhandledRejection', report);
    await installation.database.close();
    useVirtual(null);
    useSimulatedFiles(null);
  }
  const { now: simulatedMs } = scheduler;
  const jobs = watch.observed.jobs.size;
  return {
    violation: record.violation(),
    jobs,
    simulatedMs,
    hash: timeline.hash(),
    lines: timeline.lines(),
  };
}

function createSimulation(seed: number): Simulation {
  const scheduler = new Scheduler();
  const random = createRandom(`run ${seed}`);
  useVirtual({ scheduler, random: random.fork('chance') });
  useSimulatedFiles(scheduler);
  const conditions = fineConditions();
  return {
    scheduler,
    random,
    timeline: createTimeline(),
    conditions,
    outcomes: new Map(),
    takenByOperator: new Set(),
    onRun: new Map(),
  };
}

/** Keeps the first rule that was broken. */
function createViolationRecord({ scheduler, timeline }: Simulation) {
  let violation: Violation | null = null;
  const report = (error: unknown) => {
    if (violation) return;
    const rule = error instanceof RuleBroken ? error.rule : 'crash';
    const seen = error instanceof RuleBroken ? error.message : describeError(error);
    violation = { rule, at: scheduler.now, seen: timeline.shorten(seen) };
    timeline.add(scheduler.now, 'RULE', `“${rule}” is broken: ${seen}`);
  };
  return {
    violation: () => violation,
    isOver: () => violation !== null,
    report,
    guard(check: () => void) {
      try {
        check();
      } catch (error) {
        report(error);
      }
    },
  };
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** As `maintenance.ts` sets it. */
const sweepEveryMs = 10 * 60_000;

/** Starts every node and makes what is there before the first guest comes. */
async function startInstallation(
  installation: Installation,
  scenario: Scenario,
  isOver: () => boolean,
): Promise<Tenants> {
  const { simulation, nodes } = installation;
  const { scheduler, timeline } = simulation;
  for (const spec of scenario.nodes) installation.start(spec);
  const isUp = () => [...nodes.values()].every(({ running }) => running !== null);
  await scheduler.advance(60_000, () => isUp() || isOver());
  // The next sweep comes while guests are there.
  scheduler.leap(
    simulation.random.fork('doors').between(Math.max(0, sweepEveryMs - scenario.activeMs), sweepEveryMs),
  );
  const { process, running } = [...nodes.values()].find((node) => node.running?.submitParts)!;
  let tenants: Tenants | null = null;
  const making = scheduler.runAs(process, () => createTenants(running as never, scenario, timeline));
  making.then(
    (made) => {
      tenants = made;
    },
    () => {},
  );
  await scheduler.advance(scheduler.now + 60_000, () => tenants !== null || isOver());
  if (tenants === null) throw new Error('nothing could be made before the doors opened');
  return tenants;
}

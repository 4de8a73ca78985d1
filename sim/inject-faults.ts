import type { Fault, Scenario } from './scenario.ts';
import type { Installation } from './simulation/installation.ts';
import { fineConditions } from './simulation/simulation.ts';

/** The faults of a scenario that is being played. */
export interface InjectedFaults {
  /** Ends those that last, as their time would have. */
  endAll(): void;
}

/** Lets the faults of a scenario begin and end at their times. */
export function injectFaults(
  installation: Installation,
  { faults }: Pick<Scenario, 'faults'>,
  times: FaultTimes,
): InjectedFaults {
  const { scheduler, timeline } = installation.simulation;
  const lasting = new Set<() => void>();
  for (const fault of faults) {
    scheduler.schedule(fault.at, () => {
      timeline.add(scheduler.now, 'fault', `${describe(fault)} for ${Math.round(fault.ms / 1000)} s`);
      const time = { kind: fault.kind, from: scheduler.now, to: scheduler.now + fault.ms };
      times.add(time);
      const end = begin(installation, fault);
      const endOnce = () => {
        if (!lasting.delete(endOnce)) return;
        time.to = scheduler.now;
        timeline.add(scheduler.now, 'fault', `${describe(fault)} is over`);
        end();
      };
      lasting.add(endOnce);
      scheduler.schedule(fault.ms, endOnce);
    });
  }
  return {
    endAll() {
      for (const end of [...lasting]) end();
    },
  };
}

interface FaultTime {
  kind: Fault['kind'];
  from: number;
  to: number;
}

/** How much time faults have taken. */
export interface FaultTimes {
  add(fault: FaultTime): void;
  /** Of some kinds, or of all. Faults that overlap are counted one by one: their harm may come one after the other. */
  takenBetween(from: number, to: number, kinds?: readonly Fault['kind'][]): number;
}

export function createFaultTimes(): FaultTimes {
  const began: FaultTime[] = [];
  return {
    add: (fault) => void began.push(fault),
    takenBetween: (from, to, kinds) =>
      began
        .filter(({ kind }) => !kinds || kinds.includes(kind))
        .reduce((sum, fault) => sum + Math.max(0, Math.min(to, fault.to) - Math.max(from, fault.from)), 0),
  };
}

function describe(fault: Fault): string {
  if ('how' in fault) return `${fault.id}: ${fault.kind} ${fault.how}`;
  if ('byMs' in fault)
    return `${fault.id}: clock of ${fault.node} jumps by ${Math.round(fault.byMs / 1000)} s`;
  return 'node' in fault ? `${fault.id}: ${fault.kind}: ${fault.node}` : `${fault.id}: ${fault.kind}`;
}

/** Returns what ends it. */
function begin(installation: Installation, fault: Fault): () => void {
  const { conditions } = installation.simulation;
  switch (fault.kind) {
    case 'node dies':
      return killForAWhile(installation, fault.node);
    case 'node is restarted':
      return restart(installation, fault.node);
    case 'node pauses':
      return pauseForAWhile(installation, fault);
    case 'clock jumps':
      return jumpClock(installation, fault.node, fault.byMs);
    case 'worker joins':
      installation.start(fault.spec);
      return () => void installation.stop(fault.spec.name);
    case 'messages are lost':
      conditions.losesMessages = true;
      return () => {
        conditions.losesMessages = false;
      };
    default: {
      const { kind, how } = fault;
      Object.assign(conditions, { [kind]: how });
      return () => {
        if (conditions[kind] === how) Object.assign(conditions, { [kind]: fineConditions()[kind] });
      };
    }
  }
}

function killForAWhile(installation: Installation, name: string): () => void {
  const node = installation.nodes.get(name)!;
  if (node.process.state === 'dead') return () => {};
  installation.kill(name);
  return () => startAgain(installation, name);
}

function restart(installation: Installation, name: string): () => void {
  const node = installation.nodes.get(name)!;
  if (node.process.state !== 'up' || !node.running) return () => {};
  const { process } = node;
  let isOver = false;
  // Whoever restarts it kills what has not stopped by then.
  installation.stop(name).then(() => {
    if (isOver) startAgain(installation, name);
  });
  return () => {
    isOver = true;
    if (process.state !== 'dead') installation.kill(name);
    startAgain(installation, name);
  };
}

function startAgain(installation: Installation, name: string): void {
  const node = installation.nodes.get(name)!;
  if (node.process.state === 'dead') installation.start(node.spec);
}

function pauseForAWhile(
  { simulation, nodes }: Installation,
  { node: name, isInRun }: Extract<Fault, { kind: 'node pauses' }>,
): () => void {
  const { scheduler, onRun } = simulation;
  let { process } = nodes.get(name)!;
  const pause = () => {
    process = nodes.get(name)!.process;
    scheduler.pause(process);
  };
  if (isInRun) onRun.set(name, pause);
  else pause();
  return () => {
    if (onRun.get(name) === pause) onRun.delete(name);
    scheduler.resume(process);
  };
}

function jumpClock({ nodes, isEmbedded, database }: Installation, name: string, byMs: number): () => void {
  nodes.get(name)!.process.clockOffsetMs += byMs;
  if (isEmbedded) database.process.clockOffsetMs += byMs;
  return () => {
    nodes.get(name)!.process.clockOffsetMs -= byMs;
    if (isEmbedded) database.process.clockOffsetMs -= byMs;
  };
}

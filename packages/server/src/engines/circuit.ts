/** What failed: without a workflow, it is the server itself, such as a connection that was lost. */
export interface CountedFailure {
  workflow?: string;
  /** Whether failures of several workflows speak against the server as a whole. */
  alsoServer?: boolean;
}

/**
 * Keeps work away from a server that is gone or fails job after job. Being reached again ends the first; the
 * second ends with a rest that doubles, after which one job may try. Failures are counted for each workflow: one that
 * fails again and again rests alone, and the server rests only when several do, or when it fails by itself.
 */
export interface Circuit {
  /** Whether work may go there now. `busy` is how much is there already. */
  allows(busy: number, workflow?: string): boolean;
  reached(): void;
  unreached(): void;
  worked(workflow?: string): void;
  failed(failure?: CountedFailure): void;
  /** A failure that was counted for a workflow alone is the server's: another one made the same job. */
  blame(): void;
  /** The failures of a workflow are not this server's. */
  forgive(workflow: string): void;
  state(): 'up' | 'down' | 'resting';
  /** How many workflows rest there while others go on. */
  restingWorkflows(): number;
}

const failuresInARow = 3;
const firstRestMs = 15_000;
const longestRestMs = 5 * 60_000;
/** Callers' own workflows are without number. */
const mostWorkflows = 200;

export function circuit(now: () => number = () => performance.now()): Circuit {
  let down = false;
  let server = streak(now);
  const workflows = new Map<string, Streak>();

  const fail = (workflow: string) => {
    const counted = workflows.get(workflow) ?? streak(now);
    workflows.delete(workflow);
    workflows.set(workflow, counted);
    if (workflows.size > mostWorkflows) workflows.delete(workflows.keys().next().value!);
    counted.add();
  };
  const blame = () => {
    if (workflows.size > 1) server.add();
  };
  return {
    allows(busy, workflow = '') {
      if (down || server.isResting() || workflows.get(workflow)?.isResting()) return false;
      return !server.isOnTrial() || busy === 0;
    },
    reached() {
      down = false;
    },
    unreached() {
      down = true;
    },
    worked(workflow) {
      down = false;
      server = streak(now);
      if (workflow !== undefined) workflows.delete(workflow);
    },
    failed({ workflow, alsoServer = true } = {}) {
      if (workflow === undefined) return server.add();
      fail(workflow);
      if (alsoServer) blame();
    },
    blame,
    forgive: (workflow) => void workflows.delete(workflow),
    state: () => (down ? 'down' : server.isResting() ? 'resting' : 'up'),
    restingWorkflows: () => [...workflows.values()].filter((counted) => counted.isResting()).length,
  };
}

/** Failures in a row, and the rest that they lead to. */
interface Streak {
  add(): void;
  isResting(): boolean;
  isOnTrial(): boolean;
}

function streak(now: () => number): Streak {
  let failures = 0;
  let restMs = firstRestMs;
  let restUntil = Number.NEGATIVE_INFINITY;
  return {
    add() {
      if (++failures < failuresInARow) return;
      restUntil = now() + restMs;
      restMs = Math.min(restMs * 2, longestRestMs);
    },
    isResting: () => now() < restUntil,
    isOnTrial: () => failures >= failuresInARow,
  };
}

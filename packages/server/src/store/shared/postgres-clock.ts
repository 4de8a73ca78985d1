import { type ReadTime, steadyClock } from '../database-clock.ts';

const measureEveryMs = 10_000;

/** PostgreSQL's time, so that all processes that share it agree on leases whatever their own clocks say. */
export interface PostgresClock {
  now: ReadTime;
  /** Measures how far PostgreSQL's clock is from this process's monotonic one, now and from time to time. */
  follow(): Promise<void>;
  stop(): void;
}

/** `readTime` asks PostgreSQL. Until it is followed, this is the machine's own time. */
export function postgresClock(readTime: () => Promise<number>): PostgresClock {
  const ownTime = steadyClock();
  let offset: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** The answer is from some moment of the trip: the shortest of three trips leaves the least doubt. */
  const measure = async () => {
    let best = { took: Number.POSITIVE_INFINITY, offset: 0 };
    for (let trip = 0; trip < 3; trip++) {
      const asked = performance.now();
      const time = await readTime();
      const answered = performance.now();
      if (answered - asked < best.took)
        best = { took: answered - asked, offset: time - (asked + answered) / 2 };
    }
    // Within that doubt the clock is right, and goes on without a step.
    if (offset === null || Math.abs(best.offset - offset) > best.took / 2) offset = best.offset;
  };
  return {
    now: () => (offset === null ? ownTime() : Math.round(performance.now() + offset)),
    async follow() {
      await measure();
      // While PostgreSQL is away, the last measurement serves: clocks drift by milliseconds in an hour.
      timer ??= setInterval(() => void measure().catch(() => {}), measureEveryMs).unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}

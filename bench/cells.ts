import { printTable } from './goals.ts';

/**
 * Waits in one cell of an installation of many, by simulation: jobs come at random, accounts take turns as
 * docs/decisions/005-queue.md says, and slots take as long as was measured. Prints waits and fairness for several loads.
 *
 *   npm run bench:cells
 *
 * Nothing of the server runs here: `npm run sim` plays the real code.
 */

/** One cell of the hundred million jobs a day: docs/scale.md. */
const cell = { jobsPerSecond: 232, accounts: 2000 };
/** The local engine, one person: docs/performance.md. A tenth of the jobs are videos of five pictures' time. */
const pictureSeconds = 4;
const videoSeconds = 20;
const videoShare = 0.1;
/** Of a claim and an end, as `bench:scale` measures them. */
const databaseSeconds = 0.005;
/** Shares of the accounts' jobs fall as 1/rank, and one account sends so many at once, ten minutes in. */
const burst = { jobs: 20_000, atSecond: 600 };
const minutes = 30;
/** So many accounts have a third of the jobs. */
const largest = 10;

interface Job {
  account: number;
  at: number;
  seconds: number;
  turn: number;
}

type Order = 'turns' | 'arrival';

interface Waits {
  /** Of the accounts beyond the largest. */
  small: number[];
  large: number[];
  burst: number[];
}

const meanSeconds = (1 - videoShare) * pictureSeconds + videoShare * videoSeconds + databaseSeconds;

/** Plays half an hour; the order is that of turns, or of arrival for comparison. */
function play(load: number, order: Order): Waits {
  const random = createRandom(7);
  const slots = Math.ceil((cell.jobsPerSecond * meanSeconds) / load);
  const queue = createHeap<Job>((a, b) =>
    order === 'turns' && a.turn !== b.turn ? a.turn - b.turn : a.at - b.at,
  );
  const ends = createHeap<number>((a, b) => a - b);
  const lastRound = new Map<number, number>();
  const waiting = new Map<number, number>();
  const drawAccount = createDraw(cell.accounts, random);
  const waits: Waits = { small: [], large: [], burst: [] };
  let servedRound = 0;

  const accept = (account: number, at: number, isVideo: boolean) => {
    const weight = isVideo ? 5 : 1;
    const isFirst = (waiting.get(account) ?? 0) === 0;
    const round = isFirst ? servedRound : lastRound.get(account)! + weight;
    lastRound.set(account, round);
    waiting.set(account, (waiting.get(account) ?? 0) + 1);
    const spread = 0.75 + random() / 2;
    const seconds = spread * (isVideo ? videoSeconds : pictureSeconds) + databaseSeconds;
    queue.push({ account, at, seconds, turn: round * 10 + weight });
  };
  const startAll = (now: number) => {
    while (ends.size() < slots && queue.size() > 0) {
      const job = queue.pop()!;
      servedRound = Math.max(servedRound, Math.floor(job.turn / 10));
      waiting.set(job.account, waiting.get(job.account)! - 1);
      waitsOf(waits, job.account).push(now - job.at);
      ends.push(now + job.seconds);
    }
  };
  const gap = () => -Math.log(1 - random()) / cell.jobsPerSecond;
  let hasBurst = false;
  for (let now = 0; now < minutes * 60; now += gap()) {
    for (let end = ends.peek(); end !== undefined && end <= now; end = ends.peek()) {
      ends.pop();
      startAll(end);
    }
    if (!hasBurst && now >= burst.atSecond) {
      hasBurst = true;
      for (let n = 0; n < burst.jobs; n++) accept(cell.accounts, now, false);
    }
    accept(drawAccount(), now, random() < videoShare);
    startAll(now);
  }
  return waits;
}

function waitsOf({ small, large, burst }: Waits, account: number): number[] {
  if (account === cell.accounts) return burst;
  return account < largest ? large : small;
}

/** An account by its rank: the first has the most jobs. */
function createDraw(count: number, random: () => number): () => number {
  const sums: number[] = [];
  for (let rank = 1; rank <= count; rank++) sums.push((sums.at(-1) ?? 0) + 1 / rank);
  const total = sums.at(-1)!;
  return () => {
    const wanted = random() * total;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** A number from 0 to 1 by a seed, the same on every machine (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function createHeap<T>(compare: (a: T, b: T) => number) {
  const heap: T[] = [];
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };
  return {
    size: () => heap.length,
    peek: () => heap[0],
    push(value: T) {
      let at = heap.push(value) - 1;
      for (
        let parent = (at - 1) >> 1;
        at > 0 && compare(heap[at]!, heap[parent]!) < 0;
        parent = (at - 1) >> 1
      ) {
        swap(at, parent);
        at = parent;
      }
    },
    pop(): T | undefined {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return first;
      heap[0] = last;
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        let least = at;
        if (left < heap.length && compare(heap[left]!, heap[least]!) < 0) least = left;
        if (right < heap.length && compare(heap[right]!, heap[least]!) < 0) least = right;
        if (least === at) return first;
        swap(at, least);
        at = least;
      }
    },
  };
}

const share = (values: readonly number[], part: number) =>
  `${(values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? 0).toFixed(1)} s`;

const rows = [0.7, 0.8, 0.9, 0.95].flatMap((load) =>
  (['turns', 'arrival'] as const).map((order) => {
    const { small, large, burst: own } = play(load, order);
    const slots = Math.ceil((cell.jobsPerSecond * meanSeconds) / load);
    return [
      ...[`${Math.round(100 * load)}%`, String(slots), order],
      ...[
        share(small, 0.99),
        share(small, 1),
        share(large, 0.99),
        share(large, 1),
        share(own, 0.5),
        share(own, 1),
      ],
    ];
  }),
);
printTable(
  [
    ...['load', 'slots', 'order', 'small accounts: 99% wait less than', 'longest'],
    ...['the ten largest: 99%', 'longest', 'the burst: median', 'longest'],
  ],
  rows,
);

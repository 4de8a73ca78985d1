/** How much of something there is, who has how much of it, and who waits for it. */
export interface GateLimits {
  /** In all, and of one owner. */
  atOnce: number;
  atOnceOfOwner: number;
  /** Entries that wait, in all and of one owner. */
  waiting: number;
  waitingOfOwner: number;
  /** How long one waits at most. */
  waitMs: number;
  /** What each entry has without being asked: a body without an image never waits. */
  free?: number;
}

export interface EntryOptions {
  /** Which of the owner's keys or guests it is of: those take turns, too, within the turns of their owner. */
  part?: string;
  /** Aborts when nobody wants it any more: what still waits is left out. */
  signal?: AbortSignal;
  /** Instead of the row's: a trusted proxy has the connections of many. */
  atOnceOfOwner?: number;
}

/** What one entry has. */
export interface Place {
  /** Takes more, at once or, where it gives a promise, when that is fulfilled. It rejects where there is none in time. */
  take(amount: number): Promise<void> | undefined;
  /** Gives all of it back. Where it still waits, it is refused. */
  release(): void;
}

/** Who has something, and who waits. */
export interface GateUse {
  owner: string;
  running: number;
  waiting: number;
}

export interface GateCounts {
  running: number;
  waiting: number;
  /** Since the start of the process. */
  refused: number;
  waitedSeconds: number;
}

interface Entry {
  owner: string;
  part: string | undefined;
  atOnceOfOwner: number;
  amount: number;
  wait: Wait | undefined;
}

interface Wait {
  amount: number;
  grant(): void;
  refuse(reason?: unknown): void;
}

/** What is known of an owner, or of a part of one, while it has something or waits. */
interface OwnerUse {
  amount: number;
  running: number;
  waiting: number;
  /** When it was served last, counted in turns. */
  turn: number;
}

/**
 * The one queue for whatever callers share. Owners take turns: next is whoever of those that wait was served longest
 * ago. Where too many wait, the newest of the owner with the most of them is refused, so that nobody finds the queue
 * full of another's. What grows while it is held, as bodies do, cannot block itself: the oldest always gets more, in all
 * and of each owner.
 */
export class Gate {
  readonly limits: GateLimits;
  readonly #refusal: () => Error;
  readonly #owners = new Map<string, OwnerUse>();
  /** Those that have something, oldest first. */
  readonly #running = new Set<Entry>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Entry>();
  #amount = 0;
  #turn = 0;
  #refused = 0;
  #waitedMs = 0;

  constructor(limits: GateLimits, refusal: () => Error) {
    this.limits = limits;
    this.#refusal = refusal;
  }

  /** Does the work when its turn comes. */
  async run<T>(owner: string, work: () => Promise<T>, options?: EntryOptions): Promise<T> {
    const place = await this.enter(owner, options);
    try {
      return await work();
    } finally {
      place.release();
    }
  }

  /** A place, when its turn comes. */
  async enter(owner: string, options: EntryOptions = {}): Promise<Place> {
    const entry = this.#entryOf(owner, options);
    options.signal?.throwIfAborted();
    const abort = () => entry.wait?.refuse(options.signal!.reason);
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      await this.#take(entry, 1);
    } finally {
      options.signal?.removeEventListener('abort', abort);
    }
    return this.#placeOf(entry);
  }

  /** A place, or undefined where there is none now. Who is refused by that is counted by the caller. */
  tryEnter(owner: string, options: EntryOptions = {}): Place | undefined {
    const entry = this.#entryOf(owner, options);
    if (!this.#mayTake(entry, 1)) return undefined;
    this.#grant(entry, 1);
    return this.#placeOf(entry);
  }

  /** A place that has nothing yet. */
  open(owner: string, options: EntryOptions = {}): Place {
    return this.#placeOf(this.#entryOf(owner, options));
  }

  /** Counts somebody who was refused, and gives what to tell them. */
  refuse(): Error {
    this.#refused++;
    return this.#refusal();
  }

  get counts(): GateCounts {
    return {
      running: this.#running.size,
      waiting: this.#waiting.size,
      refused: this.#refused,
      waitedSeconds: this.#waitedMs / 1000,
    };
  }

  /** Those who wait come first, then those who have most. */
  get users(): GateUse[] {
    const names = new Set([...this.#running, ...this.#waiting].map(({ owner }) => owner));
    return [...names]
      .map((owner) => {
        const { running, waiting } = this.#owners.get(owner)!;
        return { owner, running, waiting };
      })
      .sort((a, b) => b.waiting - a.waiting || b.running - a.running);
  }

  /** How much of it an owner has. */
  amountOf(owner: string): number {
    return this.#owners.get(owner)?.amount ?? 0;
  }

  #entryOf(owner: string, { part, atOnceOfOwner = this.limits.atOnceOfOwner }: EntryOptions): Entry {
    return { owner, part, atOnceOfOwner, amount: 0, wait: undefined };
  }

  #placeOf(entry: Entry): Place {
    return { take: (amount) => this.#take(entry, amount), release: () => this.#release(entry) };
  }

  #take(entry: Entry, amount: number): Promise<void> | undefined {
    if (this.#mayTake(entry, amount)) {
      this.#grant(entry, amount);
      return undefined;
    }
    return this.#wait(entry, amount);
  }

  #mayTake(entry: Entry, amount: number): boolean {
    if (entry.amount + amount <= (this.limits.free ?? 0)) return true;
    const fits = this.#amount + amount <= this.limits.atOnce;
    const fitsOwner = this.amountOf(entry.owner) + amount <= entry.atOnceOfOwner;
    return (fits || this.#isOldest(entry)) && (fitsOwner || this.#isOldest(entry, entry.owner));
  }

  /** Of all that have something, or of those of an owner: where none of them has, it is. */
  #isOldest(entry: Entry, owner?: string): boolean {
    for (const other of this.#running)
      if (owner === undefined || other.owner === owner) return other === entry;
    return true;
  }

  #grant(entry: Entry, amount: number): void {
    const isFirst = !this.#running.has(entry);
    this.#running.add(entry);
    entry.amount += amount;
    this.#amount += amount;
    this.#turn++;
    for (const name of namesOf(entry)) {
      const use = this.#useOf(name);
      use.amount += amount;
      use.turn = this.#turn;
      if (isFirst) use.running++;
    }
  }

  #release(entry: Entry): void {
    entry.wait?.refuse(this.#refusal());
    if (!this.#running.delete(entry)) return;
    this.#amount -= entry.amount;
    for (const name of namesOf(entry)) {
      const use = this.#owners.get(name)!;
      use.amount -= entry.amount;
      use.running--;
      this.#forgetIdle(name, use);
    }
    entry.amount = 0;
    this.#startNext();
  }

  #startNext(): void {
    for (let next = this.#nextInTurn(); next; next = this.#nextInTurn()) next.wait!.grant();
  }

  /** The order in which they came decides between those that were served as long ago. */
  #nextInTurn(): Entry | undefined {
    let next: Entry | undefined;
    for (const entry of this.#waiting) {
      if (next && !this.#isBefore(entry, next)) continue;
      if (this.#mayTake(entry, entry.wait!.amount)) next = entry;
    }
    return next;
  }

  #isBefore(entry: Entry, other: Entry): boolean {
    const isOfOwner = entry.owner === other.owner;
    const [name, otherName] = isOfOwner ? [partName(entry), partName(other)] : [entry.owner, other.owner];
    return this.#turnOf(name) < this.#turnOf(otherName);
  }

  #turnOf(name: string): number {
    return this.#owners.get(name)?.turn ?? 0;
  }

  #wait(entry: Entry, amount: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const began = performance.now();
    const refuse = (reason?: unknown) => {
      leave();
      reject(reason ?? this.refuse());
    };
    const timer = setTimeout(refuse, this.limits.waitMs, undefined);
    const leave = () => {
      clearTimeout(timer);
      this.#waitedMs += performance.now() - began;
      entry.wait = undefined;
      this.#waiting.delete(entry);
      for (const name of namesOf(entry)) {
        const use = this.#owners.get(name)!;
        use.waiting--;
        this.#forgetIdle(name, use);
      }
    };
    const grant = () => {
      this.#grant(entry, amount);
      leave();
      resolve();
    };
    entry.wait = { amount, grant, refuse };
    this.#waiting.add(entry);
    for (const name of namesOf(entry)) this.#useOf(name).waiting++;
    this.#refuseTooMany(entry);
    return promise;
  }

  /** Refuses one where the newcomer makes too many. */
  #refuseTooMany({ owner }: Entry): void {
    const isTooManyOfOwner = this.#owners.get(owner)!.waiting > this.limits.waitingOfOwner;
    if (!isTooManyOfOwner && this.#waiting.size <= this.limits.waiting) return;
    const newestFirst = [...this.#waiting].reverse();
    const ofOwner = isTooManyOfOwner
      ? newestFirst.filter((entry) => entry.owner === owner)
      : largestGroup(newestFirst, (entry) => entry.owner);
    largestGroup(ofOwner, ({ part }) => part)[0]!.wait!.refuse();
  }

  #useOf(name: string): OwnerUse {
    const known = this.#owners.get(name);
    if (known) return known;
    const use = { amount: 0, running: 0, waiting: 0, turn: 0 };
    this.#owners.set(name, use);
    return use;
  }

  #forgetIdle(name: string, { running, waiting }: OwnerUse): void {
    if (running === 0 && waiting === 0) this.#owners.delete(name);
  }
}

/** The owner, and the part of it as a name of its own. */
function namesOf({ owner, part }: Entry): string[] {
  return part === undefined ? [owner] : [owner, partName({ owner, part })];
}

const partName = ({ owner, part }: Pick<Entry, 'owner' | 'part'>) => `${owner} ${part}`;

/** Of groups that are as large, the one of the first entry. */
function largestGroup(entries: readonly Entry[], nameOf: (entry: Entry) => string | undefined): Entry[] {
  const groups = [...Map.groupBy(entries, nameOf).values()];
  return groups.reduce((largest, group) => (group.length > largest.length ? group : largest), []);
}

/** How long a tab waits for the answer of a leader before it leads, at least and at most: tabs that begin at once differ. */
const shortestWaitMs = 60;
const longestWaitMs = 250;
/** How often a tab asks whether its leader is still there: one that crashed does not say goodbye. */
const askEveryMs = 3000;

interface Searcher {
  /** Not while the tab leads itself. */
  isNeeded(): boolean;
  /** Asks the other tabs which of them leads. */
  ask(): void;
  /** Nobody has answered in time. */
  onNobody(): void;
}

/** A tab's search for the one that leads, from time to time for as long as it shares the stream. */
export class LeaderSearch {
  readonly #searcher: Searcher;
  #answerTimer: ReturnType<typeof setTimeout> | undefined;
  #askTimer: ReturnType<typeof setInterval> | undefined;

  constructor(searcher: Searcher) {
    this.#searcher = searcher;
  }

  begin(): void {
    this.ask();
    this.#askTimer = setInterval(() => this.ask(), askEveryMs);
  }

  end(): void {
    clearInterval(this.#askTimer);
    this.stopWaiting();
  }

  /** Nothing is asked while an answer is awaited. */
  ask(): void {
    if (this.#answerTimer !== undefined || !this.#searcher.isNeeded()) return;
    this.#searcher.ask();
    const waitMs = shortestWaitMs + Math.random() * (longestWaitMs - shortestWaitMs);
    this.#answerTimer = setTimeout(() => {
      this.#answerTimer = undefined;
      this.#searcher.onNobody();
    }, waitMs);
  }

  /** A leader has answered, or none is needed any more. */
  stopWaiting(): void {
    clearTimeout(this.#answerTimer);
    this.#answerTimer = undefined;
  }
}

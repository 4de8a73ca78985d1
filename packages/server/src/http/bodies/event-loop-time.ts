/** How long bodies may hold the event loop in one iteration, all of them together. */
const mostMs = 10;

/**
 * Divides the reading of bodies over iterations of the event loop. A chunk of a photo takes some 50 µs, one made of escapes
 * a few milliseconds, and chunks of all connections may come in at once.
 */
export class EventLoopTime {
  #endsAt = 0;
  #isOpen = false;

  /** Waits for an iteration that has time left, which the current one mostly has. */
  async wait(): Promise<void> {
    while (this.#isSpent()) await new Promise(setImmediate);
  }

  #isSpent(): boolean {
    if (this.#isOpen) return performance.now() > this.#endsAt;
    this.#isOpen = true;
    this.#endsAt = performance.now() + mostMs;
    setImmediate(() => {
      this.#isOpen = false;
    });
    return false;
  }
}

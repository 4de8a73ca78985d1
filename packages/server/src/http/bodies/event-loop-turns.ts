/** How long bodies may hold the event loop at a time, all of them together. */
const turnMs = 10;

/**
 * Divides the reading of bodies into turns of the event loop. A chunk of a photo takes some 50 µs, one made of escapes
 * a few milliseconds, and chunks of all connections may come in at once.
 */
export class EventLoopTurns {
  #endsAt = 0;
  #isOpen = false;

  /** Waits until the turn is not over, which it seldom is. */
  async enter(): Promise<void> {
    while (this.#isOver()) await new Promise(setImmediate);
  }

  #isOver(): boolean {
    if (this.#isOpen) return performance.now() > this.#endsAt;
    this.#isOpen = true;
    this.#endsAt = performance.now() + turnMs;
    setImmediate(() => {
      this.#isOpen = false;
    });
    return false;
  }
}

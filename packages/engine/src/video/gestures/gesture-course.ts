/** What a face does in a clip. */
export type FaceMotion = 'smile' | 'nod' | 'head turn';

/** Ways through a clip: moments in seconds, from its start or (negative) from its end, and how much is done by then. */
const courses: Record<FaceMotion, readonly (readonly [seconds: number, amount: number])[]> = {
  // Stays, and softens towards the end.
  smile: [
    [0.5, 0],
    [1.4, 1],
    [-1.1, 1],
    [-0.1, 0.55],
  ],
  // Down and up, and once more with less.
  nod: [
    [0.7, 0],
    [1.1, 1],
    [1.5, 0.1],
    [1.9, 0.7],
    [2.5, 0],
  ],
  'head turn': [
    [0.5, 0],
    [1.5, 1],
    [-1.4, 1],
    [-0.3, 0],
  ],
};

/** How much of a motion is done at a moment of a clip; `delay` in seconds, so that no two people move as one. */
export function amountAt(motion: FaceMotion, seconds: number, duration: number, delay: number): number {
  let [from, before] = [-Infinity, 0];
  for (const [moment, amount] of courses[motion]) {
    const to = moment < 0 ? duration + moment : moment + delay;
    if (seconds < to) {
      if (from === -Infinity) return amount;
      const t = (seconds - from) / (to - from);
      return before + (amount - before) * t * t * t * (t * (6 * t - 15) + 10);
    }
    [from, before] = [to, amount];
  }
  return before;
}

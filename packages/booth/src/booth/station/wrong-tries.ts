import { keepText } from '../keep-text.ts';

/** After five wrong numbers a minute passes before the next try: nobody guesses one between two pictures. */
const freeTries = 5;
const lockedMs = 60_000;

interface Tries {
  wrong: number;
  at: number;
}

/** What is guessed: the operator's PIN, or the number of a guest who comes back. */
export type TriedNumber = 'pin' | 'collect';
const placeOf = (guessed: TriedNumber) => `guise-booth-tries ${guessed}`;

function readTries(guessed: TriedNumber): Tries {
  try {
    return JSON.parse(localStorage.getItem(placeOf(guessed)) ?? '') as Tries;
  } catch {
    return { wrong: 0, at: 0 };
  }
}

/** Kept over a reload, which would be a way around it. */
export function lockedSeconds(guessed: TriedNumber, now = Date.now()): number {
  const { wrong, at } = readTries(guessed);
  return wrong < freeTries ? 0 : Math.max(0, Math.ceil((at + lockedMs - now) / 1000));
}

export function noteTry(guessed: TriedNumber, isRight: boolean, now = Date.now()): void {
  const tries: Tries | null = isRight ? null : { wrong: readTries(guessed).wrong + 1, at: now };
  keepText(placeOf(guessed), tries && JSON.stringify(tries));
}

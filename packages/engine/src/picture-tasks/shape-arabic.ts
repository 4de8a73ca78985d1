/** The forms of each letter, and of lam with an alef: alone, at the end of a word, at its beginning, and within it. */
export type ArabicForms = Readonly<Record<string, readonly (string | null)[]>>;

const arabic = /[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]/;
export const isArabic = (text: string): boolean => arabic.test(text);

/** Marks of vowels, which a name can be read without. */
const marks = /[\u064b-\u065f\u0670\u06d6-\u06ed]/g;
const joinsAlways = 'ـ';

/** A line as its letters stand from left to right, those of Arabic in the forms that they have in their words. */
export function lettersInOrder(line: string, forms: ArabicForms): string[] {
  if (!isArabic(line)) return [...line];
  const runs = runsOf(line.replaceAll(marks, ''));
  // The first letter says which way the line goes; a digit says nothing.
  const startsRight = isArabic([...line].find((letter) => /\p{L}/u.test(letter)) ?? '');
  const ordered = startsRight ? runs.toReversed() : runs;
  return ordered.flatMap(({ text, isRight }) => {
    if (!(isRight ?? startsRight)) return [...text];
    return shape([...text], forms)
      .map((letter) => mirrored[letter] ?? letter)
      .toReversed();
  });
}

const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '«': '»',
  '»': '«',
};

interface Run {
  text: string;
  /** Whether it is written from the right; null for signs between two others. */
  isRight: boolean | null;
}

const directionOf = (letter: string): boolean | null => {
  // Digits of every script are written from the left.
  if (/\p{N}/u.test(letter)) return false;
  if (isArabic(letter)) return true;
  return /\p{L}/u.test(letter) ? false : null;
};

/** Parts of one direction each. Blanks and signs between two of the same direction are part of it. */
function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  for (const letter of line) {
    const isRight = directionOf(letter);
    const last = runs.at(-1);
    if (last?.isRight === isRight) last.text += letter;
    else if (isRight !== null && last?.isRight === null && runs.at(-2)?.isRight === isRight) {
      const [before, between] = runs.splice(-2) as [Run, Run];
      runs.push({ text: before.text + between.text + letter, isRight });
    } else runs.push({ text: letter, isRight });
  }
  return runs;
}

/** Letters of a word in the order of reading, each in its form. */
function shape(letters: readonly string[], forms: ArabicForms): string[] {
  const joined = letters.flatMap((letter, at) => {
    const pair = letter + (letters[at + 1] ?? '');
    if (pair.length === 2 && forms[pair]) return [pair];
    const isSecond = at > 0 && forms[letters[at - 1]! + letter] !== undefined;
    return isSecond ? [] : [letter];
  });
  // A letter has a form for the beginning of a word where it joins the next one.
  const joinsNext = (letter: string | undefined) =>
    letter === joinsAlways || (letter !== undefined && forms[letter]?.[2] != null);
  const joinsBefore = (letter: string | undefined) =>
    letter === joinsAlways || (letter !== undefined && forms[letter]?.[1] != null);
  return joined.map((letter, at) => {
    const shapes = forms[letter];
    if (!shapes) return letter;
    const before = joinsNext(joined[at - 1]) && joinsBefore(letter);
    const after = joinsNext(letter) && joinsBefore(joined[at + 1]);
    const form = before && after ? 3 : after ? 2 : before ? 1 : 0;
    return shapes[form] ?? shapes[0]!;
  });
}

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { type ArabicForms, isArabic, lettersInOrder } from './shape-arabic.ts';

/**
 * Text is drawn from outlines that come with the engine: fonts of the system may be missing, or others than the ones a
 * layout was tried with. `tools/letters` writes them.
 */
export interface Letters {
  ascender: number;
  descender: number;
  /** How far the next letter is, and an SVG path over the base line. */
  letters: Readonly<Record<string, readonly [advance: number, path: string]>>;
  /** Of Arabic letters. */
  forms?: ArabicForms;
}

export interface TextArea {
  /** The middle and the top. */
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface TextStyle {
  colour: string;
  /** Pixels from the top of a line to its end, at most. */
  largest: number;
  lines: number;
}

const lineSpacing = 1.02;

const fileOf = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url));
const readPacked = (name: string) =>
  JSON.parse(brotliDecompressSync(fileOf(`${name}.json.br`)).toString()) as Letters;

const isJapanese = (text: string) => /[\u3000-\u30ff\uff00-\uffef\p{Script=Han}]/u.test(text);

/** The letters that a text needs: those of Latin alphabets, and of Arabic or Japanese where it has some. */
export function readLetters(text: string): Letters {
  const others = [
    ...(isArabic(text) ? ['letters-arabic'] : []),
    ...(isJapanese(text) ? ['letters-japanese'] : []),
  ];
  const latin = JSON.parse(fileOf('letters.json').toString()) as Letters;
  // Signs that several have are those of the first.
  return others.map(readPacked).reduce(
    (all, font) => ({
      ascender: Math.max(all.ascender, font.ascender),
      descender: Math.max(all.descender, font.descender),
      letters: { ...font.letters, ...all.letters },
      forms: { ...all.forms, ...font.forms },
    }),
    { ...latin, letters: { ...latin.letters, '❤': heart, '♥': heart } },
  );
}

/** The sign that names of weddings have, and that fonts leave to emoji. */
const heart = [
  760,
  'M380 10C240 -110 60 -230 60 -440C60 -570 150 -640 240 -640C310 -640 355 -600 380 -550C405 -600 450 -640 520 -640C610 -640 700 -570 700 -440C700 -230 520 -110 380 10Z',
] as const;

/** Letters of a line from left to right, in the forms that they have in their words. */
const placed = ({ forms = {} }: Letters, line: string) => lettersInOrder(line.normalize('NFC'), forms);

/** Pictures, flags and skin tones, and what joins them. */
const emoji =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u{fe0e}\u{fe0f}]|\u{200d}|\u{20e3}/gu;

/** A text without emoji that cannot be drawn; empty where it has letters of a script that is missing. */
export function drawableText(font: Letters, text: string): string {
  const known = text.replaceAll(emoji, (sign) => (font.letters[sign] ? sign : '')).trim();
  const isKnown = placed(font, known).every((letter) => font.letters[letter] || /\s/.test(letter));
  return isKnown ? known : '';
}

/** Centred text as large as its area allows, so that no letter is ever cut: SVG, and where it ends. */
export function drawText(
  font: Letters,
  text: string,
  area: TextArea,
  style: TextStyle,
): { svg: string; bottom: number } {
  const words = text.normalize('NFC').trim().split(/\s+/);
  const { ascender, descender, letters } = font;
  const lineUnits = ascender + descender;
  const widthOf = (line: string) =>
    placed(font, line).reduce((sum, letter) => sum + (letters[letter]?.[0] ?? 0), 0);
  const scaleOf = (lines: readonly string[]) =>
    Math.min(
      style.largest / lineUnits,
      area.width / Math.max(...lines.map(widthOf)),
      area.height / (lineUnits * (1 + lineSpacing * (lines.length - 1))),
    );
  const wrapped = Array.from({ length: Math.min(style.lines, words.length) }, (_, i) =>
    breakEvenly(words, i + 1, widthOf),
  );
  // The fewest lines among those that give almost the largest letters.
  const best = Math.max(...wrapped.map(scaleOf));
  const lines = wrapped.find((candidate) => scaleOf(candidate) >= 0.85 * best)!;
  const scale = scaleOf(lines);
  let paths = '';
  for (const [i, line] of lines.entries()) {
    const baseLine = area.y + scale * (ascender + i * lineSpacing * lineUnits);
    let x = area.x - (widthOf(line) * scale) / 2;
    for (const letter of placed(font, line)) {
      const [advance, path] = letters[letter] ?? [0, ''];
      if (path !== '') {
        const place = `translate(${x.toFixed(2)} ${baseLine.toFixed(2)}) scale(${scale.toFixed(5)})`;
        paths += `<path transform="${place}" d="${path}"/>`;
      }
      x += advance * scale;
    }
  }
  const bottom = area.y + scale * lineUnits * (1 + lineSpacing * (lines.length - 1));
  return { svg: `<g fill="${style.colour}">${paths}</g>`, bottom };
}

/** Breaks words into so many lines that the longest is as short as can be. */
function breakEvenly(words: readonly string[], count: number, widthOf: (line: string) => number): string[] {
  if (count === 1) return [words.join(' ')];
  let best: string[] = [];
  let least = Infinity;
  for (let first = 1; first <= words.length - count + 1; first++) {
    const lines = [words.slice(0, first).join(' '), ...breakEvenly(words.slice(first), count - 1, widthOf)];
    const longest = Math.max(...lines.map(widthOf));
    if (longest >= least) continue;
    least = longest;
    best = lines;
  }
  return best;
}

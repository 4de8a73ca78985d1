/** Word pieces and their numbers; a piece that continues a word begins with `##`. */
export type Vocabulary = ReadonlyMap<string, number>;

const special = { unknown: '[UNK]', start: '[CLS]', end: '[SEP]' } as const;
const longestWord = 100;

/** The vocabulary of a `tokenizer.json` as Hugging Face's tokenizers write it. */
export function readVocabulary(json: string): Vocabulary {
  const { model } = JSON.parse(json) as { model: { type: string; vocab: Record<string, number> } };
  if (model.type !== 'WordPiece') throw new Error(`The tokenizer is a ${model.type}, not WordPiece.`);
  return new Map(Object.entries(model.vocab));
}

/** A text's pieces as the network takes them: without capitals and accents, between a start and an end. */
export function numberPieces(text: string, vocabulary: Vocabulary, most: number): number[] {
  const pieces = basicWords(text).flatMap((word) => piecesOf(word, vocabulary));
  const framed = [special.start, ...pieces.slice(0, most - 2), special.end];
  return framed.map((piece) => vocabulary.get(piece)!);
}

/** The longest pieces that the vocabulary has, from the left; one unknown piece where the rest of the word has none. */
export function piecesOf(word: string, vocabulary: Vocabulary): string[] {
  const letters = [...word];
  if (letters.length > longestWord) return [special.unknown];
  const pieces: string[] = [];
  for (let start = 0; start < letters.length; ) {
    let end = letters.length;
    const piece = () => (start > 0 ? '##' : '') + letters.slice(start, end).join('');
    while (end > start && !vocabulary.has(piece())) end--;
    if (end === start) return [special.unknown];
    pieces.push(piece());
    start = end;
  }
  return pieces;
}

/** Words, signs and ideographs, each by itself. */
export function basicWords(text: string): string[] {
  const plain = text
    .replace(/[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}]/gu, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
  return plain.match(/\p{Script=Han}|[\p{P}$+<=>^`|~]|[^\s\p{P}\p{Script=Han}$+<=>^`|~]+/gu) ?? [];
}

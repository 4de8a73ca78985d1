import { miniLm } from '../models/models.ts';
import { withSession } from '../models/sessions.ts';
import {
  lightDescriptions,
  lookDescriptions,
  paletteDescriptions,
  weatherDescriptions,
} from './concept-descriptions.ts';
import { readEmbeddings, writeEmbeddings } from './embedding-cache.ts';
import type { PromptChoice, PromptChoices, PromptKind } from './prompt-choice.ts';
import { type Embedding, embedTexts, readMiniLmVocabulary } from './sentence-embedding.ts';
import { piecesOf } from './word-pieces.ts';

/** Something that a part of a prompt may mean. */
export interface Meaning {
  kind: PromptKind;
  name: string;
  title: string;
  embeddings: Embedding[];
}

/** The meanings that there are, and how parts of a prompt are compared with them. */
export interface Meanings {
  options: readonly Meaning[];
  embed(texts: readonly string[]): Promise<Embedding[]>;
  /** False for random letters and for other alphabets: of these the network knows single letters only. */
  isWord(text: string): boolean;
}

/**
 * Compares with what these choices are. Their embeddings are kept in `cacheDir`. The network is opened for each prompt
 * and closed again: it is 200 MB of memory, and opening it costs 0.2 s of CPU.
 */
export async function openMeanings(choices: PromptChoices, cacheDir: string | null): Promise<Meanings> {
  const vocabulary = await readMiniLmVocabulary();
  const embed = (texts: readonly string[]) =>
    withSession(miniLm, (network) => embedTexts(texts, network, vocabulary), cacheDir);
  const described = describeChoices(choices);
  const texts = described.flatMap((option) => option.texts);
  const kept = cacheDir === null ? null : await readEmbeddings(cacheDir, texts);
  const embeddings = kept ?? (await embed(texts));
  if (cacheDir !== null && !kept) await writeEmbeddings(cacheDir, texts, embeddings).catch(() => {});
  let at = 0;
  const options = described.map(({ texts: own, ...option }) => {
    at += own.length;
    return { ...option, embeddings: embeddings.slice(at - own.length, at) };
  });
  return {
    options,
    embed,
    isWord: (text) => text.length / piecesOf(text, vocabulary).length >= leastPiece,
  };
}

/** How many letters the pieces of a word have at least, in the mean. */
const leastPiece = 2.1;

type Described = Omit<Meaning, 'embeddings'> & { texts: string[] };

function describeChoices({ scenes, costumes = [], looks }: PromptChoices): Described[] {
  const named = (kind: PromptKind, table: Readonly<Record<string, string>>): Described[] =>
    Object.entries(table).map(([name, text]) => ({ kind, name, title: name, texts: sentencesOf(text) }));
  return [
    ...scenes.map((scene) => describeChoice('scene', scene)),
    ...costumes.map((costume) => describeChoice('costume', costume)),
    ...named('look', lookDescriptions).filter(({ name }) => looks.includes(name)),
    ...named('light', lightDescriptions),
    ...named('weather', weatherDescriptions),
    ...named('palette', paletteDescriptions),
  ];
}

/** One without a description is known by its tags. */
function describeChoice(kind: PromptKind, { name, title, tags, description }: PromptChoice): Described {
  const texts = description === undefined ? [tags.join(', ')] : sentencesOf(description);
  return { kind, name, title, texts: [title, ...texts] };
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

import type { Meaning, Meanings } from './meanings.ts';
import type { PromptKind } from './prompt-choice.ts';
import type { Span } from './prompt-spans.ts';
import type { Embedding } from './sentence-embedding.ts';

/** A part of a prompt, and what of the choices is nearest to it in meaning. */
export interface MeaningMatch {
  span: Span;
  option: Meaning;
}

/** How similar a part of a prompt must be to what it asks for: docs/decisions/019-prompts-by-meaning.md. */
const bars: Readonly<Record<PromptKind, number>> = {
  scene: 0.48,
  costume: 0.62,
  look: 0.5,
  light: 0.6,
  weather: 0.52,
  palette: 0.54,
};

/** The same for what is only named as the nearest there is. */
const offerBars: Readonly<Partial<Record<PromptKind, number>>> = { scene: 0.4, costume: 0.2 };

/** What is taken off for the words that a part leaves out: a drawing on paper is no blueprint, though paper is near. */
const partPenalty = 0.15;

interface Question {
  spans: readonly Span[];
  denied: readonly Span[];
  /** Whether an option is still to be chosen, and not denied by its words. */
  isOpen(option: Meaning): boolean;
  /** Whether the picture may have an option for what a part of the prompt names. */
  mayFollow(option: Meaning, span: Span): boolean;
  /** Whether an option may be named as what is nearest to it. */
  mayOffer(option: Meaning, span: Span): boolean;
}

interface MeaningMatches {
  /** What the picture is to have. */
  matches: MeaningMatch[];
  /** What is nearest to other parts. */
  offers: MeaningMatch[];
}

/**
 * What parts of a prompt mean: the pair of a part and an option that is highest above its bar first, then others for
 * other kinds and from other words. What is below its bar is not chosen, but a scene or costume that is near is offered.
 */
export async function findNearest(
  { spans, denied, isOpen, mayFollow, mayOffer }: Question,
  { options, embed }: Meanings,
): Promise<MeaningMatches> {
  const embeddings = await embed([...spans, ...denied].map(({ text }) => text));
  const deniedEmbeddings = embeddings.slice(spans.length);
  const isDenied = ({ kind, embeddings: texts }: Meaning) =>
    deniedEmbeddings.some((one) => nearness(one, texts) >= bars[kind]);
  const open = options.filter((option) => isOpen(option) && !isDenied(option));
  const mostWords = Math.max(...spans.map(({ words }) => words.length));
  const pairs = spans.flatMap((span, i) => {
    const penalty = partPenalty * (1 - span.words.length / mostWords);
    return open.map((option) => ({
      span,
      option,
      near: nearness(embeddings[i]!, option.embeddings) - penalty,
    }));
  });
  const followable = pairs.filter(({ span, option }) => mayFollow(option, span));
  const offerable = pairs.filter(({ span, option }) => mayOffer(option, span));
  const matches = settlePairs(followable, bars, []);
  return { matches, offers: settlePairs(offerable, offerBars, matches) };
}

/** The pairs that are highest above their bars, each kind and each word once, and none that `taken` has. */
function settlePairs(
  pairs: readonly (MeaningMatch & { near: number })[],
  barOf: Readonly<Partial<Record<PromptKind, number>>>,
  taken: readonly MeaningMatch[],
): MeaningMatch[] {
  const found = pairs
    .map((pair) => ({ ...pair, above: pair.near - (barOf[pair.option.kind] ?? Infinity) }))
    .filter(({ above }) => above >= 0);
  found.sort((one, two) => two.above - one.above || (one.option.name < two.option.name ? -1 : 1));
  const settled: MeaningMatch[] = [];
  for (const { span, option } of found) {
    const clashes = [...taken, ...settled].some(
      (match) =>
        match.option.kind === option.kind || match.span.words.some((word) => span.words.includes(word)),
    );
    if (!clashes) settled.push({ span, option });
  }
  return settled;
}

/** The cosine of the angle to the nearest of the texts: 1 for the same meaning, around 0 for unrelated ones. */
function nearness(embedding: Embedding, texts: readonly Embedding[]): number {
  return texts.reduce((most, text) => Math.max(most, dot(embedding, text)), -1);
}

function dot(one: Embedding, other: Embedding): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!;
  return sum;
}

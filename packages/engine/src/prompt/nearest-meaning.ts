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
  costume: 0.46,
  look: 0.5,
  light: 0.6,
  weather: 0.52,
  palette: 0.54,
};

/** What is taken off for the words that a part leaves out: a drawing on paper is no blueprint, though paper is near. */
const partPenalty = 0.15;

interface Question {
  spans: readonly Span[];
  denied: readonly Span[];
  /** Whether an option is still to be chosen, and not denied by its words. */
  isOpen(option: Meaning): boolean;
}

/**
 * What parts of a prompt mean: the pair of a part and an option that is highest above its bar first, then others for
 * other kinds and from other words. Below its bar nothing is chosen.
 */
export async function findNearest(
  { spans, denied, isOpen }: Question,
  { options, embed }: Meanings,
): Promise<MeaningMatch[]> {
  const embeddings = await embed([...spans, ...denied].map(({ text }) => text));
  const deniedEmbeddings = embeddings.slice(spans.length);
  const isDenied = ({ kind, embeddings: texts }: Meaning) =>
    deniedEmbeddings.some((one) => nearness(one, texts) >= bars[kind]);
  const open = options.filter((option) => isOpen(option) && !isDenied(option));
  const mostWords = Math.max(...spans.map(({ words }) => words.length));
  const found: (MeaningMatch & { above: number })[] = [];
  for (const [i, span] of spans.entries()) {
    const penalty = partPenalty * (1 - span.words.length / mostWords);
    for (const option of open) {
      const above = nearness(embeddings[i]!, option.embeddings) - penalty - bars[option.kind];
      if (above >= 0) found.push({ span, option, above });
    }
  }
  found.sort((one, two) => two.above - one.above || (one.option.name < two.option.name ? -1 : 1));
  const matches: MeaningMatch[] = [];
  for (const { span, option } of found) {
    const taken = matches.some(
      (match) =>
        match.option.kind === option.kind || match.span.words.some((word) => span.words.includes(word)),
    );
    if (!taken) matches.push({ span, option });
  }
  return matches;
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

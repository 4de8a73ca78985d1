import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sentencesOf } from '@guise/contract/notes.ts';
import { openCatalog } from '../../src/catalog.ts';
import { familyRules } from '../../src/family-rules.ts';
import { miniLm } from '../../src/models/models.ts';
import { session } from '../../src/models/sessions.ts';
import { planFor } from '../../src/plan.ts';
import { readEmbeddings, writeEmbeddings } from '../../src/prompt/embedding-cache.ts';
import type { Meanings } from '../../src/prompt/meanings.ts';
import { readPrompt, readPromptByMeaning } from '../../src/prompt/prompt.ts';
import type { PromptChoices, PromptKind } from '../../src/prompt/prompt-choice.ts';
import { embedTexts, readMiniLmVocabulary } from '../../src/prompt/sentence-embedding.ts';
import { basicWords, numberPieces, piecesOf, type Vocabulary } from '../../src/prompt/word-pieces.ts';
import { judgeReadings } from './judge-prompts.ts';
import { choosingSet, judgingSet } from './meaning-prompts.ts';
import { toldPrompts } from './told-prompts.ts';

const lackingCostumes =
  'pirate cowboy superhero detective vampire zombie ninja samurai viking clown mermaid santa chef doctor'.split(
    ' ',
  );

const scratch = mkdtempSync(join(tmpdir(), 'guise-meaning-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

describe('word pieces', () => {
  let vocabulary: Vocabulary;
  before(async () => {
    vocabulary = await readMiniLmVocabulary();
  });

  it('are those of the published tokenizer', () => {
    const known: [string, number[]][] = [
      ['This is an example sentence', [101, 2023, 2003, 2019, 2742, 6251, 102]],
      [
        'This framework generates embeddings for each input sentence',
        [101, 2023, 7705, 19421, 7861, 8270, 4667, 2015, 2005, 2169, 7953, 6251, 102],
      ],
      ['Hello, world!', [101, 7592, 1010, 2088, 999, 102]],
      ['', [101, 102]],
    ];
    for (const [text, numbers] of known) assert.deepEqual(numberPieces(text, vocabulary, 256), numbers, text);
  });

  it('split a word that is not known whole from the left', () => {
    assert.deepEqual(piecesOf('unaffable', vocabulary), ['una', '##ffa', '##ble']);
    assert.deepEqual(piecesOf('tokenization', vocabulary), ['token', '##ization']);
    assert.deepEqual(piecesOf('\u{1f600}', vocabulary), ['[UNK]']);
    assert.deepEqual(piecesOf('a'.repeat(101), vocabulary), ['[UNK]']);
  });

  it('come from words without capitals, accents and control characters, signs and ideographs apart', () => {
    assert.deepEqual(basicWords(' Café—déjà\u0000 vu?!\t北京 3.5$ '), [
      'cafe',
      '—',
      'deja',
      'vu',
      '?',
      '!',
      '北',
      '京',
      '3',
      '.',
      '5',
      '$',
    ]);
  });

  it('end where the network reads no further', () => {
    const numbers = numberPieces('a '.repeat(300), vocabulary, 256);
    assert.equal(numbers.length, 256);
    assert.equal(numbers.at(-1), 102);
  });
});

describe('sentence embeddings', () => {
  it('are those that the model card gives, to what half precision leaves', async () => {
    const vocabulary = await readMiniLmVocabulary();
    const texts = ['This is an example sentence', 'Each sentence is converted'];
    const [one, two] = await embedTexts(texts, await session(miniLm), vocabulary);
    const near = (values: Float32Array, published: number[]) => {
      for (const [i, value] of published.entries()) assert.ok(Math.abs(values[i]! - value) < 2e-3);
    };
    near(one!, [0.06765692, 0.06349597, 0.04871312, 0.079305, 0.03744807, 0.00265277, 0.03937485]);
    near(two!, [0.0864386, 0.10276265, 0.00539457, 0.00204444, -0.0099634, 0.02538554, 0.04928752]);
  });

  it('are the same whatever they are embedded together with', async () => {
    const vocabulary = await readMiniLmVocabulary();
    const network = await session(miniLm);
    const [alone] = await embedTexts(['a quiet harbour'], network, vocabulary);
    const [, among] = await embedTexts(['a loud airport', 'a quiet harbour', 'x'], network, vocabulary);
    assert.ok(alone!.every((value, i) => Math.abs(value - among![i]!) < 1e-5));
  });

  it('are kept for the same texts alone, and not believed when the file is damaged', async () => {
    const texts = ['one', 'two'];
    const embeddings = [Float32Array.of(0.6, 0.8), Float32Array.of(1, 0)];
    await writeEmbeddings(scratch, texts, embeddings);
    assert.deepEqual(await readEmbeddings(scratch, texts), embeddings);
    assert.equal(await readEmbeddings(scratch, ['one', 'three']), null);
    const [file] = readdirSync(scratch).filter((name) => name.endsWith('.embeddings'));
    truncateSync(join(scratch, file!), 40);
    assert.equal(await readEmbeddings(scratch, texts), null);
  });
});

describe('prompts by their meaning', () => {
  const catalog = openCatalog([], scratch);
  let choices: PromptChoices;
  let meanings: Meanings;
  before(async () => {
    choices = await catalog.choices();
    const [network, vocabulary] = [await session(miniLm), await readMiniLmVocabulary()];
    const embed = (texts: readonly string[]) => embedTexts(texts, network, vocabulary);
    meanings = { ...(await catalog.meanings()), embed };
  });
  const read = (prompt: string) => readPromptByMeaning(prompt, choices, async () => meanings);
  const nameOf = (title: string) =>
    [...choices.scenes, ...choices.costumes!].find((choice) => choice.title === title)!.name;
  /** Whether there are as many as wanted, each of them one that is wanted. */
  const areThese = (found: readonly string[], wanted: readonly string[]) =>
    found.length === wanted.length &&
    wanted.every((one) => {
      const [kind, names = ''] = one.split(' ');
      return found.some((it) =>
        names
          .split('|')
          .some((name) => it === `${kind} ${name}` || (name === '*' && it.startsWith(`${kind} `))),
      );
    });

  it('choose what a person would more often than words alone, and seldom anything else', async () => {
    const byWords = await judgeReadings((prompt) => readPrompt(prompt, choices), judgingSet);
    const judged = await judgeReadings(read, judgingSet);
    const failures = judged.failures.join('\n');
    assert.ok(
      judged.right >= byWords.right + 5,
      `${judged.right} right, ${byWords.right} by words\n${failures}`,
    );
    assert.ok(
      judged.wrong <= byWords.wrong + 4,
      `${judged.wrong} wrong, ${byWords.wrong} by words\n${failures}`,
    );
    assert.ok(judged.uncalled <= byWords.uncalled + 2, failures);
    assert.equal(judged.forced, byWords.forced, failures);
  });

  it('follow most of the paraphrases that the bars were chosen on, and nothing that is denied', async () => {
    const third = <T>(list: readonly T[]) => list.filter((_, i) => i % 3 === 0);
    const { prompts, denials, fitNothing } = choosingSet;
    const judged = await judgeReadings(read, {
      prompts: third(prompts),
      denials,
      fitNothing: third(fitNothing),
    });
    const failures = judged.failures.join('\n');
    const asked = judged.right + judged.wrong + judged.missed;
    assert.ok(judged.right >= 0.7 * asked, `${judged.right} of ${asked}\n${failures}`);
    assert.ok(judged.wrong <= 0.15 * asked, `${judged.wrong} of ${asked}\n${failures}`);
    assert.ok(judged.nothing >= 0.85 * (judged.nothing + judged.forced), failures);
    assert.equal(judged.denied, 0, failures);
  });

  it('leave what words name as the words name it, and load nothing when words settle a prompt', async () => {
    const never = () => assert.fail('the network was loaded');
    for (const prompt of ['oil painting of a queen', 'neon city in the rain', 'no rain', '']) {
      assert.deepEqual(await readPromptByMeaning(prompt, choices, never), readPrompt(prompt, choices));
    }
  });

  it('say which words were read by their meaning', async () => {
    const { applied, ignored } = sentencesOf(await read('scoring the winning goal, oil painting'));
    assert.deepEqual(applied, ['look: oil (oil painting)']);
    assert.deepEqual(ignored, [
      'scoring winning goal: not in the catalog; the picture has the nearest scene instead, Stadium under floodlights',
    ]);
    assert.deepEqual(sentencesOf(await read('thick strokes like a Renoir')).applied, [
      'look: oil (thick strokes renoir): nearest in meaning',
    ]);
  });

  it('dress nobody as the nearest to what the catalog lacks, and never say that it is in the picture', async () => {
    for (const prompt of lackingCostumes) {
      const reading = await read(prompt);
      assert.equal(reading.costume, null, JSON.stringify(reading.applied));
    }
    for (const word of [
      ...lackingCostumes,
      'dragon',
      'lighthouse',
      'unicorn',
      'volcano',
      'elephants',
      'banquet',
    ]) {
      const { applied, ignored } = sentencesOf(await read(`with a ${word}`));
      assert.ok(
        ignored.some((sentence) => sentence.startsWith(word)),
        `${word}: ${ignored}`,
      );
      assert.ok(!applied.some((sentence) => sentence.includes(word)), applied.join());
    }
  });

  for (const { prompt, applied, ignored, nearest } of toldPrompts) {
    it(`tell what is in the picture and what is not: ${prompt}`, async () => {
      const reading = await read(prompt);
      const said = JSON.stringify(sentencesOf(reading));
      const followed = reading.applied.map((note) => `${note.kind} ${reading[note.kind as PromptKind]}`);
      assert.ok(areThese(followed, applied), said);
      const lacking = reading.ignored.filter((note) => note.kind === 'word');
      assert.deepEqual(lacking.flatMap(({ value }) => value.split(' ')).sort(), [...ignored].sort(), said);
      const named = lacking.flatMap((note) => note.nearest ?? []);
      assert.ok(
        areThese(
          named.map(({ kind, value }) => `${kind} ${nameOf(value)}`),
          nearest,
        ),
        said,
      );
    });
  }

  it('say that nothing fits, and take the neutral scene', async () => {
    const plan = await planFor(
      { filter: null, prompt: 'a spreadsheet of taxes' },
      familyRules.self_prompt_v2,
      catalog,
    );
    assert.deepEqual(sentencesOf(plan), {
      applied: [`scene: ${plan.scene!.title} (the prompt names none that is known)`],
      ignored: ['prompt: nothing in the catalog fits it', 'spreadsheet', 'taxes'],
    });
    assert.equal(plan.scene!.neutral, true);
  });

  it('read the same every time', async () => {
    const prompt = 'a sovereign among dusty tomes';
    assert.deepEqual(await read(prompt), await read(prompt));
  });
});

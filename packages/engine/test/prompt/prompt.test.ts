import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentencesOf } from '@guise/contract/notes.ts';
import { readPrompt } from '../../src/prompt/prompt.ts';
import type { PromptChoices } from '../../src/prompt/prompt-choice.ts';
import type { PromptReading } from '../../src/prompt/prompt-notes.ts';
import { oneSlipApart, readWords, stem } from '../../src/prompt/prompt-words.ts';

const scenes = [
  {
    name: 'neon-street',
    title: 'Neon street in the rain',
    tags: ['city', 'night', 'neon', 'rain', 'street'],
  },
  { name: 'great-hall', title: 'Great hall', tags: ['medieval', 'hall', 'castle', 'banquet', 'candle'] },
  { name: 'underwater', title: 'Under the sea', tags: ['underwater', 'ocean', 'fish', 'coral', 'diving'] },
  { name: 'aurora', title: 'Northern lights', tags: ['aurora', 'night', 'snow', 'arctic', 'stars'] },
  {
    name: 'alpine-lake',
    title: 'Mountain lake at dawn',
    tags: ['mountain', 'lake', 'alps', 'dawn', 'nature'],
  },
  { name: 'space-station', title: 'Space station', tags: ['space', 'orbit', 'earth', 'stars', 'astronaut'] },
  { name: 'dunes-dusk', title: 'Dunes at dusk', tags: ['desert', 'sand', 'dunes', 'dusk'] },
  {
    name: 'ocean-golden',
    title: 'Ocean in the golden hour',
    tags: ['sea', 'beach', 'ocean', 'golden', 'sunset'],
  },
  { name: 'red-carpet', title: 'Red carpet', tags: ['celebrity', 'hollywood', 'gala', 'paparazzi'] },
  { name: 'library', title: 'Old library', tags: ['books', 'library', 'wood', 'study'] },
  { name: 'castle-terrace', title: 'Castle terrace', tags: ['castle', 'terrace', 'fairytale', 'view'] },
  { name: 'ice-cave', title: 'Ice cave', tags: ['ice', 'cave', 'glacier', 'blue', 'winter'] },
];
const costumes = [
  { name: 'astronaut', title: 'Astronaut', tags: ['space', 'suit', 'helmet'] },
  { name: 'knight', title: 'Knight in armour', tags: ['armour', 'medieval', 'sword'] },
  { name: 'royal', title: 'Royal robe', tags: ['king', 'queen', 'crown', 'medieval'] },
  { name: 'diver', title: 'Diver', tags: ['deep sea diver', 'diving suit', 'copper', 'treasure hunter'] },
  { name: 'pilot', title: 'Pilot', tags: ['pilot', 'aviator', 'plane', 'leather jacket', 'cockpit'] },
  {
    name: 'explorer',
    title: 'Explorer',
    tags: ['polar explorer', 'expedition', 'parka', 'mountaineer'],
  },
  {
    name: 'racing-driver',
    title: 'Racing driver',
    tags: ['racing', 'race car', 'formula one', 'grand prix'],
  },
  { name: 'wizard', title: 'Hooded wizard', tags: ['wizard', 'witch', 'hood', 'robe', 'spell'] },
];
const looks = [
  'ink',
  'comic',
  'watercolour',
  'oil',
  'pop-art',
  'halftone',
  'pencil',
  'stained-glass',
  'low-poly',
  'woodcut',
  'neon',
  'pastel',
  'mosaic',
  'duotone',
  'blueprint',
];
const choices = { scenes, looks, costumes };

type Expected = Partial<Omit<PromptReading, 'applied' | 'ignored'>> & { ignored?: string[] };

/** A reading with its notes as callers see them. */
const read = (prompt: string, from: PromptChoices = choices) => {
  const reading = readPrompt(prompt, from);
  return { ...reading, ...sentencesOf(reading) };
};

const nothing = {
  scene: null,
  costume: null,
  look: null,
  light: null,
  weather: null,
  palette: null,
  ignored: [],
};

/** What is not said is expected to be null, and nothing to be ignored. */
const prompts: readonly [string, Expected][] = [
  ['on a mountain at sunrise', { scene: 'alpine-lake', light: 'dawn' }],
  ['neon city in the rain', { scene: 'neon-street', weather: 'rain' }],
  ['medieval king', { costume: 'royal', scene: 'great-hall' }],
  ['watercolour portrait', { look: 'watercolour' }],
  ['a watercolor of us by the sea', { look: 'watercolour', scene: 'ocean-golden' }],
  ['astronaut on the moon', { costume: 'astronaut', scene: 'space-station' }],
  ['under the sea', { scene: 'underwater' }],
  ['deep sea diving with fish', { scene: 'underwater' }],
  ['no rain, a quiet street at night', { light: 'night', ignored: ['quiet', 'street'] }],
  ['northern lights', { scene: 'aurora' }],
  ['at an alpine lake at golden hour', { scene: 'alpine-lake', light: 'golden-hour' }],
  ['Make me a knight in shining armor', { costume: 'knight', ignored: ['shining'] }],
  ['queen in a castle', { costume: 'royal', scene: 'castle-terrace' }],
  ['walking the red carpet in Hollywood', { scene: 'red-carpet', ignored: ['walking'] }],
  ['in the sahara desert at sunset', { scene: 'dunes-dusk', light: 'dusk' }],
  ['beach at golden hour', { scene: 'ocean-golden', light: 'golden-hour' }],
  ['reading books in an old library', { scene: 'library' }],
  ['inside a glacier', { scene: 'ice-cave' }],
  ['comic book hero in the city', { look: 'comic', scene: 'neon-street', ignored: ['hero'] }],
  ['oil painting of a queen', { look: 'oil', costume: 'royal' }],
  ['stained glass window', { look: 'stained-glass' }],
  ['an oil painting like van Gogh', { look: 'oil' }],
  ['oil lamp', { ignored: ['oil', 'lamp'] }],
  ['under a starry sky', { light: 'night', ignored: ['sky'] }],
  ['golden retriever', { ignored: ['golden', 'retriever'] }],
  ['in space', { scene: 'space-station' }],
  ['pop art', { look: 'pop-art' }],
  ['like Andy Warhol', { look: 'pop-art' }],
  ['pencil sketch', { look: 'pencil' }],
  ['low poly', { look: 'low-poly' }],
  ['LOW-POLY!!!', { look: 'low-poly' }],
  ['linocut', { look: 'woodcut' }],
  ['pastel drawing', { look: 'pastel' }],
  ['pastel colours', { palette: 'pastel' }],
  ['a neon portrait', { look: 'neon' }],
  ['black and white pencil drawing', { look: 'pencil', palette: 'monochrome' }],
  ['blueprint of our team', { look: 'blueprint', ignored: ['team'] }],
  ['a mosaic, not a cartoon', { look: 'mosaic' }],
  ['without a castle, just a hall', { scene: null, ignored: ['hall'] }],
  ['space without stars', { ignored: ['space'] }],
  ['not watercolour but ink', { look: 'ink' }],
  ['foggy lake', { scene: 'alpine-lake', weather: 'fog' }],
  ['snowy arctic night', { scene: 'aurora', weather: 'snow', light: 'night' }],
  ['at night', { light: 'night' }],
  ['candlelit banquet in a throne room', { scene: 'great-hall', light: 'candlelight' }],
  ['vibrant colours', { palette: 'vivid' }],
  ['Aquarelle, früh am Morgen', { look: 'watercolour', ignored: ['fruh', 'morgen'] }],
  ['watercolur of the mountians', { look: 'watercolour', scene: 'alpine-lake' }],
  ['riding a purple dinosaur', { ignored: ['riding', 'purple', 'dinosaur'] }],
  ['quantum spreadsheet', { ignored: ['quantum', 'spreadsheet'] }],
  ['', {}],
  ['please make a nice picture of me', {}],
  ['сделай красиво', { ignored: ['сделаи', 'красиво'] }],
  ['deep sea diver', { costume: 'diver', scene: 'underwater' }],
  ['in a rusty diving suit', { costume: 'diver', scene: 'underwater', ignored: ['rusty'] }],
  ['polar bear', { scene: 'ice-cave', ignored: ['bear'] }],
  ['fighter pilot', { costume: 'pilot' }],
  ['an aviator over the ocean at sunset', { costume: 'pilot', scene: 'ocean-golden', light: 'dusk' }],
  ['polar explorer under the northern lights', { costume: 'explorer', scene: 'aurora' }],
  ['mountaineer on Everest', { costume: 'explorer', scene: 'alpine-lake' }],
  ['formula 1 racing driver', { costume: 'racing-driver' }],
  ['grand prix in the neon city', { costume: 'racing-driver', scene: 'neon-street' }],
  ['a wizard in a library by candlelight', { costume: 'wizard', scene: 'library', light: 'candlelight' }],
  ['hooded sorceress', { costume: 'wizard' }],
  ['princess, oil painting', { costume: 'royal', look: 'oil' }],
  ['no wizard, a knight in a great hall', { costume: 'knight', scene: 'great-hall' }],
  ['cyberpunk alley, rainy, vivid', { scene: 'neon-street', weather: 'rain', palette: 'vivid' }],
];

describe('readPrompt', () => {
  for (const [prompt, expected] of prompts) {
    it(`reads “${prompt}”`, () => {
      const { applied, ...reading } = read(prompt);
      assert.deepEqual(reading, { ...nothing, ...expected });
      assert.equal(
        applied.length > 0,
        Object.values(expected).some((value) => typeof value === 'string') ||
          /\b(no|not|without)\b/.test(prompt),
      );
    });
  }

  it('says in plain words what it followed, and from which words', () => {
    const { applied } = read('a watercolour of a king on a mountain at sunrise');
    assert.deepEqual(applied, [
      'scene: Mountain lake at dawn (mountain)',
      'costume: Royal robe (king)',
      'look: watercolour (watercolour)',
      'light: dawn (sunrise)',
    ]);
  });

  it('says that a denial was honoured', () => {
    assert.ok(read('no rain').applied.includes('no rain'));
  });

  it('never chooses a scene that shows what was denied', () => {
    assert.equal(readPrompt('neon street', choices).scene, 'neon-street');
    assert.equal(readPrompt('neon street without rain', choices).scene, null);
  });

  it('names a look it does not have among the ignored words', () => {
    const reading = read('watercolour', { ...choices, looks: ['ink'] });
    assert.equal(reading.look, null);
    assert.deepEqual(reading.ignored, ['watercolour']);
  });

  it('reads the same whatever the order of the catalog', () => {
    const reversed = { ...choices, scenes: [...scenes].reverse(), costumes: [...costumes].reverse() };
    for (const [prompt] of prompts)
      assert.deepEqual(readPrompt(prompt, reversed), readPrompt(prompt, choices));
  });

  it('works without costumes', () => {
    const reading = read('medieval king', { scenes, looks });
    assert.equal(reading.costume, null);
    assert.deepEqual(reading.ignored, ['king']);
  });
});

describe('readWords', () => {
  it('ends a denial at a comma or a place word', () => {
    const denied = (prompt: string) =>
      readWords(prompt)
        .filter((word) => word.negated && !word.filler)
        .map((word) => word.text);
    assert.deepEqual(denied('no rain or snow, on a mountain'), ['rain', 'snow']);
    assert.deepEqual(denied('a street without cars at night'), ['cars']);
    assert.deepEqual(denied("don't show a castle but a lake"), ['castle']);
  });
});

describe('stem', () => {
  it('joins the forms of a word and keeps different words apart', () => {
    assert.equal(stem('mountains'), stem('mountain'));
    assert.equal(stem('cities'), stem('city'));
    assert.equal(stem('glowing'), stem('glow'));
    assert.equal(stem('dunes'), stem('dune'));
    assert.notEqual(stem('king'), stem('kin'));
    assert.notEqual(stem('spring'), stem('spr'));
    assert.equal(stem('glass'), 'glass');
  });
});

describe('oneSlipApart', () => {
  it('sees one wrong, missing, added or swapped letter and no more', () => {
    assert.ok(oneSlipApart('mountian', 'mountain'));
    assert.ok(oneSlipApart('watercolur', 'watercolour'));
    assert.ok(oneSlipApart('castel', 'castle'));
    assert.ok(!oneSlipApart('castle', 'castle'));
    assert.ok(!oneSlipApart('knight', 'light'));
  });
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sentencesOf } from '@guise/contract/notes.ts';
import { readCostumes } from '../../src/costume/costumes.ts';
import { type LookName, lookNames } from '../../src/looks/look-names.ts';
import { readPrompt } from '../../src/prompt/prompt.ts';
import type { PromptChoices } from '../../src/prompt/prompt-choice.ts';
import type { PromptReading } from '../../src/prompt/prompt-notes.ts';
import { readScenes } from '../../src/scenes/scenes.ts';

/** What a person would choose from the catalog as it is shipped. */
const expected: [prompt: string, Partial<PromptReading>][] = [
  ['on a mountain at sunrise', { scene: 'alpine-lake', light: 'dawn' }],
  ['by a calm lake in the alps', { scene: 'alpine-lake' }],
  ['neon city in the rain', { scene: 'neon-street', weather: 'rain' }],
  ['walking through Tokyo at night', { scene: 'neon-street', light: 'night' }],
  ['medieval king', { costume: 'royal' }],
  ['a wizard', { costume: 'wizard' }],
  ['a deep sea diver', { costume: 'diver' }],
  ['a polar explorer in a parka', { costume: 'explorer' }],
  ['a fighter pilot', { costume: 'pilot' }],
  ['a formula one driver', { costume: 'racing-driver' }],
  ['medieval banquet by candlelight', { scene: 'great-hall', light: 'candlelight' }],
  ['watercolour portrait', { look: 'watercolour' }],
  ['a knight in shining armour', { costume: 'knight' }],
  ['astronaut on a space station', { costume: 'astronaut', scene: 'space-station' }],
  ['floating in a colourful nebula', { scene: 'nebula' }],
  ['under the sea with coral', { scene: 'underwater' }],
  ['northern lights in Iceland', { scene: 'aurora' }],
  ['in the sahara at dusk', { scene: 'dunes-dusk', light: 'dusk' }],
  ['on the beach at sunset', { scene: 'ocean-golden' }],
  ['paper lanterns floating over a lake', { scene: 'lantern-night' }],
  ['among old books in a library', { scene: 'library' }],
  ['rock concert with spotlights', { scene: 'stage-lights' }],
  ['we are movie stars on the red carpet', { scene: 'red-carpet' }],
  ['paparazzi at a Hollywood premiere', { scene: 'red-carpet' }],
  ['cocktails on a rooftop above Manhattan', { scene: 'rooftop-night' }],
  ['a penthouse party over the skyline', { scene: 'rooftop-night' }],
  ['on stage in front of a velvet curtain', { scene: 'theatre-stage' }],
  ['a night at the opera', { scene: 'theatre-stage' }],
  ['waltz in a ballroom under a chandelier', { scene: 'ballroom' }],
  ['Cinderella at the ball', { scene: 'ballroom' }],
  ['a speakeasy in the roaring twenties', { scene: 'speakeasy' }],
  ['whisky at a jazz bar', { scene: 'speakeasy' }],
  ['Christmas by the fireplace', { scene: 'winter-cabin' }],
  ['a cosy log cabin in the snow', { scene: 'winter-cabin', weather: 'snow' }],
  ['mad scientist in a laboratory', { scene: 'cyber-lab' }],
  ['a robot in a futuristic lab', { scene: 'cyber-lab' }],
  ['football champions in a stadium', { scene: 'stadium' }],
  ['olympic athlete', { scene: 'stadium' }],
  ['boats in the harbour at dusk', { scene: 'harbour-dusk', light: 'dusk' }],
  ['a fishing village in Italy', { scene: 'harbour-dusk' }],
  ['on the terrace of a fairytale castle', { scene: 'castle-terrace' }],
  ['riding the ferris wheel at the carnival', { scene: 'funfair' }],
  ['at an amusement park with a carousel', { scene: 'funfair' }],
  ['inside a glacier', { scene: 'ice-cave' }],
  ['exploring a frozen ice cave', { scene: 'ice-cave' }],
  ['victorian studio portrait', { scene: 'vintage-studio' }],
  ['an old photograph with a painted backdrop', { scene: 'vintage-studio' }],
  ['pencil sketch of us in a castle', { look: 'pencil' }],
  ['comic book heroes in the neon city', { look: 'comic', scene: 'neon-street' }],
  ['oil painting of a queen', { look: 'oil', costume: 'royal' }],
  ['black and white photo in a jazz bar', { scene: 'speakeasy', palette: 'monochrome' }],
  ['foggy mountains', { scene: 'alpine-lake', weather: 'fog' }],
];

/** One for every look. */
const lookPrompts: Readonly<Record<LookName, string>> = {
  ink: 'pen and ink drawing of us',
  comic: 'as a comic book hero',
  watercolour: 'watercolour portrait',
  oil: 'an oil painting of the family',
  'pop-art': 'in the style of Andy Warhol',
  halftone: 'printed in a newspaper, halftone dots',
  pencil: 'a pencil sketch',
  'stained-glass': 'as a stained glass window',
  'low-poly': 'low poly portrait',
  woodcut: 'as a linocut',
  neon: 'our faces as glowing neon lines',
  pastel: 'drawn with chalk',
  mosaic: 'a roman mosaic',
  duotone: 'risograph in two colours',
  blueprint: 'as a blueprint',
};

/** Prompts for what no picture of the catalog has, and for what one has: the notes as callers read them. */
const instead = (words: string, title: string) =>
  `${words}: not in the catalog; the picture has the nearest scene instead, ${title}`;
const told: [prompt: string, applied: string[], ignored: string[]][] = [
  ['pirate', [], ['pirate']],
  ['a pirate captain with treasure', [], ['pirate', 'captain', 'treasure']],
  ['dragon', [], [instead('dragon', 'Castle terrace at blue hour')]],
  ['a lighthouse by the harbour', ['scene: Harbour at dusk (harbour)'], ['lighthouse']],
  ['medieval banquet', ['scene: Great hall by candlelight (medieval)'], ['banquet']],
  ['a feast in a throne room', [], [instead('feast throne room', 'Great hall by candlelight')]],
  ['a mermaid under the sea', ['scene: Under the sea (under the sea)'], ['mermaid']],
  ['swimming with fish', [], [instead('swimming fish', 'Under the sea')]],
  ['a superhero above the city', ['scene: Rooftop above the city (above the city)'], ['superhero']],
  ['cowboy in a saloon', [], ['cowboy', instead('saloon', 'Speakeasy')]],
  ['in the jungle', [], ['jungle']],
  ['robot in a laboratory', ['scene: Cyberpunk laboratory (laboratory)'], ['robot']],
  ['camels in the desert', ['scene: Desert dunes at dusk (desert)'], ['camels']],
  [
    'santa by the fireplace',
    ['scene: Winter cabin (fireplace)', 'light: candlelight (fireplace)'],
    ['santa'],
  ],
  ['a knight with a sword', ['costume: Knight (knight)'], ['sword']],
  ['a king with a crown', ['costume: Royal robes (king)'], ['crown']],
  ['riding a carousel', [], ['riding', instead('carousel', 'Funfair at night')]],
  ['knight', ['costume: Knight (knight)'], []],
  ['a crusader in chainmail', ['costume: Knight (crusader chainmail)'], []],
  [
    'a queen in a castle',
    ['scene: Castle terrace at blue hour (castle)', 'costume: Royal robes (queen)'],
    [],
  ],
  ['a cosmonaut', ['costume: Astronaut (cosmonaut)'], []],
  [
    'a sorceress in a library',
    ['scene: The old library (library)', 'costume: Hooded wizard (sorceress)'],
    [],
  ],
  ['in the sahara', ['scene: Desert dunes at dusk (sahara)'], []],
  ['downtown in the rain', ['scene: Neon street in the rain (downtown rain)', 'weather: rain (rain)'], []],
  ['ferris wheel', ['scene: Funfair at night (ferris wheel)'], []],
  [
    'paper lanterns over a lake',
    ['scene: Night of lanterns (paper lanterns lake)', 'light: candlelight (lanterns)'],
    [],
  ],
  ['by the seaside', ['scene: Harbour at dusk (seaside)'], []],
];

describe('prompts choose from the catalog what a person would', () => {
  let choices: PromptChoices;
  before(async () => {
    const [scenes, costumes] = [await readScenes(), await readCostumes()];
    choices = { scenes: [...scenes.values()], costumes: [...costumes.values()], looks: lookNames };
  });

  for (const [prompt, wanted] of expected) {
    it(prompt, () => {
      const reading = readPrompt(prompt, choices);
      const read = Object.fromEntries(
        Object.keys(wanted).map((field) => [field, reading[field as keyof PromptReading]]),
      );
      assert.deepEqual(read, wanted, JSON.stringify(reading));
    });
  }

  for (const look of lookNames) {
    it(`${lookPrompts[look]}: ${look}`, () =>
      assert.equal(readPrompt(lookPrompts[look], choices).look, look));
  }

  it('every scene and every costume is asked for above', () => {
    const asked = new Set(expected.flatMap(([, { scene, costume }]) => [scene, costume]));
    const all = [...choices.scenes, ...(choices.costumes ?? [])].map(({ name }) => name);
    assert.deepEqual(
      all.filter((name) => !asked.has(name)),
      [],
    );
  });

  for (const [prompt, applied, ignored] of told) {
    it(`${prompt}: what the picture lacks is not said to be in it`, () => {
      assert.deepEqual(sentencesOf(readPrompt(prompt, choices)), { applied, ignored });
    });
  }
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Note, sentencesOf } from '../src/notes.ts';

/** Callers read these sentences, so a new version must write the same ones. */
const sentences: [Note, string][] = [
  [{ kind: 'scene', value: 'Neon street' }, 'scene: Neon street'],
  [{ kind: 'light', value: 'golden-hour' }, 'light: golden-hour'],
  [{ kind: 'palette', value: 'warm' }, 'palette: warm'],
  [{ kind: 'light', value: 'golden-hour', words: 'evening sun' }, 'light: golden hour (evening sun)'],
  [{ kind: 'palette', value: 'warm', words: 'amber' }, 'colours: warm (amber)'],
  [
    { kind: 'scene', value: 'Library', reason: 'the prompt names none that is known' },
    'scene: Library (the prompt names none that is known)',
  ],
  [
    { kind: 'costume', value: 'Knight', reason: 'it is for one person' },
    'costume: Knight (it is for one person)',
  ],
  [
    { kind: 'effect', value: 'snow', amount: 'strong', words: 'heavy snow' },
    'effect: snow, strong (heavy snow)',
  ],
  [
    { kind: 'effect', value: 'breeze', words: 'wind', reason: 'not between two frames' },
    'effect: breeze (wind): not between two frames',
  ],
  [
    { kind: 'camera', value: 'orbit left', words: 'orbit left', without: 'depth' },
    'camera: orbit left (orbit left), without depth',
  ],
  [
    { kind: 'camera', value: 'dolly in', reason: 'the prompt names no move', without: 'depth' },
    'camera: dolly in (the prompt names no move), without depth',
  ],
  [{ kind: 'template' }, 'template'],
  [{ kind: 'morph' }, 'morphed between the two photos'],
  [
    { kind: 'morph', reason: 'the frames have too little in common' },
    'morph: the frames have too little in common',
  ],
  [{ kind: 'denied', value: 'rain' }, 'no rain'],
  [{ kind: 'word', value: 'unicorns' }, 'unicorns'],
  [
    { kind: 'word', value: 'pirate', nearest: { kind: 'costume', value: 'Diver', taken: false } },
    'pirate: not in the catalog; the nearest costume is Diver',
  ],
  [
    { kind: 'word', value: 'lighthouse', nearest: { kind: 'scene', value: 'Harbour', taken: true } },
    'lighthouse: not in the catalog; the picture has the nearest scene instead, Harbour',
  ],
  [{ kind: 'input', value: 'seed' }, 'seed'],
  [
    { kind: 'input', value: 'seed', reason: 'the workflow of this filter does not take it' },
    'seed: the workflow of this filter does not take it',
  ],
  [
    { kind: 'people', value: 31, reason: 'pictures look best with up to 20 people' },
    'pictures look best with up to 20 people; there are 31',
  ],
  [
    { kind: 'mended', value: 'a loose part is left out', reason: 'it belonged to nobody' },
    'mended: a loose part is left out (it belonged to nobody)',
  ],
  [{ kind: 'crop', value: '1200×1800' }, 'cropped to 1200×1800'],
  [
    { kind: 'engine', value: 'local', reason: 'gpu could not' },
    'made by the local engine, because gpu could not',
  ],
];

test('how good a picture is stands in sentences, each of them once', () => {
  const found = (check: 'loose part' | 'missing part') => ({ check, measure: 0.2, regions: [] });
  const reasons = [
    found('loose part'),
    found('loose part'),
    found('missing part'),
    { sentence: 'Elsewhere.' },
  ];
  assert.deepEqual(sentencesOf({ applied: [], ignored: [], quality: { grade: 'fair', reasons } }).quality, {
    grade: 'fair',
    reasons: [
      'Something that belongs to nobody is in the picture.',
      'A part of somebody may be missing.',
      'Elsewhere.',
    ],
  });
  assert.deepEqual(sentencesOf({ applied: [], ignored: [] }), { applied: [], ignored: [] });
});

describe('a note', () => {
  for (const [note, sentence] of sentences) {
    test(`is written as "${sentence}"`, () => {
      assert.deepEqual(sentencesOf({ applied: [note], ignored: [] }).applied, [sentence]);
      assert.deepEqual(sentencesOf({ applied: [], ignored: [note] }).ignored, [sentence]);
    });
  }
});

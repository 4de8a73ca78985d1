import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SceneComposite } from '../../src/compose/compose.ts';
import { judgeComposition } from '../../src/judge/judge.ts';
import { judgeAndMend, type Remaking } from '../../src/judge/ladder.ts';
import { newShares } from '../../src/matting/class-pass.ts';
import type { PeoplePhoto } from '../../src/matting/people.ts';
import { silhouetteOf } from '../../src/matting/silhouette.ts';
import type { Plane } from '../../src/pixels/plane.ts';
import { reduce } from '../../src/pixels/reduce.ts';
import { faceAt, paint } from '../support/drawn-people.ts';

const [width, height] = [800, 1000];
const face = faceAt(400, 200, 120);

type Box = [left: number, top: number, right: number, bottom: number];

const head: Box = [320, 120, 480, 280];
const body: Box = [280, 280, 520, 1000];
const person = [head, body];
/** A patch of a sofa beside the hip. */
const patch: Box = [520, 800, 620, 900];
const arm: Box = [160, 400, 280, 480];
/** Who stands beside the guest and touches them. */
const neighbour: Box = [520, 300, 760, 1000];

function plane(boxes: readonly Box[]): Plane {
  const data = new Float32Array(width * height);
  for (const [left, top, right, bottom] of boxes) {
    for (let y = top; y < bottom; y++) data.fill(1, y * width + left, y * width + right);
  }
  return { width, height, data };
}

interface Drawn {
  /** Who is in the picture. */
  shown: readonly Box[];
  /** What the body classes and the matting network call a person; the guest unless told. */
  byClasses?: readonly Box[];
  byNetwork?: readonly Box[];
  people?: Partial<PeoplePhoto>;
}

/** A photo of somebody, and the picture in which it lies as it is. */
function draw({ shown, byClasses = person, byNetwork = byClasses, people = {} }: Drawn) {
  const matte = {
    ...plane(shown),
    factor: 1,
    coverage: [1],
    confidence: [{ body: 1, sureTo: Infinity }],
    byNetwork: reduce(plane(byNetwork), 4),
    outlined: false,
  };
  const shares = newShares(width * height);
  shares.clothes = plane(byClasses).data;
  shares.background = shares.clothes.map((share) => 1 - share);
  const photo: PeoplePhoto = {
    photo: paint(1, 1, () => [0, 0, 0]),
    faces: [face],
    others: [],
    hasOutlines: false,
    matte,
    classes: { width, height, factor: 1, shares, worth: new Float32Array(width * height).fill(1) },
    silhouette: silhouetteOf(matte),
    ...people,
  };
  const composite: SceneComposite = {
    picture: photo.photo,
    faces: [face],
    people: plane(shown),
    applied: [],
    closer: false,
    placed: [{ people: photo, placement: { scale: 1, x: 0, y: 0 } }],
    barrier: null,
  };
  return { photo, composite };
}

const found = (drawn: Drawn) => {
  const { quality, reasons } = judgeComposition(draw(drawn).composite);
  return { quality, checks: reasons.map(({ check }) => check) };
};

test('a person who is whole is good', () => {
  assert.deepEqual(found({ shown: person }), { quality: 'good', checks: [] });
});

test('a part that is joined to nobody is found where it is', () => {
  const { quality, reasons } = judgeComposition(draw({ shown: [...person, [600, 600, 680, 680]] }).composite);
  assert.equal(quality, 'bad');
  const [loose] = reasons.filter(({ check }) => check === 'loose part');
  const [{ x, y, width: across } = { x: 0, y: 0, width: 0 }] = loose!.regions;
  assert.ok(Math.abs(x - 600) <= 8 && Math.abs(y - 600) <= 8 && Math.abs(across - 80) <= 16);
});

test('background that stayed with a person, and a part of everybody that is missing, are found', () => {
  assert.deepEqual(found({ shown: [...person, patch], byNetwork: [...person, patch] }).checks, [
    'foreign part',
  ]);
  assert.deepEqual(found({ shown: person, byClasses: [...person, arm] }).checks, ['missing part']);
});

test('a guest who was cut from a neighbour by guess is bad, by a trusted outline not', () => {
  const both = [...person, neighbour];
  const others = [faceAt(640, 240, 120)];
  const guessed = found({ shown: person, byClasses: both, people: { others } });
  assert.deepEqual(guessed, { quality: 'bad', checks: ['cut through people'] });
  const outlined = found({ shown: person, byClasses: both, people: { others, hasOutlines: true } });
  assert.equal(outlined.quality, 'good');
});

test('a guest between two neighbours is bad, even by a trusted outline', () => {
  const byClasses: Box[] = [...person, neighbour, [40, 300, 280, 1000]];
  const people = { others: [faceAt(640, 240, 120), faceAt(160, 240, 120)], hasOutlines: true };
  assert.deepEqual(found({ shown: person, byClasses, people }), {
    quality: 'bad',
    checks: ['between neighbours'],
  });
});

test('an outline that the networks contradict each other about is fair', () => {
  const wider: Box = [200, 280, 600, 1000];
  assert.deepEqual(found({ shown: person, byNetwork: [head, wider] }), {
    quality: 'fair',
    checks: ['unsure outline'],
  });
});

/** Composes whatever it is asked to as the given drawing. */
function remaking(drawn: Drawn, asked: unknown[] = []): Remaking {
  return {
    async compose(photos, changes) {
      asked.push({ sureTo: photos[0]!.silhouette.sureTo, ...changes });
      return draw(drawn).composite;
    },
    cutWithOutlines: null,
  };
}

test('a good picture is not made again', async () => {
  const { photo, composite } = draw({ shown: person });
  const asked: unknown[] = [];
  const judged = await judgeAndMend([photo], composite, remaking({ shown: person }, asked));
  assert.equal(judged.composite, composite);
  assert.deepEqual([asked, judged.mended], [[], []]);
});

test('a loose part is left out, and nothing else is', async () => {
  const { photo, composite } = draw({ shown: [...person, [600, 600, 680, 680]] });
  const asked: { without?: { data: Float32Array; width: number } }[] = [];
  const { judgement, mended } = await judgeAndMend([photo], composite, remaking({ shown: person }, asked));
  assert.equal(judgement.quality, 'good');
  assert.deepEqual(
    mended.map(({ kind }) => kind),
    ['mended'],
  );
  const { data, width: across } = asked[0]!.without!;
  const leftOut = (x: number, y: number) => data[(y >> 2) * across + (x >> 2)];
  assert.deepEqual([leftOut(640, 640), leftOut(400, 640)], [1, 0]);
});

test('people are framed closer, above a patch of background at the hip', async () => {
  const drawn = { shown: [...person, patch], byNetwork: [...person, patch] };
  const { photo, composite } = draw(drawn);
  const asked: { sureTo?: number }[] = [];
  const { mended } = await judgeAndMend([photo], composite, remaking({ shown: person }, asked));
  assert.ok(Math.abs(asked[0]!.sureTo! - 800) < 16);
  assert.deepEqual(mended, [
    { kind: 'framing', value: 'closer', reason: 'the outline further down is doubtful' },
  ]);
});

test('a picture that comes out no better is not taken', async () => {
  const drawn = { shown: [...person, patch], byNetwork: [...person, patch] };
  const { photo, composite } = draw(drawn);
  const judged = await judgeAndMend([photo], composite, remaking(drawn));
  assert.equal(judged.composite, composite);
  assert.deepEqual([judged.judgement.quality, judged.mended], ['bad', []]);
});

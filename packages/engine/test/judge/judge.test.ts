import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SceneComposite } from '../../src/compose/compose.ts';
import type { ShownHead } from '../../src/costume/shown-head.ts';
import { faceSeam } from '../../src/judge/face-seam.ts';
import type { Joint } from '../../src/judge/joints.ts';
import {
  checks,
  findBeyondLimits,
  type Judge,
  type Measurement,
  measureWith,
  qualityOf,
  riskOfPicture,
} from '../../src/judge/judge.ts';
import { judgeHeads } from '../../src/judge/judge-heads.ts';
import { prepareJudging } from '../../src/judge/judged-picture.ts';
import { assertShowable, judgeAndMend, type Remaking } from '../../src/judge/ladder.ts';
import { movedFeatures } from '../../src/judge/moved-features.ts';
import { patchedFace } from '../../src/judge/patched-face.ts';
import { riskOf } from '../../src/judge/risk.ts';
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

/** A photo that has an edge where these people end. */
const photoOf = ({ data }: Plane) =>
  paint(width, height, (x, y) => (data[y * width + x]! > 0 ? [0.8, 0.2, 0.2] : [0.1, 0.1, 0.3]));

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
    photo: photoOf(plane(shown)),
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

/** Judges without the network of joints: a drawn box has none. */
const judge = (joints: readonly Joint[]): Judge => {
  return async (composition) => {
    const picture = prepareJudging(composition, new Map([[face, joints]]));
    return { picture, measurements: checks.map((check) => measureWith(check, picture, picture.factor)) };
  };
};

const measure = async (drawn: Drawn, joints: readonly Joint[] = []) =>
  (await judge(joints)(draw(drawn).composite)).measurements;

const found = async (drawn: Drawn, joints: readonly Joint[] = []) =>
  findBeyondLimits(await measure(drawn, joints)).map(({ check }) => check);

test('a person who is whole is good', async () => {
  assert.deepEqual(await found({ shown: person }), []);
});

test('a part that is joined to nobody is found where it is', async () => {
  const reasons = findBeyondLimits(await measure({ shown: [...person, [600, 600, 680, 680]] }));
  const [loose] = reasons.filter(({ check }) => check === 'loose part');
  const [{ x, y, width: across } = { x: 0, y: 0, width: 0 }] = loose!.regions;
  assert.ok(Math.abs(x - 600) <= 8 && Math.abs(y - 600) <= 8 && Math.abs(across - 80) <= 16);
});

test('background that stayed beside a person is found, and what people are all around of is not', async () => {
  assert.deepEqual(await found({ shown: [...person, patch] }), ['foreign part']);
  const bottle: Box = [360, 500, 400, 640];
  const around: Box[] = [head, [280, 280, 360, 1000], [400, 280, 520, 1000], [360, 280, 400, 500]];
  assert.deepEqual(
    await found({ shown: [...person, bottle], byClasses: [...around, [360, 640, 400, 1000]] }),
    [],
  );
});

test('a large part of everybody that is missing is found', async () => {
  const legs: Box = [60, 500, 280, 700];
  assert.deepEqual(await found({ shown: person, byClasses: [...person, legs] }), ['missing part']);
});

test('a guest who was cut from a neighbour by guess is not good, by a trusted outline is', async () => {
  const both = [...person, neighbour];
  const others = [faceAt(640, 240, 120)];
  const guessed = await found({ shown: person, byClasses: both, people: { others } });
  assert.deepEqual(guessed, ['cut through people', 'people beside']);
  assert.deepEqual(await found({ shown: person, byClasses: both, people: { others, hasOutlines: true } }), [
    'people beside',
  ]);
});

test('a guest between two neighbours is not good, even by a trusted outline', async () => {
  const byClasses: Box[] = [...person, neighbour, [40, 300, 280, 1000]];
  const people = { others: [faceAt(640, 240, 120), faceAt(160, 240, 120)], hasOutlines: true };
  assert.deepEqual(await found({ shown: person, byClasses, people }), [
    'between neighbours',
    'people beside',
  ]);
});

const joint = (name: Joint['name'], x: number, y: number, score = 0.8): Joint => ({ name, x, y, score });
/** An arm that the photo shows, away from the body. */
const armJoints = [
  ...(['left shoulder', 'right shoulder', 'left hip', 'right hip'] as const).map((name) =>
    joint(name, 400, 340),
  ),
  joint('left elbow', 240, 440),
  joint('left wrist', 120, 500),
  joint('right elbow', 500, 500, 0.1),
  joint('right wrist', 700, 500, 0.1),
];

test('an arm whose joints the photo shows is missed where the picture lacks it', async () => {
  assert.deepEqual(await found({ shown: person }, armJoints), ['missing limb']);
  const whole: Box[] = [...person, [40, 380, 300, 560]];
  assert.deepEqual(await found({ shown: whole, byClasses: whole }, armJoints), []);
});

test('what somebody holds is theirs, though the classes call it background', async () => {
  const stick: Box = [40, 480, 200, 540];
  const withArm: Box[] = [...person, [120, 380, 300, 540]];
  const holding = { shown: [...withArm, stick], byClasses: withArm };
  assert.deepEqual(await found(holding), ['foreign part']);
  assert.deepEqual(await found(holding, armJoints), []);
});

test('a photo that ends inside the picture, and a face at its border, are found', async () => {
  const { composite } = draw({ shown: person });
  const place = async (y: number) => {
    const [one] = composite.placed;
    const shown = plane(
      person.map(([l, t, r, b]): Box => [l, Math.max(0, t + y), r, Math.min(height, b + y)]),
    );
    const moved = { ...composite, people: shown, placed: [{ ...one!, placement: { scale: 1, x: 0, y } }] };
    const { measurements } = await judge([])(moved);
    return { measurements, checks: findBeyondLimits(measurements).map(({ check }) => check) };
  };
  const { measurements, checks } = await place(-200);
  assert.deepEqual(checks, ['ends in the air', 'head cut off']);
  assert.throws(() => assertShowable(measurements), { code: 'ENGINE_REFUSED', message: /Step back/ });
});

test('a guest who lost arms to neighbours is refused, one who is whole is not', () => {
  const measured = (cut: number, limb: number) => [
    { check: 'cut through people' as const, measure: cut, regions: [] },
    { check: 'missing limb' as const, measure: limb, regions: [] },
  ];
  assert.throws(() => assertShowable(measured(3, 3)), { code: 'ENGINE_REFUSED', message: /plain wall/ });
  assert.doesNotThrow(() => assertShowable(measured(3, 1)));
});

const points = Float32Array.from({ length: 3 * 478 }, (_, i) => {
  const [column, row] = [Math.floor(i / 3) % 22, Math.floor(i / 66)];
  return [face.center.x + 5 * (column - 11), face.center.y + 5 * (row - 11), 0][i % 3]!;
});

test('a dark patch with a hard edge on a swapped face is found, an even change of its light is not', () => {
  const skin: [number, number, number] = [0.8, 0.6, 0.5];
  const template = paint(width, height, () => skin);
  const swapped = (result: typeof template) => ({ template, result, face, found: face });
  const lighter = swapped(paint(width, height, () => [0.85, 0.65, 0.55]));
  const patched = swapped(
    paint(width, height, (x) => (x > face.center.x - 60 && x < face.center.x - 35 ? [0.2, 0.15, 0.1] : skin)),
  );
  for (const check of [faceSeam, patchedFace]) {
    assert.ok(check.measure(lighter).measure < 0.2 * check.limit, check.name);
    assert.ok(check.measure(patched).measure > check.limit, check.name);
  }
});

test('a mouth that is not where the template has it is found, and so is a face that is gone', () => {
  const picture = paint(1, 1, () => [0, 0, 0]);
  const measureOf = (found: typeof face | null) =>
    movedFeatures.measure({ template: picture, result: picture, face: { ...face, points }, found }).measure;
  const crooked = points.slice();
  crooked[3 * 13]! += 40;
  assert.equal(measureOf({ ...face, points }), 0);
  assert.ok(measureOf({ ...face, points: crooked }) > movedFeatures.limit);
  assert.ok(measureOf(null) > movedFeatures.limit);
});

/** A head in a costume: what is shown of it, what the guest's photo has, and what the costume covers. */
interface Worn extends Record<'shown' | 'guest' | 'hair', readonly Box[]> {
  covered?: readonly Box[];
  bare?: readonly Box[];
}

function wear({ shown, guest, hair, covered = [], bare = [] }: Worn) {
  const small = (boxes: readonly Box[]) => reduce(plane(boxes), 4);
  const mouth = { ...face, points: face.points.slice() };
  mouth.points.set([face.center.x, face.center.y + 30, 0], 3 * 13);
  const heads: ShownHead[] = [
    {
      area: { x: 0, y: 0, width, height },
      face: mouth,
      shown: small(shown),
      before: small(covered),
      guest: small(guest),
      classes: {
        hair: small(hair),
        bodySkin: small(bare),
        inPhoto: small([[0, 0, width, height]]),
      },
    },
  ];
  return findBeyondLimits(judgeHeads(heads)).map(({ check }) => check);
}

test('hair and hands that end beside a head in a costume are found, but not what the costume covers', () => {
  const whole = { shown: [head], guest: [head], hair: [] };
  assert.deepEqual(wear(whole), []);
  const arm: Box = [480, 130, 640, 200];
  assert.deepEqual(wear({ ...whole, guest: [head, arm], bare: [arm] }), ['part beside head']);
  assert.deepEqual(wear({ ...whole, guest: [head, arm] }), [], 'a sleeve, or a collar that is turned up');
  const long: Box = [320, 240, 480, 400];
  const bob = { ...whole, guest: [head, long], hair: [long] };
  assert.deepEqual(wear(bob), ['cut hair']);
  assert.deepEqual(wear({ ...bob, covered: [[280, 280, 520, 1000]] }), []);
});

test('an outline that the photo has no edge at is measured by its length', async () => {
  const measureOn = async (photo: PeoplePhoto['photo']) => {
    const measurements = await measure({ shown: person, people: { photo } });
    return measurements.find(({ check }) => check === 'unsure outline')!.measure;
  };
  const sharp = await measureOn(photoOf(plane(person)));
  const even = await measureOn(paint(width, height, () => [0.1, 0.1, 0.3]));
  assert.ok(sharp < 1 && even > 8, `${sharp} and ${even}`);
});

const measured = (check: Measurement['check'], value: number): Measurement => ({
  check,
  measure: value,
  regions: [],
});

test('the risk of a picture grows with every measure, and a face counts as the worst of several', () => {
  const models = [{ bias: -2, weights: { 'loose part': 1, 'missing limb': 1 } }];
  const risk = (loose: number, limb: number) =>
    riskOf(
      [
        { check: 'loose part', measure: loose, limit: 0.05 },
        { check: 'missing limb', measure: limb, limit: 0.45 },
      ],
      models,
    );
  assert.ok(risk(0, 0) < risk(0.1, 0) && risk(0.1, 0) < risk(0.1, 1));
  const seams = (...values: number[]) => riskOfPicture(values.map((value) => measured('face seam', value)));
  assert.equal(seams(1, 5), seams(5));
});

test('callers are told what is certain though the risk is low, and why where it is high', () => {
  const low = [measured('loose part', 0), measured('ends in the air', 1)];
  assert.deepEqual(
    qualityOf(low).reasons.map((reason) => 'check' in reason && reason.check),
    ['ends in the air'],
  );
  const seam = [measured('face seam', 9), measured('patched face', 40), measured('moved features', 0.4)];
  assert.equal(qualityOf(seam).grade, 'fair');
  assert.throws(() => assertShowable(seam), { code: 'ENGINE_REFUSED', message: /Free your face/ });
  assert.equal(qualityOf([measured('face seam', 0.5), measured('patched face', 2)]).grade, 'good');
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
  const judged = await judgeAndMend([photo], composite, remaking({ shown: person }, asked), judge([]));
  assert.equal(judged.composite, composite);
  assert.deepEqual([asked, judged.mended], [[], []]);
});

test('a loose part is left out, and nothing else is', async () => {
  const { photo, composite } = draw({ shown: [...person, [600, 600, 680, 680]] });
  const asked: { without?: { data: Float32Array; width: number } }[] = [];
  const { measurements, mended } = await judgeAndMend(
    [photo],
    composite,
    remaking({ shown: person }, asked),
    judge([]),
  );
  assert.deepEqual(findBeyondLimits(measurements), []);
  assert.deepEqual(
    mended.map(({ kind }) => kind),
    ['mended'],
  );
  const { data, width: across } = asked[0]!.without!;
  const leftOut = (x: number, y: number) => data[(y >> 2) * across + (x >> 2)];
  assert.deepEqual([leftOut(640, 640), leftOut(400, 640)], [1, 0]);
});

test('background beside a person is left out, and where that does not help people are framed closer above it', async () => {
  const drawn = { shown: [...person, patch] };
  const { photo, composite } = draw(drawn);
  const { mended } = await judgeAndMend([photo], composite, remaking({ shown: person }), judge([]));
  assert.deepEqual(mended, [
    { kind: 'mended', value: 'a part of the background is left out', reason: 'it belonged to nobody' },
  ]);
  const sureTo: (number | undefined)[] = [];
  const stubborn: Remaking = {
    async compose(photos, changes) {
      sureTo.push(photos[0]!.silhouette.sureTo);
      return draw(changes?.without ? drawn : { shown: person }).composite;
    },
    cutWithOutlines: null,
  };
  const closer = await judgeAndMend([photo], composite, stubborn, judge([]));
  assert.ok(Math.abs(sureTo[1]! - 800) < 16);
  assert.deepEqual(closer.mended, [
    { kind: 'framing', value: 'closer', reason: 'the outline further down is doubtful' },
  ]);
});

test('nothing is tried after the time limit', async () => {
  const drawn = { shown: [...person, patch] };
  const { photo, composite } = draw(drawn);
  const asked: unknown[] = [];
  const late = { ...remaking({ shown: person }, asked), timeLimitMs: 0 };
  const { mended } = await judgeAndMend([photo], composite, late, judge([]));
  assert.deepEqual([asked, mended], [[], []]);
});

test('a picture that comes out no better is not taken', async () => {
  const drawn = { shown: [...person, patch], byNetwork: [...person, patch] };
  const { photo, composite } = draw(drawn);
  const judged = await judgeAndMend([photo], composite, remaking(drawn), judge([]));
  assert.equal(judged.composite, composite);
  assert.deepEqual([findBeyondLimits(judged.measurements).length, judged.mended], [1, []]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropBackgroundColours } from '../../src/matting/background-colours.ts';
import type { BodyClasses } from '../../src/matting/body-classes.ts';
import { type BodyClass, newShares } from '../../src/matting/class-pass.ts';
import { judgeCutouts } from '../../src/matting/confidence.ts';
import { findHair } from '../../src/matting/hair.ts';
import { backgroundOf } from '../../src/matting/loose-things.ts';
import { settleEdges } from '../../src/matting/settle-edges.ts';
import {
  disputedShare,
  dropFurniture,
  keepUnlessAgreed,
  personByClasses,
  voteForPeople,
} from '../../src/matting/vote.ts';
import type { Plane } from '../../src/pixels/plane.ts';
import { faceAt, paint } from '../support/drawn-people.ts';

const [width, height] = [300, 400];
const face = faceAt(150, 70, 60);

type Box = [left: number, top: number, right: number, bottom: number];

function plane(...boxes: Box[]): Plane {
  const data = new Float32Array(width * height);
  for (const [left, top, right, bottom] of boxes) {
    for (let y = top; y < bottom; y++) data.fill(1, y * width + left, y * width + right);
  }
  return { width, height, data };
}

/** Classes at the photo's own size: what is not drawn is background. */
function classesOf(drawn: Partial<Record<BodyClass, Box[]>>): BodyClasses {
  const shares = newShares(width * height);
  shares.background.fill(1);
  for (const [name, boxes] of Object.entries(drawn)) {
    const { data } = plane(...boxes);
    shares[name as BodyClass] = data;
    shares.background = shares.background.map((share, i) => Math.min(share, 1 - data[i]!));
  }
  return { width, height, factor: 1, shares, worth: new Float32Array(width * height).fill(1) };
}

const head: Box = [110, 30, 190, 110];
const shirt: Box = [90, 110, 210, 220];
const trousers: Box = [100, 220, 200, 400];
const table: Box = [230, 280, 300, 400];
const grey = paint(width, height, () => [0.5, 0.5, 0.5]);
const at = ({ data }: Plane, x: number, y: number) => data[y * width + x]!;

test('the classes add trousers that the matte lost and take a table that it has, with edges where they are', () => {
  const classes = classesOf({ faceSkin: [head], clothes: [shirt, trousers] });
  const photo = paint(width, height, (x, y) =>
    y >= 220 && x >= 100 && x < 200 ? [0.05, 0.05, 0.07] : [0.5, 0.45, 0.4],
  );
  for (const fast of [false, true]) {
    const matte = plane(head, shirt, table);
    const person = personByClasses(matte, photo, [face], classes);
    const solid = voteForPeople(matte, person, [face]);
    settleEdges(matte, photo, [face], { solid, hair: findHair(classes, [face]), fast });
    assert.ok(at(matte, 150, 300) > 0.99 && at(matte, 106, 300) > 0.9, 'trousers');
    assert.ok(at(matte, 94, 300) < 0.1 && at(matte, 206, 300) < 0.1, 'nothing beside them');
    assert.ok(at(matte, 265, 340) < 0.01, 'the table');
    assert.ok(at(matte, 150, 70) === 1);
  }
});

test('from a person who is alone the classes take only what a second pass does not find either', () => {
  const classes = classesOf({ faceSkin: [head], clothes: [shirt] });
  const sleeve: Box = [210, 120, 290, 160];
  const matte = plane(head, shirt, sleeve, table);
  const person = personByClasses(matte, grey, [face], classes);
  assert.ok(disputedShare(matte, person, [face]) > 0.2);
  keepUnlessAgreed(person, matte, plane(head, shirt, sleeve));
  const solid = voteForPeople(matte, person, [face]);
  assert.equal(at(solid, 280, 140), 1, 'the sleeve stays');
  assert.equal(at(solid, 265, 340), 0, 'the table goes');
  const alone = personByClasses(matte, grey, [face], classes);
  keepUnlessAgreed(alone, matte, null);
  assert.equal(at(voteForPeople(matte, alone, [face]), 265, 340), 1, 'without a second pass nothing goes');
});

test('furniture at the photo’s border goes from a person who is alone, although both passes of the matte have it', () => {
  const classes = classesOf({ faceSkin: [head], clothes: [shirt, trousers] });
  const guitar: Box = [210, 180, 280, 240];
  const whole = plane(head, shirt, trousers, guitar, table);
  const keep = (person: Plane) => {
    const second = plane(head, shirt, trousers, guitar, table);
    dropFurniture(second, person, whole, face);
    keepUnlessAgreed(person, whole, second);
    return voteForPeople(whole, person, [face]);
  };
  const solid = keep(personByClasses(whole, grey, [face], classes));
  assert.equal(at(solid, 265, 340), 0, 'the table goes');
  assert.equal(at(solid, 245, 210), 1, 'what does not reach the border stays');
  const unsure = personByClasses(whole, grey, [face], classes);
  for (let y = table[1]; y < table[3]; y++) unsure.data.fill(0.2, y * width + table[0], y * width + table[2]);
  assert.equal(at(keep(unsure), 265, 340), 1, 'what the classes are unsure of stays');
});

test('a plate before somebody at a table goes, a lap that the classes miss and what is held beside the body stay', () => {
  const classes = classesOf({ faceSkin: [head], clothes: [shirt] });
  const end = shirt[3];
  const vote = (thing: Box) => {
    const [whole, second] = [plane(head, shirt, thing), plane(head, shirt, thing)];
    const person = personByClasses(whole, grey, [face], classes);
    dropFurniture(second, person, whole, face);
    keepUnlessAgreed(person, whole, second);
    return at(voteForPeople(whole, person, [face]), thing[0] + 10, thing[3] - 10);
  };
  assert.equal(vote([90, end, 230, end + 50]), 0, 'a plate');
  assert.equal(vote([110, end, 190, end + 100]), 1, 'legs are no plate');
  assert.equal(vote([200, end - 60, 290, end]), 1, 'a thing beside the body');
});

test('a leaf of the hedge behind a head goes, a flower that only the head has stays', () => {
  const leaf: Box = [190, 60, 202, 72];
  const flower: Box = [98, 60, 110, 72];
  const [skin, red] = [plane(head, shirt), plane(flower)];
  const photo = paint(width, height, (x, y) =>
    at(skin, x, y) === 1 ? [0.7, 0.5, 0.4] : at(red, x, y) === 1 ? [0.8, 0.1, 0.2] : [0.2, 0.5, 0.15],
  );
  const matte = plane(head, shirt, leaf, flower);
  const { shares } = classesOf({ faceSkin: [head], clothes: [shirt] });
  dropBackgroundColours(matte, photo, [face], { width, height, factor: 1, data: shares.background });
  assert.ok(at(matte, 196, 66) < 0.01, 'the leaf');
  assert.equal(at(matte, 104, 66), 1, 'the flower');
  assert.equal(at(matte, 150, 70), 1, 'the face');
});

test('where people are too small for the classes, the matte is believed', () => {
  const classes = { ...classesOf({}), worth: new Float32Array(width * height).fill(0.1) };
  const matte = plane(head, shirt);
  const person = personByClasses(matte, grey, [face], classes);
  assert.equal(at(voteForPeople(matte, person, [face]), 150, 200), 1);
});

test('a slit between arm and body that shows the room stays open, though the classes are too coarse for it', () => {
  const classes = classesOf({ faceSkin: [head], clothes: [[60, 110, 240, 400]] });
  const inSlit = (x: number, y: number) => x >= 216 && x < 222 && y >= 150 && y < 260;
  const room = paint(width, height, (x, y) => (inSlit(x, y) ? [0.9, 0.9, 0.9] : [0.1, 0.1, 0.2]));
  const matte = plane(head, [60, 110, 240, 400]);
  for (let i = 0; i < matte.data.length; i++) if (inSlit(i % width, Math.floor(i / width))) matte.data[i] = 0;
  const open = personByClasses(matte, room, [face], classes);
  assert.ok(at(open, 218, 200) < 0.1);
  const stripe = personByClasses(
    matte,
    paint(width, height, () => [0.1, 0.1, 0.2]),
    [face],
    classes,
  );
  assert.equal(at(stripe, 218, 200), 1, 'of the colour around it, it is a fault of the matte');
});

test('a slit of a colour that people have and the room has not is a part of them that the matte lost', () => {
  const classes = classesOf({ faceSkin: [head], clothes: [[60, 110, 240, 400]] });
  const sleeve = [0.1, 0.1, 0.2] as const;
  const top = [0.1, 0.5, 0.3] as const;
  const isTop = (x: number, y: number) => x >= 216 && x < 222 && y >= 150 && y < 300;
  const photo = paint(width, height, (x, y) =>
    isTop(x, y) ? [...top] : x >= 60 && x < 240 ? [...sleeve] : [0.9, 0.9, 0.9],
  );
  const matte = plane(head, [60, 110, 240, 400]);
  for (let y = 150; y < 260; y++) matte.data.fill(0, y * width + 216, y * width + 222);
  assert.equal(at(personByClasses(matte, photo, [face], classes), 218, 200), 1);
});

test('a glass before the lap, which the classes leave out and the matte has, belongs to its holder', () => {
  const glass: Box = [140, 230, 160, 270];
  const lap = plane(head, shirt, trousers);
  const person = { ...lap, data: lap.data.slice() };
  for (let y = glass[1]; y < glass[3]; y++) person.data.fill(0, y * width + glass[0], y * width + glass[2]);
  assert.equal(at(voteForPeople(lap, person, [face]), 150, 250), 1);
});

test('a thing in a hand, on a shoulder or on a head belongs to people, a thing on a table is background', () => {
  const hand: Box = [210, 200, 230, 220];
  const phone: Box = [230, 190, 245, 225];
  const bag: Box = [60, 150, 90, 200];
  const cup: Box = [260, 350, 275, 370];
  const bow: Box = [190, 20, 215, 35];
  const classes = classesOf({
    faceSkin: [head],
    clothes: [shirt, trousers],
    bodySkin: [hand],
    things: [phone, bag, cup, bow],
  });
  const background = { width, height, data: backgroundOf(classes, [face]) };
  assert.equal(at(background, 238, 205), 0, 'the phone');
  assert.equal(at(background, 75, 175), 0, 'the bag');
  assert.equal(at(background, 200, 27), 0, 'the bow');
  assert.equal(at(background, 267, 360), 1, 'the cup');
});

test('hair is near around what the classes call hair, and not along sleeves or on things', () => {
  const sunglasses: Box = [120, 20, 135, 30];
  const drawn = { hair: [[110, 20, 190, 50] as Box], clothes: [shirt], things: [sunglasses] };
  const hair = findHair(classesOf(drawn), [face]);
  assert.equal(at(hair, 127, 25), 0);
  assert.equal(at(hair, 150, 35), 1);
  assert.ok(at(hair, 150, 15) > 0.5, 'strands stand off');
  assert.equal(at(hair, 90, 160), 0);
});

test('a body is sure down to the row from which on the classes are undecided', () => {
  const matte = plane(head, shirt, trousers);
  const decided = plane(head, shirt, trousers);
  const [sure] = judgeCutouts(matte, decided, [face]);
  assert.ok(sure!.body > 0.99 && sure!.sureTo === Infinity);
  const [contradicted] = judgeCutouts(plane(head, shirt), decided, [face]);
  assert.equal(contradicted!.sureTo, Infinity, 'the classes are right about trousers that the matte lost');
  assert.ok(contradicted!.body < 0.8);
  const undecided = plane(head, shirt, trousers);
  for (let i = 240 * width; i < undecided.data.length; i++) undecided.data[i] = undecided.data[i]! * 0.5;
  const [doubtful] = judgeCutouts(matte, undecided, [face]);
  assert.ok(Math.abs(doubtful!.sureTo - 240) < 20, `${doubtful!.sureTo}`);
  assert.ok(doubtful!.body < 0.6);
});

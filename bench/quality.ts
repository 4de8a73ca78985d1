import { basename } from 'node:path';
import { ratioOf } from '@guise/contract/families/canvas.ts';
import { compose } from '@guise/engine/compose/compose.ts';
import { faceLuminance, findFaces } from '@guise/engine/faces/faces.ts';
import { readPeople } from '@guise/engine/matting/people.ts';
import { readScenes } from '@guise/engine/scenes/scenes.ts';
import { haloShare, photoBehind, plainHaloShare } from '../packages/engine/quality/halo.ts';
import { likeness } from '../packages/engine/quality/likeness.ts';
import { type Format, median, newGoals, printHead, printRow, printTable, reachedWord } from './goals.ts';

/**
 * The quality bars of composed pictures, over the named scenes (or a few) and the named photos (or all samples). Ends
 * with 1 when a bar is missed.
 *
 *   node bench/quality.ts [scene …] [photo.jpg …]
 */

const samples = new URL('../node_modules/@vladmandic/face-api/demo/', import.meta.url);
const isPhoto = (name: string) => /\.(jpe?g|png|webp)$/i.test(name);
const named = process.argv.slice(2);
const files = named.filter(isPhoto);
const photos =
  files.length > 0 ? files : [1, 2, 3, 4, 5, 6].map((n) => new URL(`sample${n}.jpg`, samples).pathname);
const all = await readScenes();
const scenes = named.some((name) => !isPhoto(name))
  ? named.filter((name) => !isPhoto(name))
  : ['alpine-lake', 'great-hall', 'neon-street', 'underwater'];

/** By the recipe's measure, which counts every rim; and without the rims that people had in their photo already. */
const plainHalos: number[] = [];
const halos: number[] = [];
const alike: number[] = [];
const lit: number[] = [];
let miscounted = 0;
printHead([
  'photo',
  'scene',
  'halo, plain',
  'without own rims',
  'likeness, face by face',
  'face luminance',
  'faces found',
]);
for (const photo of photos) {
  const people = await readPeople(photo);
  for (const name of scenes) {
    const ratio = ratioOf(people.photo.width, people.photo.height);
    const made = await compose([people], all.get(name)!, { ratio, seed: 1 });
    const before = photoBehind(people.photo, people.faces[0]!, made.faces[0]!, made.picture);
    const halo = haloShare(made.picture, made.people.data, before);
    const plain = plainHaloShare(made.picture, made.people.data);
    const found = (await findFaces(made.picture, { traits: false })).length;
    const own: number[] = [];
    for (const [i, face] of made.faces.entries()) {
      own.push(await likeness(people.photo, people.faces[i]!, made.picture, face));
    }
    const light = made.faces.map((face) => faceLuminance(made.picture, face));
    plainHalos.push(plain);
    halos.push(halo);
    alike.push(...own);
    lit.push(...light);
    if (found !== people.faces.length) miscounted++;
    const list = (values: number[]) => values.map((value) => value.toFixed(2)).join(' ');
    printRow([
      basename(photo),
      name,
      plain.toFixed(3),
      halo.toFixed(3),
      list(own),
      list(light),
      `${found} of ${people.faces.length}`,
    ]);
  }
}

const goals = newGoals();
const three: Format = (value) => value.toFixed(3);
goals.atMost('halo, plain, median', median(plainHalos), 0.02, three);
goals.atMost('halo without own rims, median', median(halos), 0.02, three);
goals.atLeast('likeness, median', median(alike), 0.93, three);
goals.atLeast('likeness, least', Math.min(...alike), 0.85, three);
goals.atLeast('face luminance, least', Math.min(...lit), 0.05, three);
goals.atMost('face luminance, most', Math.max(...lit), 0.75, three);
goals.atMost('pictures with another number of faces', miscounted, 0, String);
console.log();
printTable(
  ['bar', 'value', 'goal', 'reached'],
  goals.list.map((goal) => [goal.name, goal.value, goal.limit, reachedWord(goal)]),
);
goals.report();

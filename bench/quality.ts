import { findOptionalModel, sam2 } from '@guise/engine/models/optional-models.ts';
import { readScenes } from '@guise/engine/scenes/scenes.ts';
import { maskedPhotos, readReferences } from '../packages/engine/quality/reference-photos.ts';
import {
  type Format,
  type Goals,
  median,
  newGoals,
  percent,
  printHead,
  printRow,
  printTable,
  reachedWord,
} from './goals.ts';
import { openReference, operations, type Reading } from './quality-readings.ts';

/**
 * The quality bars of every operation, over the reference photos: how much of the people is lost and how much else is
 * kept against their masks, halos, likeness, light and number of faces. Operations, scenes and beginnings of photos'
 * names narrow it. BENCH_MODELS names a folder with sam2. Ends with 1 when a bar is missed.
 *
 *   npm run bench:quality -- [operation …] [scene …] [photo …]
 */

type OperationName = keyof typeof operations;

const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name);
const all = await readScenes();
const named = process.argv.slice(2);
const chosen = named.filter(isOperation);
const scenes = named.filter((name) => all.has(name));
const photos = named.filter((name) => !isOperation(name) && !all.has(name));
const outlineModel = await findOptionalModel(process.env.BENCH_MODELS ?? null, sam2);
const options = {
  scenes: (scenes.length > 0 ? scenes : ['great-hall', 'underwater']).map((name) => all.get(name)!),
  outlineModel,
  templates: [maskedPhotos.astronaut!, maskedPhotos['grace-hopper']!],
};
console.log(`${outlineModel ? 'With' : 'Without'} ${sam2.title}.\n`);

const three: Format = (value) => value.toFixed(3);
const list = (values: readonly number[] | undefined) =>
  values?.map((value) => value.toFixed(2)).join(' ') ?? '';
const share = (value: number | undefined, format: Format) => (value === undefined ? '' : format(value));

function cellsOf(operation: string, reading: Reading): string[] {
  const { photo, what, errors, plainHalo, halo, found, refused } = reading;
  if (refused !== undefined) return [operation, photo, what, 'refused', '', '', '', '', '', ''];
  return [
    operation,
    photo,
    what,
    share(errors?.lost, percent),
    share(errors?.foreign, percent),
    share(plainHalo, three),
    share(halo, three),
    list(reading.likeness),
    list(reading.light),
    found ? `${found.faces} of ${found.of}` : '',
  ];
}

printHead([
  'operation',
  'photo',
  'scene, guest or look',
  'lost',
  'foreign',
  'halo, plain',
  'without own rims',
  'likeness',
  'face luminance',
  'faces found',
]);
const readings = new Map<OperationName, Reading[]>();
for (const reference of await readReferences(photos)) {
  const photo = await openReference(reference);
  for (const name of chosen.length > 0 ? chosen : (Object.keys(operations) as OperationName[])) {
    const found = readings.get(name) ?? [];
    readings.set(name, found);
    for await (const reading of operations[name](photo, options)) {
      found.push(reading);
      printRow(cellsOf(name, reading));
    }
  }
}

const goals = newGoals();
for (const [name, found] of readings) addGoals(goals, name, found);
console.log();
printTable(
  ['bar', 'value', 'goal', 'reached'],
  goals.list.map((goal) => [goal.name, goal.value, goal.limit, reachedWord(goal)]),
);
goals.report();

/** The bars of one operation: those of masks, halos and likeness where it has such. */
function addGoals(goals: Goals, name: OperationName, found: readonly Reading[]): void {
  const lost = found.flatMap(({ errors }) => errors?.lost ?? []);
  const foreign = found.flatMap(({ errors }) => errors?.foreign ?? []);
  const likeness = found.flatMap((reading) => reading.likeness ?? []);
  const light = found.flatMap((reading) => reading.light ?? []);
  const halos = found.flatMap(({ halo }) => halo ?? []);
  const plainHalos = found.flatMap(({ plainHalo }) => plainHalo ?? []);
  if (lost.length > 0) {
    goals.atMost(`${name}: lost, median`, median(lost), 0.02, percent);
    goals.atMost(`${name}: lost, most`, Math.max(...lost), 0.06, percent);
    goals.atMost(`${name}: foreign, median`, median(foreign), 0.015, percent);
    goals.atMost(`${name}: foreign, most`, Math.max(...foreign), 0.05, percent);
  }
  if (halos.length > 0) {
    goals.atMost(`${name}: halo, plain, median`, median(plainHalos), 0.02, three);
    goals.atMost(`${name}: halo without own rims, median`, median(halos), 0.02, three);
  }
  // A swap takes the template's light and outline, which the embedding sees too.
  if (likeness.length > 0 && name !== 'swap') {
    goals.atLeast(`${name}: likeness, median`, median(likeness), 0.93, three);
    goals.atLeast(`${name}: likeness, least`, Math.min(...likeness), 0.85, three);
  }
  if (likeness.length > 0 && name === 'swap') {
    goals.atLeast(`${name}: likeness, median`, median(likeness), 0.6, three);
  }
  if (light.length > 0 && name !== 'looks') {
    goals.atLeast(`${name}: face luminance, least`, Math.min(...light), 0.05, three);
    goals.atMost(`${name}: face luminance, most`, Math.max(...light), 0.75, three);
  }
  const counted = found.flatMap((reading) => reading.found ?? []);
  if (counted.length === 0) return;
  if (name === 'looks') {
    const share =
      counted.reduce((sum, { faces }) => sum + faces, 0) / counted.reduce((sum, { of }) => sum + of, 0);
    goals.atLeast(`${name}: share of faces found`, share, 0.8, percent);
  } else {
    const wrong = counted.filter(({ faces, of }) => faces !== of).length;
    goals.atMost(`${name}: pictures with another number of faces`, wrong, 0, String);
  }
}

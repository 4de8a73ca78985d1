import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { canvasSizes, ratioOf } from '@guise/contract/families/canvas.ts';
import type * as costumeModule from '@guise/engine/costume/costume.ts';
import { chooseVariant, readCostumes } from '@guise/engine/costume/costumes.ts';
import { findFaces } from '@guise/engine/faces/faces.ts';
import type * as cutoutModule from '@guise/engine/matting/cutout.ts';
import type * as peopleModule from '@guise/engine/matting/people.ts';
import type { PeoplePhoto } from '@guise/engine/matting/people.ts';
import { blazeFace } from '@guise/engine/models/models.ts';
import type { InferenceSession } from '@guise/engine/models/onnxruntime.ts';
import { findOptionalModel, sam2 } from '@guise/engine/models/optional-models.ts';
import { session } from '@guise/engine/models/sessions.ts';
import { readPhoto } from '@guise/engine/pixels/photo.ts';
import { rowPool } from '@guise/engine/runtime/parallel-rows.ts';
import { RenderError } from '@guise/engine/runtime/render-error.ts';
import { readScenes } from '@guise/engine/scenes/scenes.ts';
import type * as swapModule from '@guise/engine/swap/mesh/mesh-swap.ts';
import { keptInMatte, type MaskErrors, measureMask } from '../packages/engine/quality/mask-errors.ts';
import { maskedPhotos, nobody, readReferences } from '../packages/engine/quality/reference-photos.ts';
import { percent, printTable } from './goals.ts';
import { type Constant, constantsOf, engineSource, moveConstant } from './moved-constants.ts';
import { type OpenReference, openReference } from './quality-readings.ts';

/**
 * What each constant of matting, costumes and swaps is worth: moves it by a fifth down and up and compares mattes (of
 * everybody and of one guest), cutouts, people in costumes and swaps of the reference photos, pixel by pixel and with
 * their masks. Parts of files' names and beginnings of photos' names narrow it. Networks run once for every input.
 * BENCH_MODELS names a folder with sam2, without which outlines change nothing. With --named, numbers within formulas are
 * left out.
 *
 *   npm run bench:sensitivity -- [--named] [file …] [photo …]
 */

const rooms = ['matting', 'costume', 'swap'];
const factors = [0.8, 1.2];
/** Values from 0 to 1 that differ by less than half of an 8-bit step look the same. */
const leastDifference = 0.5 / 255;

// Threads would load the modules as they are in their files.
rowPool.threadCount = 1;
await rememberAnswers();

const { values: flags, positionals: args } = parseArgs({
  options: { named: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const references = await readReferences();
const isPhoto = (name: string) => references.some((reference) => reference.name.startsWith(name));
const chosenPhotos = args.filter(isPhoto);
const chosenFiles = args.filter((name) => !isPhoto(name));
const outlineModel = await findOptionalModel(process.env.BENCH_MODELS ?? null, sam2);
const scene = (await readScenes()).get('great-hall')!;
const costume = chooseVariant((await readCostumes()).get('knight')!, 1);
const template = await readPhoto(maskedPhotos.astronaut!);
const slots = await findFaces(template, { traits: false });

/** What was made of a photo: planes of values from 0 to 1, by what they show; a reason where there is none. */
type Made = Map<string, readonly Float32Array[] | string>;

interface Outcome {
  made: Made;
  errors: MaskErrors | null;
  people: PeoplePhoto | null;
}

/** Opens a module of the engine, with a constant moved or as it is; null where the constant does not concern it. */
type OpenModule = <Module>(name: string) => Promise<Module | null>;

const openUnmoved: OpenModule = (name) => import(join(engineSource, name));

/** Makes what may have changed; the people of a photo are as before where no constant concerns them. */
async function makeAll(
  reference: OpenReference,
  open: OpenModule,
  room: string | null,
  before: PeoplePhoto | null,
): Promise<Outcome> {
  const { picture, faces } = reference;
  const made: Made = new Map();
  let outcome: Outcome = { made, errors: null, people: before };
  if (room === null || room === 'matting') outcome = await makeMattes(reference, open, outcome);
  const { people } = outcome;
  const [guest, ...others] = faces;
  if (!guest || others.length > 0) return outcome;
  const dressing =
    room === null || room === 'costume' ? await open<typeof costumeModule>('costume/costume.ts') : null;
  if (people && dressing) {
    const worn = [{ people, face: guest, costume }];
    await addMade(made, 'costume', async () => {
      const options = { ratio: 'portrait', seed: 1 } as const;
      return (await dressing.composeInCostumes(worn, scene, options)).picture.planes;
    });
  }
  const swapping =
    room === null || room === 'swap' ? await open<typeof swapModule>('swap/mesh/mesh-swap.ts') : null;
  if (swapping) {
    const swap = async () => (await swapping.swapFace(template, slots[0]!, picture, guest)).planes;
    await addMade(made, 'swap', swap);
  }
  return outcome;
}

/** The mattes of everybody and of one guest, and the cutout of everybody. */
async function makeMattes(
  { picture, faces, mask }: OpenReference,
  open: OpenModule,
  { made, ...before }: Outcome,
): Promise<Outcome> {
  let { people, errors } = before;
  const matting = await open<typeof peopleModule>('matting/people.ts');
  if (matting) {
    await addMade(made, 'matte', async () => {
      people = await matting.findPeopleIn(picture, faces, { outlineModel });
      const meant = { isMeant: (label: number) => label !== nobody, faces };
      errors = measureMask(mask, keptInMatte(people.matte), meant);
      return [people.matte.data];
    });
    const [guest, ...others] = faces;
    if (others.length > 0)
      await addMade(made, 'guest', async () => {
        const options = { others, outlineModel };
        return [(await matting.findPeopleIn(picture, [guest!], options)).matte.data];
      });
  }
  const cutting = await open<typeof cutoutModule>('matting/cutout.ts');
  const whole = people;
  if (cutting && whole) {
    const canvas = canvasSizes[ratioOf(picture.width, picture.height)];
    const scale = Math.min(canvas.width / picture.width, canvas.height / picture.height);
    await addMade(made, 'cutout', async () => {
      const { alpha, colour } = cutting.cutOut(whole, { scale, x: 0, y: 0 }, canvas);
      return [alpha, ...colour.map((plane) => plane.map((value, i) => value * alpha[i]!))];
    });
  }
  return { made, errors, people };
}

/** Adds what was made, or the sentence with which it was refused. */
async function addMade(
  made: Made,
  name: string,
  make: () => Promise<readonly Float32Array[]>,
): Promise<void> {
  const result = make().catch((error: unknown) => {
    if (error instanceof RenderError) return error.message;
    throw error;
  });
  made.set(name, await result);
}

/** How a moved constant changed what was made. */
interface Effect {
  constant: Constant;
  factor: number;
  /** What changed, and on how many photos. */
  photos: number;
  cases: Set<string>;
  /** Of the pixels of one picture, at most. */
  pixels: number;
  /** The most that a mask became worse by, and better. */
  worse: number;
  better: number;
}

async function measureEffect(constant: Constant, factor: number): Promise<Effect> {
  const effect = { constant, factor, photos: 0, cases: new Set<string>(), pixels: 0, worse: 0, better: 0 };
  const moved = moveConstant(constant, factor);
  const room = relative(engineSource, constant.file).split('/')[0]!;
  for (const [reference, before] of baseline) {
    const { made, errors } = await makeAll(reference, moved.open, room, before.people);
    let most = 0;
    for (const [name, now] of made) {
      const changed = changedShare(before.made.get(name)!, now);
      if (changed > 0) effect.cases.add(name);
      most = Math.max(most, changed);
    }
    if (most > 0) effect.photos++;
    effect.pixels = Math.max(effect.pixels, most);
    if (!errors || !before.errors) continue;
    const change = errors.lost + errors.foreign - before.errors.lost - before.errors.foreign;
    effect.worse = Math.max(effect.worse, change);
    effect.better = Math.max(effect.better, -change);
  }
  return effect;
}

/** The share of values that differ; all of them where the size differs or one was refused. */
function changedShare(
  before: readonly Float32Array[] | string,
  now: readonly Float32Array[] | string,
): number {
  if (typeof before === 'string' || typeof now === 'string') return before === now ? 0 : 1;
  if (before.some((plane, p) => plane.length !== now[p]!.length)) return 1;
  const { length } = before[0]!;
  let changed = 0;
  for (let i = 0; i < length; i++)
    if (before.some((plane, p) => Math.abs(plane[i]! - now[p]![i]!) >= leastDifference)) changed++;
  return changed / length;
}

/** Lets every network answer an input once: moved constants seldom change what networks see. */
async function rememberAnswers(): Promise<void> {
  const sessions = Object.getPrototypeOf(await session(blazeFace)) as InferenceSession;
  const answers = new WeakMap<object, Map<string, InferenceSession.OnnxValueMapType>>();
  const { run } = sessions;
  sessions.run = async function (this: InferenceSession, feeds: InferenceSession.FeedsType) {
    const known = answers.get(this) ?? new Map<string, InferenceSession.OnnxValueMapType>();
    answers.set(this, known);
    const hash = createHash('sha1');
    for (const value of Object.values(feeds)) hash.update(value.data as Float32Array);
    const key = hash.digest('hex');
    const answer =
      known.get(key) ?? ((await Reflect.apply(run, this, [feeds])) as InferenceSession.OnnxValueMapType);
    known.set(key, answer);
    return answer;
  };
}

const baseline = new Map<OpenReference, Outcome>();
for (const reference of references) {
  if (chosenPhotos.length > 0 && !chosenPhotos.some((name) => reference.name.startsWith(name))) continue;
  const photo = await openReference(reference);
  baseline.set(photo, await makeAll(photo, openUnmoved, null, null));
}
const files = rooms
  .flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: engineSource }))
  .filter((name) => chosenFiles.length === 0 || chosenFiles.some((part) => name.includes(part)));
const effects: Effect[] = [];
for (const file of files.sort()) {
  for (const constant of constantsOf(join(engineSource, file))) {
    if (flags.named && !constant.isNamed) continue;
    for (const factor of factors) effects.push(await measureEffect(constant, factor));
    const [down, up] = effects.slice(-2) as [Effect, Effect];
    process.stderr.write(`${file}:${constant.line} ${constant.text}: ${down.pixels} ${up.pixels}\n`);
  }
}
const strength = ({ constant: { at, file } }: Effect) =>
  Math.max(
    ...effects.filter(({ constant: c }) => c.at === at && c.file === file).map(({ pixels }) => pixels),
  );
effects.sort((a, b) => strength(b) - strength(a) || a.constant.at - b.constant.at || a.factor - b.factor);
const fine = (share: number) => `${(100 * share).toFixed(3)}%`;
printTable(
  ['constant', 'where', 'value', 'times', 'photos', 'pixels, at most', 'masks worse', 'better', 'changes'],
  effects.map(({ constant, factor, photos, cases, pixels, worse, better }) => [
    `\`${constant.label.slice(0, 60).replaceAll('|', '\\|')}\``,
    `${relative(engineSource, constant.file)}:${constant.line}`,
    constant.text,
    String(factor),
    `${photos} of ${baseline.size}`,
    fine(pixels),
    percent(worse),
    percent(better),
    [...cases].join(', ') || 'nothing',
  ]),
);

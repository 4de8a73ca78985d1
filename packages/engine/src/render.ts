import { isGroup, type Ratio } from '@guise/contract/common.ts';
import type { AnyParams } from '@guise/contract/families.ts';
import { compose } from './compose/compose.ts';
import { tone } from './compose/palette.ts';
import { keepFrame, layOnCanvas } from './compose/photo-canvas.ts';
import { openScenery } from './compose/scenery.ts';
import { composeInCostume } from './costume/costume.ts';
import { wornBy } from './costume/costumes.ts';
import { findPeople, mostPeople } from './faces/faces.ts';
import { clearRedEyes } from './faces/red-eye.ts';
import { chooseFace, type FamilyRule, ratioOf } from './family-rules.ts';
import { applyLook } from './looks/looks.ts';
import { cutFrom, type PeoplePhoto } from './matting/people.ts';
import { readPhoto } from './photo.ts';
import type { Face, Picture } from './pixels/picture.ts';
import type { RenderPlan } from './plan.ts';
import { cannotMake } from './render-error.ts';
import { beginStage } from './runtime/stages.ts';
import { swapFace } from './swap/mesh/mesh-swap.ts';
import type { NeuralSwap } from './swap/network/network-swap.ts';

export interface RenderOptions {
  rule: FamilyRule;
  params: AnyParams;
  seed: number;
  /** The operator's own swap network, where there is one. */
  swapNetwork(): Promise<NeuralSwap | null>;
  signal: AbortSignal;
  progress(done: number): void;
}

export interface RenderResult {
  picture: Picture;
  faces: Face[];
  applied: string[];
  ignored: string[];
}

/** Renders the picture that a plan describes out of the photos. */
export async function renderPicture(
  files: readonly string[],
  plan: RenderPlan,
  options: RenderOptions,
): Promise<RenderResult> {
  const { signal, progress, seed } = options;
  const ignored = [...plan.ignored];
  progress(0.02);
  const photos = await findEveryone(files, options);
  const ratio = ratioFor(photos, options);
  progress(0.2);
  const made = plan.template
    ? await makeFromTemplate(photos, plan.template, ratio, options)
    : plan.scene
      ? await makeInScene(photos, plan, ratio, options, ignored)
      : await makeFromPhoto(photos, ratio, options, ignored);
  signal.throwIfAborted();
  progress(0.85);
  let { picture } = made;
  beginStage('look');
  if (plan.mood.palette) picture = tone(picture, plan.mood.palette);
  if (plan.look) picture = applyLook(plan.look, picture, made.faces, seed);
  const applied = plan.applied.filter((what) => !ignored.some((left) => left.startsWith(what)));
  return { picture, faces: made.faces, applied, ignored };
}

interface FoundPhoto {
  photo: Picture;
  faces: Face[];
}

async function findEveryone(
  files: readonly string[],
  { rule, params, signal }: RenderOptions,
): Promise<FoundPhoto[]> {
  const photos: FoundPhoto[] = [];
  const traits = choosesByTraits(rule, params);
  for (const file of files) {
    beginStage('decode');
    const photo = await readPhoto(file);
    signal.throwIfAborted();
    beginStage('faces');
    const faces = await findPeople(photo, { traits });
    clearRedEyes(photo, faces);
    photos.push({ photo, faces });
    signal.throwIfAborted();
  }
  return photos;
}

function choosesByTraits(rule: FamilyRule, { gender }: AnyParams): boolean {
  return rule.people === 'by gender' && gender !== undefined && !isGroup(gender);
}

function ratioFor(photos: readonly FoundPhoto[], { rule, params }: RenderOptions): Ratio {
  const { ratio = 'portrait' } = params;
  if (rule.canvas === 'ratio') return ratio;
  const [first, ...others] = photos;
  if (!first) return ratio;
  // People of several photos stand side by side.
  return others.length > 0 ? 'landscape' : ratioOf(first.photo.width, first.photo.height);
}

type Placed = Pick<RenderResult, 'picture' | 'faces'>;

async function makeInScene(
  photos: readonly FoundPhoto[],
  plan: RenderPlan,
  ratio: Ratio,
  options: RenderOptions,
  ignored: string[],
): Promise<Placed> {
  const { rule, params, signal, seed } = options;
  const scene = plan.scene!;
  const fast = params.quality_mode === 'v6';
  const single = rule.people === 'by gender' && !isGroup(params.gender);
  // Its plate is decoded while people are cut out. Should they not be, nobody asks what became of it.
  const scenery = openScenery(scene, { ratio, seed, mood: plan.mood });
  scenery.catch(() => {});
  const cut: PeoplePhoto[] = [];
  for (const { photo, faces } of photos) {
    const chosen = single ? chooseFace(faces, params.gender) : null;
    const others = faces.filter((face) => face !== chosen);
    cut.push(
      await cutFrom(photo, chosen ? [chosen] : faces, chosen ? { fast, signal, others } : { fast, signal }),
    );
    options.progress(0.2 + (0.35 * cut.length) / photos.length);
  }
  const people = cut.reduce((sum, photo) => sum + photo.faces.length, 0);
  const settings = {
    ratio,
    seed,
    signal,
    mood: plan.mood,
    scenery,
    progress: (done: number) => options.progress(0.55 + 0.28 * done),
    ...(rule.grade ? { grade: rule.grade } : {}),
  };
  if (plan.costume) {
    const [first] = cut;
    if (first && (single || people === 1)) {
      const costume = wornBy(plan.costume, params.gender);
      return composeInCostume(first, first.faces[0]!, costume, scene, settings);
    }
    ignored.push(`costume: ${plan.costume.title} (it is for one person)`);
  }
  if (people > mostPeople)
    ignored.push(`pictures look best with up to ${mostPeople} people; there are ${people}`);
  return compose(cut, scene, {
    ...settings,
    keepFrame: rule.canvas === 'photo' && params.outpaint === false,
  });
}

/** The guests' faces in the template's photo: one guest as `gender` says, a group from left to right. */
async function makeFromTemplate(
  photos: readonly FoundPhoto[],
  file: string,
  ratio: Ratio,
  { rule, params, signal, seed, swapNetwork }: RenderOptions,
): Promise<Placed> {
  beginStage('swap');
  const network = await swapNetwork();
  let template = await readPhoto(file);
  const places = await findPeople(template, { traits: choosesByTraits(rule, params) });
  signal.throwIfAborted();
  const guests = photos.flatMap(({ photo, faces }) => faces.map((face) => ({ photo, face })));
  const gender = params.gender === undefined ? {} : { gender: params.gender };
  if (rule.people === 'by gender' && !isGroup(params.gender)) {
    const face = chooseFace(
      guests.map((guest) => guest.face),
      params.gender,
    );
    const { photo } = guests.find((guest) => guest.face === face)!;
    template = network
      ? await network.swap(template, chooseFace(places, params.gender), photo, face, { signal })
      : await swapFace(template, photo, face, places, { ...gender, signal });
  } else {
    for (const [i, { photo, face }] of guests.slice(0, places.length).entries()) {
      template = network
        ? await network.swap(template, places[i]!, photo, face, { signal })
        : await swapFace(template, photo, face, [places[i]!], { signal });
    }
  }
  if (rule.canvas === 'photo' && !params.outpaint) return keepFrame(template, places);
  return layOnCanvas(template, places, ratio, { seed, signal, expand: params.outpaint === true });
}

/** The photo itself, brought to the canvas: cropped by its faces, expanded, or left in its own frame. */
async function makeFromPhoto(
  photos: readonly FoundPhoto[],
  ratio: Ratio,
  options: RenderOptions,
  ignored: string[],
): Promise<Placed> {
  const [first, ...others] = photos;
  if (!first) throw cannotMake('This needs a photo.');
  if (others.length > 0)
    ignored.push('all photos but the first: without a scene there is nothing to join them in');
  const { rule, params, seed, signal } = options;
  if (rule.canvas === 'photo' && !params.outpaint) return keepFrame(first.photo, first.faces);
  return layOnCanvas(first.photo, first.faces, ratio, { seed, signal, expand: params.outpaint === true });
}

import { compose } from './compose/compose.ts';
import { applyPalette } from './compose/palette.ts';
import { keepPhotoFrame, placeOnCanvas } from './compose/photo-canvas.ts';
import { prepareScene } from './compose/prepared-scene.ts';
import { composeInCostume } from './costume/costume.ts';
import { chooseVariant } from './costume/costumes.ts';
import type { Face } from './faces/face.ts';
import { findPeople, mostPeople } from './faces/faces.ts';
import { clearRedEyes } from './faces/red-eye.ts';
import { chooseFace, type FamilyRule, type Params, ratioOf } from './family-rules.ts';
import { applyLook } from './looks/looks.ts';
import { findPeopleIn, type PeoplePhoto } from './matting/people.ts';
import { readPhoto } from './pixels/photo.ts';
import type { Picture } from './pixels/picture.ts';
import type { Wish } from './plan.ts';
import { cannotMake } from './runtime/render-error.ts';
import { beginStage } from './runtime/stages.ts';
import type { Ratio } from './scenes/scenes.ts';
import { swapFace } from './swap/mesh/mesh-swap.ts';
import { operatorSwap } from './swap/network/operator-models.ts';

export interface MakeOptions {
  rule: FamilyRule;
  params: Params;
  seed: number;
  /** The folder of the operator's own models. */
  modelsDir?: string | null;
  signal: AbortSignal;
  progress(done: number): void;
}

export interface Made {
  picture: Picture;
  faces: Face[];
  applied: string[];
  ignored: string[];
}

/** Makes the picture that a wish describes out of the photos. */
export async function makePicture(files: readonly string[], wish: Wish, options: MakeOptions): Promise<Made> {
  const { signal, progress, seed } = options;
  const ignored = [...wish.ignored];
  progress(0.02);
  const photos = await findEveryone(files, options);
  const ratio = ratioFor(photos, options);
  progress(0.2);
  const made = wish.template
    ? await makeFromTemplate(photos, wish.template, ratio, options)
    : wish.scene
      ? await makeInScene(photos, wish, ratio, options, ignored)
      : await makeFromPhoto(photos, ratio, options, ignored);
  signal.throwIfAborted();
  progress(0.85);
  let { picture } = made;
  beginStage('look');
  if (wish.mood.palette) picture = applyPalette(picture, wish.mood.palette);
  if (wish.look) picture = applyLook(wish.look, picture, made.faces, seed);
  const applied = wish.applied.filter((what) => !ignored.some((left) => left.startsWith(what)));
  return { picture, faces: made.faces, applied, ignored };
}

interface FoundPhoto {
  photo: Picture;
  faces: Face[];
}

async function findEveryone(
  files: readonly string[],
  { rule, params, signal }: MakeOptions,
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

function choosesByTraits(rule: FamilyRule, { gender }: Params): boolean {
  return rule.people === 'by gender' && gender !== undefined && gender !== 4;
}

function ratioFor(photos: readonly FoundPhoto[], { rule, params }: MakeOptions): Ratio {
  if (rule.canvas === 'ratio') return params.ratio;
  const [first, ...others] = photos;
  if (!first) return params.ratio;
  // People of several photos stand side by side.
  return others.length > 0 ? 'landscape' : ratioOf(first.photo.width, first.photo.height);
}

type Placed = Pick<Made, 'picture' | 'faces'>;

async function makeInScene(
  photos: readonly FoundPhoto[],
  wish: Wish,
  ratio: Ratio,
  options: MakeOptions,
  ignored: string[],
): Promise<Placed> {
  const { rule, params, signal, seed } = options;
  const scene = wish.scene!;
  const fast = params.quality_mode === 'v6';
  const single = rule.people === 'by gender' && params.gender !== 4;
  // Its plate is decoded while people are cut out. Should they not be, nobody asks what became of it.
  const preparedScene = prepareScene(scene, { ratio, seed, mood: wish.mood });
  preparedScene.catch(() => {});
  const cut: PeoplePhoto[] = [];
  for (const { photo, faces } of photos) {
    const chosen = single ? chooseFace(faces, params.gender) : null;
    const others = faces.filter((face) => face !== chosen);
    cut.push(
      await findPeopleIn(
        photo,
        chosen ? [chosen] : faces,
        chosen ? { fast, signal, others } : { fast, signal },
      ),
    );
    options.progress(0.2 + (0.35 * cut.length) / photos.length);
  }
  const people = cut.reduce((sum, photo) => sum + photo.faces.length, 0);
  const settings = {
    ratio,
    seed,
    signal,
    mood: wish.mood,
    preparedScene,
    progress: (done: number) => options.progress(0.55 + 0.28 * done),
    ...(rule.grade ? { grade: rule.grade } : {}),
  };
  if (wish.costume) {
    const [first] = cut;
    if (first && (single || people === 1)) {
      const costume = chooseVariant(wish.costume, params.gender);
      return composeInCostume(first, first.faces[0]!, costume, scene, settings);
    }
    ignored.push(`costume: ${wish.costume.title} (it is for one person)`);
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
  { rule, params, signal, seed, modelsDir }: MakeOptions,
): Promise<Placed> {
  beginStage('swap');
  const network = await operatorSwap(modelsDir ?? null);
  let template = await readPhoto(file);
  const places = await findPeople(template, { traits: choosesByTraits(rule, params) });
  signal.throwIfAborted();
  const guests = photos.flatMap(({ photo, faces }) => faces.map((face) => ({ photo, face })));
  const gender = params.gender === undefined ? {} : { gender: params.gender };
  if (rule.people === 'by gender' && params.gender !== 4) {
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
  if (rule.canvas === 'photo' && !params.outpaint) return keepPhotoFrame(template, places);
  return placeOnCanvas(template, places, ratio, { seed, signal, expand: params.outpaint === true });
}

/** The photo itself, brought to the canvas: cropped by its faces, expanded, or left in its own frame. */
async function makeFromPhoto(
  photos: readonly FoundPhoto[],
  ratio: Ratio,
  options: MakeOptions,
  ignored: string[],
): Promise<Placed> {
  const [first, ...others] = photos;
  if (!first) throw cannotMake('This needs a photo.');
  if (others.length > 0)
    ignored.push('all photos but the first: without a scene there is nothing to join them in');
  const { rule, params, seed, signal } = options;
  if (rule.canvas === 'photo' && !params.outpaint) return keepPhotoFrame(first.photo, first.faces);
  return placeOnCanvas(first.photo, first.faces, ratio, { seed, signal, expand: params.outpaint === true });
}

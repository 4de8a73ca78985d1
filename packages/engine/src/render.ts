import type { Ratio } from '@guise/contract/common.ts';
import { canvasSizes, ratioOf, type Size } from '@guise/contract/families/canvas.ts';
import type { AnyParams } from '@guise/contract/families/families.ts';
import type { Note, Notes } from '@guise/contract/notes.ts';
import { type Composite, compose } from './compose/compose.ts';
import { applyPalette } from './compose/palette.ts';
import { keepPhotoFrame, placeOnCanvas } from './compose/photo-canvas.ts';
import { prepareScene } from './compose/prepared-scene.ts';
import { mostInCostumes } from './costume/arrange-costumes.ts';
import { type CostumeOptions, composeInCostumes } from './costume/costume.ts';
import { decodeCostumes } from './costume/costume-layers.ts';
import type { Costume } from './costume/costumes.ts';
import { chooseFace } from './faces/choose-face.ts';
import type { Face } from './faces/face.ts';
import { mostPeople } from './faces/faces.ts';
import type { FamilyRule } from './family-rules.ts';
import {
  chooseCostumes,
  choosesByTraits,
  cutGuests,
  type FoundPhoto,
  findEveryone,
  isOfOneGuest,
} from './guests.ts';
import { type Measurement, qualityOf } from './judge/judge.ts';
import { judgeFace } from './judge/judge-face.ts';
import { judgeHeads } from './judge/judge-heads.ts';
import { assertShowable, judgeAndMend } from './judge/ladder.ts';
import { applyLook, classDetailOf } from './looks/looks.ts';
import { classifyBodies, faceInSquare, leastFace } from './matting/body-classes.ts';
import { type PeoplePhoto, separateGuests } from './matting/people.ts';
import { readPhoto } from './pixels/photo.ts';
import type { Picture } from './pixels/picture.ts';
import type { RenderPlan } from './plan.ts';
import type { RenderOptions } from './render-options.ts';
import { cannotMake, RenderError } from './runtime/render-error.ts';
import { beginStage } from './runtime/stages.ts';
import type { Scene } from './scenes/scenes.ts';
import { swapFace } from './swap/mesh/mesh-swap.ts';
import { findTemplatePeople } from './template-check.ts';

export interface RenderResult extends Notes {
  picture: Picture;
  faces: Face[];
  /** What the judge measured, where the picture was looked at. */
  measurements: Measurement[];
}

/** Finds the people in the photos, puts them where the plan says, and paints its palette and look over them. */
export async function renderPicture(
  files: readonly string[],
  plan: RenderPlan,
  options: RenderOptions,
): Promise<RenderResult> {
  options.progress(0.02);
  const photos = await findEveryone(files, plan, options);
  const ratio = ratioFor(photos, options);
  options.progress(0.2);
  const { picture, faces, applied, ignored, measurements } = await composePicture(
    photos,
    plan,
    ratio,
    options,
  );
  options.signal.throwIfAborted();
  options.progress(0.85);
  return {
    picture: await paintOver(picture, faces, plan, options),
    faces,
    measurements,
    applied: [...plan.applied.filter(({ kind }) => !ignored.some((note) => note.kind === kind)), ...applied],
    ignored: [...plan.ignored, ...ignored],
    ...(measurements.length > 0 && { quality: qualityOf(measurements) }),
  };
}

/** The shape of the picture. */
export function ratioFor(
  photos: readonly { photo: Size }[],
  { rule, params }: { rule: FamilyRule; params: Pick<AnyParams, 'ratio'> },
): Ratio {
  const [first, ...others] = photos;
  if (rule.canvas === 'ratio' || !first) return params.ratio ?? 'portrait';
  // People of several photos stand side by side.
  return others.length > 0 ? 'landscape' : ratioOf(first.photo.width, first.photo.height);
}

/** A picture with its people in place, what was done for these people, and what of the plan could not be followed. */
interface ComposedPicture {
  picture: Picture;
  faces: Face[];
  applied: Note[];
  ignored: Note[];
  measurements: Measurement[];
}

async function composePicture(
  photos: readonly FoundPhoto[],
  plan: RenderPlan,
  ratio: Ratio,
  options: RenderOptions,
): Promise<ComposedPicture> {
  if (plan.template) return swapIntoTemplate(photos, plan.template, ratio, options);
  if (plan.scene) return composeInScene(photos, { ...plan, scene: plan.scene }, ratio, options);
  return usePhotoItself(photos, ratio, options);
}

async function composeInScene(
  photos: readonly FoundPhoto[],
  { scene, costume, mood }: RenderPlan & { scene: Scene },
  ratio: Ratio,
  options: RenderOptions,
): Promise<ComposedPicture> {
  const { rule, params, signal, seed } = options;
  const costumes = costume ? chooseCostumes(photos, costume, options) : [];
  // The plate and the layers are decoded while people are cut out. Where that fails, these promises are not awaited.
  const preparedScene = prepareScene(scene, { ratio, seed, mood });
  const decodedCostumes = costumes.length > mostInCostumes ? Promise.resolve([]) : decodeCostumes(costumes);
  for (const started of [preparedScene, decodedCostumes]) started.catch(() => {});
  const cut = await cutGuests(photos, scene, canvasSizes[ratio], options);
  const people = cut.reduce((sum, photo) => sum + photo.faces.length, 0);
  const settings = {
    ratio,
    seed,
    signal,
    mood,
    preparedScene,
    progress: (done: number) => options.progress(0.55 + 0.28 * done),
    ...(rule.grade ? { grade: rule.grade } : {}),
  };
  const ignored: Note[] = [];
  if (costume) {
    const worn = await wearCostume(cut, costumes, scene, { ...settings, decodedCostumes }, options);
    if ('picture' in worn) return { ...worn, ignored };
    ignored.push({ kind: 'costume', value: costume.title, reason: worn.reason });
  }
  if (people > mostPeople) {
    const reason = `pictures look best with up to ${mostPeople} people`;
    ignored.push({ kind: 'people', value: people, reason });
  }
  const keepsFrame = rule.canvas === 'photo' && params.outpaint === false;
  const first = await compose(cut, scene, { ...settings, keepFrame: keepsFrame });
  // What is made again reports no progress: it would go back.
  const silent = { ...options, progress: () => {} };
  // Of groups that were tried, none came out better for it; one guest of a group is outlined from the start.
  const isAlone = cut.length === 1 && people === 1 && cut[0]!.others.length === 0 && !cut[0]!.matte.outlined;
  const canCutAgain = isAlone && params.quality_mode !== 'v6' && (await options.outlineModel()) !== null;
  const { composite, measurements, mended } = await judgeAndMend(cut, first, {
    ...(options.onlyJudge && { timeLimitMs: 0 }),
    compose: (photos, changes) =>
      compose(photos, scene, { ...settings, keepFrame: keepsFrame, progress: silent.progress, ...changes }),
    cutWithOutlines: canCutAgain
      ? () => cutGuests(photos, scene, canvasSizes[ratio], silent, { alwaysOutlined: true })
      : null,
  });
  if (!options.onlyJudge) assertShowable(measurements);
  const isCloser = composite.closer && !mended.some(({ kind }) => kind === 'framing');
  return {
    picture: composite.picture,
    faces: composite.faces,
    applied: [...composite.applied, ...(isCloser ? [framedCloser] : []), ...mended],
    ignored,
    measurements,
  };
}

/**
 * Everybody in a costume, or why not. The head of somebody alone that does not fit into a costume, or does not come out
 * well in it, is refused, so that the guest can try again; a group is shown without it instead.
 */
async function wearCostume(
  cut: readonly PeoplePhoto[],
  costumes: readonly Costume[],
  scene: Scene,
  settings: CostumeOptions,
  { onlyJudge }: Pick<RenderOptions, 'onlyJudge'>,
): Promise<(Composite & { measurements: Measurement[] }) | { reason: string }> {
  const guests = cut.flatMap(separateGuests);
  if (guests.length === 0) return { reason: 'there is nobody to wear it' };
  if (guests.length > mostInCostumes)
    return { reason: `it is for up to ${mostInCostumes} people, and there are ${guests.length}` };
  const wearers = guests.map((people, i) => ({ people, face: people.faces[0]!, costume: costumes[i]! }));
  try {
    const composite = await composeInCostumes(wearers, scene, settings);
    const measurements = judgeHeads(composite.heads);
    if (!onlyJudge) assertShowable(measurements);
    return { ...composite, measurements };
  } catch (error) {
    if (wearers.length === 1 || !(error instanceof RenderError) || error.code !== 'ENGINE_REFUSED')
      throw error;
    return { reason: error.message };
  }
}

const framedCloser: Note = {
  kind: 'framing',
  value: 'closer',
  reason: 'the lower body cannot be told from its background',
};

/** The guests' faces in the template's photo: one guest as `gender` says, a group from left to right. */
export async function swapIntoTemplate(
  photos: readonly FoundPhoto[],
  file: string,
  ratio: Ratio,
  options: RenderOptions,
): Promise<ComposedPicture> {
  const { rule, params, signal } = options;
  beginStage('swap');
  const swap = await chooseSwap(options);
  let template = await readPhoto(file);
  const slots = await findTemplatePeople(template, { traits: choosesByTraits(rule, params) });
  signal.throwIfAborted();
  const guests = photos.flatMap(({ photo, faces }) => faces.map((face) => ({ photo, face })));
  const replaced: Face[] = [];
  const measurements: Measurement[] = [];
  if (isOfOneGuest(rule, params)) {
    const face = chooseFace(
      guests.map((guest) => guest.face),
      params.gender,
    );
    const { photo } = guests.find((guest) => guest.face === face)!;
    replaced.push(chooseFace(slots, params.gender));
    const swapped = await swap(template, replaced[0]!, { photo, face });
    measurements.push(...(await judgeFace(template, swapped, replaced[0]!)));
    template = swapped;
  } else {
    for (const [i, guest] of guests.slice(0, slots.length).entries()) {
      replaced.push(slots[i]!);
      const swapped = await swap(template, slots[i]!, guest);
      measurements.push(...(await judgeFace(template, swapped, slots[i]!)));
      template = swapped;
    }
  }
  if (!options.onlyJudge) assertShowable(measurements);
  return {
    ...(await fitToCanvas({ photo: template, faces: slots, needed: replaced }, ratio, options)),
    applied: [],
    ignored: [],
    measurements,
  };
}

type Swap = (template: Picture, slot: Face, guest: { photo: Picture; face: Face }) => Promise<Picture>;

/** By the operator's network where there is one, else by the faces' meshes, for which small faces are drawn larger. */
async function chooseSwap({ swapNetwork, upscaleModel, signal }: RenderOptions): Promise<Swap> {
  const [network, upscale] = await Promise.all([swapNetwork(), upscaleModel()]);
  if (network) {
    return (template, slot, { photo, face }) => network.swap(template, slot, photo, face, { signal });
  }
  return (template, slot, { photo, face }) => swapFace(template, slot, photo, face, { signal, upscale });
}

/** Without a scene or a template the photo itself is the picture. */
async function usePhotoItself(
  photos: readonly FoundPhoto[],
  ratio: Ratio,
  options: RenderOptions,
): Promise<ComposedPicture> {
  const [first, ...others] = photos;
  if (!first) throw cannotMake('This needs a photo.');
  const ignored: Note[] = [];
  if (others.length > 0) {
    const reason = 'without a scene there is nothing to join them in';
    ignored.push({ kind: 'input', value: 'all photos but the first', reason });
  }
  return { ...(await fitToCanvas(first, ratio, options)), applied: [], ignored, measurements: [] };
}

/** A photo cropped by its faces, of which some are needed, expanded, or left in its own frame. */
export async function fitToCanvas(
  { photo, faces, needed = faces }: FoundPhoto & { needed?: readonly Face[] },
  ratio: Ratio,
  { rule, params, seed, signal }: RenderOptions,
): Promise<{ picture: Picture; faces: Face[] }> {
  if (rule.canvas === 'photo' && !params.outpaint) return keepPhotoFrame(photo, faces);
  return placeOnCanvas(photo, faces, ratio, {
    seed,
    signal,
    needed,
    expand: params.outpaint === true,
  });
}

export async function paintOver(
  picture: Picture,
  faces: Face[],
  { mood, look }: RenderPlan,
  { seed, signal }: RenderOptions,
): Promise<Picture> {
  beginStage('look');
  const toned = mood.palette ? applyPalette(picture, mood.palette) : picture;
  if (!look) return toned;
  const detail = classDetailOf(look);
  // In one pass over the picture the network only guesses at small people.
  const coarse = detail === 'coarse' && faceInSquare(picture, faces) >= leastFace;
  // Before the palette: the network knows people in their own colours.
  const classes =
    detail && faces.length > 0
      ? await classifyBodies(picture, faces, { detail: coarse ? 'outline' : 'fast', signal })
      : null;
  return applyLook(look, toned, faces, seed, classes);
}

import { ratioOf } from '@guise/contract/families/canvas.ts';
import { clearColouredLight } from '@guise/engine/compose/coloured-light.ts';
import { type Composite, compose } from '@guise/engine/compose/compose.ts';
import { placeOnCanvas } from '@guise/engine/compose/photo-canvas.ts';
import { composeInCostumes } from '@guise/engine/costume/costume.ts';
import { chooseVariant, readCostumes } from '@guise/engine/costume/costumes.ts';
import { chooseFace } from '@guise/engine/faces/choose-face.ts';
import type { Face } from '@guise/engine/faces/face.ts';
import { pointOf } from '@guise/engine/faces/face-outline.ts';
import { findFaces, findPeople } from '@guise/engine/faces/faces.ts';
import { faceLuminance } from '@guise/engine/faces/photo-problems.ts';
import { clearRedEyes } from '@guise/engine/faces/red-eye.ts';
import { lookNames } from '@guise/engine/looks/look-names.ts';
import { applyLook } from '@guise/engine/looks/looks.ts';
import { type FindPeopleOptions, findPeopleIn, type PeoplePhoto } from '@guise/engine/matting/people.ts';
import type { OutlineModel } from '@guise/engine/matting/segment-anything.ts';
import { readPhoto } from '@guise/engine/pixels/photo.ts';
import { mapPlanes, type Picture } from '@guise/engine/pixels/picture.ts';
import { RenderError } from '@guise/engine/runtime/render-error.ts';
import type { Scene } from '@guise/engine/scenes/scenes.ts';
import { swapFace } from '@guise/engine/swap/mesh/mesh-swap.ts';
import { haloShare, photoBehind, plainHaloShare } from '../packages/engine/quality/halo.ts';
import { likeness } from '../packages/engine/quality/likeness.ts';
import {
  keptInMatte,
  keptOnCanvas,
  type MaskErrors,
  measureMask,
} from '../packages/engine/quality/mask-errors.ts';
import { labelOf, nobody, type ReferencePhoto } from '../packages/engine/quality/reference-photos.ts';

/** What one picture of the bench of quality shows. What an operation does not have is left out. */
export interface Reading {
  photo: string;
  what: string;
  errors?: MaskErrors;
  /** By the recipe's measure, which counts every rim; and without the rims that people had in their photo already. */
  plainHalo?: number;
  halo?: number;
  /** Face by face. */
  likeness?: number[];
  light?: number[];
  found?: { faces: number; of: number };
  /** Why there is no picture. */
  refused?: string;
}

/** A reference photo with its people found. */
export interface OpenReference extends ReferencePhoto {
  picture: Picture;
  faces: Face[];
}

export interface ReadingOptions {
  scenes: readonly Scene[];
  outlineModel: OutlineModel | null;
  /** Photos whose faces guests are swapped into: the second for whoever is in the first. */
  templates: readonly string[];
}

export type Operation = (photo: OpenReference, options: ReadingOptions) => AsyncGenerator<Reading>;

export async function openReference(photo: ReferencePhoto): Promise<OpenReference> {
  const picture = await readPhoto(photo.file);
  const faces = await findPeople(picture);
  clearRedEyes(picture, faces);
  return { ...photo, picture, faces };
}

/** People as they are cut out for a scene, in a photo of their own: clearing coloured light changes it. */
async function cutPeople(picture: Picture, faces: Face[], options: FindPeopleOptions): Promise<PeoplePhoto> {
  const photo = { ...picture, planes: mapPlanes(picture.planes, (plane) => plane.slice()) };
  const people = await findPeopleIn(photo, faces, options);
  clearColouredLight(people);
  return people;
}

/** In the order they are shown. */
export const operations = {
  matte: matteAll,
  compose: composeAll,
  'one-guest': composeOneGuest,
  costume: wearCostume,
  swap: swapIntoTemplate,
  looks: paintLooks,
  outpaint: expandPhoto,
} as const satisfies Record<string, Operation>;

/** The matte alone, before it is placed and refined on a canvas. */
async function* matteAll(
  { name, mask, picture, faces }: OpenReference,
  { outlineModel }: ReadingOptions,
): AsyncGenerator<Reading> {
  const { matte } = await findPeopleIn(picture, faces, { outlineModel });
  const meant = { isMeant: (label: number) => label !== nobody, faces };
  yield { photo: name, what: 'everyone', errors: measureMask(mask, keptInMatte(matte), meant) };
}

async function* composeAll(
  photo: OpenReference,
  { scenes, outlineModel }: ReadingOptions,
): AsyncGenerator<Reading> {
  const { name, mask, picture, faces } = photo;
  const people = await cutPeople(picture, faces, { outlineModel });
  const meant = { isMeant: (label: number) => label !== nobody, faces };
  for (const [index, scene] of scenes.entries()) {
    yield orRefused({ photo: name, what: scene.name }, async () => {
      const made = await compose([people], scene, { ratio: ratioOf(picture.width, picture.height), seed: 1 });
      const kept = keptOnCanvas(made.people, faces[0]!, made.faces[0]!);
      // The mask hardly depends on the scene.
      const errors = index === 0 ? { errors: measureMask(mask, kept, meant) } : {};
      return { ...errors, ...(await readComposite(people.photo, faces, made)) };
    });
  }
}

async function* composeOneGuest(
  photo: OpenReference,
  { scenes, outlineModel }: ReadingOptions,
): AsyncGenerator<Reading> {
  const { name, mask, picture, faces } = photo;
  if (faces.length < 2) return;
  const [scene] = scenes;
  for (const [index, guest] of faces.entries()) {
    const others = faces.filter((face) => face !== guest);
    const people = await cutPeople(picture, [guest], { others, outlineModel });
    const label = labelOf(mask, guest);
    const meant = { isMeant: (one: number) => one === label, faces: [guest] };
    const errors = measureMask(mask, keptInMatte(people.matte), meant);
    // The mask is read of every guest; one picture of each photo is enough for the edges and the face.
    const made = index === 0 ? await compose([people], scene!, { ratio: 'portrait', seed: 1 }) : null;
    const rest = made ? await readComposite(people.photo, [guest], made) : {};
    yield { photo: name, what: `guest ${index + 1}`, errors, ...rest };
  }
}

/** The mask is measured around the head, of which only that is in the picture. */
async function* wearCostume(
  photo: OpenReference,
  { scenes, outlineModel }: ReadingOptions,
): AsyncGenerator<Reading> {
  const { name, mask, picture, faces } = photo;
  const [guest, ...others] = faces;
  if (!guest || others.length > 0) return;
  const people = await cutPeople(picture, [guest], { outlineModel });
  const costume = chooseVariant((await readCostumes()).get('knight')!, 1);
  const { center, height } = guest;
  const chin = pointOf(guest, 152);
  const errors = measureMask(mask, keptInMatte(people.matte), {
    isMeant: (label) => label !== nobody,
    faces: [guest],
    within: (x, y) => y < chin.y + 0.1 * height && Math.hypot(x - center.x, y - center.y) < 1.2 * height,
  });
  yield orRefused({ photo: name, what: 'knight', errors }, async () => {
    const worn = [{ people, face: guest, costume }];
    const made = await composeInCostumes(worn, scenes[0]!, { ratio: 'portrait', seed: 1 });
    const { likeness, light, found } = await readFaces(people.photo, [guest], made);
    return { likeness, light, found };
  });
}

async function* swapIntoTemplate(
  photo: OpenReference,
  { templates }: ReadingOptions,
): AsyncGenerator<Reading> {
  const { name, picture, faces } = photo;
  const [guest, ...others] = faces;
  if (!guest || others.length > 0) return;
  const file = templates.find((template) => template !== photo.file)!;
  yield orRefused({ photo: name, what: 'template' }, async () => {
    const template = await readPhoto(file);
    const slots = await findFaces(template, { traits: false });
    const swapped = await swapFace(template, chooseFace(slots, undefined), picture, guest);
    return readFaces(picture, [guest], { picture: swapped, faces: slots });
  });
}

/** Every look on one group and one portrait. */
async function* paintLooks(photo: OpenReference): AsyncGenerator<Reading> {
  const { name, picture, faces } = photo;
  if (name !== 'sample4' && name !== 'astronaut') return;
  for (const look of lookNames) {
    const painted = applyLook(look, picture, faces, 1);
    const found = (await findFaces(painted, { traits: false })).length;
    const light = faces.map((face) => faceLuminance(painted, face));
    yield { photo: name, what: look, light, found: { faces: found, of: faces.length } };
  }
}

async function* expandPhoto(photo: OpenReference): AsyncGenerator<Reading> {
  const { name, picture, faces } = photo;
  if (faces.length < 2) return;
  const ratio = ratioOf(picture.width, picture.height);
  const placed = await placeOnCanvas(picture, faces, ratio, { seed: 1, expand: true });
  yield { photo: name, what: ratio, ...(await readFaces(picture, faces, placed)) };
}

async function readComposite(photo: Picture, faces: readonly Face[], made: Composite) {
  const before = photoBehind(photo, faces[0]!, made.faces[0]!, made.picture);
  return {
    plainHalo: plainHaloShare(made.picture, made.people.data),
    halo: haloShare(made.picture, made.people.data, before),
    ...(await readFaces(photo, faces, made)),
  };
}

async function readFaces(
  photo: Picture,
  faces: readonly Face[],
  made: Pick<Composite, 'picture' | 'faces'>,
): Promise<Required<Pick<Reading, 'likeness' | 'light' | 'found'>>> {
  const alike: number[] = [];
  for (const [i, face] of faces.entries()) {
    alike.push(await likeness(photo, face, made.picture, made.faces[i]!));
  }
  const found = (await findFaces(made.picture, { traits: false })).length;
  return {
    likeness: alike,
    light: made.faces.map((face) => faceLuminance(made.picture, face)),
    found: { faces: found, of: faces.length },
  };
}

async function orRefused(reading: Reading, read: () => Promise<Partial<Reading>>): Promise<Reading> {
  try {
    return { ...reading, ...(await read()) };
  } catch (error) {
    if (error instanceof RenderError && error.code === 'ENGINE_REFUSED') {
      return { photo: reading.photo, what: reading.what, refused: error.message };
    }
    throw error;
  }
}

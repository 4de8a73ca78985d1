import { isGroup } from '@guise/contract/common.ts';
import type { Size } from '@guise/contract/families/canvas.ts';
import type { AnyParams } from '@guise/contract/families/families.ts';
import { clearColouredLight } from './compose/coloured-light.ts';
import { likelyScale } from './compose/framing.ts';
import { slotFor } from './compose/place-people.ts';
import { type Costume, chooseVariant } from './costume/costumes.ts';
import { chooseFace, genderOf } from './faces/choose-face.ts';
import type { Face } from './faces/face.ts';
import { moveFace } from './faces/face-outline.ts';
import { assertGroupSize, findPeople } from './faces/faces.ts';
import { clearRedEyes } from './faces/red-eye.ts';
import type { FamilyRule } from './family-rules.ts';
import type { MatteOptions } from './matting/matte.ts';
import { findPeopleIn, type PeoplePhoto } from './matting/people.ts';
import { readPhoto } from './pixels/photo.ts';
import type { Picture } from './pixels/picture.ts';
import type { RenderPlan } from './plan.ts';
import type { RenderOptions } from './render-options.ts';
import { beginStage } from './runtime/stages.ts';
import type { Scene } from './scenes/scenes.ts';
import { upscaleGuests } from './upscale/small-faces.ts';

/** A photo and the people in it. */
export interface FoundPhoto {
  photo: Picture;
  faces: Face[];
}

export async function findEveryone(
  files: readonly string[],
  { costume }: RenderPlan,
  { rule, params, signal }: RenderOptions,
): Promise<FoundPhoto[]> {
  // They choose the guest, or the variant of the costume that each guest wears.
  const traits =
    choosesByTraits(rule, params) || (costume?.variants !== undefined && !isOfOneGuest(rule, params));
  const photos: FoundPhoto[] = [];
  for (const file of files) {
    beginStage('decode');
    const photo = await readPhoto(file);
    signal.throwIfAborted();
    beginStage('faces');
    const faces = await findPeople(photo, { traits });
    clearRedEyes(photo, faces);
    photos.push({ photo, faces });
    assertGroupSize(photos.reduce((sum, one) => sum + one.faces.length, 0));
    signal.throwIfAborted();
  }
  return photos;
}

/** Whether the picture is of one guest, whoever else is in the photo. */
export function isOfOneGuest(rule: FamilyRule, { gender }: AnyParams): boolean {
  return rule.people === 'by gender' && !isGroup(gender);
}

/** Age and gender are looked for only where they choose the guest. */
export function choosesByTraits(rule: FamilyRule, params: AnyParams): boolean {
  return params.gender !== undefined && isOfOneGuest(rule, params);
}

/** The costume that each guest wears, in the variant for them. */
export function chooseCostumes(
  photos: readonly FoundPhoto[],
  costume: Costume,
  { rule, params }: Pick<RenderOptions, 'rule' | 'params'>,
): Costume[] {
  return isOfOneGuest(rule, params)
    ? photos.map(() => chooseVariant(costume, params.gender))
    : photos.flatMap(({ faces }) => faces.map((face) => chooseVariant(costume, genderOf(face))));
}

/** The one guest that is meant, or everybody, of each photo. */
export async function cutGuests(
  photos: readonly FoundPhoto[],
  scene: Scene,
  canvas: Size,
  options: RenderOptions,
  { alwaysOutlined = false }: Pick<MatteOptions, 'alwaysOutlined'> = {},
): Promise<PeoplePhoto[]> {
  const { rule, params, signal, progress } = options;
  const fast = params.quality_mode === 'v6';
  const [outlineModel, upscaleModel] = await Promise.all([options.outlineModel(), options.upscaleModel()]);
  const count = photos.reduce((sum, { faces }) => sum + faces.length, 0);
  const slot = slotFor(scene, count, canvas);
  const cut: PeoplePhoto[] = [];
  for (const { photo, faces } of photos) {
    const guests = isOfOneGuest(rule, params) ? [chooseFace(faces, params.gender)] : faces;
    const larger =
      upscaleModel && (await upscaleGuests(photo, guests, likelyScale(guests, canvas, slot), upscaleModel));
    const move = (face: Face) => (larger ? moveFace(face, larger.placement) : face);
    const others = faces.filter((face) => !guests.includes(face)).map(move);
    signal.throwIfAborted();
    const source = larger?.photo ?? photo;
    const people = await findPeopleIn(source, guests.map(move), {
      ...{ fast, signal, others, outlineModel, alwaysOutlined },
    });
    clearColouredLight(people);
    cut.push(people);
    progress(0.2 + (0.35 * cut.length) / photos.length);
  }
  return cut;
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ratio } from '@guise/contract/common.ts';
import { ratioOf } from '@guise/contract/families/canvas.ts';
import { FilterDefinition } from '@guise/contract/filters.ts';
import { clearColouredLight } from '../src/compose/coloured-light.ts';
import { compose, type SceneComposite } from '../src/compose/compose.ts';
import { chooseFace } from '../src/faces/choose-face.ts';
import { findPeople } from '../src/faces/faces.ts';
import { clearRedEyes } from '../src/faces/red-eye.ts';
import { type Measurement, measureComposition } from '../src/judge/judge.ts';
import { findPeopleIn, type PeoplePhoto } from '../src/matting/people.ts';
import type { OutlineModel } from '../src/matting/segment-anything.ts';
import { packageFolder } from '../src/models/model-files.ts';
import { readPhoto } from '../src/pixels/photo.ts';
import { RenderError } from '../src/runtime/render-error.ts';
import { readScenes } from '../src/scenes/scenes.ts';

/** A picture: a photo by its name without its ending, and what is made of it. */
export interface PictureCase {
  photo: string;
  family: 'face_swap_v6' | 'multi_swap_v5';
  filter: number;
  gender?: number;
  ratio?: Ratio;
  outpaint?: boolean;
}

/** What came of a case: the picture and what every check measured on it, or why there is none. */
export type MeasuredPicture = { case: PictureCase; name: string } & (
  | { composite: SceneComposite; measurements: Measurement[]; cpuMs: number }
  | { refused: string }
);

export function nameOfCase({ photo, family, filter, gender, ratio, outpaint }: PictureCase): string {
  const shape = ratio ?? (outpaint ? 'outpaint' : 'frame');
  return `${photo}-${family === 'multi_swap_v5' ? 'group' : `guest-${gender}`}-${filter}-${shape}`;
}

/** Composes pictures in the order of their cases and measures them. Looks and palettes are left out. */
export async function* measureCases(
  cases: readonly PictureCase[],
  folders: readonly string[],
  outlineModel: OutlineModel | null = null,
): AsyncGenerator<MeasuredPicture> {
  const scenes = await readScenes();
  const cut = cutterOf(folders, outlineModel);
  for (const one of cases) {
    const name = nameOfCase(one);
    try {
      const people = await cut(one);
      const ratio = one.ratio ?? ratioOf(people.photo.width, people.photo.height);
      const scene = scenes.get(sceneOf(one))!;
      const keepFrame = one.family === 'multi_swap_v5' && one.outpaint === false;
      const composite = await compose([people], scene, { ratio, seed: 1, keepFrame });
      const before = process.cpuUsage();
      const measurements = measureComposition(composite);
      const { user, system } = process.cpuUsage(before);
      yield { case: one, name, composite, measurements, cpuMs: (user + system) / 1000 };
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      yield { case: one, name, refused: error.message };
    }
  }
}

/** Cuts the people of a case out. Those of the case before are kept: a photo's cases follow each other. */
function cutterOf(folders: readonly string[], outlineModel: OutlineModel | null) {
  let last: { key: string; people: PeoplePhoto } | undefined;
  return async ({ photo: name, family, gender }: PictureCase): Promise<PeoplePhoto> => {
    const key = `${name} ${family} ${gender}`;
    if (last?.key === key) return last.people;
    const photo = await readPhoto(fileOf(name, folders));
    const faces = await findPeople(photo, { traits: true });
    clearRedEyes(photo, faces);
    const guests = family === 'multi_swap_v5' ? faces : [chooseFace(faces, gender)];
    const others = faces.filter((face) => !guests.includes(face));
    const people = await findPeopleIn(photo, guests, { others, outlineModel });
    clearColouredLight(people);
    last = { key, people };
    return people;
  };
}

/** The photo of this name in one of the folders, or among the photos of the package that tests use. */
function fileOf(name: string, folders: readonly string[]): string {
  const all = [...folders, join(packageFolder('@vladmandic/face-api')!, 'demo')];
  const file = all.map((folder) => join(folder, `${name}.jpg`)).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`${name}.jpg is in none of these folders: ${all.join(', ')}`);
  return file;
}

const catalogs = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../catalog/filters.json'), 'utf8'),
) as Record<'face_swap' | 'realistic', { id: number; definition: unknown }[]>;

function sceneOf({ family, filter }: PictureCase): string {
  const catalog = catalogs[family === 'multi_swap_v5' ? 'realistic' : 'face_swap'];
  const definition = FilterDefinition.parse(catalog.find(({ id }) => id === filter)?.definition);
  if (definition.kind !== 'scene') throw new Error(`filter ${filter} has no scene`);
  return definition.scene;
}

import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ratio } from '@guise/contract/common.ts';
import { type FamilyOf, familyOf } from '@guise/contract/families/families.ts';
import { parseRequest } from '@guise/contract/families/requests.ts';
import sharp from 'sharp';
import { openCatalog } from '../src/catalog.ts';
import { familyRules } from '../src/family-rules.ts';
import type { Measurement } from '../src/judge/judge.ts';
import type { OutlineModel } from '../src/matting/segment-anything.ts';
import { packageFolder } from '../src/models/model-files.ts';
import type { Picture } from '../src/pixels/picture.ts';
import { planFor } from '../src/plan.ts';
import { renderPicture } from '../src/render.ts';
import type { PictureRequest } from '../src/request.ts';
import { RenderError } from '../src/runtime/render-error.ts';

export type PhotoChange = 'mirrored' | 'darkened' | 'cropped';

/** A picture: a photo by its name without its ending, and what is made of it. */
export interface PictureCase {
  photo: string;
  /** How the photo is changed before, so that it is another one: to its mirror image, darker, or its upper part alone. */
  change?: PhotoChange;
  family: FamilyOf<'image'>;
  /** A filter or style of the catalog, a prompt, or the photo whose face is replaced. */
  filter?: number;
  prompt?: string;
  template?: string;
  gender?: number;
  ratio?: Ratio;
  outpaint?: boolean;
}

/** What came of a case: the picture and what every check measured on it, or why there is none. */
export type MeasuredPicture = { case: PictureCase; name: string } & (
  | { picture: Picture; measurements: Measurement[] }
  | { refused: string }
);

export function nameOfCase({
  photo,
  change,
  family,
  filter,
  gender,
  ratio,
  outpaint,
  ...words
}: PictureCase): string {
  const what = filter ?? words.template ?? words.prompt!.replaceAll(/\W+/g, '-');
  return [
    change ? `${photo}-${change}` : photo,
    family,
    what,
    gender ?? 'all',
    ratio ?? (outpaint ? 'outpaint' : 'frame'),
  ].join('-');
}

/** Makes pictures in the order of their cases, each as it first comes out, and measures them. */
export async function* measureCases(
  cases: readonly PictureCase[],
  folders: readonly string[],
  outlineModel: OutlineModel | null = null,
): AsyncGenerator<MeasuredPicture> {
  const catalog = openCatalog([], null);
  for (const one of cases) {
    const named = { case: one, name: nameOfCase(one) };
    const request = requestOf(one, folders);
    const rule = familyRules[one.family];
    try {
      const { picture, measurements } = await renderPicture(
        [await photoOf(one, folders)],
        await planFor(request, rule, catalog),
        {
          rule,
          params: request.params,
          seed: 1,
          swapNetwork: async () => null,
          outlineModel: async () => outlineModel,
          upscaleModel: async () => null,
          signal: new AbortController().signal,
          progress() {},
          onlyJudge: true,
        },
      );
      yield { ...named, picture, measurements };
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      yield { ...named, refused: error.message };
    }
  }
}

async function photoOf({ photo, change }: PictureCase, folders: readonly string[]): Promise<string> {
  const file = fileOf(photo, folders);
  if (!change) return file;
  const { width, height } = await sharp(file).metadata();
  const upper = { left: 0, top: 0, width, height: Math.round(0.6 * height) };
  const changed = {
    mirrored: () => sharp(file).flop(),
    darkened: () => sharp(file).linear(0.45, 0),
    cropped: () => sharp(file).extract(upper),
  }[change]();
  const copy = join(await mkdtemp(join(tmpdir(), 'guise-judged-')), 'photo.jpg');
  await changed.jpeg({ quality: 92 }).toFile(copy);
  return copy;
}

const catalogs = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../catalog/filters.json'), 'utf8'),
) as Record<string, { id: number; definition: unknown }[]>;

function requestOf(one: PictureCase, folders: readonly string[]): PictureRequest {
  const { photo: _, change: __, family, filter, template, ...params } = one;
  const catalog = catalogs[familyOf(family).filter?.catalog ?? 'face_swap']!;
  const definition = template
    ? { kind: 'template', image: fileOf(template, folders) }
    : (catalog.find(({ id }) => id === filter)?.definition ?? null);
  return parseRequest(family, params, definition) as PictureRequest;
}

/** The photo of this name in one of the folders, or among the photos of the package that tests use. */
function fileOf(name: string, folders: readonly string[]): string {
  const all = [...folders, join(packageFolder('@vladmandic/face-api')!, 'demo')];
  const file = all.map((folder) => join(folder, `${name}.jpg`)).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`${name}.jpg is in none of these folders: ${all.join(', ')}`);
  return file;
}

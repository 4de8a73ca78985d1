import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ratio } from '@guise/contract/common.ts';
import type { Size } from '@guise/contract/families/canvas.ts';
import { cropHeight, type SceneForeground, type SceneSettings } from '@guise/contract/scenes/own-scenes.ts';
import { packTar } from 'modern-tar';
import type { PictureTasks } from '../engines/picture-tasks/picture-tasks.ts';
import { AppError, invalidField } from '../errors.ts';
import { newId } from '../ids.ts';
import { withScratchFolder } from '../jobs/scratch.ts';
import type { Decoder } from '../media/decoder.ts';
import { type Image, readImage } from '../media/image-input.ts';
import type { FetchUrl } from '../media/safe-fetch.ts';
import type { Upload } from '../media/upload.ts';
import type { Blobs } from '../store/blobs.ts';

export interface SceneFileParts {
  blobs: Blobs;
  decoder: Decoder;
  fetchUrl: FetchUrl;
  pictureTasks: PictureTasks;
  scratchDir: string;
}

/** Whose scene it is, and whether they still wait for it. */
export interface SceneCaller {
  accountId: string;
  signal: AbortSignal;
}

/** Every state of a scene has files of its own: jobs that were accepted before go on with theirs. */
export const newSceneKey = (ownerId: string, extension: 'webp' | 'png' | 'tar') =>
  `scenes/${ownerId}-${newId().slice(-12)}.${extension}`;

/** The longest side of a backdrop that is kept: a landscape picture has half of it. */
const longestSide = 3600;

/** A backdrop as it is kept: upright, without metadata of the camera, and no larger than pictures need it. */
export function encodeBackdrop(
  { decoder }: Pick<SceneFileParts, 'decoder'>,
  { bytes }: Image,
  asked: SceneCaller,
): Promise<{ backdrop: Buffer; thumbnail: Buffer }> {
  return decoder.inTurn(asked, async (tasks, folder) => {
    const at = (name: string) => join(folder, name);
    await writeFile(at('photo'), bytes);
    await tasks.encodePhoto({ photo: at('photo'), jpeg: at('jpeg'), thumbnail: at('small') });
    const within = { width: longestSide, height: longestSide };
    await tasks.shrinkPicture({ file: at('jpeg'), target: at('backdrop'), within, quality: 94 });
    return { backdrop: await readFile(at('backdrop')), thumbnail: await readFile(at('small')) };
  });
}

/** What stands before people: a new mask or outlines, the mask that is stored, or nothing. */
export type ForegroundInput = SceneForeground | { kept: string } | null;

export interface SceneDrawing {
  /** The blob of the backdrop. */
  backdrop: string;
  settings: SceneSettings;
  foreground: ForegroundInput;
  /** The one shape that is needed, for a scene that is only tried. */
  only?: Ratio;
  /** Images of the request's body, by the names that stand for them in it. */
  uploadOf(image: string): string | Upload;
}

/** Draws the pictures of a scene and stores them as one archive, and its mask, as blobs of this owner. */
export async function storeSceneFiles(
  parts: SceneFileParts,
  ownerId: string,
  drawing: SceneDrawing,
  asked: SceneCaller,
): Promise<{ files: string; mask: string | null }> {
  return withScratchFolder(parts.scratchDir, async (folder) => {
    const file = join(folder, 'backdrop');
    const mask = join(folder, 'mask.png');
    await copyBlob(parts.blobs, drawing.backdrop, file);
    const foreground = await foregroundFor(parts, drawing, join(folder, 'foreground'), asked);
    const task = {
      kind: 'write-scene',
      file,
      settings: drawing.settings,
      foreground,
      folder,
      mask,
      only: drawing.only,
    } as const;
    const written = await parts.pictureTasks.doTask(task, asked).catch(refuseBackdrop);
    const entries = await Promise.all(
      written.files.map(async (name) => {
        const body = await readFile(join(folder, name));
        return { header: { name, size: body.length }, body };
      }),
    );
    const files = newSceneKey(ownerId, 'tar');
    await parts.blobs.put(files, await packTar(entries));
    if (!written.hasMask) return { files, mask: null };
    const maskKey = newSceneKey(ownerId, 'png');
    await parts.blobs.put(maskKey, await readFile(mask));
    return { files, mask: maskKey };
  });
}

async function foregroundFor(
  parts: SceneFileParts,
  { foreground, uploadOf }: SceneDrawing,
  file: string,
  asked: SceneCaller,
) {
  if (foreground === null) return null;
  if ('outlines' in foreground) return { kind: 'outlines', outlines: foreground.outlines } as const;
  if ('kept' in foreground) {
    await copyBlob(parts.blobs, foreground.kept, file);
  } else {
    const { bytes } = await readImage(uploadOf(foreground.mask), parts, asked);
    await writeFile(file, bytes);
  }
  return { kind: 'mask', file } as const;
}

export async function copyBlob(blobs: Blobs, key: string, file: string): Promise<void> {
  const bytes = await blobs.read(key);
  if (!bytes) throw new AppError('FILE_NOT_FOUND', 'The backdrop of this scene is no longer there.');
  await writeFile(file, bytes);
}

/** What the engine refuses is wrong with the backdrop that was sent. */
export function refuseBackdrop(error: unknown): never {
  if (error instanceof AppError && error.code === 'ENGINE_REFUSED')
    throw new AppError('INVALID_IMAGE', error.message, { cause: error });
  throw error;
}

/** Refuses crops that reach beyond the backdrop. */
export function assertCrops({ crops }: SceneSettings, backdrop: Size): void {
  for (const ratio of Ratio.options) {
    const crop = crops[ratio];
    const isInside = crop.x + crop.width < 1.001 && crop.y + cropHeight(crop, ratio, backdrop) < 1.001;
    if (!isInside) throw invalidField(`crops.${ratio}`, 'must lie inside the backdrop');
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import type { Sharp } from 'sharp';
import { findPeople } from '../../src/faces/faces.ts';
import { checkPhoto, type PhotoUse } from '../../src/picture-tasks/photo-check.ts';
import { readPhoto } from '../../src/pixels/photo.ts';
import { RenderError } from '../../src/runtime/render-error.ts';

export const scene: FilterDefinition = { kind: 'scene', scene: 'aurora' };
export const forAll: PhotoUse = { taken: 'everyone', filter: scene };

let photos = 0;

/** Writes a picture into a folder as a camera would. */
export async function jpegFile(folder: string, picture: Sharp): Promise<string> {
  const file = join(folder, `${photos++}.jpg`);
  await picture.jpeg({ quality: 90 }).toFile(file);
  return file;
}

/** Where the check of a photo blocks for another reason than the job's search for faces refuses it, or for none. */
export async function compareChecks(pictures: readonly Sharp[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'guise-compare-checks-'));
  const disagreements: string[] = [];
  for (const [at, picture] of pictures.entries()) {
    const file = await jpegFile(folder, picture);
    const { problems } = await checkPhoto(file, forAll);
    const refusal = await findPeople(await readPhoto(file), { traits: false, irises: false }).then(
      () => null,
      (error: unknown) => (error instanceof RenderError ? error.message : Promise.reject(error)),
    );
    const blocking = problems.find(({ blocks }) => blocks)?.sentence ?? null;
    if (blocking !== refusal) disagreements.push(`picture ${at}: ${blocking} and ${refusal}`);
  }
  rmSync(folder, { recursive: true, force: true });
  return disagreements;
}

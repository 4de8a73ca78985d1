import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { packageFolder } from '../../../src/engines/local/model-files.ts';

/** Photos of groups that come with a development dependency: `sample(1)` … `sample(6)`. */
export function sample(number: number): string {
  return join(packageFolder('@vladmandic/face-api')!, 'demo', `sample${number}.jpg`);
}

export const peopleInSample = [0, 3, 3, 3, 4, 5, 4] as const;

let folder: Promise<string> | undefined;

/** Writes a photo for one test run and gives its path. */
export async function photoFile(name: string, photo: Sharp | Buffer): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), 'guise-photos-'));
  const file = join(await folder, name);
  await writeFile(file, Buffer.isBuffer(photo) ? photo : await photo.toBuffer());
  return file;
}

/** One person: the woman on the right of sample 6, from the hips up. */
export function onePerson(): Promise<string> {
  return photoFile(
    'one.png',
    sharp(sample(6)).extract({ left: 1330, top: 120, width: 590, height: 1100 }).png(),
  );
}

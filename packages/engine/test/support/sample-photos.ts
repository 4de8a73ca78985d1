import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { packageFolder } from '../../src/models/model-files.ts';

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

/**
 * One person: the woman on the right of sample 1, from the knees up. Fewer rows show less of her, down to 450 for head
 * and shoulders in landscape, and are cut out in less time.
 */
export function onePerson(rows = 1280): Promise<string> {
  const alone = sharp(sample(1)).extract({ left: 1290, top: 0, width: 630, height: rows });
  return photoFile(`one-${rows}.png`, alone.png());
}

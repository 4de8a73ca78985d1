import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { photoFiles } from '../watch/photo-files.ts';
import type { PhotoSource } from './photo-source.ts';

const askEveryMs = 100;
/** Whoever releases the camera by hand has so long. */
const longestMs = 30_000;

/** A folder that another program puts photos into, such as that of a camera's maker: the next one is the photo. */
export function openFolderCamera(folder: string): PhotoSource {
  const files = photoFiles(folder);
  return {
    name: folder,
    async shoot(signal) {
      const nameOf = ({ name, mtimeMs }: { name: string; mtimeMs: number }) => `${name} ${mtimeMs}`;
      const begun = Date.now();
      const before = new Set((await listed()).map(nameOf));
      for (;;) {
        const isNew = (file: { name: string; mtimeMs: number }) =>
          !before.has(nameOf(file)) && file.mtimeMs > begun - 2000;
        const photo = (await listed()).findLast(isNew);
        if (photo) return readFile(photo.path);
        if (Date.now() - begun > longestMs)
          throw new AppError('USAGE', `No photo has appeared in ${folder} for ${longestMs / 1000} s.`);
        await sleep(askEveryMs, undefined, { signal });
      }
    },
  };

  async function listed() {
    try {
      return await files.list();
    } catch (cause) {
      throw new AppError('USAGE', `${folder} cannot be read.`, { cause });
    }
  }
}

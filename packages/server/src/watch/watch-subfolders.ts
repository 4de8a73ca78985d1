import type { Dirent } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPhotoName } from './photo-files.ts';
import type { RunChoice } from './submit-photo.ts';
import {
  errorText,
  lookEveryMs,
  readFolder,
  type WatchCounts,
  type WatchMessage,
  type WatchOptions,
  watchFolder,
} from './watch-folder.ts';

export interface SubfolderOptions extends Omit<WatchOptions, 'choice' | 'subfolder'> {
  /** What is made of every photo, except for the filter. */
  choice: Omit<RunChoice, 'filter'>;
}

/** Those of a folder that was watched by itself before. */
const ownFolders = ['done', 'failed'];

/**
 * Watches every folder inside of a folder, and those that are added later. The name of each is the filter of its photos,
 * and the folder of their pictures in the output folder. Each has its own photos in work: those of a folder whose name is
 * no filter wait, and hold up no other folder. Photos beside the folders have no filter, and are left where they are.
 */
export async function watchSubfolders(options: SubfolderOptions): Promise<void> {
  const { input, output, choice, report, signal } = options;
  for (const folder of [input, output]) await mkdir(folder, { recursive: true });
  const counts = new Map<string, WatchCounts>();
  const watching = new Map<string, Promise<unknown>>();
  /** What is wrong with folders, as it was told last. */
  const faults = new Map<string, string>();
  const tell = (message: WatchMessage) => report(sumCounts([...counts.values()]), message);
  const watch = (folder: string) =>
    watchFolder({
      ...options,
      input: join(input, folder),
      output: join(output, folder),
      choice: { ...choice, filter: folder },
      subfolder: folder,
      report(ofFolder, message) {
        counts.set(folder, ofFolder);
        faults.delete(folder);
        report(sumCounts([...counts.values()]), message);
      },
    })
      .catch((error) => {
        const sentence = errorText(error);
        // A folder that somebody deletes or renames is no longer watched. Any other is tried again at the next look.
        if (error.code !== 'ENOENT' && faults.get(folder) !== sentence)
          tell({ kind: 'away', folder: join(input, folder), sentence });
        faults.set(folder, sentence);
      })
      .finally(() => watching.delete(folder));

  let isAway = false;
  let isToldOfPhotos = false;
  while (!signal.aborted) {
    const read = await readFolder(input, () => readdir(input, { withFileTypes: true }));
    if ('kind' in read && !isAway) tell(read);
    isAway = 'kind' in read;
    const entries = 'kind' in read ? [] : read;
    if (!isToldOfPhotos && entries.some((entry) => entry.isFile() && isPhotoName(entry.name))) {
      tell({ kind: 'beside', folder: input });
      isToldOfPhotos = true;
    }
    for (const folder of subfoldersOf(entries))
      if (!watching.has(folder) && join(input, folder) !== output) watching.set(folder, watch(folder));
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
  }
  await Promise.all(watching.values());
}

function subfoldersOf(entries: readonly Dirent[]): string[] {
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !ownFolders.includes(entry.name))
    .map(({ name }) => name);
}

function sumCounts(all: readonly WatchCounts[]): WatchCounts {
  const sum = (name: keyof WatchCounts) => all.reduce((total, counts) => total + counts[name], 0);
  return { made: sum('made'), failed: sum('failed'), inWork: sum('inWork'), waiting: sum('waiting') };
}

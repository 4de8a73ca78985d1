import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { RunFamily } from '@guise/client/runs/family-inputs.ts';
import { z } from 'zod';
import { replaceDurably, writeDurably } from '../durable-files.ts';
import { ifMissing } from '../missing-file.ts';

/** How far a photo is. It is kept until the photo has been moved away, so that a restart goes on where this stopped. */
const PhotoRecord = z.object({
  /** Photos whose job was lost on the server are submitted again under another key. */
  submits: z.int(),
  job: z
    .object({ id: z.string(), family: z.custom<RunFamily>((name) => typeof name === 'string') })
    .optional(),
  /** The name of the result in the output folder. */
  result: z.string().optional(),
  printed: z.boolean().optional(),
});
export type PhotoRecord = z.infer<typeof PhotoRecord>;

export interface WatchRecords {
  read(key: string): Promise<PhotoRecord>;
  write(key: string, record: PhotoRecord): Promise<void>;
  remove(key: string): Promise<void>;
  /** Writes a result under a name that is free, and gives the name. */
  putResult(key: string, record: PhotoRecord, photoName: string, bytes: Uint8Array): Promise<string>;
  /** Puts the result of a process that was killed in between in its place. */
  finishResult(key: string, name: string): Promise<void>;
}

/** Records and unfinished results, in a folder inside of the output folder. */
export async function openWatchRecords(output: string): Promise<WatchRecords> {
  const folder = join(output, '.guise-watch');
  await mkdir(folder, { recursive: true });
  const taken = new Set<string>();
  const recordOf = (key: string) => join(folder, `${key}.json`);
  const partOf = (key: string) => join(folder, `${key}.part`);

  const records: WatchRecords = {
    async read(key) {
      const text = await readFile(recordOf(key), 'utf8').catch(() => null);
      return text === null ? { submits: 0 } : PhotoRecord.parse(JSON.parse(text));
    },
    async write(key, record) {
      await replaceDurably(recordOf(key), JSON.stringify(record));
    },
    async remove(key) {
      await rm(recordOf(key), { force: true });
      await rm(partOf(key), { force: true });
    },
    async putResult(key, record, photoName, bytes) {
      await writeDurably(await open(partOf(key), 'w'), partOf(key), bytes);
      const name = freeName(output, `${parse(photoName).name}.png`, taken);
      await records.write(key, { ...record, result: name });
      await records.finishResult(key, name);
      return name;
    },
    async finishResult(key, name) {
      await rename(partOf(key), join(output, name)).catch(ifMissing(undefined));
    },
  };
  return records;
}

/** A name that no file of the folder has, and that nobody else of this process has chosen. */
export function freeName(folder: string, wanted: string, taken: Set<string>): string {
  const { name, ext } = parse(wanted);
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? wanted : `${name}-${n}${ext}`;
    // Some file systems do not tell capitals apart.
    const place = join(folder, candidate).toLowerCase();
    if (taken.has(place) || existsSync(join(folder, candidate))) continue;
    taken.add(place);
    return candidate;
  }
}

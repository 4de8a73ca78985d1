import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../errors.ts';
import { downloadFile, fileSize, HostNotReached, partFileOf } from './download-file.ts';
import { downloadByManager, ManagerUnusable } from './manager-downloads.ts';
import { gigabytesOf } from './model-size.ts';
import type { FileToGet, ServerProposal, ServerToSetUp } from './propose-setup.ts';

/** Who downloads the files of a server. */
export type Getter =
  | { by: 'this machine'; folderOf(folder: string): string; folder: string }
  | { by: 'manager' }
  | { by: 'script' };

/** On this machine where the server's folder is here, else by ComfyUI-Manager where it is there, else by a script. */
export function chooseGetter({ url, inventory }: ServerToSetUp, modelsFolder: string | undefined): Getter {
  if (modelsFolder !== undefined)
    return {
      by: 'this machine',
      folder: modelsFolder,
      folderOf: (folder) => join(modelsFolder, folder),
    };
  const own = [...inventory.folders.values()][0];
  if (own !== undefined && isThisMachine(url) && existsSync(own)) {
    const base = dirname(inventory.folders.get('vae') ?? own);
    return {
      by: 'this machine',
      folder: base,
      folderOf: (folder) => inventory.folders.get(folder) ?? join(base, folder),
    };
  }
  return inventory.hasManager ? { by: 'manager' } : { by: 'script' };
}

const isThisMachine = (url: string) => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);

export interface GetOptions {
  headers: Record<string, string>;
  signal: AbortSignal;
  token: string | undefined;
  /** In bytes; `total` is 0 where nobody knows, as of what ComfyUI-Manager downloads. */
  progress(file: string, done: number, total: number): void;
  /** Why some are left for a script. */
  told?(sentence: string): void;
  pauseMs?: number;
}

/** Gets what a getter can get. Returns what is left for a script. */
export async function getFiles(
  wanted: Pick<ServerProposal, 'server' | 'toGet'>,
  getter: Getter,
  options: GetOptions,
): Promise<FileToGet[]> {
  if (getter.by === 'script') return wanted.toGet;
  if (getter.by === 'manager') return getByManager(wanted, options);
  const targetOf = ({ folder, file }: FileToGet) => join(getter.folderOf(folder), file);
  const lacking = await withoutThere(wanted.toGet, targetOf);
  await assertSpace(getter.folder, lacking, targetOf);
  return getHere(lacking, targetOf, options);
}

type TargetOf = (file: FileToGet) => string;

async function getByManager(
  { server, toGet }: Pick<ServerProposal, 'server' | 'toGet'>,
  { headers, signal, progress, told }: GetOptions,
): Promise<FileToGet[]> {
  try {
    const taken = await downloadByManager(server, toGet, {
      headers,
      signal,
      progress: ({ file }) => progress(file, 0, 0),
    });
    return toGet.filter((file) => !taken.includes(file));
  } catch (error) {
    if (!(error instanceof ManagerUnusable)) throw error;
    told?.(`${error.message} What is left is for the script.`);
    return toGet;
  }
}

async function getHere(
  files: readonly FileToGet[],
  targetOf: TargetOf,
  { signal, token, progress, told, pauseMs }: GetOptions,
): Promise<FileToGet[]> {
  for (const [i, file] of files.entries()) {
    try {
      await downloadFile(file, targetOf(file), {
        signal,
        token: file.gated ? token : undefined,
        progress: (done, total) => progress(file.file, done, total),
        ...(pauseMs !== undefined && { pauseMs }),
      });
    } catch (error) {
      if (!(error instanceof HostNotReached)) throw error;
      told?.(`${error.message} What is left is for a machine that reaches it.`);
      return files.slice(i);
    }
  }
  return [];
}

/** Another server with the same folder may have got some since this one was asked. */
async function withoutThere(files: readonly FileToGet[], targetOf: TargetOf): Promise<FileToGet[]> {
  const sizes = await Promise.all(files.map((file) => fileSize(targetOf(file))));
  return files.filter(({ bytes }, i) => sizes[i] === 0 || (bytes !== undefined && sizes[i] !== bytes));
}

async function assertSpace(folder: string, files: readonly FileToGet[], targetOf: TargetOf): Promise<void> {
  const { bavail, bsize } = await statfs(folder).catch((cause) => {
    throw new AppError('USAGE', `The folder ${folder} cannot be read.`, { cause });
  });
  const rests = await Promise.all(
    files.map(async (file) => {
      const came = await fileSize(partFileOf(targetOf(file)));
      return Math.max(0, gigabytesOf(file.size) - came / 1e9);
    }),
  );
  const needed = rests.reduce((sum, rest) => sum + rest, 0);
  const free = (bavail * bsize) / 1e9;
  if (needed > free)
    throw new AppError(
      'USAGE',
      `The disk of ${folder} has ${free.toFixed(1)} GB left, and the files need about ${needed.toFixed(1)} GB.`,
    );
}

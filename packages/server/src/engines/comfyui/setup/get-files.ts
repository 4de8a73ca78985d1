import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../errors.ts';
import { downloadFile, HostNotReached } from './download-file.ts';
import { downloadByManager } from './manager-downloads.ts';
import { type FileToGet, type ServerProposal, type ServerToSetUp, sumOfSizes } from './propose-setup.ts';

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
  progress(file: string, done: number, total: number): void;
  /** Why some are left for a script. */
  told?(sentence: string): void;
  pauseMs?: number;
}

/** Gets what a getter can get. Returns what is left for a script. */
export async function getFiles(
  { server, toGet }: Pick<ServerProposal, 'server' | 'toGet'>,
  getter: Getter,
  { headers, signal, token, progress, told, pauseMs }: GetOptions,
): Promise<FileToGet[]> {
  if (getter.by === 'script') return toGet;
  if (getter.by === 'manager') {
    const taken = await downloadByManager(server, toGet, {
      headers,
      signal,
      progress: (done, total) => progress('ComfyUI-Manager', done, total),
    });
    return toGet.filter((file) => !taken.includes(file));
  }
  await assertSpace(getter.folder, toGet);
  for (const [i, file] of toGet.entries()) {
    const target = join(getter.folderOf(file.folder), file.file);
    try {
      await downloadFile(file, target, {
        signal,
        token: file.gated ? token : undefined,
        progress: (done, total) => progress(file.file, done, total),
        ...(pauseMs !== undefined && { pauseMs }),
      });
    } catch (error) {
      if (!(error instanceof HostNotReached)) throw error;
      told?.(`${error.message} What is left is for a machine that reaches it.`);
      return toGet.slice(i);
    }
  }
  return [];
}

async function assertSpace(folder: string, files: readonly FileToGet[]): Promise<void> {
  const { bavail, bsize } = await statfs(folder).catch((cause) => {
    throw new AppError('USAGE', `The folder ${folder} cannot be read.`, { cause });
  });
  const needed = sumOfSizes(files);
  const free = (bavail * bsize) / 1e9;
  if (needed > free)
    throw new AppError(
      'USAGE',
      `The disk of ${folder} has ${free.toFixed(1)} GB left, and the files need about ${needed.toFixed(1)} GB.`,
    );
}

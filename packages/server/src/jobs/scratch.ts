import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { newId } from '../ids.ts';
import { lockWith } from '../store/folder-lock.ts';

/** A folder for the runs of this process alone. */
export interface Scratch {
  folder: string;
  remove(): void;
}

/**
 * The lock of a folder is a file beside it: Windows removes no folder in which a file is open. It is held before the
 * folder is there, so a folder whose lock is free was left behind.
 */
const lockOf = (folder: string) => lockWith(`${folder}.lock`, folder);

/** Guests' photos lie here while they are worked on: what processes that were killed left is removed first. */
export function createScratch(parent: string): Scratch {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(parent, { withFileTypes: true }))
    if (entry.isDirectory()) removeLeft(join(parent, entry.name));
  const folder = join(parent, newId());
  const lock = lockOf(folder);
  mkdirSync(folder, { mode: 0o700 });
  return {
    folder,
    remove() {
      rmSync(folder, { recursive: true, force: true });
      lock.release();
      rmSync(`${folder}.lock`, { force: true });
    },
  };
}

/** The operating system drops the lock of a process that is gone, however it went. */
function removeLeft(folder: string): void {
  try {
    const lock = lockOf(folder);
    try {
      rmSync(folder, { recursive: true, force: true });
    } finally {
      lock.release();
    }
    rmSync(`${folder}.lock`, { force: true });
  } catch {
    // Somebody works in it, or has just removed it.
  }
}

/** Lends a folder that is removed afterwards with everything in it. */
export async function withScratchFolder<T>(
  scratchDir: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = join(scratchDir, `task-${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  try {
    return await use(folder);
  } finally {
    await removeScratchFolder(folder);
  }
}

/**
 * What was made in the folder is done, so nothing fails with it: Windows removes no folder in which a file is open, and
 * what did not stop may still write into it. Then it stays until the process ends.
 */
export async function removeScratchFolder(folder: string, log?: Logger): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error) =>
    log?.warn({ err: error, folder }, 'a folder of a run could not be removed'),
  );
}

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { lockFolder } from '../store/lock.ts';

/** A folder for the runs of this process alone. */
export interface Scratch {
  folder: string;
  remove(): void;
}

/** Guests' photos lie here while they are worked on: what processes that were killed left is removed first. */
export function ownScratch(parent: string): Scratch {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) removeLeft(join(parent, name));
  for (;;) {
    const folder = join(parent, newId());
    mkdirSync(folder, { mode: 0o700 });
    try {
      const lock = lockFolder(folder);
      const remove = () => {
        lock.release();
        rmSync(folder, { recursive: true, force: true });
      };
      return { folder, remove };
    } catch (error) {
      // Another process that starts took it for left behind, before it was locked.
      if (!(error instanceof AppError)) throw error;
    }
  }
}

/** The operating system drops the lock of a process that is gone, however it went. */
function removeLeft(folder: string): void {
  try {
    const lock = lockFolder(folder);
    rmSync(folder, { recursive: true, force: true });
    lock.release();
  } catch {
    // Somebody works in it, or has just removed it.
  }
}

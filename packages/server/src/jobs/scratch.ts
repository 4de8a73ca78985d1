import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../ids.ts';
import { lockFolder } from '../store/folder-lock.ts';

/** A folder for the runs of this process alone. */
export interface Scratch {
  folder: string;
  remove(): void;
}

/** A folder that is not locked yet, and holds nothing. */
const unlocked = 'new-';

/** Guests' photos lie here while they are worked on: what processes that were killed left is removed first. */
export function createScratch(parent: string): Scratch {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) if (!name.startsWith(unlocked)) removeLeft(join(parent, name));
  const id = newId();
  const made = join(parent, `${unlocked}${id}`);
  mkdirSync(made, { mode: 0o700 });
  const lock = lockFolder(made);
  // From here on others see it, locked: one that starts at the same moment would take it for left behind.
  const folder = join(parent, id);
  renameSync(made, folder);
  return {
    folder,
    remove() {
      lock.release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The operating system drops the lock of a process that is gone, however it went. */
function removeLeft(folder: string): void {
  try {
    const lock = lockFolder(folder);
    try {
      rmSync(folder, { recursive: true, force: true });
    } finally {
      lock.release();
    }
  } catch {
    // Somebody works in it, or has just removed it.
  }
}

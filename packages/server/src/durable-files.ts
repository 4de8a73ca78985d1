import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isWindows } from './platform.ts';

/** Writes the file that is open at a path and closes it. A power loss after that removes neither its bytes nor its name. */
export async function writeDurably(
  file: FileHandle,
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  await writeAll(file, content).finally(() => file.close());
  await syncFolder(dirname(path));
}

/** Gives a file new content. Whoever reads it, and a power loss, finds the old content or the new. */
export async function replaceDurably(
  path: string,
  content: string | Uint8Array,
  mode?: number,
): Promise<void> {
  const incoming = `${path}.new`;
  await writeDurably(await open(incoming, 'w', mode), incoming, content);
  await rename(incoming, path);
  await syncFolder(dirname(path));
}

async function writeAll(
  file: FileHandle,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  if (typeof content === 'string') await file.writeFile(content);
  else if (content instanceof Uint8Array) await file.writeFile(content as Uint8Array<ArrayBuffer>);
  else for await (const chunk of content) await file.writeFile(chunk);
  await file.datasync();
}

/**
 * A file's name is data of its folder: unless that is synced too, a power loss can remove a synced file. Windows syncs
 * no folders; NTFS has names in its journal.
 */
export async function syncFolder(path: string): Promise<void> {
  if (isWindows) return;
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { packRefused } from './pack-refused.ts';

/** A pack may have no more than this: it is copied, and read whenever the server starts. */
const limits = { files: 2000, fileBytes: 8_000_000, bytes: 250_000_000 };

/** Paths that a pack may have. */
const allowed = /^(scenes|costumes)(\/[^/]+(\/[^/]+)?)?$|^(filters\.json|readme[^/]*|licen[cs]e[^/]*)$/i;

/** Every file of the pack, by its path inside: plain files at the places that a pack has, few and small enough. */
export async function listPackFiles(source: string): Promise<string[]> {
  const files: string[] = [];
  let bytes = 0;
  const collect = async (folder: string): Promise<void> => {
    const entries = await readdir(folder).catch(() => {
      throw packRefused(folder, 'is not a folder that can be read. Give the folder of the pack');
    });
    for (const entry of entries.sort()) {
      const path = join(folder, entry);
      const inside = relative(source, path).replaceAll('\\', '/');
      if (entry.startsWith('.') || inside === 'previews') continue;
      const found = await lstat(path);
      if (found.isSymbolicLink())
        throw packRefused(path, 'is a link; a pack holds its own files. Put the file there instead');
      if (!allowed.test(inside)) throw packRefused(path, 'is no part of a pack. Take it out');
      if (found.isDirectory()) {
        await collect(path);
        continue;
      }
      if (!found.isFile()) throw packRefused(path, 'is neither a file nor a folder. Take it out');
      bytes += found.size;
      if (found.size > limits.fileBytes || bytes > limits.bytes || files.length >= limits.files)
        throw tooLarge(path);
      files.push(inside);
    }
  };
  await collect(source);
  return files;
}

function tooLarge(path: string) {
  const { files, fileBytes, bytes } = limits;
  return packRefused(
    path,
    `is too much: a pack has up to ${files} files of ${fileBytes / 1e6} MB, ${bytes / 1e6} MB in all. Make it smaller`,
  );
}

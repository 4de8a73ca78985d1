/** What is used of `node:fs/promises`, which Deno and Bun have too. */
export interface FileSystem {
  readFile(path: string | URL): Promise<Uint8Array>;
  writeFile(path: string | URL, bytes: Uint8Array): Promise<void>;
}

const moduleName = 'node:fs/promises';

/** The file system, or nothing in a browser. */
export async function openFileSystem(): Promise<FileSystem | undefined> {
  if ('document' in globalThis || 'importScripts' in globalThis) return undefined;
  // The name is not written in the call, so that bundlers for browsers do not look for the module.
  return (await import(/* webpackIgnore: true */ /* @vite-ignore */ moduleName)) as FileSystem;
}

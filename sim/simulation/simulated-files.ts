import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { Scheduler } from './scheduler.ts';

/** Below this are the scratch folders of simulated processes: files in memory, each step of which takes simulated time. */
export const simulatedFolder = join(sep, 'simulated-scratch');

interface Files {
  scheduler: Scheduler;
  contents: Map<string, Buffer>;
}

let files: Files | null = null;
let isInstalled = false;

/** From here on, files below the simulated folder are those of a simulation. */
export function useSimulatedFiles(scheduler: Scheduler | null): void {
  if (!isInstalled) install();
  isInstalled = true;
  files = scheduler && { scheduler, contents: new Map() };
}

const real = { ...fsPromises, createReadStream: fs.createReadStream };
const isOurs = (path: unknown): path is string =>
  files !== null && typeof path === 'string' && path.startsWith(simulatedFolder);

/** How long the disk takes for a step. */
const stepMs = 0.1;

async function step(): Promise<Files> {
  const used = files!;
  await used.scheduler.wait(stepMs);
  return used;
}

const missing = (path: string) =>
  Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' });

function install(): void {
  const replaced = {
    mkdir: async (path: string, options: never) =>
      isOurs(path) ? void (await step()) : real.mkdir(path, options),
    rm: async (path: string, options: never) => (isOurs(path) ? remove(path) : real.rm(path, options)),
    writeFile: async (path: string, data: never, options: never) =>
      isOurs(path) ? write(path, data) : real.writeFile(path, data, options),
    open: async (path: string, flags: string, mode: never) =>
      isOurs(path) ? openFile(path) : real.open(path, flags, mode),
  };
  Object.assign(fsPromises, replaced);
  Object.assign(fs, {
    createReadStream: (path: string, options: never) =>
      isOurs(path) ? Readable.from(readWhole(path)) : real.createReadStream(path, options),
  });
  syncBuiltinESMExports();
}

async function remove(path: string): Promise<void> {
  const { contents } = await step();
  for (const name of [...contents.keys()])
    if (name === path || name.startsWith(path + sep)) contents.delete(name);
}

async function write(path: string, data: Buffer | string | AsyncIterable<Buffer>): Promise<void> {
  const parts: Buffer[] = [];
  if (typeof data === 'string' || Buffer.isBuffer(data)) parts.push(Buffer.from(data));
  else for await (const part of data) parts.push(part);
  const { contents } = await step();
  contents.set(path, Buffer.concat(parts));
}

async function* readWhole(path: string): AsyncGenerator<Buffer> {
  const { contents } = await step();
  const bytes = contents.get(path);
  if (!bytes) throw missing(path);
  yield bytes;
}

async function openFile(path: string) {
  const { contents } = await step();
  const bytes = contents.get(path);
  if (!bytes) throw missing(path);
  let at = 0;
  return {
    async read(buffer: Buffer, offset: number, length: number, position: number | null = null) {
      const from = position ?? at;
      const bytesRead = bytes.copy(buffer, offset, from, Math.min(from + length, bytes.length));
      if (position === null) at += bytesRead;
      return { bytesRead, buffer };
    },
    async close() {},
  };
}

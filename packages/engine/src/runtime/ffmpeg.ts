import { execFile } from 'node:child_process';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from './child-environment.ts';
import { ffmpegPackage, makeExecutable } from './ffmpeg-platform.ts';
import { cannotMake } from './render-error.ts';

export interface Ffmpeg {
  /** What to run: a name that the system finds, or a path. */
  command: string;
  version: string;
}

const run = promisify(execFile);
let found: Promise<Ffmpeg> | undefined;

/** The machine's own ffmpeg when it can write H.264, else the one that npm brought. Looked for once. */
export function findFfmpeg(): Promise<Ffmpeg> {
  found ??= search().catch((error) => {
    // A failed search is forgotten, so that a repaired installation works without a restart.
    found = undefined;
    throw error;
  });
  return found;
}

async function search(): Promise<Ffmpeg> {
  const tried: unknown[] = [];
  for (const candidate of [async () => 'ffmpeg', installed]) {
    try {
      return await probe(await candidate());
    } catch (error) {
      tried.push(error);
    }
  }
  throw cannotMake(
    'This server cannot make videos: it has no working ffmpeg with H.264. Install ffmpeg, or run npm ci or install Guise again.',
    new AggregateError(tried, tried.map(String).join('; ')),
  );
}

/** The program of the npm package. */
async function installed(): Promise<string> {
  const parent = findPackageJSON('@ffmpeg-installer/ffmpeg', import.meta.url);
  const manifest = parent && findPackageJSON(ffmpegPackage.name, parent);
  if (!manifest) throw new Error(`there is no ${ffmpegPackage.name}`);
  const path = join(dirname(manifest), ffmpegPackage.program);
  await makeExecutable(path);
  return path;
}

async function probe(command: string): Promise<Ffmpeg> {
  const limits = { timeout: 20_000, maxBuffer: 4 * 1024 * 1024, env: childEnvironment() };
  const { stdout: encoders } = await run(command, ['-hide_banner', '-encoders'], limits);
  if (!/\blibx264\b/.test(encoders)) throw new Error(`${command} has no libx264`);
  const { stdout: about } = await run(command, ['-version'], limits);
  return { command, version: /^ffmpeg version (\S+)/.exec(about)?.[1] ?? 'unknown' };
}

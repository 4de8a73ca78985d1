import { mkdir, statfs } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { useImportedModels } from '@guise/engine/models/model-files.ts';
import { type Model, models } from '@guise/engine/models/models.ts';
import {
  checkOptionalModel,
  hasOptionalModel,
  type OptionalModel,
  optionalModels,
} from '@guise/engine/models/optional-models.ts';
import { createGate } from '../admission/admission.ts';
import type { C2paSettings, Config } from '../config.ts';
import type { EnginesPlan } from '../engines/engines-file.ts';
import { inspections } from '../engines/inspections.ts';
import { modelCacheDir, operatorModelsDir } from '../engines/local/local-engine.ts';
import { AppError } from '../errors.ts';
import { describePlatform, networkIsolation, readDescriptorLimit } from '../platform.ts';
import { describeIdentity } from '../provenance/signing-identity.ts';
import { unbalancedAccounts } from '../store/ledger-records.ts';
import { signingIdentity } from './open-signer.ts';
import { isShared, openBlobs, openStore } from './storage.ts';

/** What was checked, whether it is as it should be, and what was found or is wrong. */
export interface Finding {
  what: string;
  ok: boolean;
  says: string;
}

interface Check {
  what: string;
  /** Rejects with what is wrong and what to do about it. */
  check(): Promise<string>;
}

/** Checks what a server needs, one after the other. */
export async function checkInstallation(config: Config, plan: EnginesPlan | null): Promise<Finding[]> {
  const checks: Check[] = [
    { what: 'Node.js', check: async () => process.version },
    { what: 'machine', check: checkMachine },
    { what: 'open files', check: checkDescriptors },
    { what: 'isolation', check: checkIsolation },
    { what: isShared(config) ? 'PostgreSQL' : 'SQLite', check: () => checkRecords(config) },
    { what: config.s3 ? 'bucket' : 'blobs', check: () => checkBlobs(config) },
    { what: 'data folder', check: () => checkDataFolder(config) },
    { what: 'images', check: checkImages },
    { what: 'videos', check: checkVideos },
    ...(config.c2pa ? [{ what: 'provenance', check: () => checkProvenance(config, config.c2pa!) }] : []),
    ...models.map((model) => ({ what: model.title, check: () => checkModel(model, config) })),
    ...optionalModels.map((model) => ({
      what: model.title,
      check: () => checkFetchedModel(model, operatorModelsDir(config)),
    })),
    ...(plan ? inspections(plan) : []),
  ];
  const findings: Finding[] = [];
  for (const { what, check } of checks) findings.push(await find(what, check));
  return findings;
}

async function find(what: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { what, ok: true, says: await check() };
  } catch (error) {
    return { what, ok: false, says: error instanceof Error ? error.message : String(error) };
  }
}

async function checkMachine(): Promise<string> {
  return `${describePlatform()}, ${availableParallelism()} cores, ${gigabytes(totalmem())} of memory`;
}

/** Below this, a venue's booths and their pictures take all of them. */
const fewDescriptors = 512;

async function checkDescriptors(): Promise<string> {
  const limit = readDescriptorLimit();
  const { atOnce: total } = createGate('connections', { descriptors: limit, bodyBytes: 0 }).limits;
  if (!Number.isFinite(limit)) return `no limit of this process, ${total} connections at once`;
  if (limit >= fewDescriptors) return `${limit} at once, of which ${total} connections`;
  throw new AppError(
    'DESCRIPTORS',
    `only ${limit} at once, of which ${total} connections: raise it with ulimit -n 4096, or LimitNOFILE of systemd.`,
  );
}

/** What the system lacks is said, and is no fault of the installation. */
async function checkIsolation(): Promise<string> {
  const { hasSandbox } = await import('../engines/decoding/sandbox.ts');
  const files = hasSandbox()
    ? 'what decodes pictures sees no files but theirs'
    : 'what decodes pictures sees the files of this user';
  return networkIsolation().length > 0
    ? `engines run without a network, ${files}`
    : `engines can reach the network, ${files}: only Linux takes both away, and containers seldom allow it`;
}

async function checkRecords(config: Config): Promise<string> {
  const db = await openStore(config);
  try {
    const wrong = await db.all(unbalancedAccounts, {});
    if (wrong.length > 0)
      throw new AppError('LEDGER', `Accounts that do not add up: ${wrong.length}. Restore a backup.`);
    return 'reachable, migrated, the ledger adds up';
  } finally {
    await db.close();
  }
}

async function checkBlobs(config: Config): Promise<string> {
  const blobs = await openBlobs(config);
  for await (const _ of blobs.list('previews')) break;
  return config.s3 ? `${config.s3.bucket} can be read` : 'files in the data folder';
}

async function checkDataFolder({ dataDir }: Config): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free < 1e9) throw new AppError('DISK', `only ${gigabytes(free)} free: make room.`);
  return `${dataDir}, ${gigabytes(free)} free`;
}

async function checkImages(): Promise<string> {
  const { default: sharp } = await import('sharp');
  return `sharp with libvips ${sharp.versions.vips}`;
}

async function checkVideos(): Promise<string> {
  const { findFfmpeg } = await import('@guise/engine/runtime/ffmpeg.ts');
  const { command, version } = await findFfmpeg();
  return `ffmpeg ${version} with H.264, ${command === 'ffmpeg' ? 'of this machine' : 'installed by npm'}`;
}

/** Signs a picture of one pixel and reads it back. */
async function checkProvenance(config: Config, c2pa: C2paSettings): Promise<string> {
  const { loadC2pa } = await import('../provenance/c2pa-library.ts');
  const { tryIdentity } = await import('../provenance/try-identity.ts');
  const db = await openStore(config);
  try {
    const identity = await signingIdentity(c2pa, db);
    await tryIdentity(await loadC2pa(), identity);
    const { signer, algorithm, validTo } = describeIdentity(identity);
    return `C2PA manifests signed by ${signer}, ${algorithm}, valid until ${validTo.toISOString().slice(0, 10)}`;
  } finally {
    await db.close();
  }
}

/** Loads the model, converting it if this was not done yet, and says how long that took. */
async function checkModel(model: Model, config: Config): Promise<string> {
  const { session } = await import('@guise/engine/models/sessions.ts');
  const started = performance.now();
  useImportedModels(operatorModelsDir(config));
  await session(model, modelCacheDir(config));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return `${model.use}; ${model.weights.package}, ${model.licence}; loaded in ${seconds} s`;
}

/** A model that was never fetched is not missed. */
async function checkFetchedModel(model: OptionalModel, folder: string): Promise<string> {
  const { name, use, licence } = model;
  if (!(await hasOptionalModel(folder, model))) {
    return `not here; it ${use}: guise models get ${name}`;
  }
  await checkOptionalModel(folder, model);
  return `${use}; ${model.package}, ${licence}; whole and unaltered`;
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

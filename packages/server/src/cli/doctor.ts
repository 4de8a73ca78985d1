import { mkdir, statfs } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import type { Model } from '@guise/engine/models/models.ts';
import { isShared, openBlobs, openStore } from '../app/storage.ts';
import type { Config } from '../config.ts';
import { readEnginesPlan } from '../engines/engines-file.ts';
import { inspections } from '../engines/workflow-checks.ts';
import { AppError } from '../errors.ts';
import { unbalancedAccounts } from '../store/ledger-records.ts';

interface Finding {
  what: string;
  ok: boolean;
  says: string;
}

/** Looks at what a server needs and says what is wrong and what to do about it. */
export async function doctor(config: Config, flags: { json?: string | boolean | undefined }): Promise<void> {
  const { models } = await import('@guise/engine/models/models.ts');
  const findings = [
    await look('Node.js', async () => {
      const major = Number(process.versions.node.split('.')[0]);
      if (major < 24)
        throw new AppError(
          'OLD_NODE',
          `${process.version} is too old: run it through npm, which brings Node 24.`,
        );
      return process.version;
    }),
    await look('machine', async () => `${availableParallelism()} cores, ${gigabytes(totalmem())} of memory`),
    await look(isShared(config) ? 'PostgreSQL' : 'SQLite', async () => {
      const db = await openStore(config);
      const wrong = await db.all(unbalancedAccounts, {});
      await db.close();
      if (wrong.length > 0)
        throw new AppError('LEDGER', `${wrong.length} accounts do not add up: restore a backup.`);
      return 'reachable, migrated, the ledger adds up';
    }),
    await look(config.s3 ? 'bucket' : 'blobs', async () => {
      const blobs = await openBlobs(config);
      for await (const _ of blobs.list('previews')) break;
      return config.s3 ? `${config.s3.bucket} can be read` : 'files in the data folder';
    }),
    await look('data folder', async () => {
      await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(config.dataDir);
      const free = bavail * bsize;
      if (free < 1e9) throw new AppError('DISK', `only ${gigabytes(free)} free: make room.`);
      return `${config.dataDir}, ${gigabytes(free)} free`;
    }),
    await look('images', async () => {
      const { default: sharp } = await import('sharp');
      return `sharp with libvips ${sharp.versions.vips}`;
    }),
    await look('videos', async () => {
      const { findFfmpeg } = await import('@guise/engine/runtime/ffmpeg.ts');
      const { command, version } = await findFfmpeg();
      return `ffmpeg ${version} with H.264, ${command === 'ffmpeg' ? 'of this machine' : 'installed by npm'}`;
    }),
  ];
  for (const model of models) findings.push(await look(model.title, () => checkModel(model)));
  const plan = readEnginesPlan(config, process.env);
  if (plan) for (const { what, check } of inspections(plan)) findings.push(await look(what, check));
  if (flags.json) console.log(JSON.stringify(findings));
  else
    for (const { what, ok, says } of findings)
      console.log(`${ok ? 'ok  ' : 'BAD '} ${what.padEnd(24)} ${says}`);
  if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
}

/** Reads the weights, holds them against their SHA-256, loads them and says how long that took. */
async function checkModel(model: Model): Promise<string> {
  const started = performance.now();
  await (await import('@guise/engine/models/sessions.ts')).session(model);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return `${model.use}; ${model.weights.package}, ${model.licence}; loaded in ${seconds} s`;
}

async function look(what: string, at: () => Promise<string>): Promise<Finding> {
  try {
    return { what, ok: true, says: await at() };
  } catch (error) {
    return { what, ok: false, says: error instanceof Error ? error.message : String(error) };
  }
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

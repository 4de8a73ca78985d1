import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { createAccount } from '../../src/accounts/accounts.ts';
import { type AppOptions, startApp } from '../../src/app/all-in-one.ts';
import { openStorage } from '../../src/app/storage.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { Engine } from '../../src/engines/engine.ts';
import type { Db } from '../../src/store/db.ts';
import { unbalancedAccounts } from '../../src/store/ledger-records.ts';
import { poolHere } from './decode-here.ts';
import { shareModelCache } from './shared-models.ts';
import { sharedPlace } from './shared-place.ts';
import { type TestEngine, testEngine } from './test-engine.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is what the tests look into.
  body: any;
}

export interface TestAccount {
  /** Where its server listens. */
  url: string;
  id: string;
  email: string;
  api_key: string;
  access_token: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  credits(): Promise<number>;
}

export interface TestServer {
  url: string;
  config: Config;
  engine: TestEngine;
  /** A second connection to the server's records. */
  db: Db;
  /** The keys of all its blobs. */
  blobKeys(): Promise<string[]>;
  /** For the command line on the same records. */
  env: Record<string, string>;
  account(credits?: number): Promise<TestAccount>;
  stop(): Promise<void>;
}

export function temporaryConfig(overrides: Partial<Config> = {}): Config {
  const dataDir = mkdtempSync(join(tmpdir(), 'guise-test-'));
  shareModelCache(dataDir);
  // The engine of the tests makes files that only begin like videos: tests of provenance turn signing on.
  // Tests poll for what a job is before its end: those of waiting calls say how long they wait.
  const env = {
    PORT: '0',
    GUISE_LOG_LEVEL: 'silent',
    GUISE_C2PA: 'false',
    GUISE_STATUS_WAIT_SECONDS: '0',
  };
  return { ...readConfig(env), concurrency: 2, dataDir, ...overrides };
}

/** Decodes and checks pictures in processes without secrets, as the servers of installations do. */
export const ownPictureProcesses: AppOptions = { picturePool: undefined };

let emails = 0;

/**
 * A real server on a place of its own, with the engine of the tests unless others are made. It works on pictures in
 * this process, unless that is what is tested (`ownPictureProcesses`). Stopping it checks that every account still adds up.
 */
export async function startTestServer(
  overrides: Partial<Config> = {},
  makeEngines?: (config: Config) => Engine[],
  options: AppOptions = {},
): Promise<TestServer> {
  // Without the demo account: previews of its filters would have slots of the engine.
  const config = temporaryConfig({ demo: false, ...(await sharedPlace()), ...overrides });
  if (!overrides.dataDir && !config.databaseUrl) await copyEmptyRecords(config.dataDir);
  const engine = testEngine();
  const app = await startApp(config, makeEngines ?? (() => [engine]), { picturePool: poolHere, ...options });
  const { db, blobs, close } = await openStorage(config);
  return {
    url: app.url,
    config,
    engine,
    db,
    env: { GUISE_DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl, ...bucketEnv(config) },
    async blobKeys() {
      const keys: string[] = [];
      for (const prefix of [
        'inputs',
        'results',
        'thumbnails',
        'stills',
        'loops',
        'moments',
        'templates',
        'previews',
        'photos',
        'overlays',
        'scenes',
      ]) {
        for await (const { key } of blobs.list(prefix)) keys.push(key);
      }
      return keys;
    },
    async account(credits = 1000) {
      const account = await createAccount(db, { email: `user${++emails}@example.com`, credits });
      return accountOn(app.url, account);
    },
    async stop() {
      const wrong = await db.all(unbalancedAccounts, {});
      await close();
      await app.stop();
      rmSync(config.dataDir, { recursive: true, force: true });
      if (wrong.length > 0) throw new Error(`accounts do not add up: ${JSON.stringify(wrong)}`);
    },
  };
}

let emptyRecords: Promise<Buffer> | undefined;

/** Migrating the records takes half the time that a server of the tests needs to start: once for all of a process. */
async function copyEmptyRecords(dataDir: string): Promise<void> {
  emptyRecords ??= makeEmptyRecords();
  await writeFile(join(dataDir, 'guise.db'), await emptyRecords);
}

async function makeEmptyRecords(): Promise<Buffer> {
  const config = temporaryConfig();
  await (await openStorage(config)).close();
  const file = readFileSync(join(config.dataDir, 'guise.db'));
  rmSync(config.dataDir, { recursive: true });
  return file;
}

/** The settings of a bucket, as the command line reads them. */
function bucketEnv({ s3 }: Config): Record<string, string> {
  if (!s3) return {};
  return {
    GUISE_BLOBS: `s3://${s3.bucket}${s3.prefix && `/${s3.prefix}`}`,
    GUISE_S3_ENDPOINT: s3.endpoint,
    GUISE_S3_REGION: s3.region,
    GUISE_S3_PATH_STYLE: String(s3.pathStyle),
    GUISE_S3_KEY_ID: s3.keyId,
    GUISE_S3_SECRET: s3.secret,
  };
}

export function accountOn(
  url: string,
  account: { id: string; email: string; api_key: string; access_token: string },
): TestAccount {
  const call: TestAccount['call'] = (method, path, body, headers = {}) =>
    request(url, method, path, body, { 'x-api-key': account.api_key, ...headers });
  return {
    ...account,
    url,
    call,
    credits: async () => (await call('GET', '/v1/users/me/credits')).body.balance,
  };
}

/** Strings and buffers go as they are, everything else as JSON. */
export async function request(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: (raw ? body : JSON.stringify(body)) as string }),
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** The code and the sentence of an error, in the shape of this interface or of OpenAI's. */
// biome-ignore lint/suspicious/noExplicitAny: what a server answers is what the tests look into.
export function errorIn(body: any): { code: string | undefined; sentence: string } {
  const { message, code } = body.error ?? {};
  return message === undefined
    ? { code: body.error_code, sentence: body.error }
    : { code: code.toUpperCase(), sentence: message };
}

/** Polls until the condition gives something, at first often, and fails loudly when it never does. */
export async function until<T>(condition: () => Promise<T | undefined | false>, ms = 30_000): Promise<T> {
  const end = Date.now() + ms;
  for (let pause = 10; ; pause = Math.min(100, 1.2 * pause)) {
    const value = await condition();
    if (value !== undefined && value !== false) return value as T;
    if (Date.now() > end) throw new Error(`waited ${ms} ms for a condition that did not come`);
    await sleep(pause);
  }
}

/** Everything below a folder, but not below links. Listed again where something goes away while it is listed. */
export function filesBelow(folder: string): string[] {
  for (;;) {
    try {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
      return entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
    } catch (error) {
      if (!existsSync(folder) || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

export function samplePhoto(name = 'sample1.jpg'): Buffer {
  return readFileSync(new URL(`../../../../node_modules/@vladmandic/face-api/demo/${name}`, import.meta.url));
}

/** A small valid image, as base64: the service does not look for faces, engines do. */
export const photo = (
  await sharp({ create: { width: 48, height: 64, channels: 3, background: '#c08060' } })
    .jpeg()
    .toBuffer()
).toString('base64');

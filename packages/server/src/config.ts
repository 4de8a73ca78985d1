import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import type { SettingInfo } from '@guise/contract/operator/operator.ts';
import type { z } from 'zod';
import { AppError } from './errors.ts';
import { issueMessage } from './issue-message.ts';
import { s3Address, settings } from './settings-table.ts';

type Settings = typeof settings;
type Values = { [K in keyof Settings]: z.infer<Settings[K]['schema']> };

/** A bucket and how to reach it. */
export interface S3Settings {
  bucket: string;
  /** Stands before every key, without slashes at its ends; empty for none. */
  prefix: string;
  /** Empty for Amazon's own. */
  endpoint: string;
  /** Where callers reach the bucket; empty when they do not. */
  publicEndpoint: string;
  region: string;
  pathStyle: boolean;
  /** Empty: the SDK looks where it always does. */
  keyId: string;
  secret: string;
}

/** Files of the operator's certificate and key; empty where the installation's own are used. */
export interface C2paSettings {
  certificateFile: string;
  keyFile: string;
}

/** How fast webhooks are sent, and when an endpoint is disabled. */
export interface WebhookLimits {
  accountConcurrency: number;
  hostConcurrency: number;
  /** 0 for no limit. */
  accountPerMinute: number;
  /** 0 for no limit. */
  hostPerMinute: number;
  /** 0 for never. */
  disableFailures: number;
  disableMs: number;
}

/** The server that mail goes to, and who it is from. */
export interface MailSettings {
  url: string;
  from: string;
}

export interface BackupSettings {
  /** Empty for one in the data folder. */
  folder: string;
  /** 0 for only when asked. */
  everyMs: number;
  kept: number;
}

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** Empty on the embedded database. */
  databaseUrl: string;
  /** Null where blobs are files. */
  s3: S3Settings | null;
  backups: BackupSettings;
  demo: boolean;
  publicUrl: string;
  /** Where fal publishes the keys that its webhooks are signed with. */
  falKeysUrl: string;
  secret: string;
  /** Null where results are not signed. */
  c2pa: C2paSettings | null;
  concurrency: number;
  /** Bytes that an engine process may hold. */
  engineMemory: number;
  engineSilenceMs: number;
  /** 0 for no limit. */
  accountConcurrency: number;
  maxQueued: number;
  /** Up to 1. */
  accountQueueShare: number;
  /** Of 10 minutes; 0 for no limit. */
  accountFailedSeconds: number;
  /** 0 for no limit. */
  runsPerMinute: number;
  maxBytesInFlight: number;
  /** 0 for no limit. */
  testsPerMinute: number;
  /** 0 for no limit. */
  maxFilters: number;
  /** 0 for no limit. */
  loginFailures: number;
  trustedProxies: string[];
  resultMs: number;
  /** 0 for not at all. */
  statusWaitMs: number;
  drainMs: number;
  /** 0 for no limit. */
  leastFreeBytes: number;
  allowPrivateUrls: boolean;
  /** Null where no mail is sent. */
  mail: MailSettings | null;
  webhooks: WebhookLimits;
  /** By job family; `readPrices` checks them. */
  prices: Record<string, unknown>;
  /** Path of the file that `readEnginesPlan` reads; empty where everything is made here. */
  enginesFile: string;
  /** Empty where `/metrics` is for this machine alone. */
  metricsToken: string;
  /** Empty where nobody is asked for newer versions. */
  releasesUrl: string;
  logLevel: string;
  /** Every setting as operators are shown it, without secrets. */
  described: readonly DescribedSetting[];
  /** What operators have changed in the studio, with secrets. */
  stored: StoredSettings;
}

/** Settings that an operator has changed in the studio, by their names. */
export type StoredSettings = Readonly<Record<string, string>>;

export type DescribedSetting = Omit<SettingInfo, 'pending' | 'stored'>;

/**
 * The only reader of the environment, which decides over what was changed in the studio. A wrong value stops the start
 * with its name and the remedy.
 */
export function readConfig(env: NodeJS.ProcessEnv, stored: StoredSettings = {}): Readonly<Config> {
  const values = Object.fromEntries(
    settingNames.map((name) => {
      const setting = settings[name];
      const given = givenTo(name, env, stored).text || setting.default;
      const why = faultOf(name, given);
      if (why !== null) {
        const shown = 'private' in setting ? name : `${name}=${given}`;
        throw new AppError('BAD_SETTING', `${shown} cannot be used: ${why}. ${setting.about}`);
      }
      return [name, setting.schema.parse(given)];
    }),
  ) as Values;
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.GUISE_DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    s3: bucketOf(values),
    backups: {
      folder: values.GUISE_BACKUP_DIR && resolve(values.GUISE_BACKUP_DIR),
      everyMs: values.GUISE_BACKUP_HOURS * 3600_000,
      kept: values.GUISE_BACKUP_KEEP,
    },
    demo: values.GUISE_DEMO === 'true' || (values.GUISE_DEMO === 'auto' && values.DATABASE_URL === ''),
    publicUrl: values.GUISE_PUBLIC_URL,
    falKeysUrl: 'https://rest.fal.ai/.well-known/jwks.json',
    secret: values.GUISE_SECRET,
    c2pa: values.GUISE_C2PA
      ? { certificateFile: values.GUISE_C2PA_CERT, keyFile: values.GUISE_C2PA_KEY }
      : null,
    concurrency: values.GUISE_CONCURRENCY,
    engineMemory: values.GUISE_ENGINE_MEMORY_MB * 2 ** 20 || shareOfMemory(values.GUISE_CONCURRENCY),
    engineSilenceMs: values.GUISE_ENGINE_SILENCE_SECONDS * 1000,
    accountConcurrency: values.GUISE_ACCOUNT_CONCURRENCY,
    maxQueued: values.GUISE_MAX_QUEUED,
    accountQueueShare: values.GUISE_ACCOUNT_QUEUE_SHARE,
    accountFailedSeconds: values.GUISE_ACCOUNT_FAILED_SECONDS,
    runsPerMinute: values.GUISE_RUNS_PER_MINUTE,
    testsPerMinute: values.GUISE_TESTS_PER_MINUTE,
    maxFilters: values.GUISE_MAX_FILTERS,
    maxBytesInFlight: values.GUISE_MAX_MB_IN_FLIGHT * 1024 * 1024,
    loginFailures: values.GUISE_LOGIN_FAILURES,
    trustedProxies: values.GUISE_TRUSTED_PROXIES.split(',')
      .map((address) => address.trim())
      .filter((address) => address !== ''),
    resultMs: values.GUISE_RESULT_DAYS * 24 * 3600_000,
    statusWaitMs: values.GUISE_STATUS_WAIT_SECONDS * 1000,
    drainMs: drainSecondsOf(values) * 1000,
    leastFreeBytes: values.GUISE_LEAST_FREE_DISK_MB * 1e6,
    allowPrivateUrls: values.GUISE_ALLOW_PRIVATE_URLS,
    mail: mailOf(values),
    webhooks: {
      accountConcurrency: values.GUISE_WEBHOOK_ACCOUNT_CONCURRENCY,
      hostConcurrency: values.GUISE_WEBHOOK_HOST_CONCURRENCY,
      accountPerMinute: values.GUISE_WEBHOOK_ACCOUNT_PER_MINUTE,
      hostPerMinute: values.GUISE_WEBHOOK_HOST_PER_MINUTE,
      disableFailures: values.GUISE_WEBHOOK_DISABLE_FAILURES,
      disableMs: values.GUISE_WEBHOOK_DISABLE_HOURS * 3600_000,
    },
    prices: values.GUISE_PRICES,
    enginesFile: values.GUISE_ENGINES || storedEnginesOf(values),
    metricsToken: values.GUISE_METRICS_TOKEN,
    releasesUrl: values.GUISE_RELEASES_URL,
    logLevel: values.GUISE_LOG_LEVEL,
    described: describeSettings(env, stored),
    stored,
  });
}

export type SettingName = keyof Settings;
export const settingNames = Object.keys(settings) as SettingName[];

/** Whether the studio may change it: unless it is fixed, or the environment has it. */
export const isChangeable = (name: SettingName, env: NodeJS.ProcessEnv) =>
  !('fixed' in settings[name]) && !env[name]?.trim();

/** Why a setting cannot have this value, or null. */
export function faultOf(name: SettingName, value: string): string | null {
  const parsed = settings[name].schema.safeParse(value);
  return parsed.success ? null : parsed.error.issues.map(issueMessage).join('; ');
}

function givenTo(
  name: SettingName,
  env: NodeJS.ProcessEnv,
  stored: StoredSettings,
): { text: string; source: SettingInfo['source'] } {
  const text = env[name]?.trim();
  if (text) return { text, source: 'environment' };
  const kept = isChangeable(name, env) ? stored[name]?.trim() : undefined;
  return kept ? { text: kept, source: 'stored' } : { text: '', source: 'default' };
}

function describeSettings(env: NodeJS.ProcessEnv, stored: StoredSettings): DescribedSetting[] {
  return settingNames.map((name) => {
    const setting = settings[name];
    const { text, source } = givenTo(name, env, stored);
    const isSecret = 'private' in setting;
    return {
      name,
      value: isSecret && text !== '' ? null : text || setting.default,
      default: 'documentedDefault' in setting ? setting.documentedDefault : setting.default,
      description: setting.about,
      source,
      changeable: isChangeable(name, env),
      secret: isSecret,
      choices: 'choices' in setting ? [...setting.choices] : null,
    };
  });
}

/** The file that the studio writes engines into, once there are some. Shared installations have none. */
export const storedEnginesFile = 'engines.json';

function storedEnginesOf({ DATABASE_URL, GUISE_DATA_DIR }: Values): string {
  const file = join(resolve(GUISE_DATA_DIR), storedEnginesFile);
  return DATABASE_URL === '' && existsSync(file) ? file : '';
}

function mailOf({ GUISE_SMTP_URL: url, GUISE_MAIL_FROM: from }: Values): MailSettings | null {
  if (url === '') return null;
  if (from === '')
    throw new AppError('BAD_SETTING', 'GUISE_SMTP_URL needs GUISE_MAIL_FROM: the address that mail is from.');
  return { url, from };
}

/** A server that stands alone has no load balancer that could send calls elsewhere. */
function drainSecondsOf(values: Values): number {
  const seconds = values.GUISE_DRAIN_SECONDS;
  if (seconds !== '') return seconds;
  return values.DATABASE_URL === '' ? 0 : 5;
}

/** Pictures take up to 1,200 MB; nothing that an engine makes needs more than twice that. */
function shareOfMemory(engines: number): number {
  // In a container, what the container may use.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.min(3072 * 2 ** 20, Math.max(1536 * 2 ** 20, Math.floor(memory / 2 / engines)));
}

function bucketOf(values: Values): S3Settings | null {
  const [, bucket, prefix = ''] = s3Address.exec(values.GUISE_BLOBS) ?? [];
  if (bucket === undefined) return null;
  return {
    bucket,
    prefix,
    endpoint: values.GUISE_S3_ENDPOINT,
    publicEndpoint: values.GUISE_S3_PUBLIC_ENDPOINT,
    region: values.GUISE_S3_REGION,
    pathStyle: values.GUISE_S3_PATH_STYLE,
    keyId: values.GUISE_S3_KEY_ID,
    secret: values.GUISE_S3_SECRET,
  };
}

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from './errors.ts';

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1');

const s3Address = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*))?\/?$/;

/** Every setting, with its default and what it does: docs/configuration.md is made from this table. */
export const settings = {
  PORT: { schema: whole(0, 65535), default: '8080', about: 'Port the server listens on.' },
  HOST: {
    schema: z.string().min(1),
    default: '127.0.0.1',
    about: 'Address the server listens on. `0.0.0.0` lets other machines in.',
  },
  GUISE_DATA_DIR: {
    schema: z.string().min(1),
    default: './data',
    about:
      'Folder of the database, photos, results and work under way. Without `DATABASE_URL`, one server at a time may use it.',
  },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/ }).or(z.literal('')),
    default: '',
    private: true,
    about:
      'PostgreSQL that several processes share: `postgres://user:password@host/database`. Empty: SQLite in the data folder.',
  },
  GUISE_BLOBS: {
    schema: z.string().regex(s3Address, 'must be s3://bucket or s3://bucket/prefix').or(z.literal('')),
    default: '',
    about: 'S3 bucket for photos and results: `s3://bucket/prefix`. Empty: files in the data folder.',
  },
  GUISE_S3_ENDPOINT: {
    schema: z.url({ protocol: /^https?$/ }).or(z.literal('')),
    default: '',
    about: 'Address of an S3 server other than Amazon’s.',
  },
  GUISE_S3_PUBLIC_ENDPOINT: {
    schema: z.url({ protocol: /^https?$/ }).or(z.literal('')),
    default: '',
    about:
      'Address that callers reach the S3 server at. With it, links to videos and previews lead to the bucket, signed for an hour. Empty: their bytes pass through the API.',
  },
  GUISE_S3_REGION: { schema: z.string().min(1), default: 'us-east-1', about: 'Region of the bucket.' },
  GUISE_S3_PATH_STYLE: {
    schema: flag,
    default: 'false',
    about:
      'The bucket stands in the path and not in the host name, as most servers other than Amazon’s want it.',
  },
  GUISE_S3_KEY_ID: {
    schema: z.string(),
    default: '',
    about: 'Access key of the bucket. Empty: where Amazon’s tools look, such as the role of the machine.',
  },
  GUISE_S3_SECRET: {
    schema: z.string(),
    default: '',
    private: true,
    about: 'Secret of that access key.',
  },
  GUISE_PUBLIC_URL: {
    schema: z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/+$/, ''))
      .or(z.literal('')),
    default: '',
    about:
      'Address that callers reach the server at, for links in answers. Empty: the address of each request.',
  },
  GUISE_SECRET: {
    schema: z.string().min(32).or(z.literal('')),
    default: '',
    private: true,
    about:
      'Signs file links, and webhook secrets are derived from it. Empty: one is made and kept in the database, the same for all nodes.',
  },
  GUISE_C2PA: {
    schema: flag,
    default: 'true',
    about:
      'Puts a signed C2PA manifest into results, which says what made them: [provenance.md](provenance.md).',
  },
  GUISE_C2PA_CERT: {
    schema: z.string(),
    default: '',
    about:
      'PEM file of your certificate for C2PA, followed by those above it. Empty: one is made and kept in the database, the same for all nodes.',
  },
  GUISE_C2PA_KEY: {
    schema: z.string(),
    default: '',
    about: 'PEM file of the private key of that certificate.',
  },
  GUISE_CONCURRENCY: {
    schema: whole(1, 64),
    default: String(Math.max(1, Math.floor(availableParallelism() / 2))),
    documentedDefault: 'half the cores',
    about: 'Jobs that run on this machine at once. GPU servers have numbers of their own.',
  },
  GUISE_ACCOUNT_CONCURRENCY: {
    schema: whole(0, 100_000),
    default: '0',
    about:
      'Jobs of one account that run at once, on all workers together. 0 is no limit: accounts take turns in any case.',
  },
  GUISE_MAX_QUEUED: {
    schema: whole(1, 10_000_000),
    default: '10000',
    about: 'Jobs that may wait. Beyond that, runs are answered with `QUEUE_FULL`.',
  },
  GUISE_ACCOUNT_QUEUE_SHARE: {
    schema: z.coerce.number().gt(0).max(1),
    default: '0.25',
    about:
      'Part of the queue that the jobs of one account may fill. Beyond that, its runs are answered with `RATE_LIMITED`. 1 is no limit.',
  },
  GUISE_RUNS_PER_MINUTE: {
    schema: whole(0, 1_000_000),
    default: '600',
    about:
      'Runs an account may start in a minute. Beyond that, `RATE_LIMITED`. 0 is no limit. Each API node counts by itself.',
  },
  GUISE_MAX_MB_IN_FLIGHT: {
    schema: whole(64, 1_000_000),
    default: '512',
    about:
      'Megabytes of request bodies that the process receives at once; large images lie on the disk meanwhile. Beyond that, bodies wait up to 10 s and are then answered with `OVERLOADED`. One account has half of it at most.',
  },
  GUISE_LOGIN_FAILURES: {
    schema: whole(0, 100_000),
    default: '10',
    about:
      'Failed logins to one account from one address in 15 minutes; six times as many from one address to all accounts, ten times as many to one account from all addresses. Beyond that, `RATE_LIMITED`. 0 is no limit. Each API node counts by itself.',
  },
  GUISE_TRUSTED_PROXIES: {
    schema: z
      .string()
      .regex(/^[\da-fA-F.:/, ]*$/, 'must be addresses such as 10.0.0.1 or 10.0.0.0/8, separated by commas'),
    default: '',
    about:
      'Addresses of the reverse proxies whose `X-Forwarded-For` says where a caller connects from: `10.0.0.1, 10.1.0.0/16`. Empty: nobody’s.',
  },
  GUISE_DEMO: {
    schema: z.enum(['auto', 'true', 'false']),
    default: 'auto',
    about:
      'Makes a demo account where there are no accounts yet. `auto`: on SQLite in the data folder, not on a shared database.',
  },
  GUISE_RESULT_DAYS: {
    schema: z.coerce.number().positive().max(3650),
    default: '7',
    about: 'Days that a result can be read.',
  },
  GUISE_DRAIN_SECONDS: {
    schema: z.literal('').or(z.coerce.number().min(0).max(300)),
    default: '',
    documentedDefault: '5 with `DATABASE_URL`, else 0',
    about:
      'How long a server that was told to stop goes on accepting connections while `/ready` answers 503, so that a load balancer sends no more.',
  },
  GUISE_LEAST_FREE_DISK_MB: {
    schema: whole(0, 1_000_000_000),
    default: '256',
    about:
      'Space that must be free on the disk of the data folder. With less, runs and photos are answered with `STORAGE_UNAVAILABLE` and `/ready` with 503. 0 is no limit.',
  },
  GUISE_ALLOW_PRIVATE_URLS: {
    schema: flag,
    default: 'false',
    about: 'Lets image and webhook URLs point into private networks, for machines in the same venue.',
  },
  GUISE_WEBHOOK_ACCOUNT_CONCURRENCY: {
    schema: whole(1, 1000),
    default: '8',
    about: 'Webhooks of one account that are sent at once, by all nodes together. Others wait.',
  },
  GUISE_WEBHOOK_HOST_CONCURRENCY: {
    schema: whole(1, 1000),
    default: '32',
    about: 'Webhooks to one host that are sent at once, by all nodes together. Others wait.',
  },
  GUISE_WEBHOOK_ACCOUNT_PER_MINUTE: {
    schema: whole(0, 1_000_000),
    default: '600',
    about:
      'Webhooks of one account that are sent in a minute, attempts and replays included, by all nodes together. Others wait. 0 is no limit.',
  },
  GUISE_WEBHOOK_HOST_PER_MINUTE: {
    schema: whole(0, 1_000_000),
    default: '1200',
    about: 'The same for one host, whichever accounts they are of.',
  },
  GUISE_WEBHOOK_DISABLE_FAILURES: {
    schema: whole(0, 1_000_000),
    default: '20',
    about:
      'Failures in a row after which a webhook endpoint is disabled: [webhooks.md](webhooks.md). 0 is never.',
  },
  GUISE_WEBHOOK_DISABLE_HOURS: {
    schema: z.coerce.number().positive().max(8760),
    default: '24',
    about: 'Hours that an endpoint must have failed without a success before it is disabled.',
  },
  GUISE_PRICES: {
    schema: z
      .string()
      .transform((text, context) => {
        try {
          return JSON.parse(text) as unknown;
        } catch {
          context.addIssue('must be JSON');
          return z.NEVER;
        }
      })
      .pipe(z.record(z.string(), z.unknown())),
    default: '{}',
    about: 'Prices in credits that differ from the defaults, by job family: `{"face_swap_v6": 3}`.',
  },
  GUISE_ENGINES: {
    schema: z.string(),
    default: '',
    about:
      'File that says which GPU servers make what: [gpu.md](gpu.md). Empty: everything is made on this machine.',
  },
  GUISE_METRICS_TOKEN: {
    schema: z.string().min(16).or(z.literal('')),
    default: '',
    private: true,
    about:
      'Bearer token that `/metrics` asks for. Empty: `/metrics` answers only callers on the same machine, and no proxy.',
  },
  GUISE_LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'warn',
    about: 'What is logged; `info` adds a line for every request. Keys, prompts and photos never are.',
  },
} as const;

type Settings = typeof settings;
type Values = { [K in keyof Settings]: z.infer<Settings[K]['schema']> };

/** A bucket and how to reach it. */
export interface S3Settings {
  bucket: string;
  /** Stands before every key, without slashes at its ends; empty for none. */
  prefix: string;
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

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** Empty on the embedded database. */
  databaseUrl: string;
  /** Null where blobs are files. */
  s3: S3Settings | null;
  demo: boolean;
  publicUrl: string;
  secret: string;
  /** Null where results are not signed. */
  c2pa: C2paSettings | null;
  concurrency: number;
  /** 0 for no limit. */
  accountConcurrency: number;
  maxQueued: number;
  /** Up to 1. */
  accountQueueShare: number;
  /** 0 for no limit. */
  runsPerMinute: number;
  maxBytesInFlight: number;
  /** 0 for no limit. */
  loginFailures: number;
  trustedProxies: string[];
  resultMs: number;
  drainMs: number;
  /** 0 for no limit. */
  leastFreeBytes: number;
  allowPrivateUrls: boolean;
  webhooks: WebhookLimits;
  /** By job family; `readPrices` checks them. */
  prices: Record<string, unknown>;
  /** Path of the file that `readEnginesPlan` reads; empty where everything is made here. */
  enginesFile: string;
  /** Empty where `/metrics` is for this machine alone. */
  metricsToken: string;
  logLevel: string;
}

/** The only reader of the environment. A wrong value stops the start with its name and the remedy. */
export function readConfig(env: NodeJS.ProcessEnv): Readonly<Config> {
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => {
      const given = env[name]?.trim() || setting.default;
      const parsed = setting.schema.safeParse(given);
      if (!parsed.success) {
        const why = parsed.error.issues.map((issue) => issue.message).join('; ');
        const shown = 'private' in setting ? name : `${name}=${given}`;
        throw new AppError('BAD_SETTING', `${shown} cannot be used: ${why}. ${setting.about}`);
      }
      return [name, parsed.data];
    }),
  ) as Values;
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.GUISE_DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    s3: bucketOf(values),
    demo: values.GUISE_DEMO === 'true' || (values.GUISE_DEMO === 'auto' && values.DATABASE_URL === ''),
    publicUrl: values.GUISE_PUBLIC_URL,
    secret: values.GUISE_SECRET,
    c2pa: values.GUISE_C2PA
      ? { certificateFile: values.GUISE_C2PA_CERT, keyFile: values.GUISE_C2PA_KEY }
      : null,
    concurrency: values.GUISE_CONCURRENCY,
    accountConcurrency: values.GUISE_ACCOUNT_CONCURRENCY,
    maxQueued: values.GUISE_MAX_QUEUED,
    accountQueueShare: values.GUISE_ACCOUNT_QUEUE_SHARE,
    runsPerMinute: values.GUISE_RUNS_PER_MINUTE,
    maxBytesInFlight: values.GUISE_MAX_MB_IN_FLIGHT * 1024 * 1024,
    loginFailures: values.GUISE_LOGIN_FAILURES,
    trustedProxies: values.GUISE_TRUSTED_PROXIES.split(',')
      .map((address) => address.trim())
      .filter((address) => address !== ''),
    resultMs: values.GUISE_RESULT_DAYS * 24 * 3600_000,
    drainMs: drainSecondsOf(values) * 1000,
    leastFreeBytes: values.GUISE_LEAST_FREE_DISK_MB * 1e6,
    allowPrivateUrls: values.GUISE_ALLOW_PRIVATE_URLS,
    webhooks: {
      accountConcurrency: values.GUISE_WEBHOOK_ACCOUNT_CONCURRENCY,
      hostConcurrency: values.GUISE_WEBHOOK_HOST_CONCURRENCY,
      accountPerMinute: values.GUISE_WEBHOOK_ACCOUNT_PER_MINUTE,
      hostPerMinute: values.GUISE_WEBHOOK_HOST_PER_MINUTE,
      disableFailures: values.GUISE_WEBHOOK_DISABLE_FAILURES,
      disableMs: values.GUISE_WEBHOOK_DISABLE_HOURS * 3600_000,
    },
    prices: values.GUISE_PRICES,
    enginesFile: values.GUISE_ENGINES,
    metricsToken: values.GUISE_METRICS_TOKEN,
    logLevel: values.GUISE_LOG_LEVEL,
  });
}

/** A server that stands alone has no load balancer that could send calls elsewhere. */
function drainSecondsOf(values: Values): number {
  const seconds = values.GUISE_DRAIN_SECONDS;
  if (seconds !== '') return seconds;
  return values.DATABASE_URL === '' ? 0 : 5;
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

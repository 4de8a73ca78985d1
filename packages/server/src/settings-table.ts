import { availableParallelism } from 'node:os';
import { z } from 'zod';

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const onOff = ['true', 'false'] as const;
const flag = z.enum([...onOff, '1', '0']).transform((value) => value === 'true' || value === '1');

export const s3Address = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*))?\/?$/;

/**
 * Every setting, with its default and what it does: docs/configuration.md is made from this table. `fixed` ones come from
 * the environment alone: where the records are, what the start itself needs, and files of the machine. The others can be
 * changed in the studio of an installation that stands alone.
 */
export const settings = {
  PORT: { schema: whole(0, 65535), default: '8080', about: 'Port the server listens on.', fixed: true },
  HOST: {
    schema: z.string().min(1),
    default: '127.0.0.1',
    about: 'Address the server listens on. `0.0.0.0` lets other machines in.',
  },
  GUISE_DATA_DIR: {
    schema: z.string().min(1),
    default: './data',
    fixed: true,
    about:
      'Folder of the database, photos, results and work under way. Without `DATABASE_URL`, one server at a time may use it.',
  },
  GUISE_BACKUP_DIR: {
    schema: z.string(),
    default: '',
    about:
      'Folder of backups. Empty: `backups` in the data folder, where they are lost with its disk. Not used with `DATABASE_URL`.',
  },
  GUISE_BACKUP_HOURS: {
    schema: whole(0, 8760),
    default: '0',
    about: 'Hours between backups that the server makes by itself; 0: only those that somebody asks for.',
  },
  GUISE_BACKUP_KEEP: {
    schema: whole(1, 10_000),
    default: '7',
    about: 'Backups that the folder keeps: after each that the server makes, older ones are deleted.',
  },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/ }).or(z.literal('')),
    default: '',
    fixed: true,
    private: true,
    about:
      'PostgreSQL that several processes share: `postgres://user:password@host/database`. Empty: SQLite in the data folder.',
  },
  GUISE_BLOBS: {
    schema: z.string().regex(s3Address, 'must be s3://bucket or s3://bucket/prefix').or(z.literal('')),
    default: '',
    fixed: true,
    about: 'S3 bucket for photos and results: `s3://bucket/prefix`. Empty: files in the data folder.',
  },
  GUISE_S3_ENDPOINT: {
    schema: z.url({ protocol: /^https?$/ }).or(z.literal('')),
    default: '',
    fixed: true,
    about: 'Address of an S3 server other than Amazon’s.',
  },
  GUISE_S3_PUBLIC_ENDPOINT: {
    schema: z.url({ protocol: /^https?$/ }).or(z.literal('')),
    default: '',
    fixed: true,
    about:
      'Address that callers reach the S3 server at. With it, links to videos and previews lead to the bucket, signed for an hour. Empty: their bytes pass through the API.',
  },
  GUISE_S3_REGION: {
    schema: z.string().min(1),
    default: 'us-east-1',
    about: 'Region of the bucket.',
    fixed: true,
  },
  GUISE_S3_PATH_STYLE: {
    schema: flag,
    choices: onOff,
    default: 'false',
    fixed: true,
    about:
      'The bucket stands in the path and not in the host name, as most servers other than Amazon’s want it.',
  },
  GUISE_S3_KEY_ID: {
    schema: z.string(),
    default: '',
    fixed: true,
    about: 'Access key of the bucket. Empty: where Amazon’s tools look, such as the role of the machine.',
  },
  GUISE_S3_SECRET: {
    schema: z.string(),
    default: '',
    fixed: true,
    private: true,
    about: 'Secret of that access key.',
  },
  GUISE_PUBLIC_URL: {
    schema: z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/+$/, ''))
      .or(z.literal('')),
    default: '',
    fixed: true,
    about:
      'Address that callers reach the server at, for links in answers. Empty: the address of each request; links for guests and clients lead to the address that an operator has set in the studio, if any.',
  },
  GUISE_SECRET: {
    schema: z.string().min(32).or(z.literal('')),
    default: '',
    fixed: true,
    private: true,
    about:
      'Signs file links, and webhook secrets are derived from it. Empty: one is made and kept in the database, the same for all nodes.',
  },
  GUISE_C2PA: {
    schema: flag,
    choices: onOff,
    default: 'true',
    about:
      'Puts a signed C2PA manifest into results, which says what made them: [provenance.md](provenance.md).',
  },
  GUISE_C2PA_CERT: {
    schema: z.string(),
    default: '',
    fixed: true,
    about:
      'PEM file of your certificate for C2PA, followed by those above it. Empty: one is made and kept in the database, the same for all nodes.',
  },
  GUISE_C2PA_KEY: {
    schema: z.string(),
    default: '',
    fixed: true,
    about: 'PEM file of the private key of that certificate.',
  },
  GUISE_CONCURRENCY: {
    schema: whole(1, 64),
    default: String(Math.max(1, Math.floor(availableParallelism() / 2))),
    documentedDefault: 'half the cores',
    about: 'Jobs that run on this machine at once. GPU servers have numbers of their own.',
  },
  GUISE_ENGINE_MEMORY_MB: {
    schema: whole(0, 1_000_000),
    default: '0',
    about:
      'Megabytes that an engine process may hold. Above this it is replaced after its job; above twice this it is killed, and its job fails. 0 is half of the memory divided by `GUISE_CONCURRENCY`, but at least 1,536 and at most 3,072.',
  },
  GUISE_ENGINE_SILENCE_SECONDS: {
    schema: z.coerce.number().min(0.2).max(3600),
    default: '30',
    fixed: true,
    about:
      'An engine process that sends no heartbeat for so many seconds is killed and replaced, and its job is tried again.',
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
  GUISE_ACCOUNT_FAILED_SECONDS: {
    schema: whole(0, 1_000_000),
    default: '300',
    about:
      'Seconds that local engines may spend in 10 minutes on runs of one account that cannot be made or are cancelled. Beyond that, its runs are answered with `RATE_LIMITED`. Faults of the server, its storage and its time limits do not count. 0 is no limit.',
  },
  GUISE_RUNS_PER_MINUTE: {
    schema: whole(0, 1_000_000),
    default: '600',
    about:
      'Runs an account may start in a minute. Beyond that, `RATE_LIMITED`. 0 is no limit. Each API node counts by itself.',
  },
  GUISE_TESTS_PER_MINUTE: {
    schema: whole(0, 1_000_000),
    default: '30',
    about:
      'Tests of custom filters an account may start in a minute; saving a filter that is a workflow, whose preview has a GPU, counts as one. Beyond that, `RATE_LIMITED`. 0 is no limit. Each API node counts by itself.',
  },
  GUISE_MAX_FILTERS: {
    schema: whole(0, 10_000_000),
    default: '500',
    about: 'Custom filters an account may have. Beyond that, `LIMIT_REACHED`. 0 is no limit.',
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
    fixed: true,
    about:
      'Addresses of the reverse proxies whose `X-Forwarded-For` says where a caller connects from: `10.0.0.1, 10.1.0.0/16`. Empty: nobody’s.',
  },
  GUISE_MAX_MB_IN_FLIGHT: {
    schema: whole(64, 1_000_000),
    default: '512',
    fixed: true,
    about:
      'Megabytes of request bodies that the process receives at once; large images lie on the disk meanwhile. Beyond that, bodies wait up to 10 s and are then answered with `OVERLOADED`. One account has half of it at most.',
  },
  GUISE_DEMO: {
    schema: z.enum(['auto', 'true', 'false']),
    default: 'auto',
    fixed: true,
    about:
      'Makes a demo account where there are no accounts yet. `auto`: on SQLite in the data folder, not on a shared database.',
  },
  GUISE_RESULT_DAYS: {
    schema: z.coerce.number().positive().max(3650),
    default: '7',
    about: 'Days that a result can be read.',
  },
  GUISE_STATUS_WAIT_SECONDS: {
    schema: z.coerce.number().min(0).max(60),
    default: '20',
    about:
      'How long a status call of face swap v6, face swap v5 or multi swap v5 waits for the end of its job where the caller sends no `Prefer: wait=N`: [compatibility.md](compatibility.md). 0 is not at all. A proxy in front must allow for it.',
  },
  GUISE_DRAIN_SECONDS: {
    schema: z.literal('').or(z.coerce.number().min(0).max(300)),
    default: '',
    fixed: true,
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
    choices: onOff,
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
    fixed: true,
    about:
      'File that says which GPU servers make what: [gpu.md](gpu.md). Empty: everything is made on this machine.',
  },
  GUISE_SMTP_URL: {
    schema: z.url({ protocol: /^smtps?$/ }).or(z.literal('')),
    default: '',
    private: true,
    about:
      'Mail server that sends pictures to guests: `smtps://user:password@mail.example.com`. Empty: no mail is sent.',
  },
  GUISE_MAIL_FROM: {
    schema: z
      .string()
      .regex(/^[^\r\n]*@[^\r\n]*$/, 'must be an email address')
      .or(z.literal('')),
    default: '',
    about: 'Who mail is from: `Photo booth <booth@example.com>`. Needed with `GUISE_SMTP_URL`.',
  },
  GUISE_RELEASES_URL: {
    schema: z.url({ protocol: /^https?$/ }).or(z.literal('')),
    default: '',
    about:
      'Address that answers with the newest version, as `https://registry.npmjs.org/NAME/latest` and `https://api.github.com/repos/OWNER/NAME/releases/latest` do: asked once a day when an operator looks at the settings. Empty: nothing is asked.',
  },
  GUISE_METRICS_TOKEN: {
    schema: z.string().min(16).or(z.literal('')),
    default: '',
    fixed: true,
    private: true,
    about:
      'Bearer token that `/metrics` asks for. Empty: `/metrics` answers only callers on the same machine, and no proxy.',
  },
  GUISE_LOG_LEVEL: {
    schema: z.enum(logLevels),
    choices: logLevels,
    default: 'warn',
    about: 'What is logged; `info` adds a line for every request. Keys, prompts and photos never are.',
  },
} as const;

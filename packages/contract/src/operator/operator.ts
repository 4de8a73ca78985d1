import { z } from 'zod';
import { Role } from '../account.ts';
import { CatalogName } from '../catalogs.ts';
import { Text } from '../texts.ts';

/** What whoever runs the installation sees of it. */

export const Account = z
  .object({
    id: z.string(),
    email: z.string(),
    role: Role,
    balance: z.number().int(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;

export const AccountList = z
  .object({ accounts: z.array(Account), next_cursor: z.string().nullable() })
  .meta({ id: 'AccountList' });
export type AccountList = z.infer<typeof AccountList>;

const CreditAmount = z.int().min(1).max(1_000_000_000);

export const NewAccount = z
  .object({
    email: Text.trim()
      .toLowerCase()
      .max(320)
      .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address'),
    password: z.string().min(8).max(1024).optional(),
    role: Role.default('account'),
    credits: z.int().min(0).max(1_000_000_000).default(0),
  })
  .meta({ id: 'NewAccount' });
export type NewAccount = z.infer<typeof NewAccount>;

export const CreatedAccount = Account.extend({
  api_key: z.string().meta({ description: 'Shown only in this answer' }),
  access_token: z.string().meta({ description: 'Shown only in this answer' }),
  sign_in_url: z.string().meta({ description: 'Signs in once within 24 h' }),
}).meta({ id: 'CreatedAccount' });
export type CreatedAccount = z.infer<typeof CreatedAccount>;

export const CreditGrant = z.object({ amount: CreditAmount }).meta({ id: 'CreditGrant' });

export const Worker = z
  .object({
    id: z.string(),
    host: z.string(),
    pid: z.number().int(),
    engines: z.array(z.object({ name: z.string(), families: z.array(z.string()) })),
    concurrency: z.number().int(),
    running: z.number().int(),
    draining: z.boolean(),
    started_at: z.iso.datetime(),
    last_seen: z.iso.datetime(),
  })
  .meta({ id: 'Worker' });
export const WorkerList = z
  .object({ workers: z.array(Worker), next_cursor: z.string().nullable() })
  .meta({ id: 'WorkerList' });
export type WorkerList = z.infer<typeof WorkerList>;

export const AdmissionRow = z
  .object({
    name: z.string(),
    title: z.string(),
    at_once: z.number().int().nullable().meta({
      description: 'How many there may be; of bodies, how many bytes; null where the workers decide',
    }),
    running: z.number().int(),
    waiting: z.number().int(),
    refused: z.number().int().meta({ description: 'Since the process was started' }),
    waited_seconds: z.number().meta({ description: 'Of all together, since the process was started' }),
    users: z
      .array(
        z.object({
          owner: z.string().meta({ description: 'An account’s email, an event’s name or an address' }),
          running: z.number().int(),
          waiting: z.number().int(),
        }),
      )
      .meta({ description: 'The ten who wait for most or have most' }),
  })
  .meta({ id: 'AdmissionRow' });
export type AdmissionRow = z.infer<typeof AdmissionRow>;
export const AdmissionList = z
  .object({ rows: z.array(AdmissionRow), next_cursor: z.string().nullable() })
  .meta({ id: 'AdmissionList' });
export type AdmissionList = z.infer<typeof AdmissionList>;

/** One server of an engine: whether it answers, and what its routes' workflows miss there. */
export const EngineServer = z
  .object({
    address: z.string(),
    healthy: z.boolean(),
    says: z.string(),
    missing: z.array(z.string()),
  })
  .meta({ id: 'EngineServer' });
export type EngineServer = z.infer<typeof EngineServer>;

/** A server of an engine as the workers see it. */
export const ServerReport = z
  .object({
    address: z.string(),
    state: z.enum(['up', 'down', 'resting', 'too old']).meta({
      description: 'A server that failed job after job rests for a while; one that is too old gets none',
    }),
    running: z.number().int().nullable().meta({ description: 'Jobs of ours that are there' }),
    queue: z.number().int().nullable().meta({ description: 'What waits or runs there, whoever sent it' }),
    version: z.string().nullable(),
    since: z.iso.datetime().optional().meta({ description: 'When the state was first seen' }),
    reason: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Why it gets no jobs, or not all; null where it gets every job' }),
    last_error: z.string().nullable().meta({
      description: 'The kind of what went wrong there last, which may be over: see `last_error_at`, `state`',
    }),
    last_error_at: z.iso.datetime().nullable().optional(),
  })
  .meta({ id: 'ServerReport' });
export type ServerReport = z.infer<typeof ServerReport>;

/** The same for everybody: where the server is, is the operator's to know. */
export const PublicServerReport = ServerReport.omit({ address: true }).meta({ id: 'PublicServerReport' });
export type PublicServerReport = z.infer<typeof PublicServerReport>;

export const EngineInfo = z
  .object({
    name: z.string(),
    type: z.string().meta({
      description: '`local`, the `type` in the engines file, or `other` where that file does not name it',
    }),
    title: z.string().optional().meta({ description: 'The type in words, of engines in the engines file' }),
    healthy: z.boolean().meta({ description: 'Whether a live worker has it and every server of it answers' }),
    families: z.array(z.string()),
    workers: z.number().int(),
    servers: z.array(EngineServer),
    workflows: z
      .array(z.string())
      .meta({ description: 'Of its routes: `POST /v1/engines/{name}/trials` tries each on a sample photo' }),
    reports: z
      .array(ServerReport)
      .optional()
      .meta({ description: 'The servers as a live worker sees them, where the engine has some' }),
    fallback: z.boolean().meta({ description: 'Whether this machine makes what it could not' }),
    paused: z.boolean(),
    removable: z.boolean().meta({ description: 'Whether it was added by `POST /v1/engines`' }),
    urls: z.array(z.string()).meta({
      description: 'The servers of a ComfyUI engine that was added so: with them it can be set up again',
    }),
    failures: z
      .array(z.object({ at: z.iso.datetime(), server: z.string(), cause: z.string() }))
      .meta({ description: 'What its servers did not make last, the newest first' }),
  })
  .meta({ id: 'EngineInfo' });
export type EngineInfo = z.infer<typeof EngineInfo>;
export const EngineList = z
  .object({
    engines: z.array(EngineInfo),
    can_change: z.boolean().meta({
      description:
        'Whether engines can be added and removed here: not where `GUISE_ENGINES` names a file, or where an installation has several processes',
    }),
    pending: z.boolean().meta({ description: 'Whether the next restart changes the engines' }),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'EngineList' });
export type EngineList = z.infer<typeof EngineList>;

export const EngineChange = z
  .object({ paused: z.boolean().meta({ description: 'A paused engine gets no new jobs; those it has end' }) })
  .meta({ id: 'EngineChange' });
export type EngineChange = z.infer<typeof EngineChange>;

export const Doctor = z
  .object({
    ok: z.boolean(),
    findings: z.array(z.object({ what: z.string(), ok: z.boolean(), says: z.string() })),
  })
  .meta({ id: 'Doctor' });
export type Doctor = z.infer<typeof Doctor>;

export const VersionInfo = z
  .object({
    version: z.string(),
    is_asked: z.boolean().meta({ description: 'Whether `GUISE_RELEASES_URL` is set: else nothing is asked' }),
    newer: z.string().nullable().meta({ description: 'A newer version that exists' }),
    error: z.string().nullable().meta({ description: 'Why it could not be asked' }),
  })
  .meta({ id: 'VersionInfo' });
export type VersionInfo = z.infer<typeof VersionInfo>;

export const SettingInfo = z
  .object({
    name: z.string(),
    value: z.string().nullable().meta({ description: 'Null where it is a secret that is set' }),
    default: z.string(),
    description: z.string(),
    source: z.enum(['default', 'environment', 'stored']).meta({
      description: '`stored` where an operator has changed it; the environment decides over that',
    }),
    changeable: z.boolean().meta({ description: 'Whether `PATCH /v1/settings` changes it' }),
    secret: z.boolean(),
    choices: z.array(z.string()).nullable().meta({ description: 'What it may be; null for any text' }),
    pending: z.boolean().meta({ description: 'Whether the next restart changes it' }),
    stored: z.string().nullable().meta({
      description: 'What an operator has changed it to; null for nothing, and for a secret',
    }),
  })
  .meta({ id: 'SettingInfo' });
export type SettingInfo = z.infer<typeof SettingInfo>;
export const SettingList = z
  .object({
    settings: z.array(SettingInfo),
    can_restart: z.boolean().meta({ description: 'Whether `POST /v1/restart` works here' }),
    last_error: z.string().nullable().meta({
      description: 'Why the last restart could not use the changed settings, which were put back then',
    }),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'SettingList' });
export type SettingList = z.infer<typeof SettingList>;

export const SettingChanges = z
  .object({
    settings: z
      .record(z.string().max(100), z.string().max(10_000).nullable())
      .meta({ description: 'By name; null or an empty text for the default' }),
  })
  .meta({ id: 'SettingChanges' });
export type SettingChanges = z.infer<typeof SettingChanges>;

export const Backup = z
  .object({ name: z.string(), bytes: z.int().min(0), made_at: z.iso.datetime() })
  .meta({ id: 'Backup' });
export type Backup = z.infer<typeof Backup>;

export const BackupList = z
  .object({
    backups: z.array(Backup).meta({ description: 'Newest first' }),
    running: z
      .object({ started_at: z.iso.datetime(), done: z.int().min(0), total: z.int().min(0) })
      .nullable()
      .meta({ description: 'The backup that is being made, with the files that it has copied' }),
    last_error: z.string().nullable().meta({
      description:
        'Why the last backup failed or what it could not hold, or why the last restore was refused; else null',
    }),
    restored: z.iso.datetime().nullable().meta({
      description: 'When the backup was made that was put in place of the installation at the last restart',
    }),
    unavailable: z
      .string()
      .nullable()
      .meta({ description: 'Why none can be made here; null where they can' }),
    can_restore: z.boolean().meta({ description: 'Whether one can be restored while the server runs' }),
    folder: z.string().meta({ description: 'The folder of backups on the machine of the server' }),
    every_hours: z
      .number()
      .meta({ description: 'How often one is made without being asked for; 0 for never' }),
    kept: z.int().min(1).meta({ description: 'How many the folder keeps' }),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'BackupList' });
export type BackupList = z.infer<typeof BackupList>;

/** Where links for guests and clients lead: quick tests, booths, guests’ pages, walls, galleries and sign-in links. */
export const GuestAddress = z
  .object({
    url: z.string(),
    source: z.enum(['environment', 'stored', 'request']).meta({
      description: '`GUISE_PUBLIC_URL`, what an operator has set, or the address of this request',
    }),
    is_local: z.boolean().meta({ description: 'Whether only the machine of the server reaches it' }),
    suggestions: z.array(z.string()).meta({
      description: 'Addresses of the machine in its networks; for operators, where no setting decides',
    }),
  })
  .meta({ id: 'GuestAddress' });
export type GuestAddress = z.infer<typeof GuestAddress>;

export const GuestAddressChange = z
  .object({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an address such as http://192.168.1.20:8080' })
      .max(500)
      .transform((url) => url.replace(/\/+$/, ''))
      .nullable()
      .meta({ description: 'Null for the address of each request' }),
    check: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the server first tries to reach itself there' }),
  })
  .meta({ id: 'GuestAddressChange' });
export type GuestAddressChange = z.infer<typeof GuestAddressChange>;

/** What a restored installation is signed in to with, once its server is back. */
export const RestoreStarted = BackupList.extend({
  sign_in_token: z.string().meta({
    description:
      'Signs in once, after the restore, to the operator of the backup with the caller’s email, or else to its oldest operator',
  }),
}).meta({ id: 'RestoreStarted' });
export type RestoreStarted = z.infer<typeof RestoreStarted>;

export const BackupPart = z.object({
  offset: z.coerce.number().int().min(0).meta({ description: 'Where in the archive the body belongs' }),
  bytes: z.coerce.number().int().min(1).meta({ description: 'How large the whole archive is' }),
});
export type BackupPart = z.infer<typeof BackupPart>;

export const BackupUpload = z
  .object({
    received: z.int().min(0).meta({ description: 'Bytes that are here: the next part begins there' }),
    complete: z.boolean().meta({ description: 'Whether the backup is among those of the list' }),
  })
  .meta({ id: 'BackupUpload' });
export type BackupUpload = z.infer<typeof BackupUpload>;

export const PackInfo = z
  .object({
    name: z.string(),
    scenes: z.array(z.string()),
    costumes: z.array(z.string()),
    filters: z.array(
      z.object({ list: CatalogName, id: z.number().int(), name: z.string(), replaces: z.boolean() }),
    ),
  })
  .meta({ id: 'PackInfo' });
export type PackInfo = z.infer<typeof PackInfo>;
export const PackList = z
  .object({ packs: z.array(PackInfo), next_cursor: z.string().nullable() })
  .meta({ id: 'PackList' });
export type PackList = z.infer<typeof PackList>;

export const ModelInfo = z
  .object({
    name: z.string(),
    use: z.string(),
    source: z.enum(['built in', 'operator', 'available']).meta({
      description: '`available`: it can be fetched, and is not here',
    }),
    licence: z.string(),
    bytes: z.number().int().nullable(),
    fetch_name: z
      .string()
      .nullable()
      .meta({ description: 'Fetches it: `POST /v1/models/{name}/fetch`; null for those that are here' }),
    fetching: z
      .object({ part: z.string(), done: z.int().min(0), total: z.int().min(0) })
      .nullable()
      .meta({ description: 'How far it is, in bytes; `total` 0 while npm gets the package' }),
    last_error: z.string().nullable().meta({ description: 'Why it could not be fetched the last time' }),
    needs_restart: z.boolean().meta({ description: 'Whether the running engines use it after a restart' }),
  })
  .meta({ id: 'ModelInfo' });
export type ModelInfo = z.infer<typeof ModelInfo>;
export const ModelList = z
  .object({ models: z.array(ModelInfo), next_cursor: z.string().nullable() })
  .meta({ id: 'ModelList' });
export type ModelList = z.infer<typeof ModelList>;

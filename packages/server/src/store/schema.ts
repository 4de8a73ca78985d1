import type { Role } from '@guise/contract/account.ts';
import type { JobState } from '@guise/contract/jobs.ts';
import type { Generated } from 'kysely';
import type {
  EventConsentRow,
  EventGuestRow,
  EventJobRow,
  EventOverlayRow,
  EventRow,
  StationRow,
} from './events/event-schema.ts';
import type { EventMailRow, EventPrintRow, PrinterRow } from './events/outbox-schema.ts';
import type {
  FilterCheckRow,
  PhotoRow,
  PhotoSetRow,
  QaCellRow,
  QaRunRow,
  QuickTestLinkRow,
  QuickTestRunRow,
} from './qa/qa-schema.ts';
import type { SceneRow } from './scenes/scene-schema.ts';
import type { DeliveryRow, EndpointRow, WebhookSecretRow } from './webhooks/webhook-schema.ts';

/** Times are milliseconds since 1970; JSON is text; booleans are 0 and 1: the types SQLite and PostgreSQL share. */
export interface Schema {
  accounts: AccountRow;
  credentials: CredentialRow;
  sessions: SessionRow;
  sign_in_links: SignInLinkRow;
  ledger: LedgerRow;
  jobs: JobRow;
  idempotency: IdempotencyRow;
  custom_filters: CustomFilterRow;
  custom_filter_versions: CustomFilterVersionRow;
  custom_filter_checks: FilterCheckRow;
  aliases: AliasRow;
  settings: { name: string; value: string };
  webhooks: DeliveryRow;
  webhook_endpoints: EndpointRow;
  webhook_rates: { name: string; minute: number; attempts: number };
  webhook_secrets: WebhookSecretRow;
  workers: WorkerRow;
  renders: RenderRow;
  dead_letters: DeadLetterRow;
  failed_runs: FailedRunRow;
  photo_sets: PhotoSetRow;
  photos: PhotoRow;
  scenes: SceneRow;
  qa_runs: QaRunRow;
  qa_cells: QaCellRow;
  quick_test_links: QuickTestLinkRow;
  quick_test_runs: QuickTestRunRow;
  former_usage: FormerUsageRow;
  booth_events: EventRow;
  event_overlays: EventOverlayRow;
  event_consents: EventConsentRow;
  event_guests: EventGuestRow;
  event_jobs: EventJobRow;
  event_stations: StationRow;
  printers: PrinterRow;
  event_prints: EventPrintRow;
  event_mails: EventMailRow;
}

export interface AccountRow {
  id: string;
  email: string;
  password_hash: string | null;
  balance: number;
  role: Role;
  created_at: number;
}

/** An API key or an access token. Only its SHA-256 is kept. */
export interface CredentialRow {
  id: string;
  account_id: string;
  kind: 'key' | 'token';
  name: string;
  hash: string;
  last4: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** JSON list; null where it has the default ones. */
  scopes: string | null;
  /** Credits that it may spend in all; null for as many as the account has. */
  budget: number | null;
  /** Credits of its jobs and of those of whatever it made, without those that were refunded. */
  spent: number;
  /** When it was last used, to the minute. */
  used_at: number | null;
  /** Counts its edits, from 1. */
  version: number;
  /** The event whose booths it is for. Such a key has no scopes. */
  event_id: string | null;
  /** The key that made it; null where somebody did who was signed in, or the command line. */
  made_by: string | null;
}

/** A browser that is signed in. Only the SHA-256 of its secret is kept. */
export interface SessionRow {
  id: string;
  account_id: string;
  hash: string;
  /** The secret before the last rotation, which is valid for a minute after it. */
  previous_hash: string | null;
  /** When its secret was made. */
  rotated_at: number;
  created_at: number;
  /** When it was last used, to the minute. */
  used_at: number;
  expires_at: number;
  /** What the browser says it is, shortened. */
  user_agent: string;
}

/** A link that signs in once. Only the SHA-256 of its token is kept. */
export interface SignInLinkRow {
  hash: string;
  account_id: string;
  expires_at: number;
  /** Null until somebody has signed in with it. */
  used_at: number | null;
}

/** Rows are only appended. A job has at most one charge and one refund. */
export interface LedgerRow {
  id: Generated<number>;
  account_id: string;
  amount: number;
  reason: 'grant' | 'charge' | 'refund';
  job_id: string | null;
  created_at: number;
}

export interface JobRow {
  id: string;
  account_id: string;
  family: string;
  state: JobState;
  /** The family's parameters as JSON, without images. */
  params: string;
  /** The filter as the caller named it, and its definition as it was when the job was accepted. */
  filter_ref: string | null;
  filter: string | null;
  /** The filter's name when the job was accepted. */
  filter_name: string | null;
  /** The version of the custom filter that this is. */
  filter_version: number | null;
  /** The blob key of the definition's photo, which stays until the job has ended. */
  template: string | null;
  /** JSON list of the input photos' blob keys. */
  inputs: string;
  /**
   * What decides who makes it, with its family and `filter_ref`: the kind of its filter, the video model and how many
   * photos it has. Without the last, it was accepted by a version that did not store them, and only its family is known.
   */
  filter_kind: string | null;
  model: string | null;
  photo_count: number | null;
  /** 1 where its photos may not go to a company, whatever its engine is. */
  photos_stay: number | null;
  price: number;
  /** The key or token that it was submitted with; null for a session. */
  key_id: string | null;
  /** The key that made the event or the quick test link that it came by, whose budget paid too. */
  maker_id: string | null;
  /** JSON list of the ids of installations that handed it on; null for a job of a caller. */
  via: string | null;
  /** The event that it was made at; null for other jobs. */
  event_id: string | null;
  /** The quick test link that its guest came by; null for other jobs. */
  quick_test_link_id: string | null;
  progress: number;
  /** The fencing token: every claim raises it, and only the holder of the current one may write to the job. */
  claim: number;
  lease_until: number | null;
  run_after: number;
  /** Its place in the fair order between accounts: lower is sooner. */
  turn: number;
  retries: number;
  losses: number;
  /** Where a remote run can be picked up by another process. */
  handle: string | null;
  result_key: string | null;
  /** JSON `{applied, ignored, quality}`. */
  result_notes: string | null;
  error: string | null;
  /** 1 for a failed job that somebody cancelled; null or 0 for others. */
  cancelled: number | null;
  /** When it was last claimed, and by which process, as `host:pid`. */
  started_at: number | null;
  worker: string | null;
  /** The engine that its last run was given to, and JSON of how long parts of that run took: `RunReport`. */
  engine: string | null;
  run_report: string | null;
  /** What servers took for it in all its runs: seconds at work and US dollars, as far as they tell it. */
  gpu_seconds: number;
  cost: number;
  created_at: number;
  finished_at: number | null;
  expires_at: number;
}
export type { JobState };

// An empty text: no filter, no key. Jobs of a quick test link have its id as their key.
/** What an account's jobs of a day came to whose rows are gone. */
export interface FormerUsageRow {
  account_id: string;
  /** Days since 1970, UTC. */
  day: number;
  family: string;
  filter_ref: string;
  key_id: string;
  jobs: number;
  failed: number;
  /** Of the failed ones. */
  cancelled: Generated<number>;
  /** Charged, less what came back. */
  credits: number;
  gpu_seconds: Generated<number>;
  cost: Generated<number>;
}

/** A run that took an engine's time and gave no result. */
export interface FailedRunRow {
  job_id: string;
  /** Of the claim that the run was made under. */
  claim: number;
  account_id: string;
  engine_ms: number;
  ended_at: number;
}

export interface IdempotencyRow {
  account_id: string;
  key: string;
  fingerprint: string;
  job_id: string;
  answer: string;
  expires_at: number;
}

export interface CustomFilterRow {
  id: string;
  account_id: string;
  name: string;
  filter_type: 'face_swap' | 'multi_swap';
  definition: string;
  origin: 'paid' | 'self_created';
  /** JSON list of blob keys. */
  previews: string;
  /** Counts its edits, from 1. Jobs keep the definition of the version that they were submitted with. */
  version: number;
  /** What is new in this version. */
  note: string;
  /** Who said that this definition may go live, and when; null while nobody has. */
  ready_by: string | null;
  ready_at: number | null;
  /** The version that is being worked on and not live, and when it or one of its checks changed; null for none. */
  draft_version: number | null;
  draft_changed_at: number | null;
  created_at: number;
  /** When this version was made. */
  updated_at: number;
}

/** A version of a custom filter that was replaced, or that is not live yet. The live one is in the filter's own row. */
export interface CustomFilterVersionRow {
  filter_id: string;
  version: number;
  name: string;
  definition: string;
  /** JSON list of blob keys; empty when no preview of this definition was made. */
  previews: string;
  note: string;
  created_at: number;
  /** Whether it was never live. */
  draft: 0 | 1;
}

export interface AliasRow {
  id: string;
  account_id: string;
  ai_filter: string;
  /** The filter's name when it was assigned or deleted. */
  ai_filter_name: string;
  project: string;
  /** JSON list of its earlier filters, oldest first, in the form that callers read. */
  history: string;
  /** The filter to fall back to. */
  safe_filter: string | null;
  /** The filter that it is to point to once that is made live; null without a draft. */
  draft_filter: string | null;
  /** Counts the drafts that were saved. */
  draft_number: number;
  /** When a draft was last saved or put away. */
  draft_changed_at: number | null;
  /** Counts its edits, from 1. */
  version: number;
  created_at: number;
  updated_at: number;
  last_used: number | null;
}

/** A worker process and what its engines can make. It counts as alive until a lease after its last heartbeat. */
export interface WorkerRow {
  id: string;
  host: string;
  pid: number;
  /** JSON list of `{name, abilities}`. */
  engines: string;
  concurrency: number;
  running: number;
  draining: 0 | 1;
  started_at: number;
  /** The time of its last heartbeat. */
  beat_at: number;
}

/** A preview that is to be made of a custom filter, or a test whose caller waits: a picture of a sample photo. */
export interface RenderRow {
  id: string;
  /** Of a test of what is not saved, the id of the test. */
  filter_id: string;
  /** JSON of the definition and the photo that are tested when they are not those of a filter. */
  draft: string | null;
  /** Empty in rows of processes of an earlier version. */
  account_id: string;
  purpose: 'preview' | 'try' | 'check';
  /** The family and the kind of filter that an engine must make, as `family:kind`. */
  wants: string;
  /** The fencing token: every claim raises it, and only the holder of the current one may write to the row. */
  claim: number;
  /** Claims so far, without those that were handed back. */
  tries: number;
  /** 0 while nobody has claimed it. */
  lease_until: number;
  result_key: string | null;
  /** JSON `{applied, ignored}`. */
  result_notes: string | null;
  error: string | null;
  ended: 0 | 1;
  created_at: number;
}

/** A job that failed through a fault of the server and not of its photo, kept for the operator. */
export interface DeadLetterRow {
  job_id: string;
  account_id: string;
  family: string;
  reason: string;
  retries: number;
  losses: number;
  created_at: number;
}

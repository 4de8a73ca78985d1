import type { JobState } from '@guise/contract/jobs.ts';
import type { Generated } from 'kysely';

/** Times are milliseconds since 1970; JSON is text; booleans are 0 and 1: the types SQLite and PostgreSQL share. */
export interface Schema {
  accounts: AccountRow;
  credentials: CredentialRow;
  ledger: LedgerRow;
  jobs: JobRow;
  idempotency: IdempotencyRow;
  custom_filters: CustomFilterRow;
  aliases: AliasRow;
  settings: { name: string; value: string };
  webhooks: WebhookRow;
  workers: WorkerRow;
  renders: RenderRow;
  dead_letters: DeadLetterRow;
}

export interface AccountRow {
  id: string;
  email: string;
  password_hash: string | null;
  balance: number;
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
  /** JSON list of the input photos' blob keys. */
  inputs: string;
  price: number;
  progress: number;
  /** The fencing token: every claim raises it, and only its holder may finish the job. */
  claim: number;
  lease_until: number | null;
  run_after: number;
  /** Its place among those that wait: the lower, the sooner. */
  turn: number;
  retries: number;
  losses: number;
  /** Where a remote run can be picked up. */
  handle: string | null;
  result_key: string | null;
  /** JSON `{applied, ignored}`. */
  result_notes: string | null;
  error: string | null;
  created_at: number;
  finished_at: number | null;
  expires_at: number;
}
export type { JobState };

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
  created_at: number;
  updated_at: number;
}

export interface AliasRow {
  id: string;
  account_id: string;
  ai_filter: string;
  /** The filter's name when it was assigned: it outlives the filter. */
  ai_filter_name: string;
  project: string;
  /** JSON list of the filters it had before, oldest first, as callers read it. */
  history: string;
  created_at: number;
  updated_at: number;
  last_used: number | null;
}

/** The news of an ended job that its caller has not acknowledged yet. */
export interface WebhookRow {
  job_id: string;
  account_id: string;
  url: string;
  body: string;
  attempts: number;
  due_at: number;
}

/** A worker process and what it can make. It is alive as long as it beats. */
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
  beat_at: number;
}

/** A picture of a custom filter on a sample photo, asked for by a node without engines. */
export interface RenderRow {
  id: string;
  filter_id: string;
  purpose: 'preview' | 'try';
  /** The family and the kind of filter that an engine must make, as `family:kind`. */
  wants: string;
  claim: number;
  lease_until: number;
  result_key: string | null;
  /** JSON `{applied, ignored}`. */
  result_notes: string | null;
  error: string | null;
  ended: 0 | 1;
  created_at: number;
}

/** A job that failed through a fault of the server and not of its photo: for the operator to look at. */
export interface DeadLetterRow {
  job_id: string;
  account_id: string;
  family: string;
  reason: string;
  retries: number;
  losses: number;
  created_at: number;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'disabled';

/** One message to one URL. While it is pending it is in the outbox; after that it is kept for its account to see. */
export interface DeliveryRow {
  /** What receivers know the message by, over all its attempts: `webhook-id`. */
  id: string;
  /** The job that it tells of; null where it tells of something else. It is erased with the job. */
  job_id: string | null;
  account_id: string;
  url: string;
  body: string;
  state: DeliveryState;
  /** Attempts that have begun. */
  attempts: number;
  /** When the next attempt may begin: at the end of the lease while one is under way. */
  due_at: number;
  /** The fencing token: every claim raises it, and only the holder of the current one may write to the delivery. */
  claim: number;
  lease_until: number | null;
  last_status_code: number | null;
  last_error: string | null;
  created_at: number;
  delivered_at: number | null;
}

/** Where an account's webhooks go: the origin and the path of a URL. */
export interface EndpointRow {
  /** Made of the account and the URL. */
  id: string;
  account_id: string;
  url: string;
  /** Attempts that failed since the last one that was acknowledged. */
  failures: number;
  failing_since: number | null;
  disabled_at: number | null;
  created_at: number;
  /** When something was last sent to it, to the hour. */
  used_at: number;
}

/** What an account's webhook secrets are derived from, once it has rolled its first one. */
export interface WebhookSecretRow {
  account_id: string;
  nonce: string;
  created_at: number;
  /** Empty for the secret that every account begins with. */
  previous_nonce: string;
  /** Until when the previous secret signs too. */
  previous_until: number;
  /** The `Idempotency-Key` of the last roll, or its nonce where there was none. */
  roll_key: string;
}

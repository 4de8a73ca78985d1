/** Puts the table of deliveries back to what it was before they had ids, with a row, and makes its migration due again. */
export const formerWebhooks = `
  drop table webhooks;
  create table webhooks (job_id text primary key, account_id text not null, url text not null, body text not null,
    attempts integer not null, due_at bigint not null, state text not null default 'pending',
    claim integer not null default 0, lease_until bigint, last_status_code integer, last_error text,
    created_at bigint not null default 0, delivered_at bigint);
  create index webhooks_by_time on webhooks (created_at, job_id);
  create index webhooks_by_account on webhooks (account_id, created_at, job_id);
  create index webhooks_pending on webhooks (account_id, due_at) where state = 'pending';
  create index webhooks_leased on webhooks (lease_until) where lease_until is not null;
  insert into webhooks (job_id, account_id, url, body, attempts, due_at, claim, last_error, created_at)
    values ('job-1', 'account-1', 'http://example.com/', '{}', 2, 40, 2, 'Could not reach the receiver.', 30);
  delete from kysely_migration where name = '021-delivery-ids';
`;

/** The row after its migration, by what has changed and what has not. */
export const migratedDelivery = {
  id: 'job-1',
  job_id: 'job-1',
  account_id: 'account-1',
  state: 'pending',
  attempts: 2,
  due_at: 40,
  claim: 2,
  last_error: 'Could not reach the receiver.',
  created_at: 30,
};

/**
 * Puts the table of deliveries back to what it was before they had ids, and keys, events, links and jobs to what they were
 * before they named makers and whose photos stay, with a delivery and a key, and makes those migrations due again.
 */
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
  alter table credentials drop column made_by;
  alter table booth_events drop column made_by;
  alter table quick_test_links drop column made_by;
  alter table jobs drop column maker_id;
  alter table jobs drop column photos_stay;
  alter table custom_filter_versions drop column draft;
  alter table custom_filters drop column draft_version;
  alter table custom_filters drop column draft_changed_at;
  drop table custom_filter_checks;
  drop table printers;
  drop table event_prints;
  drop table event_mails;
  alter table event_stations drop column camera;
  drop table scenes;
  alter table event_jobs drop column take;
  alter table event_jobs drop column details;
  alter table event_jobs drop column variation;
  alter table event_jobs drop column further;
  alter table event_jobs drop column moment;
  alter table jobs drop column gpu_seconds;
  alter table jobs drop column cost;
  alter table former_usage drop column gpu_seconds;
  alter table former_usage drop column cost;
  alter table booth_events drop column gpu_seconds;
  alter table booth_events drop column cost;
  alter table aliases drop column draft_filter;
  alter table aliases drop column draft_number;
  alter table aliases drop column draft_changed_at;
  alter table booth_events drop column draft;
  alter table booth_events drop column draft_number;
  alter table booth_events drop column draft_changed_at;
  alter table booth_events drop column replaced;
  insert into accounts (id, email, balance, created_at) values ('account-1', 'one@example.com', 0, 1);
  insert into credentials (id, account_id, kind, name, hash, last4, created_at)
    values ('key-1', 'account-1', 'key', 'first key', 'hash', 'abcd', 1);
  delete from kysely_migration where name >= '021';
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

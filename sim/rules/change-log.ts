import Database from 'better-sqlite3';

/** A row that was committed, as a trigger of the simulation wrote it down. */
export type Change =
  | ({ kind: 'job-new' } & JobInsert)
  | ({ kind: 'job' } & JobChange)
  | { kind: 'job-gone'; id: string; from: string }
  | { kind: 'balance'; id: string; balance: number }
  | { kind: 'ledger'; account: string; amount: number; reason: string; job: string | null }
  | { kind: 'event'; id: string; spent: number; budget: number | null }
  | { kind: 'guest'; id: string; event: string; pictures: number; tries: number }
  | { kind: 'link'; id: string; runs: number; runs_used: number }
  | { kind: 'key'; id: string; spent: number; budget: number | null }
  | { kind: 'delivery-new'; id: string; account: string; job: string | null }
  | ({ kind: 'delivery' } & DeliveryChange)
  | { kind: 'delivery-gone'; id: string }
  | { kind: 'failed-run'; job: string; claim: number; engine_ms: number };

/** What is done with each kind of change that a process has committed. */
export type Handlers = {
  [Kind in Change['kind']]?: (change: Extract<Change, { kind: Kind }>, by: string) => void;
};

export interface JobInsert extends Needs {
  id: string;
  account: string;
  price: number;
  turn: number;
  /** JSON lists, or null. */
  via: string | null;
  inputs: string;
  key_id: string | null;
}

export interface JobChange {
  id: string;
  from: string;
  to: string;
  claim_before: number;
  claim: number;
  worker: string | null;
  result_key: string | null;
  error: string | null;
  cancelled: number;
  losses_before: number;
  losses: number;
  retries: number;
}

/** What of a job decides who makes it. */
export interface Needs {
  family: string;
  filter_kind: string | null;
  filter_ref: string | null;
  model: string | null;
  photo_count: number;
}

export interface DeliveryChange {
  id: string;
  account: string;
  from: string;
  to: string;
  attempts_before: number;
  attempts: number;
  /** When the lease before this change ended, and the database's time of the change. */
  lease_before: number | null;
  lease: number | null;
  due: number;
}

interface Trigger {
  on: string;
  when?: string;
  kind: Change['kind'];
  columns: Record<string, string>;
}

const triggers: readonly Trigger[] = [
  {
    on: 'insert on jobs',
    kind: 'job-new',
    columns: {
      ...{ id: 'new.id', account: 'new.account_id', price: 'new.price', turn: 'new.turn', via: 'new.via' },
      ...{ family: 'new.family', filter_kind: 'new.filter_kind', filter_ref: 'new.filter_ref' },
      ...{ model: 'new.model', photo_count: 'new.photo_count', inputs: 'new.inputs', key_id: 'new.key_id' },
    },
  },
  {
    on: 'update on jobs',
    when: 'old.state != new.state or old.claim != new.claim or old.result_key is not new.result_key',
    kind: 'job',
    columns: {
      ...{ id: 'new.id', from: 'old.state', to: 'new.state', claim_before: 'old.claim', claim: 'new.claim' },
      ...{ worker: 'new.worker', result_key: 'new.result_key', error: 'new.error', retries: 'new.retries' },
      cancelled: 'new.cancelled',
      ...{ losses_before: 'old.losses', losses: 'new.losses' },
    },
  },
  { on: 'delete on jobs', kind: 'job-gone', columns: { id: 'old.id', from: 'old.state' } },
  {
    on: 'update of balance on accounts',
    kind: 'balance',
    columns: { id: 'new.id', balance: 'new.balance' },
  },
  {
    on: 'insert on ledger',
    kind: 'ledger',
    columns: { account: 'new.account_id', amount: 'new.amount', reason: 'new.reason', job: 'new.job_id' },
  },
  {
    on: 'update on booth_events',
    kind: 'event',
    columns: { id: 'new.id', spent: 'new.spent', budget: 'new.budget' },
  },
  {
    on: 'update on event_guests',
    kind: 'guest',
    columns: { id: 'new.id', event: 'new.event_id', pictures: 'new.pictures', tries: 'new.tries' },
  },
  {
    on: 'update on quick_test_links',
    kind: 'link',
    columns: { id: 'new.id', runs: 'new.runs', runs_used: 'new.runs_used' },
  },
  {
    on: 'update on credentials',
    kind: 'key',
    columns: { id: 'new.id', spent: 'new.spent', budget: 'new.budget' },
  },
  {
    on: 'insert on webhooks',
    kind: 'delivery-new',
    columns: { id: 'new.id', account: 'new.account_id', job: 'new.job_id' },
  },
  {
    on: 'update on webhooks',
    kind: 'delivery',
    columns: {
      ...{ id: 'new.id', account: 'new.account_id', from: 'old.state', to: 'new.state' },
      ...{ attempts_before: 'old.attempts', attempts: 'new.attempts', due: 'new.due_at' },
      ...{ lease_before: 'old.lease_until', lease: 'new.lease_until' },
    },
  },
  { on: 'delete on webhooks', kind: 'delivery-gone', columns: { id: 'old.id' } },
  {
    on: 'insert on failed_runs',
    kind: 'failed-run',
    columns: { job: 'new.job_id', claim: 'new.claim', engine_ms: 'new.engine_ms' },
  },
];

/** Lets a database write down every change of the rows that rules are about, as part of the transaction that makes it. */
export function addChangeLog(file: string): void {
  const connection = new Database(file);
  connection.exec('create table simulated_changes (number integer primary key, change text not null)');
  triggers.forEach(({ on, when, kind, columns }, index) => {
    const fields = Object.entries(columns).map(([name, value]) => `'${name}', ${value}`);
    connection.exec(
      `create trigger simulated_${index} after ${on} ${when ? `when ${when}` : ''} begin
         insert into simulated_changes (change) values (json_object('kind', '${kind}', ${fields.join(', ')}));
       end`,
    );
  });
  connection.close();
}

/** Reads a database beside those who work on it. */
export interface ChangeReader {
  /** What was committed since the last call, in order. */
  read(): Change[];
  rows<T>(sql: string, ...params: unknown[]): T[];
  /** After all rows were deleted. */
  beginAnew(): void;
  close(): void;
}

export function openChangeReader(file: string): ChangeReader {
  const connection = new Database(file);
  const next = connection.prepare('select number, change from simulated_changes where number > ?');
  const prepared = new Map<string, Database.Statement>();
  let last = 0;
  return {
    read() {
      const rows = next.all(last) as { number: number; change: string }[];
      last = rows.at(-1)?.number ?? last;
      return rows.map(({ change }) => JSON.parse(change) as Change);
    },
    rows(sql, ...params) {
      const statement = prepared.get(sql) ?? connection.prepare(sql);
      prepared.set(sql, statement);
      return statement.all(...params) as never;
    },
    beginAnew() {
      last = 0;
    },
    close: () => void connection.close(),
  };
}

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import { createAccount } from '../../src/accounts/accounts.ts';
import { openStorage, type Storage } from '../../src/app/storage.ts';
import { charge } from '../../src/credits/ledger.ts';
import { AppError } from '../../src/errors.ts';
import { newId } from '../../src/ids.ts';
import { findAccount, insertAccount } from '../../src/store/account-records.ts';
import { listLineage } from '../../src/store/accounts/key-records.ts';
import { findJobById, insertJob } from '../../src/store/job-records.ts';
import { credit, listEntries, unbalancedAccounts } from '../../src/store/ledger-records.ts';
import { migratePostgres, migrations } from '../../src/store/migrate.ts';
import { openPostgres } from '../../src/store/shared/postgres.ts';
import { listDeliveries } from '../../src/store/webhooks/delivery-records.ts';
import { queuedJob, storedAccount, waitingJob } from '../jobs/queued-job.ts';
import { temporaryConfig, until } from '../support/harness.ts';
import { execute, type OwnPostgres, startOwnPostgres } from '../support/postgres-server.ts';
import { countRows, fillEmptyTables, type Rows } from './example-rows.ts';
import { formerWebhooks, migratedDelivery } from './former-webhooks.ts';

let server: OwnPostgres;
const config = temporaryConfig();
before(async () => {
  server = await startOwnPostgres();
});
after(async () => {
  await server.stop();
  rmSync(config.dataDir, { recursive: true, force: true });
});

async function open(t: TestContext, databaseUrl: string): Promise<Storage> {
  const storage = await openStorage({ ...config, databaseUrl });
  t.after(() => storage.close());
  return storage;
}
const claimable = [{ family: 'self_prompt_v2' }];

test('six nodes that start at once on an empty database set it up together', async (t) => {
  const url = await server.database();
  const nodes = await Promise.all(Array.from({ length: 6 }, () => open(t, url)));
  const account = await storedAccount(nodes[0]!.db);
  const ids: string[] = [];
  for (const { db, queue } of nodes) ids.push((await queuedJob(db, queue, account.id)).id);
  const claimed: string[] = [];
  for (const { queue } of nodes.toReversed()) claimed.push((await queue.claim(claimable))!.job.id);
  assert.deepEqual(claimed, ids);
});

test('PostgreSQL killed and started again under load: what was acknowledged is there, the rest can be tried again', async (t) => {
  const { db, queue } = await open(t, await server.database());
  const account = await createAccount(db, { email: 'killed@example.com', credits: 100_000 });
  const acknowledged = new Set<string>();
  const failures: unknown[] = [];
  let notified = 0;
  let over = false;
  queue.onEnqueued(() => notified++);
  const load = async () => {
    while (!over) {
      const job = waitingJob(account.id);
      try {
        await db.transaction(async (tx) => {
          await charge(tx, account.id, job.id, 1, 1);
          const { turn } = (await tx.one(insertJob, job))!;
          await queue.enqueue(tx, { ...job, turn });
        });
        acknowledged.add(job.id);
      } catch (error) {
        failures.push(error);
        await sleep(20);
      }
    }
  };
  const loads = Array.from({ length: 8 }, load);
  for (let kills = 1; kills <= 3; kills++) {
    const enough = acknowledged.size + 30;
    await until(async () => acknowledged.size >= enough, 60_000);
    await server.kill();
    await until(async () => failures.length > 0);
    const failed = await db.one(findAccount, { id: account.id }).catch((error) => error);
    assert.ok(failed instanceof AppError && failed.retryable, String(failed));
    await server.restart();
  }
  const enough = acknowledged.size + 30;
  await until(async () => acknowledged.size >= enough, 60_000);
  over = true;
  await Promise.all(loads);

  const unexpected = failures.filter((error) => !(error instanceof AppError && error.retryable));
  assert.deepEqual(unexpected, []);
  const entries = await db.all(listEntries, { account_id: account.id, before: 2 ** 52, limit: 100_000 });
  const charged = new Set(entries.map((entry) => entry.job_id));
  assert.deepEqual(
    [...acknowledged].filter((id) => !charged.has(id)),
    [],
  );
  assert.deepEqual(await db.all(unbalancedAccounts, {}), []);
  // Those that were not acknowledged happened as a whole or not at all, and each that did is given once.
  const given = new Set<string>();
  for (let claim = await queue.claim(claimable); claim; claim = await queue.claim(claimable)) {
    assert.ok(!given.has(claim.job.id));
    given.add(claim.job.id);
  }
  charged.delete(null);
  assert.deepEqual([...given].sort(), ([...charged] as string[]).sort());
  const before = notified;
  await queuedJob(db, queue, account.id);
  await until(async () => notified > before);
});

test('a process that stops in the middle of a transaction lets go of its rows', async (t) => {
  const url = await server.database();
  await open(t, url);
  const stopped = openPostgres(url, { idleTransactionMs: 300 });
  const other = openPostgres(url);
  t.after(() => Promise.all([stopped.close(), other.close()]));
  const { id } = await createAccount(other, { email: 'stopped@example.com', credits: 10 });
  const transaction = stopped.transaction(async (tx) => {
    await tx.run(credit, { account_id: id, amount: 5 });
    assert.equal(await other.run(credit, { account_id: id, amount: 1 }), 1);
    await tx.run(credit, { account_id: id, amount: 5 });
  });
  await assert.rejects(transaction, (error) => error instanceof AppError && error.retryable);
  assert.equal((await stopped.one(findAccount, { id }))?.balance, 11);
});

test('a transaction that goes on after a statement has failed does not happen, and says so', async (t) => {
  const url = await server.database();
  const { db } = await open(t, url);
  const { id, email } = await createAccount(db, { email: 'goes-on@example.com', credits: 10 });
  const same = {
    id: newId(),
    email,
    password_hash: null,
    balance: 0,
    role: 'account' as const,
    created_at: 1,
  };
  const transaction = db.transaction(async (tx) => {
    await tx.run(credit, { account_id: id, amount: 5 });
    await tx.run(insertAccount, same).catch(() => {});
  });
  await assert.rejects(transaction, /a statement failed/);
  assert.equal((await db.one(findAccount, { id }))?.balance, 10);
});

test('a node goes on while a newer one adds a column', async (t) => {
  const url = await server.database();
  const { db } = await open(t, url);
  const { id } = await storedAccount(db);
  const reads = () => Promise.all(Array.from({ length: 30 }, () => db.one(findAccount, { id })));
  const transactions = () =>
    Promise.all(Array.from({ length: 30 }, () => db.transaction((tx) => tx.one(findAccount, { id }))));
  for (const [column, use] of Object.entries({ first: reads, second: transactions })) {
    await use();
    await execute(url, `alter table accounts add column ${column} text`);
    for (const account of await use()) assert.equal(account?.id, id);
  }
});

test('a job without an entry of pg-boss is claimed like any other, and an entry without a job gives none', async (t) => {
  const url = await server.database();
  const { db, queue } = await open(t, url);
  const account = await storedAccount(db);
  const one = await queuedJob(db, queue, account.id);
  await execute(url, 'delete from pgboss.job');
  const two = await queuedJob(db, queue, account.id);
  const claimed = [await queue.claim(claimable), await queue.claim(claimable)].map((claim) => claim?.job.id);
  assert.deepEqual(claimed.sort(), [one.id, two.id].sort());

  const three = await queuedJob(db, queue, account.id);
  await execute(url, `delete from jobs where id = '${three.id}'`);
  const four = await queuedJob(db, queue, account.id);
  assert.equal((await queue.claim(claimable))?.job.id, four.id);
  assert.equal(await queue.claim(claimable), undefined);
});

test('a job that has ended leaves nothing in the queue', async (t) => {
  const url = await server.database();
  const { db, queue } = await open(t, url);
  const account = await storedAccount(db);
  for (const end of ['queued', 'claimed'] as const) {
    const job = await queuedJob(db, queue, account.id);
    const claim = end === 'claimed' ? (await queue.claim(claimable))! : { job, token: job.claim };
    await db.transaction((tx) => queue.complete(tx, claim));
    const { rows } = await execute(url, `select 1 from pgboss.job where id = '${job.id}'`);
    assert.deepEqual(rows, []);
    await execute(url, `delete from jobs where id = '${job.id}'`);
    assert.equal(await db.one(findJobById, { id: job.id }), undefined);
  }
});

test('messages of the bus reach every process, also after PostgreSQL was restarted', async (t) => {
  const url = await server.database();
  const [one, two] = [await open(t, url), await open(t, url)];
  const received: string[] = [];
  one.bus.subscribe((message) => received.push(`one ${message}`));
  const unsubscribe = two.bus.subscribe((message) => received.push(`two ${message}`));
  const publish = async (message: string) => {
    await until(async () => {
      await two.bus.publish(message).catch(() => {});
      await sleep(50);
      return received.includes(`one ${message}`) && received.includes(`two ${message}`);
    }, 30_000);
  };
  await publish('before');
  await server.kill();
  await server.restart();
  await publish('after');
  unsubscribe();
  await two.bus.publish('last');
  await until(async () => received.includes('one last'));
  assert.ok(!received.includes('two last'));
});

test('PostgreSQL finds the next job by an index, however many are queued', async (t) => {
  const url = await server.database();
  const { db } = await open(t, url);
  const { id } = await storedAccount(db);
  await db.run(insertJob, { ...waitingJob(id), id: newId() });
  await execute(
    url,
    `insert into jobs (${columnsOf}) select ${columnsOf.replace(/^id/, "'x' || n")} from jobs, generate_series(1, 5000) n`,
  );
  await execute(url, 'analyze jobs');
  const { rows } = await execute(
    url,
    `explain select id from jobs where state = 'queued' and run_after <= 9e15 and family in ('self_prompt_v2') order by turn, id limit 1`,
  );
  assert.match(JSON.stringify(rows), /jobs_by_turn/);
});
const columnsOf =
  'id, account_id, family, state, params, inputs, price, progress, claim, run_after, retries, losses, created_at, expires_at, turn';

test('deliveries of webhooks that PostgreSQL has already get ids, and so do those of the version before', async (t) => {
  const url = await server.database();
  await migratePostgres(url);
  await execute(url, 'drop function fill_webhook_id cascade');
  await execute(url, formerWebhooks);
  await migratePostgres(url);
  await execute(
    url,
    `insert into webhooks (job_id, account_id, url, body, attempts, due_at, created_at)
      values ('job-2', 'account-1', 'http://example.com/', '{}', 0, 50, 50)`,
  );
  const { db } = await open(t, url);
  const rows = await db.all(listDeliveries, {
    account_id: 'account-1',
    created_at: 1000,
    id: '',
    limit: 9,
  });
  assert.deepEqual(
    rows.map(({ id, job_id }) => [id, job_id]),
    [
      ['job-2', 'job-2'],
      ['job-1', 'job-1'],
    ],
  );
  assert.partialDeepStrictEqual(rows[1], migratedDelivery);
  const [key] = await db.all(listLineage, { key_id: 'key-1', maker_id: null });
  assert.deepEqual([key?.id, key?.made_by], ['key-1', null]);
});

test('every migration keeps the rows that PostgreSQL has in every table before it', async () => {
  const url = await server.database();
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = new Kysely<Rows>({ dialect: new PostgresDialect({ pool }) });
  try {
    let before: Record<string, number> = {};
    for (const name of Object.keys(migrations)) {
      await migratePostgres(url, name);
      assert.partialDeepStrictEqual(await countRows(db), before, name);
      await fillEmptyTables(db);
      before = await countRows(db);
      assert.ok(Object.values(before).every((count) => count > 0));
    }
  } finally {
    await db.destroy();
  }
});

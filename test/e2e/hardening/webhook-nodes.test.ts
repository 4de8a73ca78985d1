import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { newId } from '@guise/server/ids.ts';
import { statement } from '@guise/server/store/statement.ts';
import { findDelivery, insertDelivery } from '@guise/server/store/webhooks/delivery-records.ts';
import { until } from '../../../packages/server/test/support/harness.ts';
import { type Cluster, startCluster } from '../cluster-nodes.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

let cluster: Cluster;
let receiver: WebhookReceiver;
let account_id: string;
let answer: () => number | null | Promise<number | null>;
before(async () => {
  cluster = await startCluster({ apis: 2, workers: 0, jobMs: '20-60' }, { allowPrivateUrls: true });
  receiver = await startReceiver(() => answer());
  account_id = (await createAccount(cluster.db, { email: 'hooks@example.com', credits: 0 })).id;
});
after(async () => {
  await receiver.stop();
  await cluster.stop();
});

const setAttempts = statement((db, p: { job_id: string; attempts: number }) =>
  db.updateTable('webhooks').set({ attempts: p.attempts }).where('job_id', '=', p.job_id),
);
const endLease = statement((db, p: { job_id: string }) =>
  db.updateTable('webhooks').set({ lease_until: 1, due_at: 1 }).where('job_id', '=', p.job_id),
);

async function enqueue(attempts: number): Promise<string> {
  const job_id = newId();
  await cluster.db.transaction(async (tx) => {
    await tx.run(insertDelivery, { id: job_id, job_id, account_id, url: receiver.url, body: '{}' });
    await tx.run(setAttempts, { job_id, attempts });
  });
  return job_id;
}
const delivery = async (id: string) => (await cluster.db.one(findDelivery, { id, account_id }))!;
const received = () => receiver.received.map(({ headers }) => headers['webhook-id'] as string);

test('of two API nodes, one sends the last attempt of a delivery, however slow the receiver', async () => {
  answer = () => sleep(2000, 500);
  const ids = await Promise.all(Array.from({ length: 8 }, () => enqueue(7)));
  for (const id of ids) await until(async () => (await delivery(id)).state === 'failed');
  assert.deepEqual(received().sort(), ids.sort());
});

test('a delivery whose node is killed is sent again when its lease has ended, with the same id', async () => {
  answer = () => null;
  const id = await enqueue(7);
  await until(async () => received().includes(id));
  answer = () => 204;
  const killed = cluster.apis.map(({ now }) => now);
  for (const node of killed) node.kill('SIGKILL');
  await Promise.all(killed.map((node) => node.exited));
  // The nodes that were started in their place send what is due, but not what is leased.
  const other = await enqueue(0);
  await until(async () => (await delivery(other)).state === 'delivered');
  assert.deepEqual(received().filter((sent) => sent === id).length, 1);
  assert.ok((await delivery(id)).lease_until! > Date.now());
  await cluster.db.run(endLease, { job_id: id });
  await until(async () => (await delivery(id)).state === 'delivered');
  assert.deepEqual(received().filter((sent) => sent === id).length, 2);
});

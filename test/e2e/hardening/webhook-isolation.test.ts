import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { newId } from '@guise/server/ids.ts';
import { statement } from '@guise/server/store/statement.ts';
import { insertDelivery } from '@guise/server/store/webhooks/delivery-records.ts';
import { caseOf } from '../../../packages/server/test/support/contract-cases.ts';
import {
  startTestServer,
  type TestAccount,
  type TestServer,
  temporaryConfig,
  until,
} from '../../../packages/server/test/support/harness.ts';
import { untilAborted } from '../../../packages/server/test/support/test-engine.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

const { run, body } = caseOf('self_prompt_v2');
const perMinute = 5;
const hourMs = 3600_000;

let server: TestServer;
let receiver: WebhookReceiver;
let account: TestAccount;
before(async () => {
  const { webhooks } = temporaryConfig();
  server = await startTestServer({
    allowPrivateUrls: true,
    webhooks: { ...webhooks, disableFailures: 3, disableMs: hourMs },
  });
});
after(() => server.stop());
beforeEach(async () => {
  account = await server.account();
  receiver = await startReceiver();
});

async function submit(by: TestAccount, url: string): Promise<string> {
  const answer = await by.call('POST', run, { ...body, webhook_url: url });
  assert.equal(answer.status, 200);
  return answer.body.id;
}
async function delivery(by: TestAccount, id: string) {
  return (await by.call('GET', `/v1/webhook_deliveries/${id}`)).body;
}
const delivered = (by: TestAccount, id: string) =>
  until(async () => (await delivery(by, id)).status === 'delivered');

test('50 deliveries to a receiver that never answers do not delay another account’s by 2 s', async (t) => {
  const blackHole = await startReceiver(() => null);
  t.after(() => Promise.all([blackHole.stop(), receiver.stop()]));
  const deliveryMs = async () => {
    const before = receiver.received.length;
    const submittedAt = Date.now();
    const id = await submit(account, receiver.url);
    await until(async () => receiver.received.length > before, 60_000);
    const { headers, at } = receiver.received[before]!;
    assert.equal(headers['webhook-id'], id);
    return at - submittedAt;
  };
  const undisturbed = await deliveryMs();
  const attacker = await server.account();
  await Promise.all(Array.from({ length: 50 }, () => submit(attacker, blackHole.url)));
  await until(async () => blackHole.received.length > 0);
  const attacked = await deliveryMs();
  assert.ok(attacked - undisturbed < 2000, `${attacked} ms, without the attack ${undisturbed} ms`);
  assert.ok(blackHole.received.length <= server.config.webhooks.accountConcurrency);
});

/** As if the minute had passed. */
const endMinute = statement((db, _: Record<string, never>) =>
  db.updateTable('webhook_rates').set((eb) => ({ minute: eb('minute', '-', eb.lit(1)) })),
);

test('submitting and cancelling 12 jobs sends 5 webhooks a minute, one for each job, none lost', async (t) => {
  const { webhooks } = temporaryConfig();
  const limited = await startTestServer({
    allowPrivateUrls: true,
    webhooks: { ...webhooks, accountPerMinute: perMinute },
  });
  t.after(async () => {
    await receiver.stop();
    await limited.stop();
  });
  limited.engine.before = untilAborted;
  const [attacker, other] = [await limited.account(), await limited.account()];
  const firstMinute = Math.floor(Date.now() / 60_000);
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) {
    const id = await submit(attacker, receiver.url);
    assert.equal((await attacker.call('POST', `/v1/jobs/${id}/cancel`)).body.status, 'FAILED');
    ids.push(id);
  }
  await until(async () => receiver.received.length >= perMinute);
  // Another account's webhook passes those that wait.
  const passing = await submit(other, receiver.url);
  await other.call('POST', `/v1/jobs/${passing}/cancel`);
  await delivered(other, passing);
  const minutes = Math.floor(Date.now() / 60_000) - firstMinute + 1;
  const sent = () => receiver.received.map(({ headers }) => headers['webhook-id'] as string);
  assert.ok(sent().length - 1 <= perMinute * minutes, `${sent().length - 1} in ${minutes} minutes`);

  await until(async () => {
    await limited.db.run(endMinute, {});
    return sent().length === 13;
  });
  assert.deepEqual(sent().sort(), [...ids, passing].sort());
});

const failSince = statement((db, p: { account_id: string; failing_since: number }) =>
  db
    .updateTable('webhook_endpoints')
    .set({ failing_since: p.failing_since })
    .where('account_id', '=', p.account_id),
);

test('an endpoint that fails for long is disabled and says so; enabled again, its deliveries are replayed', async (t) => {
  let status = 500;
  const failing = await startReceiver(() => status);
  t.after(() => Promise.all([failing.stop(), receiver.stop()]));
  const failed = async (id: string) => {
    await until(async () => (await delivery(account, id)).last_status_code === 500);
  };
  const endpoint = async () => (await account.call('GET', '/v1/webhook_endpoints')).body.webhook_endpoints[0];

  for (let n = 0; n < 3; n++) await failed(await submit(account, `${failing.url}?job=${n}`));
  await until(async () => (await endpoint()).failures === 3);
  assert.equal((await endpoint()).status, 'enabled');
  assert.equal((await endpoint()).url, failing.url);
  await server.db.run(failSince, { account_id: account.id, failing_since: Date.now() - hourMs });
  await failed(await submit(account, failing.url));
  await until(async () => (await endpoint()).status === 'disabled');

  const before = failing.received.length;
  const id = await submit(account, failing.url);
  await until(async () => (await delivery(account, id)).status === 'disabled');
  const { attempts, last_error, next_attempt_at } = await delivery(account, id);
  assert.deepEqual([attempts, last_error, next_attempt_at], [0, 'The endpoint is disabled.', null]);
  assert.equal(failing.received.length, before);
  const refused = await account.call('POST', `/v1/webhook_deliveries/${id}/replay`);
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'WEBHOOK_ENDPOINT_DISABLED']);

  // Another path of the account, and the same path of another account, are other endpoints.
  await delivered(account, await submit(account, receiver.url));
  const other = await server.account();
  await failed(await submit(account, `${failing.url}/other`));
  status = 204;
  await delivered(other, await submit(other, failing.url));

  const { id: endpointId } = await until(async () => {
    const { body } = await account.call('GET', '/v1/webhook_endpoints');
    return body.webhook_endpoints.find((one: { status: string }) => one.status === 'disabled');
  });
  const enabled = await account.call('POST', `/v1/webhook_endpoints/${endpointId}/enable`);
  assert.equal(enabled.status, 200);
  assert.deepEqual(
    [enabled.body.status, enabled.body.failures, enabled.body.disabled_at],
    ['enabled', 0, null],
  );
  const replayed = await account.call('POST', `/v1/webhook_deliveries/${id}/replay`);
  assert.deepEqual([replayed.status, replayed.body.status], [200, 'pending']);
  await delivered(account, id);
});

test('deliveries whose URL is broken or not allowed do not stop the others', async (t) => {
  t.after(() => receiver.stop());
  const urls = ['not a url', 'http://[', 'ftp://example.com/', 'http://user:word@127.0.0.1/', ''];
  const broken = urls.map((url) => ({
    id: newId(),
    job_id: null,
    account_id: account.id,
    url,
    body: 'broken',
  }));
  for (const row of broken) await server.db.run(insertDelivery, row);
  await delivered(account, await submit(account, receiver.url));
  for (const { id } of broken) {
    const tried = await until(async () => {
      const found = await delivery(account, id);
      return found.last_error && found;
    });
    assert.deepEqual([tried.status, tried.last_error], ['pending', 'Could not reach the receiver.']);
    assert.doesNotMatch(JSON.stringify(tried), /word/);
  }
  const { body } = await account.call('GET', '/v1/webhook_deliveries');
  assert.equal(body.webhook_deliveries.length, urls.length + 1);
});

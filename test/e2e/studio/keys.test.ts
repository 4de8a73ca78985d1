import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { endpointIdOf } from '../../../packages/server/src/jobs/webhooks/endpoint-id.ts';
import { recordFailure } from '../../../packages/server/src/store/webhooks/endpoint-records.ts';
import { request, until } from '../../../packages/server/test/support/harness.ts';
import { checkAllWidths } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

const photo = readFileSync(new URL('../../../catalog/samples/astronaut.jpg', import.meta.url));

const studio = forAllTests(() => startStudio({ allowPrivateUrls: true }));
let receiver: Server;
let answer = 204;
before(async () => {
  receiver = createServer((_, response) => {
    response.statusCode = answer;
    response.end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
after(() => receiver.close());
const receiverUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/told`;

test('a key is made with a budget, shown once, changed and revoked', async () => {
  const { page, close } = await studio.open('/studio/keys');
  await page.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make a key' });
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  await dialog.getByText('Give it a name.').waitFor();
  await dialog.getByLabel('Name').fill('Booth at the bar');
  await dialog.getByLabel('Budget in credits').fill('50');
  await dialog.getByLabel('Expires').selectOption('In a week');
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('button', { name: 'Copy secret' }).click();
  const secret = await page.evaluate<string>('navigator.clipboard.readText()');
  const me = await request(studio.server.url, 'GET', '/v1/users/me', undefined, { 'x-api-key': secret });
  assert.deepEqual(me.body.scopes, ['run']);
  assert.equal(me.body.key.name, 'Booth at the bar');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(secret).waitFor({ state: 'detached' });
  await page.getByRole('meter', { name: '0 of 50 credits' }).waitFor();

  await page.getByRole('button', { name: 'More for Booth at the bar' }).click();
  await page.getByRole('menuitem', { name: 'Change name, budget or expiry' }).click();
  await page.getByLabel('Name').fill('Booth by the stage');
  await page.getByLabel('Budget in credits').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Booth by the stage').waitFor();
  const key = (await studio.account.call('GET', '/v1/keys')).body.keys[0];
  assert.equal(key.budget, null);
  assert.ok(key.expires_at);

  await page.getByRole('button', { name: 'More for Booth by the stage' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Show 1 expired or revoked' }).click();
  await page.getByRole('list', { name: 'Expired or revoked keys' }).getByText('Revoked').waitFor();
  await checkAllWidths(page);
  const refused = await request(studio.server.url, 'GET', '/v1/users/me', undefined, { 'x-api-key': secret });
  assert.equal(refused.status, 401);
  await close();
});

test('a test delivery shows its answer, deliveries are sent again, and the secret is rolled', async () => {
  const body = { base64: photo.toString('base64'), filter_id: 1, gender: 1, webhook_url: receiverUrl() };
  answer = 404;
  await studio.account.call('POST', '/v6/run/face_swap', body);
  await until(async () => {
    const { webhook_deliveries } = (await studio.account.call('GET', '/v1/webhook_deliveries')).body;
    return webhook_deliveries[0]?.last_status_code === 404;
  });
  const { page, close } = await studio.open('/studio/keys/webhooks');
  const deliveries = page.getByRole('region', { name: 'Deliveries' });
  await deliveries.getByText('answered 404').waitFor();
  answer = 204;
  await page.getByLabel('Address', { exact: true }).fill(receiverUrl());
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/^The receiver answered 204 \(/).waitFor();
  await page.getByLabel('Address', { exact: true }).fill('booth at the bar');
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('Give the whole address, such as https://example.com/guise.').waitFor();

  await deliveries.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Sending it again.').waitFor();
  await until(async () => {
    const { webhook_deliveries } = (await studio.account.call('GET', '/v1/webhook_deliveries')).body;
    return webhook_deliveries[0].status === 'delivered';
  });
  await deliveries.getByRole('button', { name: 'Read the deliveries again' }).click();
  await deliveries.getByText('Delivered, answered 204').waitFor();

  await page.getByRole('button', { name: 'Roll the secret' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Roll' }).click();
  await page
    .getByRole('region', { name: 'The new secret' })
    .getByText(/^whsec_/)
    .waitFor();
  await checkAllWidths(page);
  await close();
});

test('an endpoint that was disabled because it failed is enabled again', async () => {
  const url = 'https://example.com/gone';
  const endpoint = { id: endpointIdOf(studio.account.id, url), account_id: studio.account.id, url };
  for (const failures of [2, 2]) await studio.server.db.one(recordFailure, { ...endpoint, failures, ms: 0 });
  const { page, close } = await studio.open('/studio/keys/webhooks');
  const row = page.getByRole('region', { name: 'Endpoints' }).getByRole('listitem').filter({ hasText: url });
  await row.getByText(/^Disabled .*: 2 deliveries failed\.$/).waitFor();
  await row.getByRole('button', { name: 'Enable' }).click();
  await row.getByText(/^Enabled/).waitFor();
  await close();
});

test('another browser is signed out from this one', async () => {
  const other = await studio.open('/studio/keys/sessions');
  const { page, close } = await studio.open('/studio/keys/sessions');
  await page.getByText('This browser').waitFor();
  const others = page.getByRole('listitem').filter({ hasNotText: 'This browser' });
  while ((await others.count()) > 0) {
    const left = await others.count();
    await others.first().getByRole('button', { name: 'Sign out' }).click();
    await until(async () => (await others.count()) < left);
  }
  await checkAllWidths(page);
  await other.page.goto('/studio/keys');
  await other.page.getByRole('heading', { name: 'Sign in to Guise' }).waitFor();
  await other.page.context().close();
  await close();
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';

let server: TestServer;
let browser: Browser;
before(async () => {
  [server, browser] = await Promise.all([startTestServer(), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await server.stop();
});

test('the reference page shows the endpoints and calls one, within its content security policy', async () => {
  const { api_key } = await server.account(77);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const answer = await page.goto(`${server.url}/docs`);
  const policy = answer!.headers()['content-security-policy']!;
  assert.match(policy, /script-src 'self'/);
  assert.ok(!policy.includes('unsafe'));

  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('#api_key_value, input[aria-label="auth-apikey-value"]').first().fill(api_key);
  await page.locator('.auth-btn-wrapper .authorize').first().click();
  await page.locator('.btn-done').first().click();
  const credits = page.locator('.opblock', { hasText: '/v1/users/me/credits' });
  // Only what is near the screen is in the page.
  while ((await credits.count()) === 0) await page.mouse.wheel(0, 500);
  await credits.locator('.opblock-summary-control').first().click();
  await credits.getByRole('button', { name: 'Try it out' }).click();
  await credits.getByRole('button', { name: 'Execute' }).click();
  await credits.locator('.live-responses-table', { hasText: '"balance": 77' }).waitFor();
  assert.deepEqual(complaints, []);
  // Whoever uses the browser next must not find the key.
  assert.equal(await page.evaluate('JSON.stringify(localStorage) + document.cookie'), '{}');
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAccount } from '../../../packages/server/src/accounts/accounts.ts';
import { newId } from '../../../packages/server/src/ids.ts';
import { deleteRender, insertRender } from '../../../packages/server/src/store/render-records.ts';
import { accountOn, type TestAccount } from '../../../packages/server/test/support/harness.ts';
import { checkAllWidths } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

let operator: TestAccount;
const studio = forAllTests(startStudio, async ({ server }) => {
  const { url, db } = server;
  operator = accountOn(
    url,
    await createAccount(db, { email: 'op@example.com', credits: 0, role: 'operator' }),
  );
});

test('an operator makes an account whose link signs in, and gives it credits', async () => {
  const { page, close } = await studio.open('/studio/operator', { account: operator });
  await page.getByRole('button', { name: 'Make an account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make an account' });
  await dialog.getByLabel('Email').fill('venue@example.com');
  await dialog.getByLabel('Credits').fill('20');
  await dialog.getByRole('button', { name: 'Make the account' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Give credits to venue@example.com' }).click();
  await page.getByRole('textbox', { name: 'Credits' }).fill('480');
  await page.getByRole('button', { name: 'Give 480 credits' }).click();
  await page.getByText('venue@example.com has 500 credits now.').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'venue@' }).getByText('500').waitFor();
  await checkAllWidths(page);
  const { page: signedIn, close: closeOther } = await studio.open(link, { guest: true });
  await signedIn.getByRole('navigation', { name: 'Screens' }).waitFor();
  assert.equal(await signedIn.getByRole('link', { name: 'Operator' }).count(), 0);
  await closeOther();
  await close();
});

test('engines, packs, models, the checks and the settings are shown as they are', async () => {
  const { page, close } = await studio.open('/studio/operator/engines', { account: operator });
  await page.getByRole('region', { name: 'Engines' }).getByRole('img', { name: 'Healthy' }).waitFor();
  await page.getByRole('region', { name: 'Workers' }).getByText('busy').waitFor();
  await checkAllWidths(page);
  await page.getByRole('link', { name: 'Packs and models' }).click();
  await page.getByRole('region', { name: 'Models' }).getByText('Built in').first().waitFor();
  await checkAllWidths(page);
  await page.getByRole('link', { name: 'Settings' }).click();
  const address = page.getByRole('region', { name: 'Address for guests' });
  await address.getByText('Only this computer reaches it.').waitFor();
  await address.getByRole('button', { name: 'Change' }).waitFor();
  await page.getByLabel('Search the settings').fill('guise_demo');
  await page.getByText('GUISE_DEMO', { exact: true }).waitFor();
  await checkAllWidths(page);
  await page.getByLabel('Search the settings').fill('no such thing');
  await page.getByText('No setting has “no such thing”').waitFor();
  await page.getByRole('link', { name: 'Doctor' }).click();
  await page.getByRole('button', { name: 'Run the checks' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Run the checks' }).waitFor();
  await close();
});

test('who waits for what is shown, and that nobody waits any more', async () => {
  const { db } = studio.server;
  const { page, close } = await studio.open('/studio/operator/engines', { account: operator });
  await page.getByRole('link', { name: 'Waiting' }).click();
  await page.getByText('Nobody waits.').waitFor();
  // No engine of this server makes it.
  const render = { id: newId(), filter_id: newId(), account_id: operator.id, purpose: 'preview' } as const;
  await db.run(insertRender, { ...render, wants: 'face_swap_v6:unknown' });
  await page.getByText('op@example.com: 1').waitFor();
  await page.getByText('1 request waits for a turn.').waitFor();
  await checkAllWidths(page);
  await db.run(deleteRender, { id: render.id });
  await page.getByText('Nobody waits.').waitFor();
  await close();
});

test('a pack is removed after it was asked once', async () => {
  const folder = join(studio.server.config.dataDir, 'packs', 'beach-pack');
  mkdirSync(folder, { recursive: true });
  const { page, close } = await studio.open('/studio/operator/packs', { account: operator });
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('“beach-pack” is removed.').waitFor();
  assert.equal(existsSync(folder), false);
  await close();
});

test('a backup is made, downloaded and deleted', async () => {
  const { page, close } = await studio.open('/studio/operator/backups', { account: operator });
  await page.getByText('There is no backup yet.').waitFor();
  await page.getByRole('button', { name: 'Back up now' }).click();
  const row = page.getByRole('list', { name: 'Backups' }).getByRole('listitem');
  await row.waitFor();
  await checkAllWidths(page);
  const downloading = page.waitForEvent('download');
  await row.getByRole('button', { name: 'Download' }).click();
  const path = await (await downloading).path();
  assert.equal(readFileSync(path).toString('latin1', 257, 262), 'ustar');
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There is no backup yet.').waitFor();
  await close();
});

test('whoever is no operator reads one sentence', async () => {
  const { page, close } = await studio.open('/studio/operator');
  await page.getByRole('heading', { name: 'This page is for operators' }).waitFor();
  await close();
});

test('a webhook receiver in the own network is refused with the setting that allows it', async () => {
  const { page, close } = await studio.open('/studio/keys/webhooks', { account: operator });
  await page.getByLabel('Address', { exact: true }).fill('http://192.168.1.20:9000/told');
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('GUISE_ALLOW_PRIVATE_URLS=true').waitFor();
  await page.getByLabel('Address', { exact: true }).fill('http://192.168.1.20:9000/other');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  // The browser's console names the refusal, which is what this test is about.
  await close(/status of 422/);
});

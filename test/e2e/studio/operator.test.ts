import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { createAccount } from '../../../packages/server/src/accounts/accounts.ts';
import type { App } from '../../../packages/server/src/app/api-node.ts';
import { newId } from '../../../packages/server/src/ids.ts';
import { deleteRender, insertRender } from '../../../packages/server/src/store/render-records.ts';
import { caseOf } from '../../../packages/server/test/support/contract-cases.ts';
import { accountOn, photo, type TestAccount } from '../../../packages/server/test/support/harness.ts';
import { checkAllWidths } from '../support/page-checks.ts';
import { borrowBrowser } from '../support/shared-browser.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';
import { startOwnServer } from './own-server.ts';

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

test('a model that npm does not get says why, and can be asked for again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-npm-'));
  const refusing = "#!/bin/sh\nprintf 'npm error 404 Not Found - no such package.\\n' >&2\nexit 1\n";
  writeFileSync(join(folder, 'npm'), refusing, { mode: 0o755 });
  const { PATH } = process.env;
  process.env.PATH = `${folder}${delimiter}${PATH}`;
  t.after(() => {
    process.env.PATH = PATH;
  });
  const { page, close } = await studio.open('/studio/operator/packs', { account: operator });
  const fetch = page.getByRole('button', { name: 'Fetch 151 MB: SAM 2 (Hiera tiny)' });
  await fetch.click();
  await page.getByRole('alert').getByText('404 Not Found').waitFor();
  await checkAllWidths(page);
  await fetch.waitFor();
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

test('an owner moves to a fresh machine and changes its settings, all in the browser', async () => {
  const browser = await borrowBrowser();
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const former = await startOwnServer();
  await page.goto(former.app.signInLink!);
  await page.getByRole('link', { name: 'Restore a backup' }).waitFor();
  const id = await makePicture(context, former.app);
  await page.getByRole('region', { name: 'Made before' }).getByRole('button').waitFor();
  const picture = await readPicture(context, former.app.url, id);
  await page.goto(`${former.app.url}/studio/operator/backups`);
  await page.getByRole('button', { name: 'Back up now' }).click();
  const row = page.getByRole('list', { name: 'Backups' }).getByRole('listitem');
  const downloading = page.waitForEvent('download');
  await row.getByRole('button', { name: 'Download' }).click();
  const archive = await downloading;
  const path = join(mkdtempSync(join(tmpdir(), 'guise-download-')), archive.suggestedFilename());
  await archive.saveAs(path);
  await former.stop();

  const fresh = await startOwnServer();
  await page.goto(fresh.app.signInLink!);
  await page.getByRole('link', { name: 'Restore a backup' }).click();
  await page.getByText('There is no backup yet.').waitFor();
  await checkAllWidths(page);
  // Browsers number what was downloaded twice.
  const given = { name: 'evening (1).tar', mimeType: 'application/x-tar', buffer: readFileSync(path) };
  await page.getByLabel('Backup to upload').setInputFiles(given);
  await row.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Restoring the backup.').waitFor();
  await page.getByRole('region', { name: 'Made before' }).getByRole('button').click();
  await page.getByRole('img', { name: 'Result' }).first().waitFor();
  assert.equal(await readPicture(context, fresh.app.url, id), picture);

  await page.goto(`${fresh.app.url}/studio/operator/settings`);
  await page.getByLabel('Search the settings').fill('GUISE_BACKUP_HOURS');
  await page.getByRole('button', { name: 'Change GUISE_BACKUP_HOURS' }).click();
  const dialog = page.getByRole('dialog', { name: 'GUISE_BACKUP_HOURS' });
  await dialog.getByLabel('Value').fill('often');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This value is not taken:').waitFor();
  await dialog.getByLabel('Value').fill('24');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('After a restart: 24').waitFor();
  await checkAllWidths(page);
  await page.getByRole('button', { name: 'Restart now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restart' }).click();
  await page.getByText('The server stops and starts again.').waitFor();
  await page.getByText('Changed here, by default 0').waitFor();
  await page.getByRole('link', { name: 'Backups' }).click();
  await page.getByText('One is made every day').waitFor();
  await context.close();
  await browser.giveBack();
  await fresh.stop();
});

test('another Guise is asked, added, paused and removed; what it did not make is told', async () => {
  const browser = await borrowBrowser();
  const own = await startOwnServer();
  const remote = await studio.server.account(2);
  const context = await browser.newContext({ reducedMotion: 'reduce', baseURL: own.app.url });
  const page = await context.newPage();
  await page.goto(own.app.signInLink!);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await page.goto('/studio/operator/engines');
  await page.getByRole('button', { name: 'Add an engine' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an engine' });
  await dialog.getByLabel('Kind').selectOption('Another Guise');
  await dialog.getByLabel('Name').fill('big-machine');
  await dialog.getByLabel('Address').fill(studio.server.url);
  await dialog.getByLabel('Key of an account there').fill('gk_of_nobody');
  await dialog.getByLabel('Pictures of words').check();
  const ask = dialog.getByRole('button', { name: 'Test the connection' });
  await ask.click();
  await dialog.getByRole('img', { name: 'It cannot be used' }).waitFor();
  await checkAllWidths(page);
  await dialog.getByLabel('Key of an account there').fill(remote.api_key);
  await ask.click();
  await dialog.getByText('answers, the key is good').waitFor();
  await dialog.getByRole('button', { name: 'Add the engine' }).click();
  await page.getByText('Engines that were added or removed change with the next start.').waitFor();
  const restart = async () => {
    await page.getByRole('button', { name: 'Restart now' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restart' }).click();
    await page.getByText('The server stops and starts again.').waitFor();
    await page.getByRole('button', { name: 'Add an engine' }).waitFor();
  };
  await restart();
  const row = page
    .getByRole('region', { name: 'Engines' })
    .getByRole('listitem')
    .filter({ hasText: 'big-machine' });
  await row.getByText('Makes self prompt v2').first().waitFor();
  assert.equal(statSync(join(own.dataDir, 'engine-keys.json')).mode & 0o777, 0o600);
  assert.ok(!(await page.content()).includes(remote.api_key));

  const jobsThere = async () => (await remote.call('GET', '/v1/jobs')).body.jobs.length;
  await makePicture(context, own.app);
  assert.equal(await jobsThere(), 1, 'the first route makes it');
  await row.getByRole('button', { name: 'Pause big-machine' }).click();
  await row.getByText('Paused: it gets no new jobs').waitFor();
  await checkAllWidths(page);
  await makePicture(context, own.app);
  assert.equal(await jobsThere(), 1, 'a new job goes to the next engine');
  await row.getByRole('button', { name: 'Resume big-machine' }).click();
  await row.getByText('Paused: it gets no new jobs').waitFor({ state: 'detached' });
  // The account there has no credits left: this machine makes it.
  await makePicture(context, own.app);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await row.getByText(/^Last failure/).click();
  await checkAllWidths(page);

  await row.getByRole('button', { name: 'Remove big-machine' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await restart();
  await row.first().waitFor({ state: 'detached' });
  const kept = (name: string) => JSON.parse(readFileSync(join(own.dataDir, name), 'utf8'));
  assert.deepEqual([kept('engines.json'), kept('engine-keys.json')], [{ engines: {}, routes: [] }, {}]);
  await context.close();
  await browser.giveBack();
  await own.stop();
});

/** Of whoever is signed in: what keys make is none of the workbench. */
async function makePicture(context: BrowserContext, { url }: App): Promise<string> {
  const { run } = caseOf('self_prompt_v2');
  const headers = { 'x-guise-session': '1' };
  const answer = await context.request.post(url + run, { headers, data: { prompt: 'a lake', image: photo } });
  const { id } = (await answer.json()) as { id: string };
  await readPicture(context, url, id);
  return id;
}

async function readPicture(context: BrowserContext, url: string, id: string): Promise<string> {
  const headers = { 'x-guise-session': '1', prefer: 'wait=30' };
  const answer = await context.request.post(url + caseOf('self_prompt_v2').status + id, { headers });
  return ((await answer.json()) as { output: { image: string } }).output.image;
}

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

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Page, Request } from 'playwright-core';
import { createAccount } from '../../../packages/server/src/accounts/accounts.ts';
import { createSignInLink } from '../../../packages/server/src/accounts/sign-in-links.ts';
import { photo, until } from '../../../packages/server/test/support/harness.ts';
import { newEvent } from '../booth/open-booth.ts';
import { checkAllWidths, checkWidth } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

const studio = forAllTests(startStudio);

test('the page of a browser is served within a strict content security policy; programs get their JSON 404', async () => {
  const page = await fetch(studio.server.url, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 200);
  const policy = page.headers.get('content-security-policy')!;
  assert.match(policy, /default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/);
  assert.ok(!policy.includes('unsafe-inline'));
  const program = await fetch(studio.server.url);
  assert.equal(program.status, 404);
  assert.equal(((await program.json()) as { error_code: string }).error_code, 'NOT_FOUND');
});

const root = join(import.meta.dirname, '../../..');

/** Runs a command as a page or the start shows it, on the installation of the test. */
async function runShown(command: string): Promise<string> {
  const { dataDir, databaseUrl } = studio.server.config;
  const env = {
    ...process.env,
    GUISE_DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    PORT: new URL(studio.server.url).port,
  };
  return (await promisify(execFile)('sh', ['-c', command], { cwd: root, env })).stdout;
}

test('the sign-in page complains of nothing, and its commands work as they are shown', async () => {
  const { page, close } = await studio.open('/', { guest: true });
  await page.getByRole('heading', { name: 'Sign in to Guise' }).waitFor();
  await page.locator('code').first().waitFor();
  const commands = await page.locator('code').allTextContents();
  assert.equal(commands.length, 2);
  // One after the other: the first needs no email while there is one account.
  const said: string[] = [];
  for (const command of commands) said.push(await runShown(command));
  assert.match(said[1]!, /^account +you@example\.com$/m);
  const [link = ''] = said[0]!.split('\n');
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await close();
});

test('the printed link signs in once, leaves no token in the address, and says that it was used', async () => {
  const { token } = await createSignInLink(studio.server.db, studio.account.id);
  const { page, close } = await studio.open(`/studio/sign-in#${token}`, { guest: true });
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  assert.equal(new URL(page.url()).hash, '');
  await page.context().clearCookies();
  await page.goto('/health');
  await page.goto(`/studio/sign-in#${token}`);
  await page
    .getByRole('alert')
    .getByText('This link has been used. A sign-in link works only once.')
    .waitFor();
  await page.getByText('accounts link').waitFor();
  await checkAllWidths(page);
  // The second use of the link is refused, which the console tells.
  await close(/status of 401/);
});

const openAccountMenu = (page: Page) => page.getByRole('button', { name: 'Account' }).click();
const choose = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true }).click();

test('nobody signs out without a way back unasked: a password is set, signs in, and is changed', async () => {
  const account = await createAccount(studio.server.db, { email: 'link@example.com', credits: 5 });
  const { page, close } = await studio.open('/studio/jobs', {
    account: { ...studio.account, ...account },
  });
  await openAccountMenu(page);
  await choose(page, 'Sign out');
  const warning = page.getByRole('dialog', { name: 'Sign out without a password?' });
  const command = (await warning.locator('code').textContent())!;
  assert.match(await runShown(command), /^http.*\/studio\/sign-in#gl_/);
  await checkAllWidths(page);
  await warning.getByRole('button', { name: 'Set a password' }).click();
  const set = page.getByRole('dialog', { name: 'Set a password' });
  await set.getByLabel('New password').fill('short');
  await set.getByRole('button', { name: 'Save the password' }).click();
  await set.getByText('Type at least 8 characters.').waitFor();
  await set.getByLabel('New password').fill('correct horse');
  await set.getByRole('button', { name: 'Save the password' }).click();
  await page.getByText('The password is set.').waitFor();

  await openAccountMenu(page);
  await choose(page, 'Change the password');
  const change = page.getByRole('dialog', { name: 'Change the password' });
  await change.getByLabel('Current password').fill('wrong');
  await change.getByLabel('New password').fill('battery staple');
  await change.getByRole('button', { name: 'Save the password' }).click();
  await change.getByText('The current password is wrong.').waitFor();
  await checkWidth(page);
  await change.getByLabel('Current password').fill('correct horse');
  await change.getByRole('button', { name: 'Save the password' }).click();
  await change.waitFor({ state: 'hidden' });

  await openAccountMenu(page);
  await choose(page, 'Sign out');
  await page.getByLabel('Email').fill('link@example.com');
  await page.getByLabel('Password').fill('battery staple');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  // The wrong password is refused.
  await close(/status of 403/);
});

test('a link for another device signs in there', async () => {
  const { page, close } = await studio.open('/studio/jobs');
  await openAccountMenu(page);
  await choose(page, 'Sign in on another device');
  const dialog = page.getByRole('dialog', { name: 'Sign in on another device' });
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  await dialog.getByRole('img', { name: 'QR code that signs in' }).waitFor();
  const link = (await dialog.locator('code').textContent())!;
  await dialog.getByText('Ask the operator of the server to set its address').waitFor();
  await checkWidth(page);
  const other = await studio.open(link, { guest: true });
  await other.page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await other.close();
  await close();
});

// More than the six connections that a browser opens to a server at once.
test('ten tabs and two booths of one browser share one stream: each answers, and is told of a change', async () => {
  const { page: first } = await studio.open('/health');
  const context = first.context();
  let begun = 0;
  const streams = new Set<Request>();
  context.on('request', (sent) => {
    if (!sent.url().endsWith('/v1/changes')) return;
    begun++;
    streams.add(sent);
  });
  context.on('requestfinished', (sent) => streams.delete(sent));
  context.on('requestfailed', (sent) => streams.delete(sent));
  await first.goto('/studio/jobs?view=list');
  const event = (await studio.account.call('POST', '/v1/events', newEvent())).body;
  const booths: Page[] = [];
  for (const name of ['left', 'right']) {
    const { body: key } = await studio.account.call('POST', `/v1/events/${event.id}/keys`, { name });
    booths.push(await context.newPage());
    await booths.at(-1)!.goto(`/booth/${event.id}#key=${key.secret}`);
  }
  const tabs = [first];
  while (tabs.length < 10) {
    tabs.push(await context.newPage());
    await tabs.at(-1)!.goto('/studio/jobs?view=list');
  }
  const shows = (tab: Page, id: string) => tab.locator(`a[href$="${id}"]`).waitFor();
  const submit = async () => {
    const body = { base64: photo, filter_id: 1, gender: 1 };
    return (await studio.account.call('POST', '/v6/run/face_swap', body)).body.id as string;
  };
  const answers = (tab: Page) => tab.evaluate<number>("fetch('/health').then(({ status }) => status)");
  for (const tab of tabs) await tab.getByText('Nothing is waiting or running.').waitFor();
  const seen = await submit();
  await Promise.all(tabs.map((tab) => shows(tab, seen)));
  for (const page of [...tabs, ...booths]) assert.equal(await answers(page), 200);

  // The tab that has the stream is closed: another one goes on, and nothing is missed.
  // Tabs that begin on busy cores may each have one for a moment.
  const [stream] = await until(async () => streams.size === 1 && streams);
  const leader = stream!.frame().page();
  const others = tabs.filter((tab) => tab !== leader);
  begun = 0;
  await leader.close();
  streams.delete(stream!);
  const later = await submit();
  await Promise.all(others.map((tab) => shows(tab, later)));
  assert.ok(begun >= 1);
  await until(async () => streams.size === 1);

  // Whoever signs out in one tab is signed out in all.
  const [leaving, ...staying] = others as [Page, ...Page[]];
  await leaving.evaluate(
    "fetch('/v1/sessions/current', { method: 'DELETE', headers: { 'x-guise-session': '1' } })",
  );
  await Promise.all(staying.map((tab) => tab.getByRole('dialog', { name: 'Sign in again' }).waitFor()));
  await context.close();
});

test('whoever has no session signs in with email and password, and signs out', async () => {
  await createAccount(studio.server.db, { email: 'ada@example.com', credits: 5, password: 'correct horse' });
  const { page, close } = await studio.open('/', { guest: true });
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('The email or the password is wrong.').waitFor();
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  const cookies = await page.context().cookies();
  assert.ok(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Strict'));
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in to Guise' }).waitFor();

  // A copy of the cookie, taken before, is worth nothing now.
  await page.context().addCookies(cookies);
  const answer = await page.request.get('/v1/users/me', { headers: { 'X-Guise-Session': '1' } });
  assert.equal(answer.status(), 401);
  // The wrong password, and what the page asked for while it was signed out.
  await close(/status of 401/);
});

test('a page without https signs in and makes a picture: browsers have no crypto.randomUUID there', async () => {
  await createAccount(studio.server.db, { email: 'lan@example.com', credits: 5, password: 'correct horse' });
  const { page, close } = await studio.open('/', { guest: true });
  await page.evaluate('delete Crypto.prototype.randomUUID');
  await page.getByLabel('Email').fill('lan@example.com');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Words', exact: true }).click();
  await page.getByLabel('Describe the picture').fill('under the sea');
  await page.getByRole('button', { name: /^Make it/ }).click();
  await page.getByRole('img', { name: 'Result', exact: true }).waitFor();
  await close();
});

test('a session that ends in the middle of an edit asks above the page, and what was typed stays', async () => {
  const account = await createAccount(studio.server.db, {
    email: 'eve@example.com',
    credits: 50,
    password: 'correct horse',
  });
  const { page, close } = await studio.open('/', { account: { ...studio.account, ...account } });
  await page.getByRole('button', { name: 'Words', exact: true }).click();
  await page.getByLabel('Describe the picture').fill('a long description');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  const endSession = async () => {
    await page.context().clearCookies();
    // The lost stream of changes may ask before a click does.
    const make = page.getByRole('button', { name: /^Make it/ });
    await make.click({ timeout: 3000 }).catch(() => {});
    await dialog.waitFor();
  };
  await endSession();
  await dialog.getByLabel('Password').fill('correct horse');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await page.getByLabel('Describe the picture').inputValue(), 'a long description');

  // Whoever has no password signs in with a link in another tab, and goes on in this one.
  await endSession();
  await dialog.getByText('accounts link eve@example.com').waitFor();
  const { token } = await createSignInLink(studio.server.db, account.id);
  const other = await page.context().newPage();
  await other.goto(`/studio/sign-in#${token}`);
  await other.getByRole('navigation', { name: 'Screens' }).waitFor();
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await dialog.waitFor({ state: 'hidden' });
  await other.close();
  await close(/status of 401/);
});

test('another account that signs in above the page finds nothing of the first one', async () => {
  const make = (email: string) =>
    createAccount(studio.server.db, { email, credits: 50, password: 'correct horse' });
  const first = await make('first@example.com');
  await make('second@example.com');
  const { page, close } = await studio.open('/', { account: { ...studio.account, ...first } });
  await page.getByRole('button', { name: 'Words', exact: true }).click();
  await page.getByLabel('Describe the picture').fill('a secret of the first one');
  await page.context().clearCookies();
  await page
    .getByRole('button', { name: /^Make it/ })
    .click({ timeout: 3000 })
    .catch(() => {});
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Email').fill('second@example.com');
  await dialog.getByLabel('Password').fill('correct horse');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Words', exact: true }).click();
  assert.equal(await page.getByLabel('Describe the picture').inputValue(), '');
  await close(/status of 401/);
});

test('signing out while the server cannot be reached says so, and the page stays', async () => {
  await createAccount(studio.server.db, { email: 'off@example.com', credits: 5, password: 'correct horse' });
  const { page, close } = await studio.open('/studio/usage', { guest: true });
  await page.getByLabel('Email').fill('off@example.com');
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.route('**/v1/sessions/current', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  );
  await openAccountMenu(page);
  await choose(page, 'Sign out');
  await page.getByText('The server cannot be reached.').first().waitFor();
  assert.equal(new URL(page.url()).pathname, '/studio/usage');
  await page.unroute('**/v1/sessions/current');
  await close(/ERR_FAILED/);
});

test('a key that stays in the page signs in, and is forgotten with it', async () => {
  const { page, close } = await studio.open('/', { guest: true });
  await page.getByRole('button', { name: 'Use an API key' }).click();
  await page.getByLabel('API key').fill(studio.account.api_key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  const stored = await page.evaluate<string>('JSON.stringify(localStorage) + JSON.stringify(sessionStorage)');
  assert.ok(!stored.includes(studio.account.api_key));
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in to Guise' }).waitFor();
  await close();
});

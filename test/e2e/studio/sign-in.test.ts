import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAccount } from '../../../packages/server/src/accounts/accounts.ts';
import { createSignInLink } from '../../../packages/server/src/accounts/sign-in-links.ts';
import { type Studio, startStudio } from './open-studio.ts';

let studio: Studio;
before(async () => {
  studio = await startStudio();
});
after(() => studio.stop());

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

test('the printed link signs in once and leaves no token in the address', async () => {
  const { token } = await createSignInLink(studio.server.db, studio.account.id);
  const { page, complaints } = await studio.open('/studio/jobs');
  await page.context().clearCookies();
  await page.goto(`/studio/sign-in#${token}`);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  assert.equal(new URL(page.url()).hash, '');
  await page.context().clearCookies();
  await page.goto('about:blank');
  await page.goto(`/studio/sign-in#${token}`);
  await page.getByRole('alert').waitFor();
  await page.context().close();
  // The second use of the link is refused, which the console tells.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('401')),
    [],
  );
});

test('whoever has no session signs in with email and password, and signs out', async () => {
  await createAccount(studio.server.db, { email: 'ada@example.com', credits: 5, password: 'correct horse' });
  const { page } = await studio.open('/studio/jobs');
  await page.context().clearCookies();
  await page.goto('/');
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
  await page.context().close();
});

test('a session that ends in the middle of an edit asks above the page, and what was typed stays', async () => {
  const account = await createAccount(studio.server.db, {
    email: 'eve@example.com',
    credits: 50,
    password: 'correct horse',
  });
  const { page } = await studio.open('/', { account: { ...studio.account, ...account } });
  await page.getByRole('button', { name: 'Words', exact: true }).click();
  await page.getByLabel('Describe the picture').fill('a long description');
  await page.context().clearCookies();
  await page.getByRole('button', { name: /^Make it/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password').fill('correct horse');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await page.getByLabel('Describe the picture').inputValue(), 'a long description');
  await page.context().close();
});

test('a key that stays in the page signs in, and is forgotten with it', async () => {
  const { page } = await studio.open('/studio/jobs');
  await page.context().clearCookies();
  await page.goto('/');
  await page.getByRole('button', { name: 'Use an API key' }).click();
  await page.getByLabel('API key').fill(studio.account.api_key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  const stored = await page.evaluate<string>('JSON.stringify(localStorage) + JSON.stringify(sessionStorage)');
  assert.ok(!stored.includes(studio.account.api_key));
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in to Guise' }).waitFor();
  await page.context().close();
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccount } from '../../../packages/server/src/accounts/accounts.ts';
import { accountOn, type TestAccount } from '../../../packages/server/test/support/harness.ts';
import { checkAllWidths } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';
import { seedJobs } from './seed-jobs.ts';

let operator: TestAccount;
const studio = forAllTests(startStudio, async ({ server }) => {
  operator = accountOn(
    server.url,
    await createAccount(server.db, { email: 'betreiber@example.com', credits: 50, role: 'operator' }),
  );
  await seedJobs(server.config, { accountId: operator.id, count: 45 });
});

const screens: Record<string, RegExp> = {
  '/': /Fotos?/,
  '/studio/filters': /Filter/,
  '/studio/filters/new': /Neuer Filter|Filter/,
  '/studio/qa': /QA/,
  '/studio/aliases': /Aliasse/,
  '/studio/events': /Events/,
  '/studio/events/new': /Event/,
  '/studio/jobs': /Aufträge/,
  '/studio/jobs?view=list': /Aufträge/,
  '/studio/usage': /Verbrauch/,
  '/studio/keys': /Schlüssel/,
  '/studio/keys/webhooks': /Webhook/,
  '/studio/keys/sessions': /Sitzung/,
  '/studio/operator': /Konten|Konto/,
  '/studio/operator/engines': /Engine/,
  '/studio/operator/packs': /Paket/,
  '/studio/operator/backups': /Sicherung/,
  '/studio/operator/settings': /Einstellung/,
};

for (const [path, words] of Object.entries(screens))
  test(`${path} is in German where the browser is, and fits every width`, async () => {
    const { page, close } = await studio.open(path, { account: operator, locale: 'de-AT' });
    await page.getByRole('main').getByText(words).filter({ visible: true }).first().waitFor();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
    await checkAllWidths(page);
    await close();
  });

test('a job says its facts, numbers and times as German does', async () => {
  const { page, close } = await studio.open('/studio/jobs?view=list', { account: operator, locale: 'de-DE' });
  await page.getByRole('main').getByRole('link').first().click();
  await page.getByText('Fertig').or(page.getByText('Gescheitert')).first().waitFor();
  await checkAllWidths(page);
  await close();
});

test('the language is chosen in the account menu, and kept', async () => {
  const { page, close } = await studio.open('/studio/keys', { account: operator });
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page
    .getByRole('menuitem', { name: 'Deutsch' })
    .or(page.getByRole('menuitemradio', { name: 'Deutsch' }))
    .click();
  await page.getByRole('heading', { name: 'Schlüssel' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Schlüssel' }).waitFor();
  await page.getByRole('button', { name: 'Konto' }).click();
  await page
    .getByRole('menuitem', { name: 'English' })
    .or(page.getByRole('menuitemradio', { name: 'English' }))
    .click();
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.evaluate("localStorage.removeItem('guise-studio-language')");
  await close();
});

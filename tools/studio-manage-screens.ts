import type { Page } from 'playwright-core';

/** Aliases, keys and the operator's pages, for the pictures of the studio. */
export const manageScreens = [
  {
    name: 'aliases',
    path: '/studio/aliases',
    async prepare(page: Page) {
      // The slots that had other filters before, and have a safe one.
      const project = page.getByRole('region', { name: 'Summer tour' });
      await project.getByRole('button', { name: 'Undo the last swap' }).first().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'aliases-swap',
    path: '/studio/aliases',
    async prepare(page: Page) {
      await page
        .getByRole('button', { name: /^Change the filter/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'aliases-new',
    path: '/studio/aliases',
    async prepare(page: Page) {
      await page.getByRole('button', { name: 'Make an alias' }).click();
      await page.getByRole('dialog').getByRole('button').nth(2).click();
    },
  },
  { name: 'keys', path: '/studio/keys' },
  {
    name: 'keys-new',
    path: '/studio/keys',
    async prepare(page: Page) {
      await page.getByRole('button', { name: 'Make a key' }).click();
      await page.getByLabel('Name').fill('Booth at the bar');
    },
  },
  {
    name: 'keys-secret',
    path: '/studio/keys',
    async prepare(page: Page) {
      await page.getByRole('button', { name: 'Make a key' }).click();
      await page.getByLabel('Name').fill('Booth at the bar');
      await page.getByRole('button', { name: 'Make the key' }).click();
      await page.getByRole('button', { name: 'Copy secret' }).waitFor();
    },
  },
  { name: 'keys-webhooks', path: '/studio/keys/webhooks' },
  { name: 'keys-sessions', path: '/studio/keys/sessions' },
  { name: 'operator-accounts', path: '/studio/operator' },
  { name: 'operator-engines', path: '/studio/operator/engines' },
  { name: 'operator-packs', path: '/studio/operator/packs' },
  {
    name: 'operator-backups',
    path: '/studio/operator/backups',
    async prepare(page: Page) {
      await page.getByRole('button', { name: 'Back up now' }).click();
      await page.getByRole('list', { name: 'Backups' }).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: 'operator-doctor',
    path: '/studio/operator/doctor',
    async prepare(page: Page) {
      await page.getByRole('button', { name: 'Run the checks' }).click();
      await page.getByRole('button', { name: 'Check again' }).waitFor({ timeout: 300_000 });
    },
  },
  { name: 'operator-settings', path: '/studio/operator/settings' },
];

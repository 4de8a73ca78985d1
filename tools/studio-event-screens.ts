import type { Page } from 'playwright-core';

/** Thumbnails are made when they are first asked for. */
async function picturesShown(page: Page): Promise<void> {
  const pictures = page.getByRole('region', { name: 'Pictures' }).getByRole('listitem');
  await pictures.first().waitFor();
  for (const picture of await pictures.all()) await picture.locator('img').waitFor();
}

/** The pages of events, for the pictures of the studio. */
export const eventScreens = [
  { name: 'events', path: '/studio/events' },
  {
    name: 'event-new',
    path: '/studio/events/new',
    async prepare(page: Page) {
      await page.getByLabel('Name', { exact: true }).fill('Autumn fair');
      await page.getByRole('button', { name: 'Add offers' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add offers' });
      const scenes = dialog.getByRole('region', { name: 'Scenes and costumes' });
      await scenes.getByRole('button').nth(1).click();
      await scenes.getByRole('button').nth(5).click();
      await dialog.getByRole('button', { name: 'Done' }).click();
    },
  },
  {
    name: 'event-offers',
    path: '/studio/events/new',
    async prepare(page: Page) {
      await page.getByRole('button', { name: 'Add offers' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add offers' });
      await dialog.getByRole('region', { name: 'Scenes and costumes' }).getByRole('button').nth(2).click();
    },
  },
  {
    name: 'event-texts-over-pictures',
    path: '/studio/events/new',
    async prepare(page: Page) {
      await page.getByLabel('Name', { exact: true }).fill('Anna ❤ Tom');
      const add = page.getByRole('button', { name: 'Add a text' });
      await add.click();
      await add.click();
      await page.getByRole('textbox', { name: 'Text 2' }).fill('Made for {guest.name}');
      await page.getByAltText('How the texts come out').waitFor();
      await page
        .getByAltText('How the texts come out')
        .evaluate((image) => image.scrollIntoView({ block: 'end' }));
      await page.mouse.wheel(0, 90);
    },
  },
  {
    name: 'event-edit',
    path: '/studio/events/{event}/edit',
    prepare: (page: Page) => page.getByRole('heading', { name: 'Texts' }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'event-look',
    path: '/studio/events/{event}/edit',
    prepare: (page: Page) => page.getByRole('heading', { name: 'Look' }).scrollIntoViewIfNeeded(),
  },
  { name: 'event', path: '/studio/events/{event}', prepare: picturesShown },
  {
    name: 'event-key',
    path: '/studio/events/{event}',
    async prepare(page: Page) {
      await page.getByLabel('Name of the booth').fill('Terrace');
      await page.getByRole('button', { name: 'Make a key' }).click();
      await page.getByRole('img', { name: /^QR code/ }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'event-pictures',
    path: '/studio/events/{event}',
    prepare: (page: Page) =>
      page.getByRole('heading', { name: 'After the evening' }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'event-receipt',
    path: '/studio/events/{erased_event}',
    prepare: (page: Page) => page.getByRole('region', { name: 'Receipt' }).waitFor(),
  },
];

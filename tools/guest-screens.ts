import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { door } from '../packages/server/test/support/test-engine.ts';
import { type Party, pictureOf, startParties } from '../test/e2e/booth/party.ts';

/**
 * Pictures of the guest's page, the gallery and the wall in all their states, at the sizes of a phone, a tablet and a
 * desk, in both themes: `npm run screens:guest -- [--out out/guest-screens] [--only guest-ready]`.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'out/guest-screens' },
    only: { type: 'string', default: '' },
  },
});
mkdirSync(values.out, { recursive: true });

const phone = { width: 390, height: 844 };
const tablet = { width: 820, height: 1180 };
const desk = { width: 1440, height: 900 };
const projector = { width: 1920, height: 1080 };

const parties = await startParties();

interface Screen {
  name: string;
  path: string;
  sizes: readonly { width: number; height: number }[];
  language?: string;
  themes?: readonly ('light' | 'dark')[];
  prepare?(page: Page): Promise<void>;
}

async function show({ name, path, sizes, language = 'en', themes = ['light', 'dark'], prepare }: Screen) {
  if (!name.startsWith(values.only)) return;
  for (const size of sizes) {
    for (const theme of themes) {
      const { page, context } = await parties.open(path, { ...size, dark: theme === 'dark', language });
      // A wall is never idle: it follows its event.
      if (!path.startsWith('/wall/')) await page.waitForLoadState('networkidle');
      await prepare?.(page);
      await page.waitForTimeout(400);
      await page.screenshot({ path: `${values.out}/${name}-${size.width}-${theme}.png` });
      await context.close();
    }
  }
}

let shot = 0;
async function shootMany(party: Party, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    parties.server.engine.result = await pictureOf(1 + (shot++ % 40));
    await party.shoot({ wall: true, gallery: true });
  }
}

const branding = { background: '#10243a', text: '#f5efe0', accent: '#f2b705' };
const ready = (page: Page) =>
  page
    .getByRole('img', { name: /picture|Bild/ })
    .first()
    .waitFor();

try {
  const party = await parties.make({ wall: 'all', gallery: 'password', gallery_password: 'champagne' });
  const { guest_token } = await party.shoot({ wall: true, gallery: true });
  const guest = `/g/${guest_token}`;
  await show({ name: 'guest-ready', path: guest, sizes: [phone, tablet, desk], prepare: ready });
  await show({ name: 'guest-ready-de', path: guest, sizes: [phone], language: 'de', prepare: ready });
  await show({
    name: 'guest-delete',
    path: guest,
    sizes: [phone],
    async prepare(page) {
      await page.getByRole('button', { name: 'Delete my picture' }).click();
    },
  });
  await show({
    name: 'guest-print',
    path: guest,
    sizes: [phone],
    async prepare(page) {
      await page.getByText('For printing').click();
      await page.mouse.wheel(0, 600);
    },
  });
  const branded = await parties.make({ branding });
  const one = await branded.shoot({ wall: true });
  await show({ name: 'guest-branded', path: `/g/${one.guest_token}`, sizes: [phone], prepare: ready });

  const { work, open, reached } = door();
  parties.server.engine.before = async (job, context) => {
    context.progress(0.4);
    await work(job, context);
  };
  const waiting = await party.submit({ wall: true });
  await reached;
  await show({ name: 'guest-waiting', path: `/g/${waiting.guest_token}`, sizes: [phone, desk] });
  open();
  parties.server.engine.before = async () => {};

  await show({ name: 'guest-unknown', path: '/g/nothing', sizes: [phone, desk] });
  await parties.account.call('POST', `${party.path}/erase`);

  const gala = await parties.make({ wall: 'all', gallery: 'link' });
  const links = await gala.links();
  const dark = ['dark'] as const;
  await show({ name: 'wall-0', path: links.wall, sizes: [projector], themes: dark });
  for (const [count, name] of [
    [1, 'wall-1'],
    [4, 'wall-5'],
    [15, 'wall-20'],
    [20, 'wall-40'],
  ] as const) {
    await shootMany(gala, count);
    const prepare = async (page: Page) => {
      await page.locator('.wall-cell').first().waitFor();
      await page.locator('.wall-cell:empty').first().waitFor({ state: 'detached' });
    };
    await show({
      name,
      path: links.wall,
      sizes: [projector, { width: 1080, height: 1920 }],
      themes: dark,
      prepare,
    });
  }
  await show({ name: 'gallery', path: links.gallery, sizes: [phone, tablet, desk] });
  await show({
    name: 'gallery-picture',
    path: links.gallery,
    sizes: [phone, desk],
    prepare: (page) => page.getByRole('button', { name: 'Picture 2', exact: true }).click(),
  });
  await parties.account.call('PATCH', gala.path, { gallery: 'password', gallery_password: 'champagne' });
  await show({ name: 'gallery-password', path: links.gallery, sizes: [phone] });
} finally {
  await parties.stop();
}

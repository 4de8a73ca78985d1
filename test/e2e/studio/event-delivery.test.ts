import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { samplePhotos } from '@guise/engine/samples.ts';
import sharp from 'sharp';
import { photo, request, until } from '../../../packages/server/test/support/harness.ts';
import { type IppPrinter, startIppPrinter } from '../../../packages/server/test/support/ipp-printer.ts';
import { startMailServer, type TestMailServer } from '../../../packages/server/test/support/smtp-server.ts';
import { testEngine } from '../../../packages/server/test/support/test-engine.ts';
import { checkAllWidths } from '../support/page-checks.ts';
import { type Studio, startStudio } from './open-studio.ts';

let printer: IppPrinter;
let mailServer: TestMailServer;
let studio: Studio;
before(async () => {
  [printer, mailServer] = [await startIppPrinter(), await startMailServer()];
  const mail = { url: mailServer.url, from: 'Booth <booth@example.com>' };
  const engine = Object.assign(testEngine(), { name: 'local' });
  studio = await startStudio({ runsPerMinute: 0, allowPrivateUrls: true, mail }, engine);
  const { server } = studio;
  server.engine.result = await sharp(samplePhotos.onePerson).resize(1200, 1800).png().toBuffer();
});
after(async () => {
  await studio.stop();
  await mailServer.stop();
  await printer.stop();
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();

test('a printer and mail are set up in the form, and the event’s page has the preflight, prints again and shows mails', async () => {
  const { account, server } = studio;
  const made = await account.call('POST', '/v1/events', {
    name: 'Gala',
    starts_at: inHours(-1),
    ends_at: inHours(3),
    offers: [{ id: 'alone', kind: 'single', filter_id: 1, labels: { en: 'Astronaut' } }],
    texts: { en: { welcome: 'Hi', consent: '', thanks: '' } },
  });
  const path = `/v1/events/${made.body.id}`;
  const { page, close } = await studio.open(`/studio/events/${made.body.id}/edit`);
  await page.getByText('Add a printer').click();
  const adding = page.getByRole('region', { name: 'Printing' });
  await adding.getByLabel('Name of the printer').fill('Foyer');
  await adding.getByLabel('Address').fill('ipp://localhost:9999/ipp/print');
  await adding.getByRole('button', { name: 'Add it' }).click();
  await adding.getByText('The printer does not answer.').waitFor();
  await adding.getByLabel('Address').fill(printer.url);
  await adding.getByRole('button', { name: 'Add it' }).click();
  await until(async () => (await adding.getByLabel('Print on').inputValue()) !== '');
  await adding.getByLabel('Copies per guest').fill('2');
  await adding.getByLabel('Print the QR code').check();
  await page.getByLabel('Send pictures by mail').check();
  await page.getByLabel('Subject (English)').fill('Your picture');
  await page.getByText('Draft saved.').waitFor();
  await page.getByRole('button', { name: 'Make live' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make live' }).click();
  await page.getByRole('heading', { name: 'Gala', level: 1 }).waitFor();
  const { body: event } = await account.call('GET', path);
  assert.deepEqual(
    [event.prints_per_guest, event.branding.print_code, event.mail.texts.en.subject],
    [2, true, 'Your picture'],
  );

  const preflight = page.getByRole('region', { name: 'Preflight' });
  await preflight.getByText('Foyer is ready.').waitFor();
  await preflight.getByText('which only this machine reaches').waitFor();
  await preflight.getByRole('button', { name: 'Print a test page' }).click();
  await until(async () => printer.printed().length === 1);

  const key = (await account.call('POST', `${path}/keys`, { name: 'tablet' })).body.secret;
  const booth = (method: string, at: string, body?: unknown) =>
    request(server.url, method, at, body, { 'x-api-key': key, prefer: 'wait=30' });
  const { body: job } = await booth('POST', '/v1/booth/jobs', {
    guest: randomUUID(),
    offer_id: 'alone',
    image: photo,
  });
  await booth('GET', `/v1/booth/jobs/${job.id}`);
  await booth('POST', '/v1/booth/prints', { job_ids: [job.id] });
  const prints = page.getByRole('region', { name: 'Prints' });
  await prints.getByText('Printed').waitFor();
  await prints.getByRole('button', { name: 'Print again' }).click();
  await until(async () => printer.printed().length === 3);

  const address = { address: 'nobody@example.com', consent: true };
  await booth('POST', `/v1/booth/jobs/${job.id}/mail`, address);
  const mails = page.getByRole('region', { name: 'Mails' });
  await mails.getByText('550 No such mailbox').waitFor({ timeout: 30_000 });
  await checkAllWidths(page);
  const archive = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download everything as a ZIP' }).click();
  assert.match((await archive).suggestedFilename(), /\.zip$/);
  await close(/status of 422/);
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import sharp from 'sharp';
import { createAccount } from '../../../packages/server/src/accounts/accounts.ts';
import { createCredential } from '../../../packages/server/src/accounts/keys.ts';
import { putSetting } from '../../../packages/server/src/store/settings.ts';
import { photo, request, until } from '../../../packages/server/test/support/harness.ts';
import { door, testEngine } from '../../../packages/server/test/support/test-engine.ts';
import { timeOfLocal } from '../../../packages/studio/src/screens/events/editor/zoned-time.ts';
import { checkAllWidths } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

// By its name, whose prompts are read by words.
const studio = forAllTests(() =>
  startStudio({ runsPerMinute: 0 }, Object.assign(testEngine(), { name: 'local' })),
);

const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();

test('an event is made with offers, texts and questions, and changed; nothing typed is lost meanwhile', async () => {
  const { page, close } = await studio.open('/studio/events');
  await page.getByRole('link', { name: 'New event' }).click();
  await page.getByRole('button', { name: 'Make the event' }).click();
  await page.getByText('Give it a name.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Gala');
  await page.getByLabel('Time zone').fill('Pacific/Auckland');
  await page.getByLabel('Begins').fill('2031-07-01T18:00');
  await page.getByLabel('Ends').fill('2031-07-01T17:00');
  await page.getByRole('button', { name: 'Make the event' }).click();
  await page.getByText('The end must be after the beginning.').waitFor();
  await page.getByLabel('Ends').fill('2031-07-02T02:00');

  await page.getByRole('button', { name: 'Add offers' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add offers' });
  const scenes = dialog.getByRole('region', { name: 'Scenes and costumes' });
  await scenes.getByRole('button').nth(0).click();
  await scenes.getByRole('button').nth(1).click();
  await dialog.getByRole('button', { name: 'Video' }).click();
  await dialog.getByLabel('Label').fill('Confetti');
  await dialog.getByLabel('Describe what moves').fill('confetti falls');
  await dialog.getByText('confetti falls (not with the model simple)').waitFor();
  await dialog.getByRole('button', { name: 'Use the advanced model' }).click();
  await dialog.getByText('Will be ignored:').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Add the video' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const offers = page.getByRole('list', { name: 'Offers' });
  await until(async () => (await offers.getByRole('listitem').count()) === 3);
  await offers.getByRole('button', { name: 'Move Confetti up' }).click();
  await page.getByLabel('Safe offer').selectOption({ index: 1 });

  await page.getByLabel('Add a language').selectOption('de');
  await page.getByLabel('Consent (German)').fill('Ich stimme zu.');
  await offers.getByLabel('Label of offer 1 (German)').fill('Erstes');
  await page.getByRole('button', { name: 'Add a question' }).click();
  await page.getByLabel('Question 1 (English)').fill('Show it on the wall');
  await page.getByRole('button', { name: 'Ask for the name' }).click();
  await page.getByLabel('Label 1 (German)').fill('Dein Name');
  await page.getByLabel('Letters at most').fill('20');
  await page.getByRole('button', { name: 'Ask for the team' }).click();
  await page.getByLabel('Choice 1 (English)').fill('Reds');
  await page.getByLabel('Words that nobody may type').fill('rival\nUnited');
  await offers.getByLabel('Photos of one touch').first().selectOption('4');
  await offers.getByLabel('Also made with, to choose from').first().selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Add a text' }).click();
  await page.getByLabel('Text 1', { exact: true }).fill('{guest.name}');
  await page.getByLabel('Place').selectOption('Above');
  await page.getByLabel('Budget in credits').fill('40');
  await page.getByLabel('Accent', { exact: true }).fill('#ff8800');
  await checkAllWidths(page);
  await page.getByRole('button', { name: 'Make the event' }).click();
  await page.getByRole('heading', { name: 'Gala', level: 1 }).waitFor();

  const [event] = (await studio.account.call('GET', '/v1/events')).body.events;
  assert.deepEqual(
    [event.starts_at, event.ends_at, event.state],
    ['2031-07-01T06:00:00.000Z', '2031-07-01T14:00:00.000Z', 'planned'],
  );
  assert.deepEqual(
    event.offers.map(({ kind }: { kind: string }) => kind),
    ['single', 'video', 'single'],
  );
  assert.deepEqual(
    [event.offers[0].labels.de, event.texts.de.consent, event.questions[0].labels.en, event.safe_offer],
    ['Erstes', 'Ich stimme zu.', 'Show it on the wall', event.offers[0].id],
  );
  assert.deepEqual([event.budget, event.branding.accent], [40, '#ff8800']);
  const [name, team] = event.details;
  assert.deepEqual([name.id, name.letters, name.labels.de], ['name', 20, 'Dein Name']);
  assert.deepEqual([team.kind, team.choices[0].labels.en], ['choice', 'Reds']);
  assert.deepEqual(event.blocked_words, ['rival', 'United']);
  assert.deepEqual([event.offers[0].shots, event.offers[2].variations.length], [4, 1]);
  assert.deepEqual(
    [event.branding.overlay_texts[0].text, event.branding.overlay_texts[0].y],
    ['{guest.name}', 0.03],
  );

  // What is typed is a draft, which is there after a reload; guests go on with the event as it is.
  const read = async () => (await studio.account.call('GET', `/v1/events/${event.id}`)).body;
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  const title = page.getByLabel('Name', { exact: true });
  await title.fill('Winter gala');
  await page.getByText('Draft saved. Guests get the event as it was.').waitFor();
  await page.getByText('All checks passed.').waitFor();
  await title.fill('');
  await page.getByText('Give it a name.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Make live' }).isDisabled());
  await title.fill('Winter gala');
  await page.getByText('Draft saved.').waitFor();
  await page.reload();
  await page.getByText('Draft saved.').waitFor();
  assert.equal(await title.inputValue(), 'Winter gala');
  assert.equal((await read()).name, 'Gala');
  await checkAllWidths(page);

  // Somebody else changes the event meanwhile: nothing is overwritten that the draft does not change.
  await studio.account.call('PATCH', `/v1/events/${event.id}`, { budget: 60 });
  await page.getByRole('button', { name: 'Make live' }).click();
  const question = page.getByRole('dialog', { name: 'Make the changes of Gala live?' });
  await question.getByRole('list', { name: 'What changes' }).getByText('Name').waitFor();
  await checkAllWidths(page);
  await question.getByRole('button', { name: 'Make live' }).click();
  await page.getByRole('heading', { name: 'Winter gala', level: 1 }).waitFor();
  const changed = await read();
  assert.deepEqual([changed.name, changed.budget, changed.draft], ['Winter gala', 60, null]);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('heading', { name: 'Gala', exact: true, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await page.getByRole('heading', { name: 'Winter gala', level: 1 }).waitFor();

  // Where both change the same, somebody has to say which to keep.
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await title.fill('Mine');
  await page.getByText('Draft saved.').waitFor();
  await studio.account.call('PATCH', `/v1/events/${event.id}`, { name: 'Theirs' });
  await page.getByRole('button', { name: 'Make live' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make live' }).click();
  await page.getByText('What the draft changes was changed elsewhere meanwhile.').waitFor();
  assert.equal((await read()).name, 'Theirs');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();

  // Two drafts of two people do not overwrite each other.
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await title.fill('Spring gala');
  await page.getByText('Draft saved.').waitFor();
  await studio.account.call('PUT', `/v1/events/${event.id}/draft`, { change: { name: 'Summer gala' } });
  await title.fill('Autumn gala');
  await page.getByText('The draft of this event was changed elsewhere meanwhile.').waitFor();
  await page.getByRole('button', { name: 'Load the newer one' }).click();
  await until(async () => (await title.inputValue()) === 'Summer gala');
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await until(async () => (await title.inputValue()) === 'Mine');
  assert.equal((await read()).draft, null);
  const told = page.getByText('The draft is discarded.').locator('..');
  await told.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await title.inputValue()) === 'Summer gala');
  // The console names the refusal.
  await close(/status of 412/);
});

test('on the evening a key opens a booth, pictures come by themselves, and everything is erased with a receipt', async () => {
  const offer = (id: string, filter_id: number) => ({ id, kind: 'single', filter_id, labels: { en: id } });
  const { id } = (
    await studio.account.call('POST', '/v1/events', {
      name: 'Fair',
      starts_at: inHours(-1),
      ends_at: inHours(5),
      offers: [offer('astronaut', 1), offer('plain', 2)],
      safe_offer: 'plain',
      budget: 20,
      wall: 'approved',
    })
  ).body;
  const path = `/v1/events/${id}`;
  const { page, close } = await studio.open(`/studio/events/${id}`);
  await page.getByText('No booth has reported yet.').waitFor();
  await page.getByLabel('Name of the booth').fill('Foyer');
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByRole('img', { name: /^QR code/ }).waitFor();
  await page.getByRole('button', { name: 'Copy the link', exact: true }).click();
  const link = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
  assert.deepEqual([link.origin, link.pathname], [studio.server.url, `/booth/${id}`]);
  const key = new URLSearchParams(link.hash.slice(1)).get('key') ?? '';
  const booth = (method: string, to: string, body?: unknown) =>
    request(studio.server.url, method, to, body, { 'x-api-key': key });
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(key).waitFor({ state: 'detached' });

  await booth('POST', '/v1/booth/station', { station: randomUUID(), name: 'Left of the door', prints: 7 });
  const { work, open: letThrough, reached } = door();
  studio.server.engine.before = work;
  const { body } = await booth('POST', '/v1/booth/jobs', {
    guest: randomUUID(),
    offer_id: 'astronaut',
    image: photo,
  });
  await reached;
  const figures = page.getByRole('region', { name: 'This evening' });
  await figures.getByText('Being made').waitFor();
  letThrough();
  studio.server.engine.before = async () => {};
  await until(async () => (await booth('GET', `/v1/booth/jobs/${body.id}`)).body.status === 'COMPLETED');
  await figures.getByText('Nobody is waiting').waitFor();
  const pictures = page.getByRole('region', { name: 'Pictures' });
  await pictures.getByRole('listitem').waitFor();
  const why = 'Something that belongs to nobody is in the picture.';
  await pictures.getByRole('link', { name: new RegExp(`Fair.*${why}`) }).waitFor();
  await pictures.getByTitle(why).waitFor();
  await page.getByText('Left of the door').waitFor();
  await page.getByText('7 prints').waitFor();
  await page.getByRole('meter', { name: 'Budget left' }).and(page.locator('[aria-valuenow="19"]')).waitFor();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Booths say that there is a short break.').waitFor();
  await page.getByRole('button', { name: 'Safe mode' }).click();
  await page.getByRole('button', { name: 'Leave safe mode' }).waitFor();
  const shown = (await booth('GET', '/v1/booth')).body;
  assert.deepEqual([shown.state, shown.offers.length], ['paused', 1]);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Booths take photos.').waitFor();
  await checkAllWidths(page);

  await pictures.getByRole('listitem').hover();
  await pictures.getByRole('button', { name: /^Approve astronaut/ }).click();
  await pictures.getByText('Shown').waitFor();
  const approval = async () => (await studio.account.call('GET', `${path}/jobs`)).body.jobs[0].approval;
  assert.equal(await approval(), 'approved');
  // On a phone a finger does it: to the left hides a picture, to the right shows it.
  const swipe = async (by: number) => {
    const link = pictures.getByRole('link').first();
    const { x, y } = (await link.boundingBox())!;
    const finger = (type: string, at: number) =>
      link.dispatchEvent(type, {
        pointerType: 'touch',
        clientX: x + 60 + at,
        clientY: y + 60,
        bubbles: true,
      });
    await finger('pointerdown', 0);
    await finger('pointermove', by);
    await finger('pointerup', by);
  };
  await swipe(-90);
  await pictures.getByText('Hidden').waitFor();
  await swipe(90);
  await pictures.getByText('Shown').waitFor();
  assert.equal(await approval(), 'approved');
  const { wall } = (await studio.account.call('GET', `${path}/links`)).body;
  await page.getByRole('button', { name: 'Copy the link of the wall' }).click();
  assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), wall.url);

  const frame = await sharp({ create: { width: 1200, height: 1800, channels: 4, background: '#0000' } })
    .composite([
      {
        input: { create: { width: 1200, height: 90, channels: 4, background: '#123456' } },
        top: 1700,
        left: 0,
      },
    ])
    .png()
    .toBuffer();
  const overlays = page.getByRole('region', { name: 'Overlays' });
  const file = overlays.getByLabel('File of the overlay, upright');
  await file.setInputFiles({ name: 'frame.png', mimeType: 'image/png', buffer: frame });
  await overlays.getByRole('button', { name: 'Remove the overlay, upright' }).click();
  await overlays.getByRole('button', { name: 'Upload the overlay, upright' }).waitFor();

  await pictures.getByRole('listitem').hover();
  await pictures.getByRole('button', { name: /^Erase astronaut/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Erase it' }).click();
  await pictures.getByRole('listitem').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Erase everything' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase everything of this event' });
  const erase = dialog.getByRole('button', { name: 'Erase everything' });
  assert.ok(await erase.isDisabled());
  await dialog.getByLabel('Type “Fair” to erase it').fill('Fair');
  await erase.click();
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.getByRole('row', { name: 'Guests 1' }).waitFor();
  await receipt.getByRole('row', { name: 'Left, counted anew among rows and files 0' }).waitFor();
  assert.equal((await studio.account.call('GET', path)).body.state, 'erased');
  assert.equal((await booth('GET', '/v1/booth')).status, 401);
  await checkAllWidths(page);
  await close();
});

test('times of an event are those of its place, also where clocks are changed', () => {
  const iso = (local: string, zone: string) => new Date(timeOfLocal(local, zone) ?? Number.NaN).toISOString();
  assert.equal(iso('2026-07-01T20:00', 'Europe/Berlin'), '2026-07-01T18:00:00.000Z');
  // 02:30 is skipped in spring, and comes twice in autumn.
  assert.equal(iso('2026-03-29T02:30', 'Europe/Berlin'), '2026-03-29T01:30:00.000Z');
  assert.equal(iso('2026-10-25T02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z');
  assert.equal(iso('2026-03-29T18:00', 'Europe/Berlin'), '2026-03-29T16:00:00.000Z', 'on the day itself');
  assert.equal(timeOfLocal('', 'Europe/Berlin'), undefined);
  assert.equal(timeOfLocal('2026-07-01T20:00', 'Mars/Olympus'), undefined);
});

test('links of this computer alone are warned of; the operator sets an address, and every link follows it', async () => {
  const { id: operatorId } = await createAccount(studio.server.db, {
    email: 'operator@example.com',
    credits: 50,
    role: 'operator',
  });
  const { secret } = await createCredential(studio.server.db, operatorId, { kind: 'key', name: 'test' });
  const asOperator = (method: string, to: string, body?: unknown) =>
    request(studio.server.url, method, to, body, { 'x-api-key': secret });
  const { id } = (
    await asOperator('POST', '/v1/events', {
      name: 'Far away',
      starts_at: inHours(-1),
      ends_at: inHours(5),
      offers: [{ id: 'one', kind: 'single', filter_id: 1, labels: { en: 'One' } }],
      wall: 'all',
    })
  ).body;
  const { body: filter } = await asOperator('POST', '/v1/users/me/my-custom-filters', {
    name: 'Hall',
    filter_type: 'face_swap',
    definition: { kind: 'scene', scene: 'great-hall' },
  });
  const { page, close } = await studio.open(`/studio/filters/${filter.id}`, {
    account: { ...studio.account, id: operatorId },
  });
  await page.getByRole('button', { name: 'Test links' }).click();
  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.getByRole('button', { name: 'Set the address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Address for guests' });
  await dialog.getByLabel('Address', { exact: true }).fill('http://booth.invalid:8080');
  await dialog.getByRole('button', { name: 'Check and save' }).click();
  await dialog.getByText('No Guise answers at http://booth.invalid:8080.').waitFor();
  // The form around the dialog is not sent with it: that would make a second link and lose the first.
  const made = await asOperator('GET', '/v1/quick_test_links');
  assert.equal(made.body.quick_test_links.length, 1);
  await page.goto(`/studio/events/${id}`);
  const links = page.getByRole('region', { name: 'Wall and gallery' });
  await links.getByRole('note').getByText('which only this computer reaches').waitFor();
  await page.getByLabel('Name of the booth').fill('Foyer');
  await page.getByRole('button', { name: 'Make a key' }).click();
  await checkAllWidths(page);
  await links.getByRole('button', { name: 'Set the address' }).click();
  await dialog.getByLabel('Address', { exact: true }).fill('http://booth.invalid:8080');
  await dialog.getByRole('button', { name: 'Check and save' }).click();
  await dialog.getByText('No Guise answers at http://booth.invalid:8080.').waitFor();
  await checkAllWidths(page);
  await dialog.getByRole('button', { name: 'Save it anyway' }).click();
  await dialog.getByRole('img', { name: 'QR code that opens this server' }).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  assert.equal(await page.getByRole('note').count(), 0);
  const booth = await page.locator('code').filter({ hasText: '/booth/' }).textContent();
  assert.ok(booth?.startsWith(`http://booth.invalid:8080/booth/${id}#key=`));
  const wall = await links.getByRole('link', { name: 'Open the wall' }).getAttribute('href');
  assert.ok(wall?.startsWith('http://booth.invalid:8080/wall/'));
  // The address that does not answer is refused first, which the console tells.
  await close(/status of 422/);
  await studio.server.db.run(putSetting, { name: 'guest_address', value: '' });
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { samplePhotos } from '@guise/engine/samples.ts';
import sharp from 'sharp';
import {
  type Answer,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../support/harness.ts';
import { door } from '../support/test-engine.ts';

let server: TestServer;
let account: TestAccount;
let eventId: string;
before(async () => {
  server = await startTestServer({ runsPerMinute: 0 });
  account = await server.account();
  const labels = { en: 'x' };
  const made = await account.call('POST', '/v1/events', {
    name: 'Sommerfest der Bäckerei Müller',
    starts_at: new Date(Date.now() - 3600_000).toISOString(),
    ends_at: new Date(Date.now() + 3600_000).toISOString(),
    offers: [
      { id: 'alone', kind: 'single', filter_id: 1, labels },
      { id: 'all', kind: 'group', filter_id: 3, labels },
    ],
  });
  eventId = made.body.id;
});
after(() => server.stop());

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A booth with a key of its own. */
async function newBooth(): Promise<Call> {
  const made = await account.call('POST', `/v1/events/${eventId}/keys`, { name: 'tablet' });
  return (method, path, body) => request(server.url, method, path, body, { 'x-api-key': made.body.secret });
}

const codeOf = ({ status, body }: Answer) => [status, body.error_code];
const base64Of = (file: string) => readFileSync(file).toString('base64');

test('a photo is checked for an offer before a job is spent, and nothing of it is kept', async () => {
  const call = await newBooth();
  const check = (image: string, offer_id = 'alone') =>
    call('POST', '/v1/booth/photo_checks', { image, offer_id });
  const good = await check(base64Of(samplePhotos.onePerson));
  assert.deepEqual([good.status, good.body.ok, good.body.problems], [200, true, []]);
  const [face] = good.body.faces;
  assert.ok(face.x > 0 && face.x + face.width < 1 && face.y > 0 && face.y + face.height < 1);
  const two = base64Of(samplePhotos.twoPeople);
  assert.deepEqual(
    (await check(two)).body.problems.map(({ code }: { code: string }) => code),
    ['TOO_MANY_PEOPLE'],
  );
  assert.equal((await check(two, 'all')).body.ok, true);
  assert.equal((await check(photo)).body.problems[0].code, 'NO_FACE');
  assert.deepEqual(codeOf(await check(photo, 'x')), [422, 'OFFER_NOT_FOUND']);
  assert.deepEqual(codeOf(await check('aGVsbG8=')), [400, 'INVALID_IMAGE']);
  assert.equal((await account.call('GET', `/v1/events/${eventId}`)).body.spent, 0);
  const scratch = await readdir(join(server.config.dataDir, 'scratch'), { recursive: true });
  assert.deepEqual(
    scratch.filter((name) => name.includes('photo')),
    [],
  );
});

test('one key has 60 photo checks a minute, and another key of the event has its own', async () => {
  const [busy, other] = [await newBooth(), await newBooth()];
  const body = { image: photo, offer_id: 'x' };
  const answers = [];
  for (let sent = 0; sent < 61; sent++) answers.push(await busy('POST', '/v1/booth/photo_checks', body));
  assert.deepEqual([...new Set(answers.slice(0, 60).map(({ status }) => status))], [422]);
  assert.deepEqual(codeOf(answers[60]!), [429, 'RATE_LIMITED']);
  assert.equal((await other('POST', '/v1/booth/photo_checks', body)).status, 422);
});

/** A PNG of this size, with a rectangle in it that is given in hundredths. */
async function overlayWith(rectangle: string, width = 1200, height = 1800): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none"><rect ${rectangle} fill="#123456"/></svg>`;
  return (await sharp(Buffer.from(svg)).png().toBuffer()).toString('base64');
}
const footer = 'x="0" y="90" width="100" height="10"';

/** A file that needs the key of a booth or the token of a guest. */
async function fetchFile(path: string, headers: Record<string, string>) {
  const response = await fetch(server.url + path, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), bytes };
}

const pixelOf = async (png: Buffer, left: number, top: number) => [
  ...(await sharp(png).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
];

test('an overlay is checked and shown, results have it, prints are made for booth and guest, and erasing leaves nothing', async () => {
  const path = `/v1/events/${eventId}`;
  const put = async (image: string, ratio = 'portrait', owner = account) =>
    owner.call('PUT', `${path}/overlays/${ratio}`, { image });
  const refused = await put(await overlayWith('x="30" y="30" width="40" height="40"'));
  assert.deepEqual(codeOf(refused), [422, 'VALIDATION_ERROR']);
  assert.match(refused.body.error, /Keep it clear from 20% to 80% of the width/);
  assert.deepEqual(codeOf(await put(photo)), [422, 'VALIDATION_ERROR']);
  const drawn = await overlayWith(footer);
  assert.deepEqual(codeOf(await put(drawn, 'round')), [404, 'NOT_FOUND']);
  assert.deepEqual(codeOf(await put(drawn, 'portrait', await server.account())), [404, 'EVENT_NOT_FOUND']);
  await put(drawn);
  const { status, body } = await put(drawn);
  assert.deepEqual([status, body.overlays.map(({ ratio }: { ratio: string }) => ratio)], [200, ['portrait']]);
  assert.equal((await account.call('GET', '/v1/events')).body.events[0].overlays.length, 1);
  const { checks } = (await account.call('GET', `${path}/preflight`)).body;
  const looked = checks.find(({ part }: { part: string }) => part === 'overlays');
  assert.equal(looked.state, 'amber', 'groups have the shape of their photo');
  assert.match(looked.sentence, /groups .* no overlay for: landscape, square\./);
  const stored = async () => (await server.blobKeys()).filter((key) => key.startsWith('overlays/'));
  assert.equal((await stored()).length, 1, 'the former one is removed');
  const shown = await fetchFile(
    new URL(body.overlays[0].url).pathname + new URL(body.overlays[0].url).search,
    {},
  );
  assert.deepEqual([shown.status, shown.type], [200, 'image/png']);

  // A job of the event, whose result has a face where the overlay has nothing.
  const person = await sharp(samplePhotos.onePerson).resize(1200, 1800, { position: 'top' }).png().toBuffer();
  server.engine.result = person;
  const made = await account.call('POST', `${path}/keys`, { name: 'printer' });
  const key = { 'x-api-key': made.body.secret };
  const gate = door();
  server.engine.before = gate.work;
  const job = { guest: randomUUID(), offer_id: 'alone', image: photo };
  const started = await request(server.url, 'POST', '/v1/booth/jobs', job, key);
  const printPath = `/v1/booth/jobs/${started.body.id}/print`;
  assert.equal((await fetchFile(printPath, key)).status, 503);
  gate.open();
  const done = await request(server.url, 'GET', `/v1/booth/jobs/${started.body.id}`, undefined, {
    ...key,
    prefer: 'wait=30',
  });
  assert.equal(done.body.status, 'COMPLETED', done.body.error);
  const url = new URL(done.body.url);
  const result = (await fetchFile(url.pathname + url.search, {})).bytes;
  assert.deepEqual(await pixelOf(result, 600, 1750), [0x12, 0x34, 0x56]);
  assert.deepEqual(await pixelOf(result, 600, 300), await pixelOf(person, 600, 300));
  const details = await account.call('GET', `/v1/jobs/${started.body.id}`);
  assert.ok(details.body.applied.includes('overlay: portrait'), JSON.stringify(details.body.applied));

  const card = await fetchFile(printPath, key);
  assert.deepEqual([card.status, card.type], [200, 'image/png']);
  const { width, height, density } = await sharp(card.bytes).metadata();
  assert.deepEqual([width, height, Math.round(density!)], [1200, 1800, 300]);
  assert.equal((await fetchFile(`${printPath}?layout=8x10`, key)).status, 422);
  const guest = { 'x-guest-token': started.body.guest_token };
  const guestPath = `/v1/guest/pictures/${started.body.id}/print`;
  const strip = await fetchFile(`${guestPath}?layout=2x6&format=pdf`, guest);
  assert.deepEqual([strip.status, strip.type], [200, 'application/pdf']);
  assert.match(strip.bytes.toString('latin1'), /MediaBox \[0 0 144 432\]/);
  const other = await account.call('POST', `${path}/keys`, { name: 'another' });
  assert.equal((await fetchFile(printPath, { 'x-api-key': other.body.secret })).status, 404);

  const before = await server.blobKeys();
  assert.equal((await request(server.url, 'DELETE', '/v1/guest/pictures', undefined, guest)).status, 204);
  assert.equal((await fetchFile(guestPath, guest)).status, 404);
  const left = await server.blobKeys();
  assert.deepEqual(
    before.filter((name) => !left.includes(name)).map((name) => name.split('/')[0]),
    ['results'],
  );
  const { remaining } = (await account.call('POST', `${path}/erase`)).body;
  assert.equal(remaining.files, 0);
  assert.deepEqual(await stored(), []);
  assert.deepEqual(codeOf(await put(drawn)), [410, 'EVENT_ENDED']);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { samplePhotos } from '@guise/engine/samples.ts';
import {
  type Answer,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../support/harness.ts';

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

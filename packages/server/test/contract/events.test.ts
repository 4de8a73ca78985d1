import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { putSetting } from '../../src/store/settings.ts';
import { type BoothEvent, inHours, makeBoothEvent } from '../support/booth-event.ts';
import { guiseInProcess } from '../support/command-line.ts';
import {
  type Answer,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../support/harness.ts';
import { door, tinyPng } from '../support/test-engine.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer({ runsPerMinute: 0 });
  account = await server.account();
});
afterEach(() => {
  server.engine.before = async () => {};
});
after(() => server.stop());

const events = '/v1/events';
const codeOf = ({ status, body }: Answer) => [status, body.error_code];

const astronaut = {
  id: 'astronaut',
  kind: 'single',
  filter_id: 1,
  labels: { en: 'Astronaut', de: 'Astronautin' },
};
const texts = {
  en: { welcome: 'Hello', consent: 'I agree that my photo is used for this.', thanks: 'Bye' },
  de: { consent: 'Ich stimme zu.' },
};
const questions = [
  { id: 'age', required: true, labels: { en: 'I am 16 or older' } },
  { id: 'wall', labels: { en: 'Show it on the wall' } },
];

interface Booth extends BoothEvent {
  shoot(body?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  wait(id: string): Promise<Answer>;
}

async function makeEvent(wanted: Record<string, unknown> = {}, owner = account): Promise<Booth> {
  const event = await makeBoothEvent(server.url, owner, { offers: [astronaut], ...wanted });
  const { call } = event;
  return {
    ...event,
    shoot: (body = {}, headers = {}) =>
      call(
        'POST',
        '/v1/booth/jobs',
        { guest: randomUUID(), offer_id: 'astronaut', image: photo, ...body },
        headers,
      ),
    wait: (jobId) => call('GET', `/v1/booth/jobs/${jobId}`, undefined, { prefer: 'wait=10' }),
  };
}

/** The files of the database that hold a text. */
function holding(marker: string): string[] {
  const { dataDir } = server.config;
  const files = readdirSync(dataDir).filter((name) => name.startsWith('guise.db'));
  return files.filter((name) => readFileSync(join(dataDir, name)).includes(marker));
}

const readEvent = async (id: string) => (await account.call('GET', `${events}/${id}`)).body;
const guestCall = (token: string, method: string, path: string) =>
  request(server.url, method, path, undefined, { 'x-guest-token': token });

test('an event is made once for each Idempotency-Key, listed, changed with If-Match and deleted', async () => {
  const body = {
    name: 'Fair',
    starts_at: inHours(1),
    ends_at: inHours(2),
    offers: [astronaut],
    budget: '20',
  };
  const once = { 'idempotency-key': 'fair-1' };
  const made = await account.call('POST', events, body, once);
  assert.deepEqual(
    [made.status, made.body.state, made.body.budget, made.body.spent],
    [201, 'planned', 20, 0],
  );
  assert.equal((await account.call('POST', events, body, once)).body.id, made.body.id);
  const path = `${events}/${made.body.id}`;
  assert.equal((await account.call('GET', events)).body.events[0].id, made.body.id);
  const stale = { 'if-match': '"9"' };
  assert.deepEqual(codeOf(await account.call('PATCH', path, { name: 'X' }, stale)), [
    412,
    'CHANGED_ELSEWHERE',
  ]);
  const changed = await account.call(
    'PATCH',
    path,
    { name: 'Expo' },
    { 'if-match': made.headers.get('etag')! },
  );
  assert.deepEqual([changed.status, changed.body.name, changed.body.budget], [200, 'Expo', 20]);
  assert.equal(changed.headers.get('etag'), '"2"');
  const stranger = await server.account();
  assert.deepEqual(codeOf(await stranger.call('GET', path)), [404, 'EVENT_NOT_FOUND']);
  assert.deepEqual(codeOf(await stranger.call('POST', `${path}/erase`)), [404, 'EVENT_NOT_FOUND']);
  assert.deepEqual(codeOf(await account.call('DELETE', path, undefined, stale)), [412, 'CHANGED_ELSEWHERE']);
  assert.equal((await account.call('DELETE', path)).status, 204);
  assert.deepEqual(codeOf(await account.call('GET', path)), [404, 'EVENT_NOT_FOUND']);
});

test('what no event can be is refused, with the field', async () => {
  const refused = async (wrong: Record<string, unknown>) => {
    const body = { name: 'Gala', starts_at: inHours(0), ends_at: inHours(2), offers: [astronaut], ...wrong };
    const answer = await account.call('POST', events, body);
    return [answer.status, answer.body.fields?.[0]?.path ?? answer.body.error_code];
  };
  assert.deepEqual(await refused({ ends_at: inHours(-1) }), [422, 'ends_at']);
  assert.deepEqual(await refused({ time_zone: 'Mars/Olympus' }), [422, 'time_zone']);
  assert.deepEqual(await refused({ safe_offer: 'none' }), [422, 'safe_offer']);
  assert.deepEqual(await refused({ offers: [astronaut, astronaut] }), [422, 'offers']);
  assert.deepEqual(await refused({ offers: [{ ...astronaut, filter_id: 999_999 }] }), [
    422,
    'FILTER_NOT_FOUND',
  ]);
  const video = { id: 'v', kind: 'video', labels: {}, prompt: 'snow', model: 'simple', duration: '8s' };
  assert.deepEqual(await refused({ offers: [video] }), [422, 'INVALID_DURATION_FOR_MODEL']);
});

test('a booth shows the event, sends a photo with the consent, and the guest sees and erases the picture', async () => {
  const booth = await makeEvent({ texts, questions, budget: 10, pictures_per_guest: 2, result_hours: 1 });
  const shown = (await booth.call('GET', '/v1/booth')).body;
  assert.deepEqual(
    [shown.state, shown.consent_version, shown.texts.en.consent],
    ['open', 1, texts.en.consent],
  );
  assert.ok(shown.offers[0].preview_url.endsWith('/previews/face_swap/1.webp'));
  assert.ok(!('budget' in shown) && !('filter_id' in shown.offers[0]));

  const guest = randomUUID();
  const answers = { age: true, wall: false };
  const consent = { version: 1, language: 'en', answers };
  const refused = [
    {},
    { consent: { ...consent, answers: {} } },
    { consent: { ...consent, language: 'fr' } },
    { consent: { ...consent, version: 2 } },
    { consent: { ...consent, answers: { ...answers, other: true } } },
  ];
  for (const body of refused)
    assert.deepEqual(
      codeOf(await booth.shoot({ guest, ...body })),
      [422, 'CONSENT_MISSING'],
      JSON.stringify(body),
    );
  assert.deepEqual(codeOf(await booth.shoot({ guest, consent, offer_id: 'x' })), [422, 'OFFER_NOT_FOUND']);

  // Texts that are edited make a new version; a photo that waited in the booth comes with the old one.
  const edited = { en: { ...texts.en, consent: 'Other words.' } };
  const path = `${events}/${booth.id}`;
  assert.equal((await account.call('PATCH', path, { texts: edited })).body.consent_version, 2);
  const once = { 'idempotency-key': 'photo-1' };
  const body = { guest, consent, gender: 1 };
  const started = await booth.shoot(body, once);
  assert.equal(started.status, 201, JSON.stringify(started.body));
  assert.equal(started.body.pictures_left, 1);
  assert.ok(started.body.guest_url.endsWith(`/g/${started.body.guest_token}`));
  assert.deepEqual((await booth.shoot(body, once)).body, started.body);
  // The guest's link follows the address that was set for guests.
  await server.db.run(putSetting, { name: 'guest_address', value: 'http://booth.lan' });
  const moved = (await booth.shoot(body, once)).body;
  assert.equal(moved.guest_url, `http://booth.lan/g/${started.body.guest_token}`);
  await server.db.run(putSetting, { name: 'guest_address', value: '' });
  const done = (await booth.wait(started.body.id)).body;
  assert.equal(done.status, 'COMPLETED');
  const reasons = ['Something that belongs to nobody is in the picture.'];
  assert.deepEqual(done.quality, { grade: 'fair', reasons });
  assert.ok(Date.parse(done.expires_at) <= Date.now() + 3601_000);
  assert.equal((await readEvent(booth.id)).spent, 2);

  const other = await account.call('POST', `${path}/keys`, { name: 'another tablet' });
  const another = { 'x-api-key': other.body.secret };
  const foreign = await request(server.url, 'GET', `/v1/booth/jobs/${started.body.id}`, undefined, another);
  assert.deepEqual(codeOf(foreign), [404, 'JOB_NOT_FOUND']);

  const { jobs } = (await account.call('GET', `${path}/jobs`)).body;
  assert.equal(jobs.length, 1);
  assert.deepEqual(jobs[0].quality, done.quality);
  assert.deepEqual(
    [jobs[0].consent.version, jobs[0].consent.language, jobs[0].consent.answers],
    [1, 'en', answers],
  );
  assert.ok(Math.abs(Date.parse(jobs[0].consent.given_at) - Date.now()) < 60_000);

  const token = started.body.guest_token;
  const page = (await guestCall(token, 'GET', '/v1/guest')).body;
  assert.deepEqual([page.event.name, page.pictures.length], ['Gala', 1]);
  const [picture] = page.pictures;
  assert.equal((await fetch(picture.url)).status, 200);
  assert.equal((await fetch(picture.thumbnail_url)).status, 200);
  const forged = `${token.slice(0, -1)}${token.endsWith('B') ? 'C' : 'B'}`;
  assert.deepEqual(codeOf(await guestCall(forged, 'GET', '/v1/guest')), [404, 'GUEST_NOT_FOUND']);
  const nobodys = `/v1/guest/pictures/${randomUUID()}`;
  assert.deepEqual(codeOf(await guestCall(token, 'DELETE', nobodys)), [404, 'JOB_NOT_FOUND']);
  assert.equal((await guestCall(token, 'DELETE', `/v1/guest/pictures/${picture.id}`)).status, 204);
  assert.equal((await fetch(picture.url)).status, 404);
  assert.deepEqual((await guestCall(token, 'GET', '/v1/guest')).body.pictures, []);
  assert.deepEqual(
    (await server.blobKeys()).filter((key) => key.includes(picture.id)),
    [],
  );
  // Erasing gives no tries back: the budget was spent on it.
  const again = { guest, consent: { ...consent, version: 2 } };
  assert.equal((await booth.shoot(again)).body.pictures_left, 0);
  assert.deepEqual(codeOf(await booth.shoot(again)), [429, 'GUEST_LIMIT_REACHED']);
});

test('the budget is held to the credit by booths that send at once, and failed jobs give theirs back', async () => {
  const { work, open } = door();
  server.engine.before = async (...job) => {
    await work(...job);
    throw new AppError('ENGINE_REFUSED', 'No face was found.');
  };
  // Single offers without a gender cost 1.
  const booth = await makeEvent({ budget: 5, pictures_per_guest: 3, tries_per_guest: 4 });
  const balance = await account.credits();
  const answers = await Promise.all(Array.from({ length: 12 }, () => booth.shoot()));
  const accepted = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201).map(codeOf);
  assert.equal(accepted.length, 5);
  assert.deepEqual(new Set(refused.map(String)), new Set(['402,EVENT_BUDGET_SPENT']));
  const full = await readEvent(booth.id);
  assert.deepEqual([full.spent, full.state, await account.credits()], [5, 'budget_spent', balance - 5]);
  open();
  for (const { body } of accepted) assert.equal((await booth.wait(body.id)).body.status, 'FAILED');
  const empty = await readEvent(booth.id);
  assert.deepEqual([empty.spent, empty.state, await account.credits()], [0, 'open', balance]);

  // A failed job leaves the guest the picture and takes one of the tries.
  const guest = randomUUID();
  for (const left of [3, 2, 1, 0]) {
    const { body } = await booth.shoot({ guest });
    assert.equal(body.pictures_left, Math.min(2, left), `${left}`);
    await booth.wait(body.id);
  }
  assert.deepEqual(codeOf(await booth.shoot({ guest })), [429, 'GUEST_LIMIT_REACHED']);
  assert.equal((await readEvent(booth.id)).spent, 0);
});

test('guests are told why an event does not serve them, and nothing of the account', async () => {
  const poor = await server.account(0);
  const refusals: [Record<string, unknown>, number, string][] = [
    [{ starts_at: inHours(1) }, 403, 'EVENT_NOT_BEGUN'],
    [{ starts_at: inHours(-2), ends_at: inHours(-1) }, 410, 'EVENT_ENDED'],
    [{ paused: true }, 503, 'EVENT_PAUSED'],
    [{ budget: 0 }, 402, 'EVENT_BUDGET_SPENT'],
  ];
  for (const [wanted, status, code] of refusals) {
    const answer = await (await makeEvent(wanted)).shoot();
    assert.deepEqual(codeOf(answer), [status, code]);
    assert.doesNotMatch(answer.body.error, /credit|account|budget/i);
  }
  assert.deepEqual(codeOf(await (await makeEvent({}, poor)).shoot()), [503, 'EVENT_PAUSED']);
  const booth = await makeEvent();
  await account.call('PATCH', `${events}/${booth.id}`, { closed: true });
  assert.deepEqual(codeOf(await booth.shoot()), [410, 'EVENT_ENDED']);
});

test('in safe mode booths show the safe offer and everything is made with it', async () => {
  const safe = { id: 'plain', kind: 'single', filter_id: 2, labels: { en: 'Plain' } };
  const booth = await makeEvent({ offers: [astronaut, safe], safe_offer: 'plain' });
  await account.call('PATCH', `${events}/${booth.id}`, { safe_mode: true });
  const { offers } = (await booth.call('GET', '/v1/booth')).body;
  assert.deepEqual(
    offers.map(({ id }: { id: string }) => id),
    ['plain'],
  );
  const { body } = await booth.shoot({ offer_id: 'astronaut' });
  assert.equal((await booth.wait(body.id)).body.offer_id, 'plain');
});

test('a booth reports, learns how the event is, and is listed with its last sign of life and the work that waits', async () => {
  const safe = { id: 'plain', kind: 'single', filter_id: 2, labels: {} };
  const booth = await makeEvent({ offers: [astronaut, safe], safe_offer: 'plain', budget: 5 });
  const path = `${events}/${booth.id}`;
  const station = randomUUID();
  const report = (body: Record<string, unknown> = {}) =>
    booth.call('POST', '/v1/booth/station', { station, name: 'Foyer', ...body });
  const first = await report({ waiting_photos: 3, prints: 1, page_version: '1.0' });
  const { updated_at } = await readEvent(booth.id);
  const open = { state: 'open', paused: false, safe_mode: false, consent_version: 1, updated_at };
  assert.deepEqual([first.status, first.body], [200, open]);
  await account.call('PATCH', path, { paused: true, safe_mode: true });
  const second = (await report({ name: 'Hall', prints: 4 })).body;
  assert.deepEqual([second.state, second.paused, second.safe_mode], ['paused', true, true]);
  assert.deepEqual(codeOf(await report({ station: 'left' })), [422, 'VALIDATION_ERROR']);
  assert.deepEqual(codeOf(await report({ prints: -1 })), [422, 'VALIDATION_ERROR']);
  await account.call('PATCH', path, { paused: false, safe_mode: false });

  const made = await booth.shoot();
  await booth.wait(made.body.id);
  const { work, open: openDoor } = door();
  server.engine.before = work;
  await booth.shoot();
  const another = { station: randomUUID(), name: 'Foyer' };
  await booth.call('POST', '/v1/booth/station', another);
  const { stations, progress } = (await account.call('GET', `${path}/stations`)).body;
  openDoor();
  assert.deepEqual(
    stations.map(({ name, waiting_photos, prints, is_silent }: Record<string, unknown>) => [
      name,
      waiting_photos,
      prints,
      is_silent,
    ]),
    [
      ['Foyer', 0, 0, false],
      ['Hall', 0, 4, false],
    ],
  );
  assert.ok(stations[1].first_seen_at <= stations[1].last_seen_at);
  assert.deepEqual([progress.completed, progress.waiting + progress.running, progress.failed], [1, 1, 0]);
  assert.ok(progress.usual_ms >= 0);
  const stranger = await server.account();
  assert.deepEqual(codeOf(await stranger.call('GET', `${path}/stations`)), [404, 'EVENT_NOT_FOUND']);
});

test('an event is exported as a folder; erased, it leaves nothing of its guests, and its receipt says what there was', async () => {
  const consent = { version: 1, language: 'en', answers: { 'marker-of-the-guests': true } };
  const asked = [{ id: 'marker-of-the-guests', labels: { en: 'Yes' } }];
  const booth = await makeEvent({ texts, questions: asked });
  const guestRefs = [randomUUID(), randomUUID()];
  const done = await booth.shoot({ guest: guestRefs[0], consent });
  assert.equal((await booth.wait(done.body.id)).body.status, 'COMPLETED');

  const folder = join(server.config.dataDir, 'exported');
  const words = ['events', 'export', booth.id, folder, '--json'];
  const { stdout } = await guiseInProcess(server.env, ...words);
  assert.deepEqual(JSON.parse(stdout), { event: 'Gala', jobs: 1, pictures: 1, consents: 1 });
  const [file] = readdirSync(join(folder, 'pictures'));
  assert.deepEqual(readFileSync(join(folder, 'pictures', file!)), tinyPng);
  assert.match(
    readFileSync(join(folder, 'jobs.csv'), 'utf8'),
    new RegExp(`${done.body.id},.*completed,1,pictures/`),
  );
  assert.match(readFileSync(join(folder, 'consents.csv'), 'utf8'), /,1,en,"{""marker-of-the-guests"":true}"/);
  assert.equal(
    JSON.parse(readFileSync(join(folder, 'consent-texts.json'), 'utf8'))[0].texts.en,
    texts.en.consent,
  );
  await assert.rejects(guiseInProcess(server.env, ...words), /is not empty/);

  const { work, open } = door();
  server.engine.before = work;
  const liveKey = randomUUID();
  const live = await booth.shoot({ guest: guestRefs[1], consent }, { 'idempotency-key': liveKey });
  await until(
    async () => (await booth.call('GET', `/v1/booth/jobs/${live.body.id}`)).body.status === 'RUNNING',
  );
  const station = randomUUID();
  await booth.call('POST', '/v1/booth/station', { station, name: 'Foyer' });
  // On PostgreSQL, deleted rows go when the server vacuums.
  if (server.config.databaseUrl === '') assert.notDeepEqual(holding(guestRefs[0]!), []);
  const path = `${events}/${booth.id}`;
  assert.deepEqual(codeOf(await account.call('DELETE', path)), [409, 'EVENT_NOT_ERASED']);

  const erased = await account.call('POST', `${path}/erase`);
  open();
  assert.equal(erased.status, 200, JSON.stringify(erased.body));
  const { jobs, results, photos, consents, guests, stations, keys_revoked, job_ids, remaining } = erased.body;
  assert.deepEqual(
    { jobs, results, photos, consents, guests, stations, keys_revoked },
    { jobs: 2, results: 1, photos: 1, consents: 2, guests: 2, stations: 1, keys_revoked: 1 },
  );
  assert.deepEqual(new Set(job_ids), new Set([done.body.id, live.body.id]));
  const nothing = { jobs: 0, consents: 0, guests: 0, stations: 0, prints: 0, mails: 0, files: 0 };
  assert.deepEqual(remaining, nothing);
  assert.deepEqual((await account.call('POST', `${path}/erase`)).body, erased.body);
  assert.equal((await booth.shoot()).status, 401);
  assert.deepEqual(codeOf(await guestCall(done.body.guest_token, 'GET', '/v1/guest')), [
    404,
    'GUEST_NOT_FOUND',
  ]);
  assert.deepEqual(codeOf(await account.call('GET', `/v1/jobs/${done.body.id}`)), [404, 'JOB_NOT_FOUND']);
  assert.equal((await account.call('DELETE', path)).status, 204);

  await until(async () =>
    (await server.blobKeys()).every((key) => !job_ids.some((id: string) => key.includes(id))),
  );
  for (const marker of [...guestRefs, station, liveKey]) assert.deepEqual(holding(marker), []);
});

test('a key with a budget makes no events, which would spend more for it', async () => {
  const limited = await account.call('POST', '/v1/keys', { name: 'small', budget: 5 });
  const headers = { 'x-api-key': limited.body.secret };
  const body = { name: 'Gala', starts_at: inHours(0), ends_at: inHours(2) };
  assert.deepEqual(codeOf(await account.call('POST', events, body, headers)), [403, 'KEY_LIMITED']);
});

test('a booth is offered what the rest of the budget pays for, and says so when that is nothing', async () => {
  const band = { id: 'band', kind: 'group', filter_id: 3, labels: { en: 'Band' } };
  const booth = await makeEvent({ offers: [astronaut, band], budget: 6 });
  const shown = async () => {
    const { state, offers } = (await booth.call('GET', '/v1/booth')).body;
    return [state, offers.map(({ id }: { id: string }) => id).join()];
  };
  assert.deepEqual(await shown(), ['open', 'astronaut,band']);
  // A group costs 3 credits, one person 1.
  await booth.wait((await booth.shoot({ offer_id: 'band' })).body.id);
  await booth.wait((await booth.shoot()).body.id);
  assert.deepEqual(await shown(), ['open', 'astronaut']);
  assert.deepEqual(codeOf(await booth.shoot({ offer_id: 'band' })), [402, 'EVENT_BUDGET_SPENT']);
  await account.call('PATCH', `${events}/${booth.id}`, { offers: [band] });
  assert.deepEqual(await shown(), ['budget_spent', '']);
  await account.call('PATCH', `${events}/${booth.id}`, { budget: 7 });
  assert.deepEqual(await shown(), ['open', 'band']);
});

test('the gallery is asked for by itself: a yes to the wall is none to the gallery', async () => {
  const booth = await makeEvent({ texts, questions, wall: 'all', gallery: 'link' });
  const asked = (await booth.call('GET', '/v1/booth')).body;
  assert.deepEqual(
    asked.questions.map(({ id, required }: { id: string; required: boolean }) => [id, required]),
    [
      ['age', true],
      ['wall', false],
      ['gallery', false],
    ],
  );
  assert.ok(asked.questions[2].labels.en && asked.questions[2].labels.de);
  const agreed = async (answers: Record<string, boolean>) => {
    const consent = { version: asked.consent_version, language: 'en', answers: { age: true, ...answers } };
    const { id } = (await booth.shoot({ consent })).body;
    await booth.wait(id);
    const { jobs } = (await account.call('GET', `${events}/${booth.id}/jobs`)).body;
    const job = jobs.find((entry: { id: string }) => entry.id === id);
    return [job.consent.answers, job.may_show];
  };
  assert.deepEqual(await agreed({ wall: true }), [
    { age: true, wall: true },
    { wall: true, gallery: false },
  ]);
  assert.deepEqual((await agreed({ wall: false, gallery: true }))[1], { wall: false, gallery: true });
  // Where the gallery is switched on later, those who were asked about the wall alone have not agreed to it.
  const later = await makeEvent({ texts, questions, wall: 'all' });
  const consent = { version: 1, language: 'en', answers: { age: true, wall: true } };
  const { id } = (await later.shoot({ consent })).body;
  await account.call('PATCH', `${events}/${later.id}`, { gallery: 'link' });
  const { jobs } = (await account.call('GET', `${events}/${later.id}/jobs`)).body;
  assert.deepEqual([jobs[0].id, jobs[0].may_show], [id, { wall: true, gallery: false }]);
});

test('a consent is not older than its text: a booth with a wrong clock has the time of the server', async () => {
  const booth = await makeEvent({ texts, questions });
  const began = Date.now();
  const given = async (given_at: string) => {
    const consent = { version: 1, language: 'en', answers: { age: true }, given_at };
    const { id } = (await booth.shoot({ consent })).body;
    const { jobs } = (await account.call('GET', `${events}/${booth.id}/jobs`)).body;
    return Date.parse(jobs.find((entry: { id: string }) => entry.id === id).consent.given_at);
  };
  assert.ok((await given('2020-01-01T00:00:00Z')) >= began);
  assert.ok((await given(inHours(2))) <= Date.now());
  const own = new Date().toISOString();
  assert.equal(await given(own), Date.parse(own));
});

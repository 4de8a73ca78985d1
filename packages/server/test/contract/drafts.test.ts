import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { AliasDraft } from '@guise/contract/aliases.ts';
import type { EventDraft } from '@guise/contract/events/event-drafts.ts';
import { cannotMake } from '../../src/engines/engine.ts';
import {
  type Answer,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../support/harness.ts';
import { door } from '../support/test-engine.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer({ testsPerMinute: 0, runsPerMinute: 0 });
  server.engine.quality = { grade: 'good', reasons: [] };
  account = await server.account();
});
after(() => server.stop());

const codeOf = ({ status, body }: Answer) => [status, body.error_code];
const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();

async function makeFilter(name: string, filter_type = 'face_swap'): Promise<string> {
  const definition = { kind: 'scene', scene: 'alpine-lake' };
  const body = { name, filter_type, definition };
  return (await account.call('POST', '/v1/users/me/my-custom-filters', body)).body.id;
}

// Slots.

async function makeAlias(filter: string): Promise<string> {
  return (await account.call('POST', '/api/alias/', { ai_filter: filter, project: 'Gala' })).body.id;
}
const aliasPath = (id: string) => `/v1/aliases/${id}`;
const checkedAlias = (id: string) =>
  until(async () => {
    const { body } = await account.call('GET', `${aliasPath(id)}/draft`);
    return body.outcome !== 'waiting' && (body as AliasDraft);
  });

test('an alias goes on with its filter while a draft is saved and checked; then the draft goes live, and back', async () => {
  const [lake, lights] = [await makeFilter('Lake'), await makeFilter('Lights')];
  const id = await makeAlias(lake);
  const credits = await account.credits();
  const before = await account.call('GET', aliasPath(id));
  assert.equal(before.body.draft, null);
  const saved = await account.call('PUT', `${aliasPath(id)}/draft`, { ai_filter: lights, based_on: null });
  assert.deepEqual([saved.status, saved.body.ai_filter, saved.body.number], [200, lights, 1]);
  const draft = await checkedAlias(id);
  assert.equal(draft.outcome, 'passed');
  assert.deepEqual(
    draft.checks.map(({ kind, photo: name, outcome }) => [kind, name, outcome]),
    [
      ['slot', null, 'passed'],
      ['definition', null, 'passed'],
      ['engine', null, 'passed'],
      ['photo', 'One person', 'passed'],
      ['photo', 'Man', 'passed'],
    ],
  );
  assert.equal((await fetch(draft.checks.at(-1)!.picture_url!)).status, 200);
  const meanwhile = await account.call('GET', `/api/alias/${id}/`);
  const { draft: shown, ...rest } = meanwhile.body;
  const { draft: _none, ...untouched } = before.body;
  assert.deepEqual(rest, untouched, 'a draft changes nothing of what booths read');
  assert.deepEqual([shown.ai_filter, shown.number], [lights, 1]);
  assert.equal(meanwhile.headers.get('etag'), before.headers.get('etag'));
  assert.equal(await account.credits(), credits, 'checks cost nothing');

  const second = await account.call('PUT', `${aliasPath(id)}/draft`, { ai_filter: lake, based_on: null });
  assert.deepEqual(codeOf(second), [412, 'CHANGED_ELSEWHERE']);
  const live = (number: number, headers = {}) =>
    account.call('POST', `${aliasPath(id)}/draft/live`, { number }, headers);
  assert.deepEqual(codeOf(await live(2)), [412, 'CHANGED_ELSEWHERE']);
  assert.deepEqual(codeOf(await live(1, { 'if-match': '"9"' })), [412, 'CHANGED_ELSEWHERE']);
  const done = await live(1, { 'if-match': before.headers.get('etag')! });
  assert.deepEqual([done.status, done.body.ai_filter, done.body.draft], [200, lights, null]);
  assert.equal(done.body.history.at(-1).ai_filter_id, lake);
  assert.deepEqual(codeOf(await live(1)), [404, 'NOT_FOUND']);
  const undone = await account.call('POST', `${aliasPath(id)}/undo`);
  assert.equal(undone.body.ai_filter, lake);
});

test('a PATCH of an alias goes live at once and leaves its draft; a draft is put away', async () => {
  const [lake, lights, hall] = [await makeFilter('A'), await makeFilter('B'), await makeFilter('C')];
  const id = await makeAlias(lake);
  await account.call('PUT', `${aliasPath(id)}/draft`, { ai_filter: lights });
  const patched = await account.call('PATCH', `/api/alias/${id}/`, { ai_filter: hall });
  assert.deepEqual(
    [patched.status, patched.body.ai_filter, patched.body.draft.ai_filter],
    [200, hall, lights],
  );
  assert.equal((await account.call('DELETE', `${aliasPath(id)}/draft`)).status, 204);
  const read = await account.call('GET', aliasPath(id));
  assert.deepEqual([read.body.ai_filter, read.body.draft], [hall, null]);
  assert.deepEqual(codeOf(await account.call('GET', `${aliasPath(id)}/draft`)), [404, 'NOT_FOUND']);
});

test('a draft that puts a group filter into a slot for one person says so, and one that makes nothing does not go live', async () => {
  const [lake, party, broken] = [
    await makeFilter('Lake'),
    await makeFilter('Party', 'multi_swap'),
    await makeFilter('Broken'),
  ];
  const id = await makeAlias(lake);
  await account.call('PUT', `${aliasPath(id)}/draft`, { ai_filter: party });
  const warned = await checkedAlias(id);
  assert.equal(warned.outcome, 'warned');
  assert.match(warned.checks[0]!.sentences[0]!, /slot is for one person, and this filter is for groups/);

  server.engine.before = async () => {
    throw cannotMake('No face was found in the photo.');
  };
  await account.call('PUT', `${aliasPath(id)}/draft`, { ai_filter: broken });
  const failed = await checkedAlias(id);
  server.engine.before = async () => {};
  assert.equal(failed.outcome, 'failed');
  const body = { number: failed.number, unchecked: true };
  const refused = await account.call('POST', `${aliasPath(id)}/draft/live`, body);
  assert.deepEqual(codeOf(refused), [409, 'CHECKS_FAILED']);
  assert.equal((await account.call('GET', aliasPath(id))).body.ai_filter, lake);
  await account.call('POST', `${aliasPath(id)}/draft/check`);
  assert.equal((await checkedAlias(id)).outcome, 'passed', 'checked anew');
  await account.call('DELETE', `/v1/users/me/my-custom-filters/${broken}?force=true`);
  const gone = (await account.call('GET', `${aliasPath(id)}/draft`)).body;
  assert.deepEqual([gone.outcome, gone.checks[0].sentences], ['failed', ['The filter was deleted.']]);
});

test('a draft of the filter that is live already is put away by going live', async () => {
  const lake = await makeFilter('Lake');
  const id = await makeAlias(lake);
  await account.call('PUT', `${aliasPath(id)}/draft`, { ai_filter: lake });
  await checkedAlias(id);
  const live = await account.call('POST', `${aliasPath(id)}/draft/live`, { number: 1 });
  assert.deepEqual([live.status, live.body.ai_filter, live.body.draft], [200, lake, null]);
});

test('a filter that is edited while a draft of an alias names it is checked anew', async () => {
  const [lake, lights] = [await makeFilter('Lake'), await makeFilter('Lights')];
  const id = await makeAlias(lake);
  await account.call('PUT', `${aliasPath(id)}/draft`, { ai_filter: lights });
  await checkedAlias(id);
  await account.call('PATCH', `/v1/users/me/my-custom-filters/${lights}`, { name: 'Northern lights' });
  const { outcome, checks } = await checkedAlias(id);
  assert.equal(outcome, 'passed');
  assert.ok(checks.some(({ kind }) => kind === 'photo'));
});

// Events.

const offer = (id: string, filter_id: string | number) => ({
  id,
  kind: 'single',
  filter_id,
  labels: { en: id },
});
const textsOf = (welcome: string, consent: string) => ({ en: { welcome, consent, thanks: '' } });

async function makeEvent(wanted: object = {}): Promise<{ id: string; key: string; etag: string }> {
  const made = await account.call('POST', '/v1/events', {
    name: 'Gala',
    starts_at: inHours(-1),
    ends_at: inHours(5),
    offers: [offer('old', 1)],
    texts: textsOf('Old', 'I agree.'),
    ...wanted,
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = made.body;
  const key = (await account.call('POST', `/v1/events/${id}/keys`, { name: 'tablet' })).body.secret;
  return { id, key, etag: made.headers.get('etag')! };
}
const eventPath = (id: string) => `/v1/events/${id}`;
const save = (id: string, change: object, more: object = {}) =>
  account.call('PUT', `${eventPath(id)}/draft`, { change, ...more });
const live = (id: string, number: number, headers = {}) =>
  account.call('POST', `${eventPath(id)}/draft/live`, { number }, headers);
const draftOf = async (id: string) =>
  (await account.call('GET', `${eventPath(id)}/draft`)).body as EventDraft;
const atBooth = (key: string, method: string, path: string, body?: unknown) =>
  request(server.url, method, path, body, { 'x-api-key': key });

test('an event goes on as it is while a draft is saved and checked; then all of it goes live, and back', async () => {
  const filter = await makeFilter('Lake');
  const event = await makeEvent();
  const change = {
    offers: [offer('new', filter), offer('two', 2)],
    texts: textsOf('New', 'I agree to the new text.'),
    branding: { accent: '#123456' },
  };
  const { work, open, reached } = door();
  server.engine.before = work;
  const saved = await save(event.id, change, { based_on: null });
  assert.deepEqual([saved.status, saved.body.draft.number, saved.body.can_undo], [200, 1, false]);
  assert.equal(saved.headers.get('etag'), event.etag);
  const booth = async () => (await atBooth(event.key, 'GET', '/v1/booth')).body;
  const before = await booth();
  assert.deepEqual([before.offers[0].id, before.texts.en.welcome], ['old', 'Old']);
  assert.deepEqual(codeOf(await save(event.id, {}, { based_on: null })), [412, 'CHANGED_ELSEWHERE']);
  assert.deepEqual(codeOf(await live(event.id, 1)), [409, 'CHECKS_WAITING']);
  await reached;
  open();
  server.engine.before = async () => {};

  const draft = await until(async () => {
    const read = await draftOf(event.id);
    return read.outcome !== 'waiting' && read;
  });
  assert.deepEqual(draft.change, {
    ...change,
    offers: change.offers.map((one) => ({ ...one, shots: 1, variations: [] })),
  });
  assert.deepEqual(
    draft.checks.map(({ kind, photo: name }) => [kind, name]),
    [
      ['event', null],
      ['offers', null],
      ['overlays', null],
      ['labels', null],
      ['budget', null],
      ['filter', 'Lake'],
    ],
  );
  assert.equal((await fetch(draft.checks.at(-1)!.picture_url!)).status, 200);
  assert.equal(draft.outcome, 'warned', 'there is no safe offer');

  const done = await live(event.id, 1, { 'if-match': event.etag });
  assert.deepEqual([done.status, done.body.draft, done.body.can_undo], [200, null, true]);
  const after = await booth();
  assert.deepEqual(
    [after.offers.map(({ id }: { id: string }) => id), after.texts.en.welcome, after.consent_version],
    [['new', 'two'], 'New', 2],
  );
  // What the evening switched meanwhile stays when the change is taken back.
  await account.call('PATCH', eventPath(event.id), { paused: true });
  const undone = await account.call('POST', `${eventPath(event.id)}/undo`);
  assert.deepEqual(
    [undone.body.offers[0].id, undone.body.texts.en.welcome, undone.body.branding, undone.body.paused],
    ['old', 'Old', {}, true],
  );
  const redone = await account.call('POST', `${eventPath(event.id)}/undo`);
  assert.equal(redone.body.offers[0].id, 'new', 'done twice, it is where it was');
  await account.call('PATCH', eventPath(event.id), { texts: textsOf('Theirs', '') });
  const late = await account.call('POST', `${eventPath(event.id)}/undo`);
  assert.deepEqual(codeOf(late), [412, 'CHANGED_ELSEWHERE']);
});

test('a PATCH of an event goes live at once; the draft keeps its own fields, and its password is never shown', async () => {
  const event = await makeEvent();
  await save(event.id, { name: 'Evening', gallery: 'password', gallery_password: 'opensesame' });
  const patched = await account.call('PATCH', eventPath(event.id), { name: 'Matinee', budget: 50 });
  assert.deepEqual([patched.body.name, patched.body.draft.number], ['Matinee', 1]);
  // A later save does not send the password again.
  await save(event.id, { name: 'Evening', gallery: 'password' }, { based_on: 1 });
  const draft = await draftOf(event.id);
  assert.deepEqual(
    [draft.change, draft.has_gallery_password],
    [{ name: 'Evening', gallery: 'password' }, true],
  );
  assert.ok(!JSON.stringify(draft).includes('opensesame'));
  const done = await live(event.id, 2);
  assert.deepEqual([done.body.name, done.body.budget, done.body.gallery], ['Evening', 50, 'password']);
  const { body: undone } = await account.call('POST', `${eventPath(event.id)}/undo`);
  assert.deepEqual([undone.name, undone.budget, undone.gallery], ['Matinee', 50, 'off']);
  assert.deepEqual(codeOf(await account.call('POST', `${eventPath((await makeEvent()).id)}/undo`)), [
    409,
    'NOTHING_TO_UNDO',
  ]);
});

test('a draft that no event could have is saved as it was typed, says why, and does not go live', async () => {
  const event = await makeEvent();
  for (const [change, sentence] of [
    [{ ends_at: inHours(-2) }, 'ends_at: must be after starts_at.'],
    [{ offers: [offer('gone', randomUUID())] }, /^Offer gone: /],
    [{ safe_offer: 'nobody' }, 'safe_offer: must be the id of an offer.'],
  ] as const) {
    const { body } = await save(event.id, change);
    const draft = await draftOf(event.id);
    assert.equal(draft.outcome, 'failed');
    const said = draft.checks[0]!.sentences[0]!;
    if (typeof sentence === 'string') assert.equal(said, sentence);
    else assert.match(said, sentence);
    const refused = await live(event.id, body.draft.number);
    assert.deepEqual(codeOf(refused), [409, 'CHECKS_FAILED']);
    assert.ok(refused.body.error.includes(said));
  }
  const { body } = await save(event.id, {});
  assert.equal(body.draft, null, 'a change of nothing is no draft');
  await save(event.id, { name: 'Again' });
  assert.equal((await account.call('DELETE', `${eventPath(event.id)}/draft`)).status, 204);
  assert.equal((await account.call('GET', eventPath(event.id))).body.draft, null);
});

test('booths in the middle of calls get the old or the new event, never parts of both', async () => {
  const event = await makeEvent();
  const change = { offers: [offer('new', 2)], texts: textsOf('New', 'I agree to more.') };
  let isDone = false;
  const seen = new Set<string>();
  const read = async () => {
    while (!isDone) {
      const { body } = await atBooth(event.key, 'GET', '/v1/booth');
      seen.add([body.offers[0].id, body.texts.en.welcome, body.texts.en.consent].join(' | '));
    }
  };
  const shoot = async () => {
    while (!isDone) {
      const body = {
        guest: randomUUID(),
        offer_id: 'old',
        image: photo,
        consent: { version: 1, language: 'en' },
      };
      const { status, body: answer } = await atBooth(event.key, 'POST', '/v1/booth/jobs', body);
      if (status >= 400) assert.equal(answer.error_code, 'OFFER_NOT_FOUND');
    }
  };
  const readers = [read(), read(), shoot()];
  await save(event.id, change);
  const { number } = await draftOf(event.id);
  for (let turn = 0; turn < 12; turn++) {
    const done =
      turn === 0 ? await live(event.id, number) : await account.call('POST', `${eventPath(event.id)}/undo`);
    assert.equal(done.status, 200, JSON.stringify(done.body));
  }
  isDone = true;
  await Promise.all(readers);
  assert.deepEqual([...seen].toSorted(), ['new | New | I agree to more.', 'old | Old | I agree.']);
});

test('a draft of an event that adds many filters is checked in the end', async () => {
  const { id } = await makeEvent();
  const filters = await Promise.all(Array.from({ length: 12 }, (_, at) => makeFilter(`Filter ${at}`)));
  await save(id, { offers: filters.map((filter, at) => offer(`offer${at}`, filter)) });
  const draft = await until(async () => {
    const read = await draftOf(id);
    return read.outcome !== 'waiting' && read;
  });
  const outcomes = draft.checks.filter(({ kind }) => kind === 'filter').map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, Array(12).fill('passed'));
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { unbalancedAccounts } from '../../src/store/ledger-records.ts';
import { findQuickTestLink } from '../../src/store/qa/quick-test-records.ts';
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
  // Every guest comes from an address of its own, so that the limit of one does not end the tests.
  server = await startTestServer({ trustedProxies: ['127.0.0.1'] });
  account = await server.account();
});
afterEach(() => {
  server.engine.before = async () => {};
});
after(() => server.stop());

const links = '/v1/quick_test_links';
const filters = '/v1/users/me/my-custom-filters';
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

async function makeFilter(filter_type = 'face_swap', owner = account): Promise<string> {
  const { body } = await owner.call('POST', filters, {
    name: 'Snow',
    filter_type,
    definition: { kind: 'prompt', prompt: 'in the snow' },
  });
  return body.id;
}

interface Link {
  id: string;
  filter_id: string;
  token: string;
}

async function makeLink(wanted: Record<string, unknown> = {}, owner = account): Promise<Link> {
  const filter_id = (wanted.filter_id as string | undefined) ?? (await makeFilter('face_swap', owner));
  const made = await owner.call('POST', links, { filter_id, runs: 5, expires_at: tomorrow(), ...wanted });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return { id: made.body.id, filter_id, token: made.body.url.split('/studio/quick-test/')[1] };
}

let addresses = 0;
const nextAddress = () => `198.51.100.${++addresses}`;

/** A guest with a browser of its own. */
function guestOf(token: string, address = nextAddress()) {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    request(server.url, method, path, body, {
      'x-quick-test': token,
      'x-forwarded-for': address,
      ...headers,
    });
  return {
    call,
    look: () => call('GET', '/v1/quick_test'),
    run: (body: Record<string, unknown> = {}) =>
      call('POST', '/v1/quick_test/runs', { image: photo, ...body }),
    wait: (id: string) => call('GET', `/v1/quick_test/runs/${id}`, undefined, { prefer: 'wait=10' }),
  };
}

const codeOf = ({ status, body }: Answer) => [status, body.error_code];

test('a guest without an account sees the filter, runs it on a photo and gets a picture; the owner pays', async () => {
  const { id, token } = await makeLink({ name: 'For Acme', runs: 2 });
  const guest = guestOf(token);
  const balance = await account.credits();
  const shown = await guest.look();
  assert.equal(shown.status, 200);
  assert.deepEqual(Object.keys(shown.body), [
    'name',
    'filter',
    'runs_left',
    'expires_at',
    'genders',
    'ratios',
  ]);
  assert.deepEqual([shown.body.name, shown.body.filter.name, shown.body.runs_left], ['For Acme', 'Snow', 2]);
  assert.deepEqual(
    shown.body.genders.map(({ value }: { value: number }) => value),
    [0, 1, 2, 3],
  );
  const started = await guest.run({ gender: 1, ratio: 'square' });
  assert.equal(started.status, 201);
  assert.deepEqual(Object.keys(started.body), ['id']);
  const run = await guest.wait(started.body.id);
  assert.deepEqual([run.body.status, run.body.progress, run.body.error], ['COMPLETED', 1, null]);
  const picture = await fetch(run.body.image_url);
  assert.equal(picture.headers.get('content-type'), 'image/png');
  assert.deepEqual(Buffer.from(await picture.bytes()), tinyPng);
  assert.equal(await account.credits(), balance - 2);
  assert.equal((await guest.look()).body.runs_left, 1);
  const { body } = await account.call('GET', `${links}/${id}`);
  assert.deepEqual([body.runs_used, body.state], [1, 'valid']);
  assert.ok(body.last_used);
  const asked = server.engine.requests.find(({ jobId }) => jobId === started.body.id);
  assert.ok(asked?.family === 'face_swap_v6' && asked.params.gender === 1 && asked.params.ratio === 'square');
});

test('a link of a multi swap filter offers neither genders nor shapes', async () => {
  const { token } = await makeLink({ filter_id: await makeFilter('multi_swap') });
  const { body } = await guestOf(token).look();
  assert.deepEqual([body.genders, body.ratios], [[], []]);
});

test('the token is shown once and stored only as a hash', async () => {
  const { id, token } = await makeLink();
  const row = await server.db.one(findQuickTestLink, { id, account_id: account.id });
  assert.ok(!JSON.stringify(row).includes(token));
  assert.ok(!JSON.stringify((await account.call('GET', links)).body).includes(token));
  const key = { 'idempotency-key': 'link-1' };
  const wanted = { filter_id: await makeFilter(), runs: 1, expires_at: tomorrow() };
  const [first, second] = [
    await account.call('POST', links, wanted, key),
    await account.call('POST', links, wanted, key),
  ];
  assert.equal(second.body.id, first.body.id);
  assert.ok(first.body.url && second.body.url === null);
});

test('of runs that are submitted at once beyond the count, exactly as many as the link has are accepted and charged', async () => {
  const { work, open } = door();
  server.engine.before = work;
  const { token } = await makeLink({ runs: 3 });
  const balance = await account.credits();
  const answers = await Promise.all(Array.from({ length: 12 }, () => guestOf(token).run()));
  const accepted = answers.filter(({ status }) => status === 201);
  assert.equal(accepted.length, 3);
  for (const refused of answers.filter(({ status }) => status !== 201)) {
    assert.deepEqual(codeOf(refused), [429, 'QUICK_TEST_USED_UP']);
  }
  assert.equal(await account.credits(), balance - 3);
  const guest = guestOf(token);
  assert.equal((await guest.look()).body.runs_left, 0);
  open();
  for (const { body } of accepted) assert.equal((await guest.wait(body.id)).body.status, 'COMPLETED');
  // A photo is removed just after the end of its job is seen.
  await until(async () => !(await server.blobKeys()).some((key) => key.startsWith('inputs/')));
});

test('a run that fails, or is cancelled by the owner, gives its count back, once', async () => {
  const { id, token } = await makeLink({ runs: 1 });
  const guest = guestOf(token);
  const sentence = 'There is no face in this photo.';
  server.engine.before = async () => {
    throw new AppError('ENGINE_REFUSED', sentence);
  };
  const failed = (await guest.run()).body.id;
  const shown = (await guest.wait(failed)).body;
  assert.deepEqual([shown.status, shown.error, shown.image_url], ['FAILED', sentence, null]);
  assert.equal((await guest.look()).body.runs_left, 1);
  const { work } = door();
  server.engine.before = work;
  const cancelled = (await guest.run()).body.id;
  assert.deepEqual(codeOf(await guest.run()), [429, 'QUICK_TEST_USED_UP']);
  await Promise.all([1, 2, 3].map(() => account.call('POST', `/v1/jobs/${cancelled}/cancel`)));
  assert.equal((await account.call('GET', `${links}/${id}`)).body.runs_used, 0);
  server.engine.before = async () => {};
  const last = (await guest.run()).body.id;
  const listed = (await account.call('GET', `/v1/jobs/${last}`)).body;
  assert.deepEqual([listed.key_id, listed.quick_test_link_id], [null, id]);
  const usage = (await account.call('GET', '/v1/usage?by=key')).body.rows;
  assert.equal(usage.find(({ key }: { key: string | null }) => key === id)?.cancelled, 1);
  assert.equal((await guest.wait(last)).body.status, 'COMPLETED');
  // Erasing a job that has succeeded returns nothing.
  await account.call('DELETE', `/v1/jobs/${last}`);
  assert.deepEqual((await guest.wait(last)).body.status, 'EXPIRED');
  assert.equal((await account.call('GET', `${links}/${id}`)).body.state, 'used_up');
});

test('guessed, mangled and missing tokens find nothing, and guessing from one address is stopped', async () => {
  const { token } = await makeLink();
  const guesses = [
    '',
    'x',
    token.slice(0, -1),
    `${token}A`,
    token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
    "' or 1=1 --",
    '%00',
    randomBytes(32).toString('base64url'),
  ];
  for (const guess of guesses) {
    assert.deepEqual(codeOf(await guestOf(guess).look()), [404, 'QUICK_TEST_NOT_FOUND']);
    assert.deepEqual(codeOf(await guestOf(guess).run()), [404, 'QUICK_TEST_NOT_FOUND']);
  }
  assert.equal((await request(server.url, 'GET', '/v1/quick_test')).status, 404);
  // An account's key is no token, and a token no key.
  assert.equal((await guestOf(account.api_key).look()).status, 404);
  assert.equal((await request(server.url, 'GET', '/v1/jobs', undefined, { 'x-api-key': token })).status, 401);
  const address = nextAddress();
  const guess = () => guestOf(randomBytes(32).toString('base64url'), address).run();
  const answers = await Promise.all(Array.from({ length: 31 }, guess));
  assert.equal(answers.filter(({ status }) => status === 404).length, 30);
  const stopped = answers.find(({ status }) => status === 429)!;
  assert.equal(stopped.body.error_code, 'RATE_LIMITED');
  assert.ok(Number(stopped.headers.get('retry-after')) > 0);
  // Also with the right token, and not for anybody else.
  assert.equal((await guestOf(token, address).run()).status, 429);
  assert.equal((await guestOf(token).look()).status, 200);
});

test('addresses of one IPv6 network share their limit', async () => {
  const { token } = await makeLink();
  const guess = (i: number) => guestOf('x', `2001:db8:7:7::${i.toString(16)}`).run();
  await Promise.all(Array.from({ length: 30 }, (_, i) => guess(i + 1)));
  assert.equal((await guestOf(token, '2001:db8:7:7:aaaa::1').run()).status, 429);
  assert.equal((await guestOf(token, '2001:db8:7:8::1').run()).status, 201);
});

test('a guest sees runs of its own link alone, and nothing of the account', async () => {
  const [mine, other] = [await makeLink(), await makeLink()];
  const { body } = await guestOf(mine.token).run();
  assert.deepEqual(codeOf(await guestOf(other.token).wait(body.id)), [404, 'QUICK_TEST_NOT_FOUND']);
  const own = await account.call('POST', '/v1/run/faceswap', { image: photo, filter_id: mine.filter_id });
  assert.deepEqual(codeOf(await guestOf(mine.token).wait(own.body.id)), [404, 'QUICK_TEST_NOT_FOUND']);
  for (const path of ['/v1/jobs', filters, links, '/v1/users/me/credits']) {
    assert.equal((await guestOf(mine.token).call('GET', path)).status, 401);
  }
});

test('an expired link answers QUICK_TEST_ENDED, but who started a run before still sees its picture', async () => {
  const { work, open } = door();
  server.engine.before = work;
  const { id, token } = await makeLink();
  const guest = guestOf(token);
  const started = (await guest.run()).body.id;
  // A time that has passed when the request arrives is refused.
  const expireIn = (ms: number) =>
    account.call('PATCH', `${links}/${id}`, { expires_at: new Date(Date.now() + ms).toISOString() });
  await until(async () => (await expireIn(100)).status === 200);
  await until(async () => (await guest.look()).status !== 200);
  assert.deepEqual(codeOf(await guest.look()), [410, 'QUICK_TEST_ENDED']);
  const late = await guest.run();
  assert.deepEqual(codeOf(late), [410, 'QUICK_TEST_ENDED']);
  assert.match(late.body.error, /expired/);
  open();
  assert.equal((await guest.wait(started)).body.status, 'COMPLETED');
  assert.equal((await account.call('GET', `${links}/${id}`)).body.state, 'expired');
});

test('a filter that is deleted meanwhile ends the link, and runs that were accepted go on', async () => {
  const { work, open } = door();
  server.engine.before = work;
  const { id, filter_id, token } = await makeLink();
  const guest = guestOf(token);
  const started = (await guest.run()).body.id;
  assert.equal((await account.call('DELETE', `${filters}/${filter_id}`)).status, 204);
  for (const answer of [await guest.look(), await guest.run()]) {
    assert.deepEqual(codeOf(answer), [410, 'QUICK_TEST_ENDED']);
    assert.match(answer.body.error, /no longer offered/);
  }
  open();
  assert.equal((await guest.wait(started)).body.status, 'COMPLETED');
  const { body } = await account.call('GET', `${links}/${id}`);
  assert.deepEqual([body.state, body.filter.name, body.runs_used], ['filter_deleted', 'Snow', 1]);
});

test('a guest is told nothing of the account’s credits, and nothing is counted where they do not suffice', async () => {
  const poor = await server.account(1);
  const { id, token } = await makeLink({}, poor);
  const guest = guestOf(token);
  const answers = await Promise.all([guest.run(), guest.run(), guest.run()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 503, 503]);
  const refused = answers.find(({ status }) => status === 503)!;
  assert.equal(refused.body.error_code, 'QUICK_TEST_PAUSED');
  assert.doesNotMatch(refused.body.error, /credit|account/);
  assert.equal((await poor.call('GET', `${links}/${id}`)).body.runs_used, 1);
  assert.deepEqual(await server.db.all(unbalancedAccounts, {}), []);
});

test('a guest’s photo is checked as every photo, and a bad one is not counted', async () => {
  const { token } = await makeLink({ runs: 1 });
  const guest = guestOf(token);
  assert.deepEqual(codeOf(await guest.run({ image: 'bm8=' })), [400, 'INVALID_IMAGE']);
  assert.deepEqual(codeOf(await guest.run({ image: 'http://localhost/a.png' })), [422, 'URL_NOT_ALLOWED']);
  assert.deepEqual(codeOf(await guest.run({ gender: 4 })), [422, 'VALIDATION_ERROR']);
  assert.equal((await guest.look()).body.runs_left, 1);
});

test('a run that is repeated with its Idempotency-Key is one run', async () => {
  const { token } = await makeLink({ runs: 5 });
  const guest = guestOf(token);
  const run = () => guest.call('POST', '/v1/quick_test/runs', { image: photo }, { 'idempotency-key': 'g-1' });
  const answers = [...(await Promise.all([run(), run(), run()])), await run()];
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  assert.equal((await guest.look()).body.runs_left, 4);
  const other = await makeLink();
  const again = guestOf(other.token).call(
    'POST',
    '/v1/quick_test/runs',
    { image: photo },
    { 'idempotency-key': 'g-1' },
  );
  assert.notEqual((await again).body.id, answers[0]!.body.id);
});

test('a key with a budget makes, changes and deletes no link: its runs would not be counted in the budget', async () => {
  const owner = await server.account(100);
  const filter_id = await makeFilter('face_swap', owner);
  const { body: key } = await owner.call('POST', '/v1/keys', { name: 'booth', budget: 4 });
  const wanted = { filter_id, runs: 100, expires_at: tomorrow() };
  const { id } = (await owner.call('POST', links, { ...wanted, runs: 1 })).body;
  for (const [method, path, body] of [
    ['POST', links, wanted],
    ['PATCH', `${links}/${id}`, { runs: 1000 }],
    ['DELETE', `${links}/${id}`, undefined],
  ] as const) {
    const answer = await owner.call(method, path, body, { 'x-api-key': key.secret });
    assert.deepEqual(codeOf(answer), [403, 'KEY_LIMITED'], method);
  }
  assert.equal((await owner.call('GET', `${links}/${id}`)).body.runs, 1);
});

test('links are listed, changed and deleted by their account alone', async () => {
  const owner = await server.account();
  const made = [await makeLink({}, owner), await makeLink({}, owner), await makeLink({}, owner)];
  const first = (await owner.call('GET', `${links}?limit=2`)).body;
  const rest = (await owner.call('GET', `${links}?limit=2&cursor=${first.next_cursor}`)).body;
  assert.deepEqual(
    [...first.quick_test_links, ...rest.quick_test_links].map(({ id }: Link) => id),
    made.map(({ id }) => id).toReversed(),
  );
  const [{ id, token, filter_id }] = made as [Link];
  for (const [method, path, body] of [
    ['GET', `${links}/${id}`, undefined],
    ['PATCH', `${links}/${id}`, { runs: 1000 }],
    ['DELETE', `${links}/${id}`, undefined],
  ] as const) {
    assert.deepEqual(codeOf(await account.call(method, path, body)), [404, 'QUICK_TEST_NOT_FOUND']);
  }
  // A link to another account's filter cannot be made.
  const foreign = await account.call('POST', links, { filter_id, runs: 1, expires_at: tomorrow() });
  assert.deepEqual(codeOf(foreign), [422, 'FILTER_NOT_FOUND']);
  const etag = (await owner.call('GET', `${links}/${id}`)).headers.get('etag')!;
  const changed = await owner.call('PATCH', `${links}/${id}`, { name: 'New', runs: 1 }, { 'if-match': etag });
  assert.deepEqual([changed.status, changed.body.name, changed.body.runs], [200, 'New', 1]);
  assert.equal((await owner.call('PATCH', `${links}/${id}`, { runs: 9 }, { 'if-match': etag })).status, 412);
  assert.equal((await owner.call('DELETE', `${links}/${id}`)).status, 204);
  assert.deepEqual(codeOf(await guestOf(token).look()), [404, 'QUICK_TEST_NOT_FOUND']);
});

for (const [title, body, path] of [
  ['no runs', { runs: 0 }, 'runs'],
  ['too many runs', { runs: 1001 }, 'runs'],
  ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  [
    'an end in ten years',
    { expires_at: new Date(Date.now() + 3650 * 86_400_000).toISOString() },
    'expires_at',
  ],
  ['no end', { expires_at: undefined }, 'expires_at'],
  ['a long name', { name: 'x'.repeat(121) }, 'name'],
] as const) {
  test(`a link with ${title} is refused with VALIDATION_ERROR at ${path}`, async () => {
    const wanted = { filter_id: await makeFilter(), runs: 1, expires_at: tomorrow(), ...body };
    const answer = await account.call('POST', links, wanted);
    assert.deepEqual(codeOf(answer), [422, 'VALIDATION_ERROR']);
    assert.equal(answer.body.fields[0].path, path);
  });
}

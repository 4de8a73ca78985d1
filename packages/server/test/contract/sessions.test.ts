import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createCredential } from '../../src/accounts/keys.ts';
import { makeSecret } from '../../src/accounts/secrets.ts';
import { startSession } from '../../src/accounts/sessions.ts';
import { createSignInLink } from '../../src/accounts/sign-in-links.ts';
import { statement } from '../../src/store/statement.ts';
import { type Answer, request, startTestServer, type TestServer } from '../support/harness.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ trustedProxies: ['127.0.0.1'] });
});
after(() => server.stop());

const password = 'long enough';
const dayMs = 24 * 3600_000;
let emails = 0;

async function person(role: 'account' | 'operator' = 'account') {
  const email = `person${++emails}@example.com`;
  return createAccount(server.db, { email, password, credits: 50, role });
}

const signIn = (body: unknown, headers: Record<string, string> = {}) =>
  request(server.url, 'POST', '/v1/sessions', body, { 'user-agent': 'Test Browser', ...headers });

/** The value of the session cookie that an answer sets. */
function cookieOf(answer: Answer): string {
  const cookie = /^guise_session=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  assert.ok(cookie, 'the answer sets no session cookie');
  return cookie;
}

/** A call with a cookie and, unless others are given, the header that it counts with. */
const call = (
  cookie: string,
  path = '/v1/users/me',
  headers: Record<string, string> = { 'x-guise-session': '1' },
  method = 'GET',
) => request(server.url, method, path, undefined, { cookie: `guise_session=${cookie}`, ...headers });

/** Makes a session older, as if its times had been earlier. */
const ageSession = statement((db, p: { id: string; ms: number }) =>
  db
    .updateTable('sessions')
    .set((eb) => ({
      created_at: eb('created_at', '-', p.ms),
      rotated_at: eb('rotated_at', '-', p.ms),
      used_at: eb('used_at', '-', p.ms),
      expires_at: eb('expires_at', '-', p.ms),
    }))
    .where('id', '=', p.id),
);

/** The caller cache knows a cookie for a second. */
const pastCache = () => new Promise((resolve) => setTimeout(resolve, 1100));

test('signing in gives a cookie that scripts cannot read and other sites cannot send', async () => {
  const { id, email } = await person();
  const answer = await signIn({ email, password });
  assert.equal(answer.status, 201);
  assert.deepEqual(Object.keys(answer.body), ['id', 'account', 'expires_at']);
  const attributes = answer.headers.get('set-cookie')!.split('; ').slice(1);
  assert.deepEqual(attributes, ['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${7 * 86400}`]);
  assert.equal(answer.headers.get('cache-control'), 'no-store');

  const me = await call(cookieOf(answer));
  assert.equal(me.status, 200);
  const { created_at, ...rest } = me.body;
  assert.ok(!Number.isNaN(Date.parse(created_at)));
  assert.deepEqual(rest, {
    id,
    email,
    role: 'account',
    scopes: ['run', 'read', 'manage'],
    balance: 50,
    key: null,
  });
  assert.deepEqual(answer.body.account, me.body);
});

test('the session of an operator has the scope operator, and its key has not', async () => {
  const { email, api_key } = await person('operator');
  const { body } = await signIn({ email, password });
  assert.deepEqual(body.account.scopes, ['run', 'read', 'manage', 'operator']);
  const me = await request(server.url, 'GET', '/v1/users/me', undefined, { 'x-api-key': api_key });
  assert.deepEqual(me.body.scopes, ['run', 'read', 'manage']);
  assert.equal(me.body.key.name, 'first key');
});

test('a cookie without the header, or with a wrong one, is no credential', async () => {
  const cookie = cookieOf(await signIn({ email: (await person()).email, password }));
  assert.equal((await call(cookie)).status, 200);
  for (const headers of [{}, { 'x-guise-session': '' }, { 'x-guise-session': 'true' }]) {
    const { status, body } = await call(cookie, '/v1/users/me', headers as Record<string, string>);
    assert.deepEqual([status, body.error_code], [401, 'UNAUTHORIZED']);
  }
});

test('a cookie counts only for requests of the same origin', async () => {
  const cookie = cookieOf(await signIn({ email: (await person()).email, password }));
  const header = { 'x-guise-session': '1' };
  const { host } = new URL(server.url);
  const own: Record<string, string>[] = [
    { origin: server.url },
    { 'sec-fetch-site': 'same-origin' },
    { origin: server.url, 'sec-fetch-site': 'same-origin' },
    { origin: `https://${host}`, 'x-forwarded-proto': 'https' },
  ];
  for (const headers of own)
    assert.equal((await call(cookie, '/v1/users/me', { ...header, ...headers })).status, 200);
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://${host}.evil.example` },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: server.url, 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of foreign) {
    const { status } = await call(cookie, '/v1/users/me', { ...header, ...headers });
    assert.equal(status, 401, JSON.stringify(headers));
  }
});

test('no other origin is let in by a preflight, and none can sign a browser in', async () => {
  const origin = 'https://evil.example';
  const asks = { origin, 'access-control-request-headers': 'x-guise-session' };
  const preflight = await request(server.url, 'OPTIONS', '/v1/users/me', undefined, asks);
  assert.equal(preflight.status, 405);
  const allowed = [...preflight.headers.keys()].filter((name) => name.startsWith('access-control'));
  assert.deepEqual(allowed, []);

  const { email } = await person();
  const answer = await signIn({ email, password }, { origin });
  assert.equal(answer.status, 401);
  assert.equal(answer.headers.get('set-cookie'), null);
});

test('a stolen cookie is worth nothing after sign-out', async () => {
  const stolen = cookieOf(await signIn({ email: (await person()).email, password }));
  assert.equal((await call(stolen)).status, 200);
  const out = await call(stolen, '/v1/sessions/current', undefined, 'DELETE');
  assert.equal(out.status, 204);
  assert.match(out.headers.get('set-cookie')!, /^guise_session=; .*Max-Age=0$/);
  assert.equal((await call(stolen)).status, 401);
});

test('sessions are listed, and ended one by one or all at once', async () => {
  const { email } = await person();
  const cookies: string[] = [];
  for (let n = 0; n < 3; n++) cookies.push(cookieOf(await signIn({ email, password })));
  const [first, second, third] = cookies as [string, string, string];
  const { body } = await call(second, '/v1/sessions');
  assert.equal(body.sessions.length, 3);
  assert.equal(body.next_cursor, null);
  assert.deepEqual(
    body.sessions.map((session: { current: boolean }) => session.current).filter(Boolean).length,
    1,
  );
  assert.equal(body.sessions[0].user_agent, 'Test Browser');
  const page = await call(second, '/v1/sessions?limit=2');
  const rest = await call(second, `/v1/sessions?limit=2&cursor=${page.body.next_cursor}`);
  assert.deepEqual([...page.body.sessions, ...rest.body.sessions], body.sessions);

  const other = body.sessions.find((session: { current: boolean }) => !session.current);
  const stranger = cookieOf(await signIn({ email: (await person()).email, password }));
  assert.equal((await call(stranger, `/v1/sessions/${other.id}`, undefined, 'DELETE')).status, 404);
  const ended = await call(second, `/v1/sessions/${other.id}`, undefined, 'DELETE');
  assert.deepEqual([ended.status, ended.headers.get('set-cookie')], [204, null]);
  assert.equal((await call(second, '/v1/sessions')).body.sessions.length, 2);
  assert.equal((await call(second, `/v1/sessions/${other.id}`, undefined, 'DELETE')).status, 404);

  assert.equal((await call(second, '/v1/sessions', undefined, 'DELETE')).status, 204);
  for (const cookie of [first, second, third]) assert.equal((await call(cookie)).status, 401);
  assert.equal((await call(stranger)).status, 200);
});

test('a secret is rotated after a day by one of several requests, and the old one is valid for a minute', async () => {
  const { email } = await person();
  const answer = await signIn({ email, password });
  const old = cookieOf(answer);
  assert.equal((await call(old)).headers.get('set-cookie'), null);
  await server.db.run(ageSession, { id: answer.body.id, ms: dayMs + 1000 });
  await pastCache();
  const answers = await Promise.all(Array.from({ length: 10 }, () => call(old)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const rotated = answers.filter(({ headers }) => headers.get('set-cookie') !== null);
  assert.equal(rotated.length, 1);
  const renewed = cookieOf(rotated[0]!);
  assert.notEqual(renewed, old);
  assert.equal((await call(old)).status, 200);
  assert.equal((await call(renewed)).status, 200);

  await server.db.run(ageSession, { id: answer.body.id, ms: 61_000 });
  await pastCache();
  assert.equal((await call(old)).status, 401);
  assert.equal((await call(renewed)).status, 200);
});

test('a session ends 7 days after its last day of use, and 30 days after it began', async () => {
  const { email } = await person();
  const unused = await signIn({ email, password });
  await server.db.run(ageSession, { id: unused.body.id, ms: 7 * dayMs });
  assert.equal((await call(cookieOf(unused))).status, 401);

  const used = await signIn({ email, password });
  let cookie = cookieOf(used);
  for (let day = 0; day < 28; day += 4) {
    await server.db.run(ageSession, { id: used.body.id, ms: 4 * dayMs });
    const answer = await call(cookie);
    assert.equal(answer.status, 200, `day ${day}`);
    cookie = cookieOf(answer);
  }
  await server.db.run(ageSession, { id: used.body.id, ms: 2 * dayMs });
  assert.equal((await call(cookie)).status, 401);
});

test('a sign-in link works once within a day', async () => {
  const { id, email } = await person();
  const { token } = await createSignInLink(server.db, id);
  const answers = await Promise.all(Array.from({ length: 10 }, () => signIn({ link: token })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(401)]);
  const signedIn = answers.find(({ status }) => status === 201)!;
  assert.equal(signedIn.body.account.email, email);
  assert.equal((await call(cookieOf(signedIn))).status, 200);

  const late = await createSignInLink(server.db, id, Date.now() - dayMs);
  assert.equal((await signIn({ link: late.token })).status, 401);
  assert.equal((await signIn({ link: 'gl_guess' })).status, 401);
});

test('a link that was used or is old says so; a guessed one does not', async () => {
  const { id } = await person();
  const { token } = await createSignInLink(server.db, id);
  await signIn({ link: token });
  const late = await createSignInLink(server.db, id, Date.now() - dayMs);
  const codes = [];
  for (const link of [token, late.token, makeSecret('link')])
    codes.push((await signIn({ link })).body.error_code);
  assert.deepEqual(codes, ['SIGN_IN_LINK_USED', 'SIGN_IN_LINK_EXPIRED', 'UNAUTHORIZED']);
});

test('asking who is signed in is no error where nobody is', async () => {
  const nobody = await request(server.url, 'GET', '/v1/sessions/current');
  assert.equal(nobody.status, 200);
  assert.deepEqual(nobody.body, {
    account: null,
    has_password: null,
    command_line: 'npm run -s guise --',
  });
  assert.equal(nobody.headers.get('cache-control'), 'no-store');
  const { id, email, api_key } = await person();
  const cookie = cookieOf(await signIn({ email, password }));
  const { body } = await call(cookie, '/v1/sessions/current');
  assert.deepEqual([body.account.id, body.has_password], [id, true]);
  const foreign = await call(cookie, '/v1/sessions/current', {
    'x-guise-session': '1',
    origin: 'https://evil.example',
  });
  assert.equal(foreign.body.account, null);
  const byKey = await request(server.url, 'GET', '/v1/sessions/current', undefined, { 'x-api-key': api_key });
  assert.deepEqual([byKey.body.account.id, byKey.body.has_password], [id, null]);
  const wrong = await request(server.url, 'GET', '/v1/sessions/current', undefined, { 'x-api-key': 'gk_no' });
  assert.equal(wrong.status, 401);
});

/** A call with a cookie and a body. */
const send = (cookie: string, method: string, path: string, body?: unknown) =>
  request(server.url, method, path, body, { cookie: `guise_session=${cookie}`, 'x-guise-session': '1' });
const passwordPath = '/v1/users/me/password';

test('a password is set without one before it, and changed by who knows it; all that signed in before ends', async () => {
  const { id, email } = await createAccount(server.db, { email: `p${++emails}@example.com`, credits: 0 });
  const byLink = async () => cookieOf(await signIn({ link: (await createSignInLink(server.db, id)).token }));
  const [here, there] = [await byLink(), await byLink()];
  assert.equal((await call(here, '/v1/sessions/current')).body.has_password, false);
  const short = await send(here, 'PUT', passwordPath, { password: 'short' });
  assert.deepEqual([short.status, short.body.fields[0].path], [422, 'password']);
  const unused = await createSignInLink(server.db, id);
  assert.equal((await send(here, 'PUT', passwordPath, { password })).status, 204);
  assert.deepEqual([(await call(here)).status, (await call(there)).status], [200, 401]);
  assert.equal((await signIn({ link: unused.token })).status, 401);
  const elsewhere = cookieOf(await signIn({ email, password }));
  const { body: token } = await request(
    server.url,
    'POST',
    '/token',
    `username=${encodeURIComponent(email)}&password=${encodeURIComponent(password)}`,
  );

  for (const current of [undefined, 'wrong']) {
    const refused = await send(here, 'PUT', passwordPath, {
      password: 'another one',
      ...(current && { current_password: current }),
    });
    assert.deepEqual([refused.status, refused.body.error_code], [403, 'WRONG_PASSWORD']);
  }
  const changed = { password: 'another one', current_password: password };
  assert.equal((await send(here, 'PUT', passwordPath, changed)).status, 204);
  assert.deepEqual([(await call(here)).status, (await call(elsewhere)).status], [200, 401]);
  const bearer = { authorization: `Bearer ${token.access_token}` };
  assert.equal((await request(server.url, 'GET', '/v1/users/me', undefined, bearer)).status, 401);
  assert.equal((await signIn({ email, password })).status, 401);
  assert.equal((await signIn({ email, password: 'another one' })).status, 201);
});

test('no key sets a password or makes a sign-in link, whatever its scopes', async () => {
  const { id, api_key, access_token } = await person('operator');
  const operator = await createCredential(server.db, id, {
    kind: 'key',
    name: 'all scopes',
    scopes: ['run', 'read', 'manage', 'operator'],
  });
  for (const key of [api_key, access_token, operator.secret]) {
    const headers = { 'x-api-key': key };
    const change = { password: 'another one', current_password: password };
    const set = await request(server.url, 'PUT', passwordPath, change, headers);
    const link = await request(server.url, 'POST', '/v1/sign_in_links', undefined, headers);
    assert.deepEqual([set.body.error_code, link.body.error_code], ['SESSION_NEEDED', 'SESSION_NEEDED']);
  }
});

test('wrong current passwords are counted with failed logins', async (t) => {
  const limited = await startTestServer({ loginFailures: 2 });
  t.after(() => limited.stop());
  const { id } = await createAccount(limited.db, { email: 'a@example.com', password, credits: 0 });
  const { secret } = await startSession(limited.db, id, '');
  const headers = { cookie: `guise_session=${secret}`, 'x-guise-session': '1' };
  const change = { password: 'another one', current_password: 'guess' };
  const attempt = () => request(limited.url, 'PUT', passwordPath, change, headers);
  assert.deepEqual([(await attempt()).status, (await attempt()).status], [403, 403]);
  assert.equal((await attempt()).status, 429);
});

test('a session makes a link that signs in to the same account, once', async () => {
  const { id, email } = await person();
  const cookie = cookieOf(await signIn({ email, password }));
  const { status, body } = await send(cookie, 'POST', '/v1/sign_in_links');
  assert.equal(status, 201);
  assert.ok(body.url.startsWith(`${server.url}/studio/sign-in#gl_`));
  assert.ok(Date.parse(body.expires_at) > Date.now());
  const [, link] = body.url.split('#');
  assert.equal((await signIn({ link })).body.account.id, id);
  assert.equal((await signIn({ link })).status, 401);
});

test('failed sign-ins are counted with failed logins for tokens', async (t) => {
  const limited = await startTestServer({ loginFailures: 2 });
  t.after(() => limited.stop());
  const attempt = () =>
    request(limited.url, 'POST', '/v1/sessions', { email: 'a@example.com', password: 'guess' });
  assert.deepEqual([(await attempt()).status, (await attempt()).status], [401, 401]);
  const refused = await attempt();
  assert.deepEqual([refused.status, refused.body.error_code], [429, 'RATE_LIMITED']);
  const token = await request(limited.url, 'POST', '/token', 'username=a@example.com&password=guess');
  assert.equal(token.status, 429);
  const links = [];
  for (let n = 0; n < 11; n++)
    links.push((await request(limited.url, 'POST', '/v1/sessions', { link: 'gl_guess' })).status);
  assert.deepEqual([links[0], links.at(-1)], [401, 429]);
});

test('a body with neither a password nor a link is refused', async () => {
  const { status, body } = await signIn({ email: 'a@example.com' });
  assert.deepEqual([status, body.error_code], [422, 'VALIDATION_ERROR']);
});

test('a session secret is no key, a key is no cookie, and a key wins over a cookie', async () => {
  const [ann, bob] = [await person(), await person()];
  const cookie = cookieOf(await signIn({ email: ann.email, password }));
  const as = (headers: Record<string, string>) =>
    request(server.url, 'GET', '/v1/users/me', undefined, headers);
  assert.equal((await as({ 'x-api-key': cookie })).status, 401);
  assert.equal((await as({ authorization: `Bearer ${cookie}` })).status, 401);
  assert.equal((await call(bob.api_key)).status, 401);
  const both = { 'x-guise-session': '1', cookie: `guise_session=${cookie}` };
  assert.equal((await as({ ...both, 'x-api-key': bob.api_key })).body.email, bob.email);
  assert.equal((await as({ ...both, 'x-api-key': 'gk_wrong' })).status, 401);
});

test('the cookie is Secure where the request came by https', async (t) => {
  const { email } = await person();
  const byProxy = await signIn({ email, password }, { 'x-forwarded-proto': 'https' });
  assert.match(byProxy.headers.get('set-cookie')!, /; Secure(;|$)/);

  const publicServer = await startTestServer({ publicUrl: 'https://booth.example' });
  t.after(() => publicServer.stop());
  await createAccount(publicServer.db, { email: 'a@example.com', password, credits: 0 });
  const answer = await request(
    publicServer.url,
    'POST',
    '/v1/sessions',
    { email: 'a@example.com', password },
    { origin: 'https://booth.example' },
  );
  assert.equal(answer.status, 201);
  assert.match(answer.headers.get('set-cookie')!, /; Secure(;|$)/);
});

test('an account keeps its newest 100 sessions', async () => {
  const { id } = await person();
  const secrets: string[] = [];
  for (let n = 0; n < 101; n++) secrets.push((await startSession(server.db, id, '')).secret);
  const statuses = await Promise.all(secrets.map(async (secret) => (await call(secret)).status));
  // Those of one millisecond are in no order.
  assert.equal(statuses.filter((status) => status === 401).length, 1);
  assert.equal(statuses.at(-1), 200);
});

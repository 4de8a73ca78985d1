import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { statement } from '../../src/store/statement.ts';
import { makeBoothEvent } from '../support/booth-event.ts';
import { openEvents } from '../support/event-stream.ts';
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
before(async () => {
  server = await startTestServer({ runsPerMinute: 0, loginFailures: 2 });
  account = await server.account();
});
after(() => server.stop());

const expireNow = statement((db, p: { id: string }) =>
  db.updateTable('jobs').set({ expires_at: 1 }).where('id', '=', p.id),
);

const events = '/v1/events';
const codeOf = ({ status, body }: Answer) => [status, body.error_code];
const idsOf = ({ body }: Answer) => body.pictures.map(({ id }: { id: string }) => id);
const wallQuestion = { id: 'wall', labels: { en: 'Show it on the wall' } };

interface Shot {
  id: string;
  guest_token: string;
}

interface Party {
  path: string;
  /** A picture that is made, of a guest who answered so. */
  shoot(answers?: Record<string, boolean>): Promise<Shot>;
  change(body: Record<string, unknown>): Promise<Answer>;
  approve(id: string, approval: string): Promise<Answer>;
  /** The token of the link to the wall or the gallery. */
  token(place: 'wall' | 'gallery'): Promise<string>;
}

async function makeParty(wanted: Record<string, unknown>): Promise<Party> {
  const { id, call } = await makeBoothEvent(server.url, account, { questions: [wallQuestion], ...wanted });
  const path = `${events}/${id}`;
  return {
    path,
    async shoot(answers) {
      const { consent_version: version } = (await account.call('GET', path)).body;
      const consent = answers && { version, language: 'en', answers };
      const body = { guest: randomUUID(), offer_id: 'alone', image: photo, consent };
      const started = await call('POST', '/v1/booth/jobs', body);
      assert.equal(started.status, 201, JSON.stringify(started.body));
      const job = `/v1/booth/jobs/${started.body.id}`;
      const done = await call('GET', job, undefined, { prefer: 'wait=10' });
      assert.equal(done.body.status, 'COMPLETED');
      return started.body;
    },
    change: (body) => account.call('PATCH', path, body),
    approve: (id, approval) => account.call('PATCH', `${path}/pictures/${id}`, { approval }),
    token: async (place) => (await account.call('GET', `${path}/links`)).body[place].token,
  };
}

const readWall = (token: string, query = '') =>
  request(server.url, 'GET', `/v1/wall${query}`, undefined, { 'x-wall-token': token });
const readGallery = (token: string) =>
  request(server.url, 'GET', '/v1/gallery', undefined, { 'x-gallery-token': token });
const unlock = (token: string, password: string) =>
  request(server.url, 'POST', '/v1/gallery/unlock', { password }, { 'x-gallery-token': token });

test('the wall has what guests agreed to show and the operator approved or did not hide, newest first and by pages', async () => {
  const party = await makeParty({ wall: 'approved' });
  const yes = await party.shoot({ wall: true });
  const no = await party.shoot({ wall: false });
  const later = await party.shoot({ wall: true });
  const token = await party.token('wall');
  const empty = await readWall(token);
  assert.deepEqual([empty.body.event.name, empty.body.pictures], ['Gala', []]);
  assert.deepEqual(
    [empty.headers.get('x-robots-tag'), empty.headers.get('cache-control')],
    ['noindex', 'no-store'],
  );
  for (const { id } of [yes, no])
    assert.equal((await party.approve(id, 'approved')).body.approval, 'approved');
  assert.deepEqual(idsOf(await readWall(token)), [yes.id]);
  assert.deepEqual((await party.approve(no.id, 'approved')).body.may_show, { wall: false, gallery: false });

  await party.change({ wall: 'all' });
  assert.deepEqual(idsOf(await readWall(token)), [later.id, yes.id]);
  const first = await readWall(token, '?limit=1');
  assert.deepEqual(idsOf(first), [later.id]);
  assert.deepEqual(idsOf(await readWall(token, `?limit=1&cursor=${first.body.next_cursor}`)), [yes.id]);
  const [shown] = first.body.pictures;
  assert.equal((await fetch(shown.url)).status, 200);
  assert.equal((await fetch(shown.thumbnail_url)).headers.get('content-type'), 'image/webp');
  assert.equal(shown.has_overlay, false);
  const text = { text: '{name}', x: 0.1, y: 0.9, width: 0.8, height: 0.08 };
  await party.change({ branding: { overlay_texts: [text] } });
  assert.equal((await readWall(token)).body.pictures[0].has_overlay, true);
  await party.change({ branding: {} });
  await party.approve(later.id, 'hidden');
  assert.deepEqual(idsOf(await readWall(token)), [yes.id]);

  // Neither taking the question away nor asking another one shows a guest who did not agree.
  await party.change({ questions: [] });
  assert.deepEqual(idsOf(await readWall(token)), [yes.id]);
  const unasked = await party.shoot();
  assert.deepEqual(idsOf(await readWall(token)), [unasked.id, yes.id]);
  await party.change({ questions: [wallQuestion] });
  assert.deepEqual(idsOf(await readWall(token)), [yes.id]);

  const listed = (await account.call('GET', `${party.path}/jobs`)).body.jobs;
  assert.deepEqual(
    listed.map(({ approval, may_show }: { approval: string; may_show: object }) => [approval, may_show]),
    [
      ['pending', { wall: false, gallery: false }],
      ['hidden', { wall: true, gallery: false }],
      ['approved', { wall: false, gallery: false }],
      ['approved', { wall: true, gallery: false }],
    ],
  );
  const stranger = await server.account();
  const approval = { approval: 'approved' };
  const picture = `${party.path}/pictures/${yes.id}`;
  assert.deepEqual(codeOf(await stranger.call('PATCH', picture, approval)), [404, 'EVENT_NOT_FOUND']);
  assert.deepEqual(codeOf(await party.approve(randomUUID(), 'approved')), [404, 'JOB_NOT_FOUND']);
});

test('GET /v1/wall/changes sends all pictures, then each that comes and goes, and ends with its link', async () => {
  const party = await makeParty({ wall: 'all' });
  const first = await party.shoot({ wall: true });
  const headers = { 'x-wall-token': await party.token('wall') };
  const stream = await openEvents(`${server.url}/v1/wall/changes`, headers);
  const all = await stream.find(({ type }) => type === 'pictures');
  assert.deepEqual(
    all.data.pictures.map(({ id }: { id: string }) => id),
    [first.id],
  );
  await party.shoot({ wall: false });
  const second = await party.shoot({ wall: true });
  const seen = await stream.find(({ type }) => type === 'picture');
  assert.equal(seen.data.id, second.id);
  assert.equal((await fetch(seen.data.url)).status, 200);

  // A guest erases the one, the operator hides the other.
  const guest = { 'x-guest-token': first.guest_token };
  const erased = await request(server.url, 'DELETE', '/v1/guest/pictures', undefined, guest);
  assert.equal(erased.status, 204);
  assert.deepEqual(idsOf(await readWall(headers['x-wall-token'])), [second.id]);
  await stream.find(({ type, data }) => type === 'removed' && data.id === first.id);
  assert.equal((await fetch(all.data.pictures[0].url)).status, 404);
  await party.approve(second.id, 'hidden');
  await stream.find(({ type, data }) => type === 'removed' && data.id === second.id);

  const renewed = await account.call('POST', `${party.path}/links`);
  await stream.ended;
  assert.deepEqual(codeOf(await readWall(headers['x-wall-token'])), [404, 'WALL_NOT_FOUND']);
  assert.equal((await readWall(renewed.body.wall.token)).status, 200);
  await party.change({ wall: 'off' });
  assert.deepEqual(codeOf(await readWall(renewed.body.wall.token)), [404, 'WALL_NOT_FOUND']);
  assert.deepEqual((await account.call('GET', `${party.path}/links`)).body, { wall: null, gallery: null });
});

test('links that a wall or a gallery was given end when the picture is hidden, and the guest’s own do not', async () => {
  const party = await makeParty({ wall: 'all', gallery: 'link' });
  const { id, guest_token } = await party.shoot({ wall: true, gallery: true });
  const guest = { 'x-guest-token': guest_token };
  const linksOf = ({ body }: Answer) => [body.pictures[0].url, body.pictures[0].thumbnail_url] as string[];
  const shared = [
    ...linksOf(await readWall(await party.token('wall'))),
    ...linksOf(await readGallery(await party.token('gallery'))),
  ];
  const own = linksOf(await request(server.url, 'GET', '/v1/guest', undefined, guest));
  const statuses = (links: string[]) =>
    Promise.all(
      links.map(async (link) => {
        const response = await fetch(link);
        await response.body?.cancel();
        return response.status;
      }),
    );
  assert.deepEqual(await statuses([...shared, ...own]), Array(6).fill(200));
  // What is signed for a wall is no link of anybody else's.
  const [stripped, moved] = [new URL(shared[0]!), new URL(shared[0]!)];
  stripped.searchParams.delete('for');
  moved.searchParams.set('expires', `${moved.searchParams.get('expires')}\n${moved.searchParams.get('for')}`);
  moved.searchParams.delete('for');
  assert.deepEqual(await statuses([String(stripped), String(moved)]), [403, 403]);

  await party.approve(id, 'hidden');
  const hidden = await request(server.url, 'GET', shared[0]!.slice(server.url.length));
  assert.deepEqual(codeOf(hidden), [403, 'LINK_NOT_VALID']);
  assert.deepEqual(await statuses([...shared, ...own]), [403, 403, 403, 403, 200, 200]);
  await party.approve(id, 'approved');
  assert.deepEqual(await statuses(shared), [200, 200, 200, 200]);
  await party.change({ gallery: 'off' });
  assert.deepEqual(await statuses(shared), [200, 200, 403, 403]);
  await party.change({ gallery: 'link' });
  assert.deepEqual(await statuses(shared), [200, 200, 200, 200]);
  await account.call('POST', `${party.path}/links`);
  assert.deepEqual(await statuses(shared), [403, 403, 403, 403]);
  await request(server.url, 'DELETE', '/v1/guest/pictures', undefined, guest);
  assert.deepEqual(await statuses(own), [404, 404]);
});

test('an event that asks about the wall alone asks about its gallery too, in the languages it is written in', async () => {
  const german = { id: 'wall', labels: { de: 'An die Wand' } };
  const party = await makeParty({
    gallery: 'link',
    questions: [german],
    texts: { en: { consent: 'I agree.' }, xx: { consent: '…' } },
  });
  const [, added] = (await account.call('GET', party.path)).body.questions;
  assert.deepEqual([added.id, Object.keys(added.labels)], ['gallery', ['en', 'de']]);
});

const audiences = ['owner', 'guest', 'wall', 'gallery'] as const;

/** What happens to a picture, and what the links answer then that each audience was given before: both files of each. */
const endings: Record<string, [happen: (party: Party, shot: Shot) => Promise<unknown>, statuses: number[]]> =
  {
    'is hidden': [(party, { id }) => party.approve(id, 'hidden'), [200, 200, 403, 403]],
    'has a guest who has not agreed to what is asked now': [
      (party) =>
        party.change({ questions: [wallQuestion, { id: 'gallery', labels: { en: 'In the gallery' } }] }),
      [200, 200, 403, 403],
    ],
    'is of a wall and a gallery that are switched off': [
      (party) => party.change({ wall: 'off', gallery: 'off' }),
      [200, 200, 403, 403],
    ],
    'is of a gallery that gets a password': [
      (party) => party.change({ gallery: 'password', gallery_password: 'champagne' }),
      [200, 200, 200, 403],
    ],
    'is of an event whose links are made anew': [
      (party) => account.call('POST', `${party.path}/links`),
      [200, 200, 403, 403],
    ],
    // Guests look at their pictures, and others at the gallery, when the event is over.
    'is of an event that is closed': [(party) => party.change({ closed: true }), [200, 200, 200, 200]],
    'is erased by its guest': [
      (_, { guest_token }) =>
        request(server.url, 'DELETE', '/v1/guest/pictures', undefined, { 'x-guest-token': guest_token }),
      [404, 404, 404, 404],
    ],
    'is erased by its owner': [(_, { id }) => account.call('DELETE', `/v1/jobs/${id}`), [404, 404, 404, 404]],
    'is erased with its event': [
      (party) => account.call('POST', `${party.path}/erase`),
      [404, 404, 404, 404],
    ],
  };

for (const [what, [happen, expected]] of Object.entries(endings)) {
  const answers = audiences.map((audience, at) => `${audience} ${expected[at]}`).join(', ');
  test(`links to a picture that ${what} answer ${answers}`, async () => {
    const party = await makeParty({ wall: 'all', gallery: 'link', questions: [] });
    const shot = await party.shoot();
    const guest = { 'x-guest-token': shot.guest_token };
    const given: Record<(typeof audiences)[number], { url: string; thumbnail_url: string }> = {
      owner: await ownLinks(shot.id),
      guest: (await request(server.url, 'GET', '/v1/guest', undefined, guest)).body.pictures[0],
      wall: (await readWall(await party.token('wall'))).body.pictures[0],
      gallery: (await readGallery(await party.token('gallery'))).body.pictures[0],
    };
    const ask = (audience: (typeof audiences)[number]) =>
      Promise.all([given[audience].url, given[audience].thumbnail_url].map(fileAnswer));
    for (const audience of audiences) {
      const caching = audience === 'owner' ? /private/ : /^no-store$/;
      for (const { status, cacheControl } of await ask(audience)) {
        assert.equal(status, 200, audience);
        assert.match(cacheControl, caching, audience);
      }
    }
    const { status } = (await happen(party, shot)) as Answer;
    assert.ok(status < 300, String(status));
    for (const [at, audience] of audiences.entries()) {
      const statuses = (await ask(audience)).map((answer) => answer.status);
      assert.deepEqual(statuses, [expected[at], expected[at]], audience);
    }
  });
}

async function ownLinks(id: string): Promise<{ url: string; thumbnail_url: string }> {
  const { result_url: url, thumbnail_url } = (await account.call('GET', `/v1/jobs/${id}`)).body;
  return { url, thumbnail_url };
}

async function fileAnswer(link: string): Promise<{ status: number; cacheControl: string }> {
  const { status, headers, body } = await fetch(link);
  await body?.cancel();
  return { status, cacheControl: headers.get('cache-control') ?? '' };
}

test('a gallery is opened by its link, or by a password that is not shown, guessed often or valid after a change', async () => {
  const none = await account.call('PATCH', (await makeParty({})).path, { gallery: 'password' });
  assert.deepEqual([none.status, none.body.fields[0].path], [422, 'gallery_password']);
  const party = await makeParty({
    gallery: 'link',
    questions: [wallQuestion, { id: 'gallery', labels: { en: 'Show it in the gallery' } }],
  });
  const picture = await party.shoot({ wall: false, gallery: true });
  await party.shoot({ wall: true, gallery: false });
  const links = (await account.call('GET', `${party.path}/links`)).body;
  assert.equal(links.wall, null);
  assert.ok(links.gallery.url.endsWith(`/g/${links.gallery.token}`));
  const { token } = links.gallery;
  assert.deepEqual(idsOf(await readGallery(token)), [picture.id]);
  assert.deepEqual(codeOf(await readWall(token)), [404, 'WALL_NOT_FOUND']);
  const forged = `${token.slice(0, -1)}${token.endsWith('B') ? 'C' : 'B'}`;
  assert.deepEqual(codeOf(await readGallery(forged)), [404, 'GALLERY_NOT_FOUND']);

  const password = 'champagne';
  const locked = await party.change({ gallery: 'password', gallery_password: password });
  assert.equal(locked.body.gallery, 'password');
  assert.ok(!JSON.stringify(locked.body).includes(password) && !('gallery_password' in locked.body));
  assert.deepEqual(codeOf(await readGallery(token)), [401, 'GALLERY_LOCKED']);
  const opened = await unlock(token, password);
  assert.equal(opened.status, 201, JSON.stringify(opened.body));
  assert.deepEqual(idsOf(await readGallery(opened.body.token)), [picture.id]);
  await party.change({ gallery_password: 'orangeade' });
  assert.deepEqual(codeOf(await readGallery(opened.body.token)), [404, 'GALLERY_NOT_FOUND']);
  const wrong = [];
  for (let at = 0; at < 7; at++) wrong.push(String(codeOf(await unlock(token, `guess ${at}`))));
  assert.deepEqual(wrong.slice(0, 6), Array(6).fill('401,GALLERY_LOCKED'));
  assert.equal(wrong[6], '429,RATE_LIMITED');
  assert.equal((await unlock(token, 'orangeade')).status, 429);
});

test('a guest’s page ends when its last picture has expired, and can still erase what is left', async () => {
  const party = await makeParty({ result_hours: 1 });
  const { id, guest_token } = await party.shoot({ wall: true });
  const headers = { 'x-guest-token': guest_token };
  const page = await request(server.url, 'GET', '/v1/guest', undefined, headers);
  assert.equal(page.headers.get('x-robots-tag'), 'noindex');
  await server.db.run(expireNow, { id });
  const ended = await request(server.url, 'GET', '/v1/guest', undefined, headers);
  assert.deepEqual(codeOf(ended), [410, 'GUEST_LINK_EXPIRED']);
  assert.equal(ended.headers.get('x-robots-tag'), 'noindex');
  assert.equal((await request(server.url, 'DELETE', '/v1/guest/pictures', undefined, headers)).status, 204);
  assert.deepEqual((await request(server.url, 'GET', '/v1/guest', undefined, headers)).body.pictures, []);
});

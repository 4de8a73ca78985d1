import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import sharp from 'sharp';
import { inHours, makeBoothEvent } from '../support/booth-event.ts';
import {
  type Answer,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../support/harness.ts';
import { door } from '../support/test-engine.ts';
import { tinyGif } from '../support/tiny-results.ts';
import { filesOfZip } from '../support/zip-reader.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  // An account has a share of the slots: one of its jobs may wait at a door while others are made.
  server = await startTestServer({ runsPerMinute: 0, concurrency: 6 });
  account = await server.account();
});
afterEach(() => {
  server.engine.before = async () => {};
});
after(() => server.stop());

const labels = { en: 'x' };
const codeOf = ({ status, body }: Answer) => [status, body.error_code];

async function newEvent(fields: object) {
  const event = await makeBoothEvent(server.url, account, fields);
  const { id, call } = event;
  return {
    ...event,
    shoot: (body: object) => call('POST', '/v1/booth/jobs', { image: photo, ...body }),
    /** The job at its end, however busy the machine is. */
    async wait(jobId: string) {
      for (;;) {
        const { body } = await call('GET', `/v1/booth/jobs/${jobId}`, undefined, { prefer: 'wait=20' });
        if (body.status !== 'QUEUED' && body.status !== 'RUNNING') return body;
      }
    },
    jobs: async () => (await account.call('GET', `/v1/events/${id}/jobs`)).body.jobs,
  };
}

test('four shots of one touch count as one picture of their guest, as four for the budget, and there are no more', async () => {
  const strip = { id: 'strip', kind: 'single', filter_id: 1, shots: 4, labels };
  const booth = await newEvent({ offers: [strip], pictures_per_guest: 2, tries_per_guest: 3, budget: 20 });
  const shown = (await booth.call('GET', '/v1/booth')).body.offers[0];
  assert.deepEqual([shown.shots, shown.variations], [4, 0]);
  const touch = { guest: randomUUID(), offer_id: 'strip', take: randomUUID() };
  const sent = [];
  for (let shot = 0; shot < 4; shot++) sent.push(await booth.shoot(touch));
  assert.deepEqual(
    sent.map(({ status, body }) => [status, body.pictures_left]),
    [1, 1, 1, 1].map((left) => [201, left]),
  );
  assert.deepEqual(codeOf(await booth.shoot(touch)), [429, 'GUEST_LIMIT_REACHED']);
  const price = (await account.call('GET', `/v1/events/${booth.id}`)).body.spent / 4;
  const second = { ...touch, take: randomUUID() };
  // All at once: the guest is counted once all the same, and one of five is one too many.
  const atOnce = await Promise.all(Array.from({ length: 5 }, () => booth.shoot(second)));
  assert.deepEqual(atOnce.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 429]);
  assert.deepEqual(codeOf(await booth.shoot({ ...touch, take: randomUUID() })), [429, 'GUEST_LIMIT_REACHED']);
  await account.call('PATCH', `/v1/events/${booth.id}`, { budget: 8 * price + 3 * price });
  assert.equal((await booth.call('GET', '/v1/booth')).body.state, 'budget_spent', 'three are no strip');

  for (const { body } of [...sent, ...atOnce]) if (body.id) await booth.wait(body.id);
  // A further shot that fails gives its credits back, and no picture: the guest still has the others.
  server.engine.before = async () => {
    throw new Error('broken');
  };
  await account.call('PATCH', `/v1/events/${booth.id}`, { budget: 100 });
  const third = { guest: randomUUID(), offer_id: 'strip', take: randomUUID() };
  const first = await booth.shoot(third);
  const other = await booth.shoot(third);
  assert.equal((await booth.wait(first.body.id)).status, 'FAILED');
  assert.equal((await booth.wait(other.body.id)).status, 'FAILED');
  server.engine.before = async () => {};
  assert.equal((await account.call('GET', `/v1/events/${booth.id}`)).body.spent, 8 * price);
  const next = await booth.shoot({ ...third, take: randomUUID() });
  assert.equal(next.body.pictures_left, 1, 'one picture came back, not two');
  await booth.wait(next.body.id);
});

test('of variations one is shown to others until the guest chooses; the rest are erased then', async () => {
  const several = { id: 'several', kind: 'single', filter_id: 1, variations: [2, 4], labels };
  const bad = await account.call('POST', '/v1/events', {
    name: 'x',
    starts_at: inHours(-1),
    ends_at: inHours(1),
    offers: [{ ...several, variations: [2, 99_999] }],
  });
  assert.deepEqual(codeOf(bad), [422, 'FILTER_NOT_FOUND']);
  const booth = await newEvent({ offers: [several], wall: 'all', gallery: 'link', pictures_per_guest: 1 });
  server.engine.requests.length = 0;
  const touch = { guest: randomUUID(), offer_id: 'several', take: randomUUID() };
  const ids: string[] = [];
  for (let variation = 0; variation < 3; variation++) {
    const { status, body } = await booth.shoot({ ...touch, variation });
    assert.equal(status, 201, JSON.stringify(body));
    ids.push(body.id);
    assert.equal((await booth.wait(body.id)).status, 'COMPLETED');
  }
  assert.deepEqual(
    server.engine.requests.map(({ params }) => (params as { filter_id: number }).filter_id),
    [1, 2, 4],
  );
  const { token } = (await account.call('GET', `/v1/events/${booth.id}/links`)).body.wall;
  const onWall = async () =>
    (await request(server.url, 'GET', '/v1/wall', undefined, { 'x-wall-token': token })).body.pictures.map(
      ({ id }: { id: string }) => id,
    );
  assert.deepEqual(await onWall(), [ids[0]]);
  const stranger = await newEvent({ offers: [several] });
  assert.equal((await stranger.call('POST', `/v1/booth/jobs/${ids[1]}/choose`)).status, 404);
  const chosen = await booth.call('POST', `/v1/booth/jobs/${ids[1]}/choose`);
  assert.deepEqual([chosen.status, chosen.body.id, chosen.body.status], [200, ids[1], 'COMPLETED']);
  assert.deepEqual(await onWall(), [ids[1]]);
  assert.deepEqual(
    (await booth.jobs()).map(({ id }: { id: string }) => id),
    [ids[1]],
  );
  assert.equal((await booth.call('POST', `/v1/booth/jobs/${ids[1]}/choose`)).status, 200, 'said twice');

  const plain = await newEvent({ offers: [{ id: 'one', kind: 'single', filter_id: 1, labels }] });
  const { body } = await plain.shoot({ guest: randomUUID(), offer_id: 'one' });
  await plain.wait(body.id);
  assert.deepEqual(codeOf(await plain.call('POST', `/v1/booth/jobs/${body.id}/choose`)), [
    422,
    'VALIDATION_ERROR',
  ]);
});

/** An event whose guests have one picture of three variations, and show it on the wall. */
async function newChoice() {
  const several = { id: 'several', kind: 'single', filter_id: 1, variations: [2, 4], labels };
  const booth = await newEvent({ offers: [several], wall: 'all', pictures_per_guest: 1 });
  const { token } = (await account.call('GET', `/v1/events/${booth.id}/links`)).body.wall;
  const touch = () => ({ guest: randomUUID(), offer_id: 'several', take: randomUUID() });
  return {
    ...booth,
    touch,
    /** Three jobs of a touch, and the guest’s token. */
    async shootAll(of = touch()) {
      const sent: Answer[] = [];
      for (let variation = 0; variation < 3; variation++) sent.push(await booth.shoot({ ...of, variation }));
      assert.deepEqual(
        sent.map(({ status }) => status),
        [201, 201, 201],
      );
      return {
        ids: sent.map(({ body }): string => body.id),
        erase: (id: string) =>
          request(server.url, 'DELETE', `/v1/guest/pictures/${id}`, undefined, {
            'x-guest-token': sent[0]!.body.guest_token,
          }),
        again: () => booth.shoot({ ...of, take: randomUUID() }),
      };
    },
    onWall: async () =>
      (await request(server.url, 'GET', '/v1/wall', undefined, { 'x-wall-token': token })).body.pictures.map(
        ({ id }: { id: string }) => id,
      ),
    async archived() {
      const { body } = await account.call('POST', `/v1/events/${booth.id}/archive`);
      const { pathname, search } = new URL(body.url);
      const answer = await fetch(server.url + pathname + search);
      return filesOfZip(Buffer.from(await answer.arrayBuffer())).length;
    },
  };
}

const filterOf = ({ params }: { params: unknown }) => (params as { filter_id: number }).filter_id;

test('where the first of several variations fails, the next is shown in its place, and the picture comes back with the last alone', async () => {
  const booth = await newChoice();
  let broken = [1];
  server.engine.before = async (request) => {
    if (broken.includes(filterOf(request))) throw new Error('broken');
  };
  const { ids, again } = await booth.shootAll();
  const ends = [];
  for (const id of ids) ends.push((await booth.wait(id)).status);
  assert.deepEqual(ends, ['FAILED', 'COMPLETED', 'COMPLETED']);
  assert.deepEqual(codeOf(await again()), [429, 'GUEST_LIMIT_REACHED']);
  assert.deepEqual(await booth.onWall(), [ids[1]]);
  assert.equal(await booth.archived(), 2, 'what is only not chosen is in the ZIP');
  assert.equal((await booth.call('POST', `/v1/booth/jobs/${ids[2]}/choose`)).status, 200);
  assert.deepEqual(await booth.onWall(), [ids[2]]);
  assert.deepEqual(codeOf(await again()), [429, 'GUEST_LIMIT_REACHED']);
  await account.call('PATCH', `/v1/events/${booth.id}/pictures/${ids[2]}`, { approval: 'hidden' });
  assert.equal(await booth.archived(), 0, 'what the operator hid is not');

  broken = [1, 2, 4];
  const lost = await booth.shootAll();
  for (const id of lost.ids) assert.equal((await booth.wait(id)).status, 'FAILED');
  broken = [];
  assert.equal((await lost.again()).status, 201);
});

test('a guest who chooses while the first variation is being made, or erases some of them, has had the picture', async () => {
  const booth = await newChoice();
  const { open, work } = door();
  let held = 1;
  server.engine.before = async (request, context) => {
    if (filterOf(request) === held) await work(request, context);
  };
  const chosen = await booth.shootAll();
  assert.equal((await booth.wait(chosen.ids[1]!)).status, 'COMPLETED');
  assert.equal((await booth.call('POST', `/v1/booth/jobs/${chosen.ids[1]}/choose`)).status, 200);
  assert.deepEqual(codeOf(await chosen.again()), [429, 'GUEST_LIMIT_REACHED']);
  assert.deepEqual(await booth.onWall(), [chosen.ids[1]]);

  held = 4;
  const erased = await booth.shootAll();
  for (const id of erased.ids.slice(0, 2)) assert.equal((await booth.wait(id)).status, 'COMPLETED');
  assert.equal((await erased.erase(erased.ids[0]!)).status, 204);
  assert.deepEqual(await booth.onWall(), [erased.ids[1], chosen.ids[1]]);
  // The made ones were seen: that the last is cancelled gives nothing back.
  assert.equal((await erased.erase(erased.ids[1]!)).status, 204);
  assert.equal((await erased.erase(erased.ids[2]!)).status, 204);
  assert.deepEqual(codeOf(await erased.again()), [429, 'GUEST_LIMIT_REACHED']);
  held = 1;
  const first = await booth.shootAll();
  assert.equal((await booth.wait(first.ids[1]!)).status, 'COMPLETED');
  for (const id of [first.ids[1]!, first.ids[2]!, first.ids[0]!]) await first.erase(id);
  assert.deepEqual(codeOf(await first.again()), [429, 'GUEST_LIMIT_REACHED']);
  open();
});

test('of a strip whose first shot fails before the second is sent, the second counts the picture, for the same try', async () => {
  const strip = { id: 'strip', kind: 'single', filter_id: 1, shots: 2, labels };
  const booth = await newEvent({ offers: [strip], pictures_per_guest: 1, tries_per_guest: 1 });
  const touch = { guest: randomUUID(), offer_id: 'strip', take: randomUUID() };
  server.engine.before = async () => {
    throw new Error('broken');
  };
  const { body } = await booth.shoot(touch);
  assert.equal((await booth.wait(body.id)).status, 'FAILED');
  server.engine.before = async () => {};
  const second = await booth.shoot(touch);
  assert.deepEqual([second.status, second.body.pictures_left], [201, 0]);
  assert.equal((await booth.wait(second.body.id)).status, 'COMPLETED');
  await account.call('PATCH', `/v1/events/${booth.id}`, { tries_per_guest: 2 });
  assert.deepEqual(codeOf(await booth.shoot({ ...touch, take: randomUUID() })), [429, 'GUEST_LIMIT_REACHED']);
});

test('what guests give goes into prompts, overlays and prints, and coarse words nowhere', async () => {
  const details = [
    { id: 'name', kind: 'text', required: true, letters: 12, labels: { en: 'Your name' } },
    {
      id: 'team',
      kind: 'choice',
      choices: [{ id: 'red', labels: { de: 'Die Roten', en: 'the reds' } }],
      labels: { en: 'Team' },
    },
  ];
  const items = [
    { kind: 'picture', number: 1, x: 0, y: 0, width: 1, height: 0.8 },
    { kind: 'text', text: '{guest.name}', x: 0.1, y: 0.82, width: 0.8, height: 0.15 },
  ];
  const overlay_texts = [
    { text: '{guest.name}', x: 0.1, y: 0.85, width: 0.8, height: 0.12, colour: '#ff0000' },
  ];
  const offer = { id: 'fan', kind: 'prompt', prompt: 'A portrait as a fan of {guest.team}', labels };
  const event = {
    offers: [offer],
    details,
    blocked_words: ['rival'],
    texts: { de: { consent: 'Ja' }, en: { consent: 'Yes' } },
    branding: { overlay_texts, print_template: { paper: '4x6', items } },
  };
  const misplaced = await account.call('POST', '/v1/events', {
    name: 'x',
    starts_at: inHours(-1),
    ends_at: inHours(1),
    offers: [{ ...offer, prompt: 'As {guest.city}' }],
    details,
  });
  assert.deepEqual(codeOf(misplaced), [422, 'VALIDATION_ERROR']);
  assert.match(misplaced.body.error, /guest\.city/);

  const booth = await newEvent(event);
  const shown = (await booth.call('GET', '/v1/booth')).body;
  assert.deepEqual(
    [shown.offers[0].kind, shown.details[0].letters, shown.blocked_words],
    ['single', 12, ['rival']],
  );
  const consent = { version: 1, language: 'de' };
  const give = (given: object) =>
    booth.shoot({ guest: randomUUID(), offer_id: 'fan', consent, details: given });
  for (const [given, path] of [
    [{}, 'details.name'],
    [{ name: 'Rival' }, 'details.name'],
    [{ name: 'f u c k' }, 'details.name'],
    [{ name: 'Ann', team: 'blue' }, 'details.team'],
    [{ name: 'Ann', city: 'x' }, 'details.city'],
  ] as const) {
    const refused = await give(given);
    assert.deepEqual([...codeOf(refused), refused.body.fields?.[0]?.path], [422, 'VALIDATION_ERROR', path]);
  }
  const blank = { width: 1200, height: 1800, channels: 3, background: '#507090' } as const;
  server.engine.result = await sharp({ create: blank }).png().toBuffer();
  server.engine.requests.length = 0;
  const { body } = await give({ name: 'Zoë', team: 'red' });
  const done = await booth.wait(body.id);
  assert.equal(done.status, 'COMPLETED', done.error);
  const [asked] = server.engine.requests;
  assert.deepEqual(
    [asked!.family, (asked!.params as { prompt: string }).prompt],
    ['self_prompt_v2', 'A portrait as a fan of the reds'],
  );
  assert.deepEqual((await booth.jobs())[0].details, { name: 'Zoë', team: 'red' });

  const redIn = async (bytes: Buffer, top: number) => {
    const part = { left: 120, top, width: 960, height: 216 };
    const { data, info } = await sharp(bytes)
      .removeAlpha()
      .extract(part)
      .raw()
      .toBuffer({ resolveWithObject: true });
    let red = 0;
    for (let i = 0; i < data.length; i += info.channels) if (data[i]! > 200 && data[i + 1]! < 60) red++;
    return red;
  };
  const fetchBytes = async (path: string) => {
    const answer = await fetch(server.url + path, { headers: { 'x-api-key': booth.key } });
    return Buffer.from(await answer.arrayBuffer());
  };
  const url = new URL(done.url);
  assert.ok(
    (await redIn(await fetchBytes(url.pathname + url.search), 1530)) > 2000,
    'the name on the picture',
  );
  const print = await fetchBytes(`/v1/booth/jobs/${body.id}/print`);
  const written = await sharp(print).extract({ left: 120, top: 1480, width: 960, height: 260 }).stats();
  assert.ok(written.channels[0]!.stdev > 20, 'the name on the print');
  server.engine.result = null;
});

test('a moving picture of the moment is kept with its picture, for the guest alone, and goes with it', async () => {
  const booth = await newEvent({
    offers: [{ id: 'one', kind: 'single', filter_id: 1, labels }],
    moments: true,
  });
  const { body } = await booth.shoot({ guest: randomUUID(), offer_id: 'one' });
  const gif = tinyGif.toString('base64');
  const put = (call: typeof booth.call, moment: string, id = body.id) =>
    call('PUT', `/v1/booth/jobs/${id}/moment`, { gif: moment });
  const stored = async () => (await server.blobKeys()).filter((key) => key.startsWith('moments/'));
  // Small files that cost a guest's phone far more: many frames, and one beyond the picture.
  const frame = tinyGif.subarray(tinyGif.indexOf(0x2c), -1);
  const long = Buffer.concat([
    tinyGif.subarray(0, -1),
    ...Array<Buffer>(60).fill(frame),
    tinyGif.subarray(-1),
  ]);
  const wide = Buffer.from(tinyGif);
  wide.writeUInt16LE(0xffff, wide.indexOf(0x2c) + 5);
  const cut = [
    gif.slice(0, 8),
    ...[tinyGif.subarray(0, -1), long, wide].map((file) => file.toString('base64')),
  ];
  for (const wrong of ['', '%', photo, ...cut])
    assert.deepEqual(codeOf(await put(booth.call, wrong)), [422, 'VALIDATION_ERROR']);
  const stranger = await newEvent({ offers: [{ id: 'one', kind: 'single', filter_id: 1, labels }] });
  assert.deepEqual(codeOf(await put(stranger.call, gif)), [422, 'VALIDATION_ERROR'], 'not kept there');
  await account.call('PATCH', `/v1/events/${stranger.id}`, { moments: true });
  assert.deepEqual(codeOf(await put(stranger.call, gif)), [404, 'JOB_NOT_FOUND']);
  assert.deepEqual(await stored(), []);
  // As large as the limit says, with a comment.
  const comment = (bytes: number) =>
    Buffer.concat([
      tinyGif.subarray(0, -1),
      Buffer.from([0x21, 0xfe]),
      ...Array<Buffer>(Math.floor(bytes / 256)).fill(Buffer.alloc(256, 255)),
      Buffer.from([0]),
      tinyGif.subarray(-1),
    ]).toString('base64');
  assert.deepEqual(codeOf(await put(booth.call, comment(3_000_300))), [422, 'VALIDATION_ERROR']);
  assert.equal((await put(booth.call, comment(2_999_000))).status, 204);
  assert.equal((await put(booth.call, gif)).status, 204);
  const guest = { 'x-guest-token': body.guest_token };
  const page = await request(server.url, 'GET', '/v1/guest', undefined, guest);
  const url = new URL(page.body.pictures[0].moment_url);
  const file = await fetch(server.url + url.pathname + url.search);
  assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'image/gif']);
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), tinyGif);
  await booth.wait(body.id);
  assert.equal((await stored()).length, 1);
  await request(server.url, 'DELETE', '/v1/guest/pictures', undefined, guest);
  assert.deepEqual(await stored(), []);
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { after, before, test } from 'node:test';
import type { EventMail } from '@guise/contract/events/mails.ts';
import type { PreflightCheck } from '@guise/contract/events/preflight.ts';
import { sql } from 'kysely';
import sharp from 'sharp';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createCredential } from '../../src/accounts/keys.ts';
import { mails } from '../../src/store/events/mail-records.ts';
import { statement } from '../../src/store/statement.ts';
import { makeBoothEvent } from '../support/booth-event.ts';
import {
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../support/harness.ts';
import { startMailServer, type TestMailServer } from '../support/smtp-server.ts';
import { filesOfZip } from '../support/zip-reader.ts';

let mailServer: TestMailServer;
let server: TestServer;
let account: TestAccount;
before(async () => {
  mailServer = await startMailServer();
  server = await startTestServer({
    runsPerMinute: 0,
    testsPerMinute: 0,
    publicUrl: 'https://booth.example.com',
    mail: { url: mailServer.url, from: 'Booth <booth@example.com>' },
  });
  account = await server.account();
});
after(async () => {
  await server.stop();
  await mailServer.stop();
});

const mail = {
  texts: {
    en: { subject: 'Your picture', text: 'Hello & <thanks>' },
    de: { subject: 'Ihr Bild', text: 'Grüße' },
  },
};

/** An event with a finished picture of one guest. */
async function newPicture(
  fields: object = {},
  at: { url: string; account: TestAccount } = { url: server.url, account },
) {
  const { url, account } = at;
  const { id: event, call } = await makeBoothEvent(url, account, { mail, ...fields });
  const booth = (method: string, path: string, body?: unknown) =>
    call(method, path, body, { prefer: 'wait=30' });
  const { body } = await booth('POST', '/v1/booth/jobs', {
    guest: randomUUID(),
    offer_id: 'alone',
    image: photo,
  });
  await booth('GET', `/v1/booth/jobs/${body.id}`);
  const guest = (method: string, path: string, sent?: unknown) =>
    request(url, method, path, sent, { 'x-guest-token': body.guest_token });
  const guestToken: string = body.guest_token;
  return { event, booth, guest, guestToken, id: body.id as string, guestUrl: body.guest_url as string };
}

const mailsOf = async (event: string): Promise<EventMail[]> =>
  (await account.call('GET', `/v1/events/${event}/mails`)).body.mails;
const mailOf = (event: string, address: string) =>
  until(async () => (await mailsOf(event)).find((one) => one.address === address && one.ended_at !== null));

test('a guest gets the picture by mail in the event’s words, once, and the address goes with the picture', async () => {
  const { event, guest, id, guestUrl } = await newPicture();
  assert.equal((await guest('GET', '/v1/guest')).body.event.mail, true);
  const ask = (address: string, consent = true) =>
    guest('POST', `/v1/guest/pictures/${id}/mail`, { address, language: 'de', consent });
  assert.equal((await ask('ann@example.com', false)).status, 422);
  const asked = await ask('ann@example.com');
  assert.equal(asked.status, 201, JSON.stringify(asked.body));
  assert.equal((await ask('ann@example.com')).body.id, asked.body.id);
  const sent = await mailOf(event, 'ann@example.com');
  assert.deepEqual([sent.state, sent.attempts, sent.language], ['sent', 1, 'de']);
  const got = mailServer.received.filter(({ to }) => to === 'ann@example.com');
  assert.equal(got.length, 1);
  const { content } = got[0]!;
  assert.match(content, /^Subject: Ihr Bild\r$/m);
  assert.match(content, /^From: Booth <booth@example.com>\r$/m);
  assert.match(content, new RegExp(`^Message-ID: <${sent.id}@`, 'm'));
  assert.match(content, /filename=picture\.png/);
  assert.ok(content.replaceAll('=\r\n', '').includes(guestUrl));
  await guest('DELETE', `/v1/guest/pictures/${id}`);
  assert.deepEqual(await mailsOf(event), []);
});

test('what a mail server refuses is shown and not counted, a guest has five mails, and the booth may ask for its guests', async () => {
  const { event, guest, booth, id } = await newPicture();
  const asked = await booth('POST', `/v1/booth/jobs/${id}/mail`, {
    address: 'nobody@example.com',
    consent: true,
  });
  assert.equal(asked.status, 201, JSON.stringify(asked.body));
  const failed = await mailOf(event, 'nobody@example.com');
  assert.equal(failed.state, 'failed');
  assert.match(failed.sentence ?? '', /refused this mail: 550 No such mailbox/);
  const statuses = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const path = `/v1/guest/pictures/${id}/mail`;
    statuses.push((await guest('POST', path, { address: `${name}@example.com`, consent: true })).status);
  }
  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429]);
  const stranger = await newPicture();
  const foreign = await stranger.guest('POST', `/v1/guest/pictures/${id}/mail`, {
    address: 'a@b.de',
    consent: true,
  });
  assert.equal(foreign.body.error_code, 'JOB_NOT_FOUND');
  const { body } = await account.call('POST', `/v1/events/${event}/erase`);
  assert.deepEqual([body.mails, body.remaining.mails], [6, 0]);
});

test('a mail that its server looks through for longer than a lease is sent once, and its try counts from the beginning', async () => {
  const { event, guest, id } = await newPicture();
  const address = 'slow@example.com';
  await guest('POST', `/v1/guest/pictures/${id}/mail`, { address, consent: true });
  await until(async () => mailServer.held() === 1);
  const read = async () => (await server.db.all(mails.list, { event_id: event, before: '~', limit: 1 }))[0]!;
  const { id: mailId, attempts, lease_until } = await read();
  assert.equal(attempts, 1);
  const renewed = await until(async () => {
    const row = await read();
    return row.lease_until! > lease_until! && row;
  });
  assert.ok(renewed.due_at >= renewed.lease_until!, 'nobody else claims it');
  mailServer.release();
  const sent = await mailOf(event, address);
  assert.deepEqual([sent.id, sent.state, sent.attempts], [mailId, 'sent', 1]);
  assert.equal(mailServer.received.filter(({ to }) => to === address).length, 1);
});

test('a mail whose process ended in each of its tries is given up', async () => {
  const { event, guest, id } = await newPicture();
  const address = 'slow@example.com';
  await guest('POST', `/v1/guest/pictures/${id}/mail`, { address, consent: true });
  await until(async () => mailServer.held() === 1);
  const loseLast = statement((db, p: { event_id: string }) =>
    db
      .updateTable('event_mails')
      .set({ attempts: 6, claim: 99, lease_until: null, due_at: sql.lit(0) })
      .where('event_id', '=', p.event_id),
  );
  await server.db.run(loseLast, { event_id: event });
  mailServer.release();
  const failed = await mailOf(event, address);
  assert.deepEqual(
    [failed.state, failed.sentence],
    ['failed', 'It is not known whether this mail was sent.'],
  );
});

test('a mail waits while the mail server refuses the login', async (t) => {
  const refusing = await startMailServer({ refusesLogins: true });
  const local = await startTestServer({ mail: { url: refusing.url, from: 'Booth <booth@example.com>' } });
  t.after(async () => {
    await local.stop();
    await refusing.stop();
  });
  const at = { url: local.url, account: await local.account() };
  const { event, guest, id } = await newPicture({}, at);
  await guest('POST', `/v1/guest/pictures/${id}/mail`, { address: 'ann@example.com', consent: true });
  const tried: EventMail = await until(async () =>
    (await at.account.call('GET', `/v1/events/${event}/mails`)).body.mails.find(
      ({ sentence }: EventMail) => sentence !== null,
    ),
  );
  assert.deepEqual([tried.state, tried.attempts], ['waiting', 1]);
  assert.match(tried.sentence!, /^The mail server cannot take this mail now: 535 Wrong password/);
});

test('a mail leads to the server, whatever address of the internet its guest wrote into Host', async (t) => {
  const mail = { url: mailServer.url, from: 'Booth <booth@example.com>' };
  const local = await startTestServer({ mail });
  t.after(() => local.stop());
  const { guestToken, id } = await newPicture({}, { url: local.url, account: await local.account() });
  const { hostname, port } = new URL(local.url);
  for (const [name, host, expected] of [
    ['elsewhere', '8.8.8.8:8000', local.url],
    ['venue', '192.168.1.20:8000', 'http://192.168.1.20:8000'],
  ] as const) {
    const headers = { host, 'x-guest-token': guestToken, 'content-type': 'application/json' };
    const asking = { method: 'POST', hostname, port, path: `/v1/guest/pictures/${id}/mail`, headers };
    const address = `${name}@example.com`;
    const answer = once(sendRequest(asking).end(JSON.stringify({ address, consent: true })), 'response');
    assert.equal((await answer)[0].statusCode, 201);
    const { content } = await until(async () => mailServer.received.find(({ to }) => to === address));
    assert.ok(content.replaceAll('=\r\n', '').includes(`${expected}/g/`), content.slice(0, 900));
  }
});

test('an event without a template sends no mail, and five text messages of a guest are asked of its webhook, each once', async () => {
  const { booth, guest, id } = await newPicture({
    mail: null,
    webhook_url: 'https://hooks.example.com/guise',
  });
  assert.equal((await booth('GET', '/v1/booth')).body.mail, false);
  const refused = await guest('POST', `/v1/guest/pictures/${id}/mail`, { address: 'a@b.de', consent: true });
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'NO_MAIL']);
  const text = { channel: 'sms', number: '+4915112345678', consent: true };
  const ask = (fields: object = {}) =>
    guest('POST', `/v1/guest/pictures/${id}/message`, { ...text, ...fields });
  const asked = async () => {
    const { webhook_deliveries } = (await account.call('GET', '/v1/webhook_deliveries')).body;
    return webhook_deliveries.filter(({ event }: { event: string }) => event === 'event.delivery_requested')
      .length;
  };
  assert.equal((await ask()).status, 204);
  assert.deepEqual([(await ask()).status, await asked()], [204, 1], 'the same again is one message');
  assert.equal((await ask({ number: '0151' })).status, 422);
  const numbers = [1, 2, 3, 4, 5].map((last) => `+491511234560${last}`);
  const answers = await Promise.all(numbers.map((number) => ask({ number })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 204, 204, 204, 429]);
  assert.equal(answers.find(({ status }) => status === 429)!.body.error_code, 'MAIL_LIMIT_REACHED');
  assert.deepEqual([(await ask()).status, await asked()], [204, 5], 'the first is answered as before');
});

test('an operator sends a test mail, and is told what the mail server says', async () => {
  const { id } = await createAccount(server.db, { email: 'op@example.com', credits: 0, role: 'operator' });
  const { secret } = await createCredential(server.db, id, { kind: 'key', name: 'op', scopes: ['operator'] });
  const send = (address: string) =>
    request(server.url, 'POST', '/v1/mail/test', { address }, { 'x-api-key': secret });
  assert.equal((await send('me@example.com')).status, 204);
  const refused = await send('nobody@example.com');
  assert.deepEqual([refused.status, refused.body.error_code], [422, 'MAIL_NOT_SENT']);
});

test('the preflight names what is not ready with its remedy, and a phone that opens the code makes the address green', async () => {
  const { event } = await newPicture({
    budget: 1,
    texts: { en: { welcome: 'Hi' }, de: { welcome: 'Hallo' } },
    printer_id: null,
  });
  const read = async () => (await account.call('GET', `/v1/events/${event}/preflight`)).body;
  const first = await read();
  const stateOf = (checks: PreflightCheck[], part: string) =>
    checks.find((check) => check.part === part)?.state;
  assert.equal(first.state, 'red');
  assert.deepEqual(
    ['address', 'window', 'overlays', 'labels', 'mail', 'printer', 'stations'].map((part) =>
      stateOf(first.checks, part),
    ),
    ['amber', 'green', 'green', 'amber', 'green', 'green', 'amber'],
  );
  assert.ok(
    first.checks.every(({ state, remedy }: PreflightCheck) => (state === 'green') === (remedy === null)),
  );
  const labels = async (fields: object) => {
    await account.call('PATCH', `/v1/events/${event}`, fields);
    return (await read()).checks.find(({ part }: PreflightCheck) => part === 'labels').sentence;
  };
  const [consent, welcome] = ['I agree.', 'مرحبا'];
  const missing = /^Labels are missing in German: “x”; Arabic: “x” and the mail\.$/;
  const inThree = { en: { consent }, de: { consent }, ar: { welcome, consent } };
  assert.match(await labels({ texts: inThree }), missing);
  const unasked = await labels({ texts: { ...inThree, ar: { welcome } } });
  assert.match(unasked, /^There is no consent text in Arabic/);
  assert.match(first.phone_url, /^https:\/\/booth\.example\.com\/v1\/phone_checks\//);
  const opened = await fetch(server.url + new URL(first.phone_url).pathname);
  assert.equal(opened.status, 200);
  assert.equal(stateOf((await read()).checks, 'address'), 'green');
  assert.equal((await fetch(`${server.url}/v1/phone_checks/${'x'.repeat(43)}`)).status, 404);
});

test('all pictures of an event come as one zip file, without hidden ones', async () => {
  const { event, booth, id } = await newPicture({
    name: `Gala à trois${'🎉'.repeat(40)}${'.'.repeat(40)}`.slice(0, 92),
    moments: true,
  });
  const { body: other } = await booth('POST', '/v1/booth/jobs', {
    guest: randomUUID(),
    offer_id: 'alone',
    image: photo,
  });
  await booth('GET', `/v1/booth/jobs/${other.id}`);
  const download = async () => {
    const { status, body } = await account.call('POST', `/v1/events/${event}/archive`);
    assert.equal(status, 201, JSON.stringify(body));
    const { pathname, search } = new URL(body.url);
    const answer = await fetch(server.url + pathname + search);
    assert.match(
      answer.headers.get('content-disposition')!,
      /filename\*=UTF-8''Gala%20%C3%A0%20trois(%F0%9F%8E%89){40}\.zip$/,
    );
    return filesOfZip(Buffer.from(await answer.arrayBuffer()));
  };
  const names = (await download()).map(({ name }) => name);
  assert.equal(names.length, 2);
  for (const name of names) assert.match(name, /^\d{4}-\d\d-\d\d \d\d-\d\d-\d\d x( \(2\))?\.png$/);
  const picture = { create: { width: 16, height: 16, channels: 3, background: '#456789' } } as const;
  const gif = (await sharp(picture).gif().toBuffer()).toString('base64');
  assert.equal((await booth('PUT', `/v1/booth/jobs/${other.id}/moment`, { gif })).status, 204);
  await account.call('PATCH', `/v1/events/${event}/pictures/${id}`, { approval: 'hidden' });
  const [left, ...more] = await download();
  assert.deepEqual(
    [more.map(({ name }) => name), left?.name.endsWith('.png')],
    [[`${left?.name.slice(0, -4)}, moment.gif`], true],
  );
});

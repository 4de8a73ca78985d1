import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { EventPrint } from '@guise/contract/events/prints.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import { sql } from 'kysely';
import sharp from 'sharp';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createCredential } from '../../src/accounts/keys.ts';
import { newId } from '../../src/ids.ts';
import { deletePrinter, insertPrint, insertPrinter, prints } from '../../src/store/events/print-records.ts';
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
import { type IppPrinter, startIppPrinter } from '../support/ipp-printer.ts';
import { readCode, readPrint } from '../support/read-print.ts';

let server: TestServer;
let account: TestAccount;
let printer: IppPrinter;
let printerId: string;
before(async () => {
  printer = await startIppPrinter();
  server = await startTestServer({
    runsPerMinute: 0,
    testsPerMinute: 0,
    allowPrivateUrls: true,
    publicUrl: 'https://booth.example.com',
  });
  account = await server.account();
  server.engine.result = await sharp(samplePhotos.onePerson)
    .resize(1200, 1800, { position: 'top' })
    .png()
    .toBuffer();
  const added = await account.call('POST', '/v1/printers', { name: 'Foyer', url: printer.url });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  printerId = added.body.id;
});
after(async () => {
  await server.stop();
  await printer.stop();
});

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => ReturnType<typeof request>;

/** An event that prints, and a booth of it. */
async function newEvent(fields: object = {}): Promise<{ id: string; booth: Call }> {
  const printing = { name: 'Sommerfest', branding: { print_code: true }, printer_id: printerId };
  const { id, call } = await makeBoothEvent(server.url, account, { ...printing, ...fields });
  return { id, booth: call };
}

/** A finished picture of a guest. */
async function newPicture(
  booth: Call,
  guest: string = randomUUID(),
): Promise<{ id: string; guestUrl: string; token: string }> {
  const { body } = await booth('POST', '/v1/booth/jobs', { guest, offer_id: 'alone', image: photo });
  const done = await booth('GET', `/v1/booth/jobs/${body.id}`, undefined, { prefer: 'wait=30' });
  assert.equal(done.body.status, 'COMPLETED', JSON.stringify(done.body));
  return { id: body.id, guestUrl: body.guest_url, token: body.guest_token };
}

async function endOf(booth: Call, id: string): Promise<EventPrint> {
  let print: EventPrint | undefined;
  await until(async () => {
    print = (await booth('GET', `/v1/booth/prints/${id}`)).body;
    return print!.ended_at !== null;
  });
  return print!;
}

test('a printer is asked before it is stored, tells its paper and model, and prints a test page', async () => {
  const read = await account.call('GET', `/v1/printers/${printerId}`);
  assert.equal(read.body.report.state, 'ready');
  assert.match(read.body.report.model, /Photo/);
  assert.ok(read.body.report.papers.includes('na_index-4x6_4x6in'));
  await printer.loadPaper(0);
  const { report } = (await account.call('GET', `/v1/printers/${printerId}`)).body;
  assert.deepEqual(report.problems, ['The printer is out of paper. Load paper.']);
  await printer.loadPaper(25);
  const before = printer.printed().length;
  assert.equal((await account.call('POST', `/v1/printers/${printerId}/test`)).status, 200);
  await until(async () => printer.printed().length === before + 1);
  const nobody = await account.call('POST', '/v1/printers', {
    name: 'x',
    url: 'ipp://localhost:9/ipp/print',
  });
  assert.deepEqual([nobody.status, nobody.body.error_code], [422, 'URL_NOT_ALLOWED']);
  const closed = await account.call('POST', '/v1/printers', {
    name: 'x',
    url: 'ipp://localhost:65000/ipp/print',
  });
  assert.deepEqual([closed.status, closed.body.error_code], [422, 'PRINTER_NOT_REACHED']);
  const notIpp = await account.call('POST', '/v1/printers', {
    name: 'x',
    url: server.url.replace('http:', 'ipp:'),
  });
  assert.deepEqual([notIpp.status, notIpp.body.error_code], [422, 'PRINTER_NOT_REACHED']);
});

test('a print is with the printer within 3 s of the touch, once for each Idempotency-Key, at 300 dpi with the guest’s code', async () => {
  const { booth } = await newEvent();
  assert.deepEqual((await booth('GET', '/v1/booth')).body.prints, { copies: 5 });
  const picture = await newPicture(booth);
  const before = printer.printed();
  const headers = { 'idempotency-key': randomUUID() };
  const body = { job_ids: [picture.id], copies: 2 };
  const [first, second] = [
    await booth('POST', '/v1/booth/prints', body, headers),
    await booth('POST', '/v1/booth/prints', body, headers),
  ];
  assert.deepEqual([first.status, second.status, second.body.id], [201, 201, first.body.id]);
  const ended = await endOf(booth, first.body.id);
  assert.deepEqual([ended.state, ended.copies, ended.sentence, ended.attempts], ['printed', 2, null, 1]);
  const fresh = printer.printed().filter((file) => !before.includes(file));
  assert.equal(fresh.length, 1);
  const { png, width, height, page } = await readPrint(fresh[0]!);
  assert.deepEqual([width, height, page], [1200, 1800, '0 0 288 432']);
  assert.equal(await readCode(png), picture.guestUrl);

  const msToPrinter = async () => {
    const touched = performance.now();
    const { body } = await booth('POST', '/v1/booth/prints', { job_ids: [picture.id] });
    await until(async () => (await booth('GET', `/v1/booth/prints/${body.id}`)).body.sent_at !== null);
    return performance.now() - touched;
  };
  // A busy machine may hold up one of them.
  let took = await msToPrinter();
  for (let tries = 1; took >= 3000 && tries < 3; tries++) took = await msToPrinter();
  assert.ok(took < 3000, `${took} ms`);
});

test('a preview has the texts that are written over pictures', async () => {
  const redIn = async (branding: object) => {
    const { status, body } = await account.call('POST', '/v1/print_previews', { name: 'Gala', branding });
    assert.equal(status, 200, JSON.stringify(body));
    const low = sharp(Buffer.from(body.image, 'base64')).extract({
      left: 60,
      top: 1560,
      width: 1080,
      height: 200,
    });
    const { data } = await low.raw().toBuffer({ resolveWithObject: true });
    let red = 0;
    for (let i = 0; i < data.length; i += 3) if (data[i]! > 220 && data[i + 1]! < 40) red++;
    return red;
  };
  const text = { text: 'For {guest.name}', colour: '#ff0000', x: 0.06, y: 0.88, width: 0.88, height: 0.08 };
  assert.ok((await redIn({ overlay_texts: [text] })) > 3000);
  assert.ok((await redIn({})) < 300);
});

test('two strips of four pictures are printed on one sheet, in the order that the booth says', async () => {
  const { booth } = await newEvent();
  const guest = randomUUID();
  const colours = ['#c03030', '#30c030', '#3030c0', '#c0c030'];
  const ids: string[] = [];
  const person = server.engine.result;
  for (const background of colours) {
    server.engine.result = await sharp({ create: { width: 1800, height: 1200, channels: 3, background } })
      .png()
      .toBuffer();
    ids.push((await newPicture(booth, guest)).id);
  }
  server.engine.result = person;
  const before = printer.printed();
  const { body } = await booth('POST', '/v1/booth/prints', { job_ids: ids, layout: 'two_strips' });
  await endOf(booth, body.id);
  const [file] = printer.printed().filter((name) => !before.includes(name));
  const { png, width, height } = await readPrint(file!);
  assert.deepEqual([width, height], [1200, 1800]);
  const pixels = await sharp(png).removeAlpha().raw().toBuffer();
  const hueAt = (x: number, y: number) =>
    [...pixels.subarray((y * 1200 + x) * 3, (y * 1200 + x) * 3 + 3)]
      .map((value) => Math.round(value / 144))
      .join('');
  const seen = [300, 900].map((x) => [200, 570, 940, 1310].map((y) => hueAt(x, y)));
  assert.deepEqual(seen, [
    ['100', '010', '001', '110'],
    ['100', '010', '001', '110'],
  ]);
  const foreign = await newPicture(booth);
  const mixed = await booth('POST', '/v1/booth/prints', { job_ids: [ids[0], foreign.id] });
  assert.deepEqual([mixed.status, mixed.body.error_code], [404, 'JOB_NOT_FOUND']);
});

test('limits per guest and per event count copies, and the operator prints again without them', async () => {
  const { id, booth } = await newEvent({ prints_per_guest: 2, print_limit: 3 });
  const guest = randomUUID();
  const picture = await newPicture(booth, guest);
  const ask = (job: string, copies: number) => booth('POST', '/v1/booth/prints', { job_ids: [job], copies });
  assert.equal((await ask(picture.id, 3)).body.error_code, 'PRINT_LIMIT_REACHED');
  // Of several at once, no more than the limit are accepted.
  const answers = await Promise.all([1, 1, 1, 1].map((copies) => ask(picture.id, copies)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 429, 429]);
  const other = await newPicture(booth);
  assert.equal((await ask(other.id, 2)).body.error, 'All prints of this event have been made.');
  assert.equal((await ask(other.id, 1)).status, 201);
  const again = await account.call('POST', `/v1/events/${id}/prints`, { job_ids: [picture.id] });
  assert.deepEqual([again.status, again.body.by], [201, 'operator']);
  const listed = await account.call('GET', `/v1/events/${id}/prints`);
  assert.equal(listed.body.prints.length, 4);
  await until(async () =>
    (await account.call('GET', `/v1/events/${id}/prints`)).body.prints.every(
      (print: EventPrint) => print.state === 'printed',
    ),
  );
});

test('a printer that is away holds prints up with a sentence, and prints each once when it is back', async () => {
  const { id, booth } = await newEvent();
  const picture = await newPicture(booth);
  await printer.stop();
  const { body } = await booth('POST', '/v1/booth/prints', { job_ids: [picture.id] });
  await until(async () => (await booth('GET', `/v1/booth/prints/${body.id}`)).body.sentence !== null);
  const held = (await booth('GET', `/v1/booth/prints/${body.id}`)).body;
  assert.deepEqual([held.state, /does not answer/.test(held.sentence)], ['waiting', true]);
  const cancelled = await account.call('POST', `/v1/events/${id}/prints/${body.id}/cancel`);
  assert.equal(cancelled.body.state, 'cancelled');
  // The new one has another port.
  printer = await startIppPrinter('image/jpeg,image/pwg-raster');
  const added = await account.call('POST', '/v1/printers', { name: 'Foyer 2', url: printer.url });
  printerId = added.body.id;
  assert.equal((await account.call('PATCH', `/v1/events/${id}`, { printer_id: printerId })).status, 200);
  const next = await booth('POST', '/v1/booth/prints', { job_ids: [picture.id] });
  assert.equal((await endOf(booth, next.body.id)).state, 'printed');
  assert.equal(printer.printed().length, 1);
  const { png, width, height } = await readPrint(printer.printed()[0]!);
  assert.deepEqual([width, height, await readCode(png)], [1200, 1800, picture.guestUrl]);
});

test('prints and printers of an account that do not answer hold up no other’s', async (t) => {
  // Accepts a connection and says nothing: a call to it takes 15 s.
  const connections = new Set<Socket>();
  const silent = createServer((socket) => void connections.add(socket.on('error', () => {})));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const silentPrinters: string[] = [];
  const greedy = await server.account();
  const { db } = server;
  t.after(async () => {
    for (const id of silentPrinters) await db.run(deletePrinter, { id, account_id: greedy.id });
    for (const socket of connections) socket.destroy();
    silent.close();
  });
  const url = `ipp://127.0.0.1:${(silent.address() as AddressInfo).port}/ipp/print`;
  for (let i = 0; i < 20; i++) {
    const printer_id = newId();
    silentPrinters.push(printer_id);
    const named = { id: printer_id, account_id: greedy.id, name: 'x', url };
    await db.run(insertPrinter, { ...named, trusted: 1, created_at: db.now() });
    for (let n = 0; n < 10; n++) {
      const of = { event_id: newId(), account_id: greedy.id, guest_id: newId(), job_id: newId() };
      const asked = { base_url: '', key_id: null, job_ids: '[]', layout: '4x6', copies: 1 } as const;
      await db.run(insertPrint, { id: newId(), ...of, ...asked, printer_id });
    }
    // Whoever asks for so many at once waits, and is refused in the end.
    greedy.call('GET', `/v1/printers/${printer_id}`).catch(() => {});
  }
  await until(async () => connections.size > 0);
  const { booth } = await newEvent();
  const picture = await newPicture(booth);
  const began = performance.now();
  assert.equal((await account.call('GET', `/v1/printers/${printerId}`)).body.report.state, 'ready');
  const { body } = await booth('POST', '/v1/booth/prints', { job_ids: [picture.id] });
  assert.equal((await endOf(booth, body.id)).state, 'printed');
  const took = performance.now() - began;
  assert.ok(took < 12_000, `${took} ms`);
  assert.ok(connections.size <= 10, `${connections.size} calls at once`);
});

test('a print whose server died after the document was sent is not sent again', async () => {
  const { id: event_id, booth } = await newEvent();
  const picture = await newPicture(booth);
  const { body } = await booth('POST', '/v1/booth/prints', { job_ids: [picture.id] });
  await until(async () => (await booth('GET', `/v1/booth/prints/${body.id}`)).body.sent_at !== null);
  const before = printer.printed().length;
  // As if the process had died between sending and noting it.
  const unsend = statement((db, p: { id: string }) =>
    db
      .updateTable('event_prints')
      .set({ state: 'waiting', sent_at: null, ended_at: null, due_at: sql.lit(0), lease_until: null })
      .where('id', '=', p.id),
  );
  await server.db.run(unsend, { id: body.id });
  const ended = await endOf(booth, body.id);
  assert.deepEqual([ended.state, printer.printed().length], ['printed', before]);
  assert.equal((await server.db.one(prints.find, { id: body.id, event_id }))?.attempts, 2);
});

test('erasing a picture takes its prints away and gives none back, and the receipt of an event counts them', async () => {
  const { id, booth } = await newEvent({ prints_per_guest: 1, print_limit: 2 });
  const guest = randomUUID();
  const [picture, other] = [await newPicture(booth, guest), await newPicture(booth)];
  for (const one of [picture, other]) {
    const { body } = await booth('POST', '/v1/booth/prints', { job_ids: [one.id] });
    await endOf(booth, body.id);
  }
  const gone = await request(server.url, 'DELETE', `/v1/guest/pictures/${picture.id}`, undefined, {
    'x-guest-token': picture.token,
  });
  assert.equal(gone.status, 204);
  assert.equal((await account.call('GET', `/v1/events/${id}/prints`)).body.prints.length, 1);
  const again = async (of: string) =>
    (await booth('POST', '/v1/booth/prints', { job_ids: [(await newPicture(booth, of)).id] })).body.error;
  assert.equal(await again(guest), 'You have had all your prints.');
  assert.equal(await again(randomUUID()), 'All prints of this event have been made.');
  const { body } = await account.call('POST', `/v1/events/${id}/erase`);
  assert.deepEqual([body.prints, body.remaining.prints], [2, 0]);
});

test('an event without a printer leaves printing to its booths, and private addresses are the operator’s', async () => {
  const { booth } = await newEvent({ printer_id: null });
  assert.equal((await booth('GET', '/v1/booth')).body.prints, null);
  const picture = await newPicture(booth);
  const refused = await booth('POST', '/v1/booth/prints', { job_ids: [picture.id] });
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'NO_PRINTER']);
  const strict = await startTestServer({ testsPerMinute: 0 });
  try {
    const guest = await strict.account();
    const body = { name: 'x', url: printer.url };
    assert.equal((await guest.call('POST', '/v1/printers', body)).body.error_code, 'URL_NOT_ALLOWED');
    const { id } = await createAccount(strict.db, {
      email: 'op@example.com',
      credits: 0,
      role: 'operator',
    });
    const scopes = ['manage', 'operator'] as const;
    const { secret } = await createCredential(strict.db, id, { kind: 'key', name: 'op', scopes });
    const added = await request(strict.url, 'POST', '/v1/printers', body, { 'x-api-key': secret });
    assert.equal(added.status, 201, JSON.stringify(added.body));
  } finally {
    await strict.stop();
  }
});

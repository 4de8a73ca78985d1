import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { newId } from '../../src/ids.ts';
import { createNameLookup } from '../../src/media/name-lookup.ts';
import { createPrinterCalls } from '../../src/printing/ipp-client.ts';
import { askPrinter, createJob, readJob } from '../../src/printing/printer.ts';
import { findEventJob } from '../../src/store/events/event-guest-records.ts';
import { countCopiesOfGuest, insertPrint, insertPrinter } from '../../src/store/events/print-records.ts';
import { statement } from '../../src/store/statement.ts';
import { makeBoothEvent } from '../support/booth-event.ts';
import { photo, request, startTestServer, type TestAccount, type TestServer } from '../support/harness.ts';
import { type IppPrinter, startIppPrinter } from '../support/ipp-printer.ts';

let server: TestServer;
let account: TestAccount;
let printer: IppPrinter;
before(async () => {
  printer = await startIppPrinter();
  server = await startTestServer({ runsPerMinute: 0, allowPrivateUrls: true });
  account = await server.account();
});
after(async () => {
  await server.stop();
  await printer.stop();
});

test('erasing a picture cancels its print at the printer, waits for none that is silent, and leaves no trace of it', async (t) => {
  const connections: Socket[] = [];
  const silent = createServer((socket) => void connections.push(socket.on('error', () => {})));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => {
    for (const socket of connections) socket.destroy();
    silent.close();
  });
  const { id: event_id, call: booth } = await makeBoothEvent(server.url, account);
  const { db } = server;
  const own = { account_id: account.id, trusted: 1 } as const;
  const silentUrl = `ipp://127.0.0.1:${(silent.address() as AddressInfo).port}/ipp/print`;
  const call = createPrinterCalls({ resolve: createNameLookup(), allowPrivateUrls: true });
  const address = { ...own, url: printer.url, trusted: true };
  const abilities = await askPrinter(call, address);
  const setPrinting = statement((kysely, p: { id: string; printer_job_id: number }) =>
    kysely
      .updateTable('event_prints')
      .set({ state: 'printing', sent_at: 1, due_at: 1e15, printer_job_id: p.printer_job_id })
      .where('id', '=', p.id),
  );
  const everyPrint = statement((kysely, p: { guest_id: string }) =>
    kysely.selectFrom('event_prints').selectAll().where('guest_id', '=', p.guest_id),
  );
  for (const [url, state] of [
    [printer.url, 'ended'],
    [silentUrl, 'incoming'],
  ] as const) {
    const printer_id = newId();
    await db.run(insertPrinter, { ...own, id: printer_id, name: 'x', url, created_at: db.now() });
    const wanted = { guest: randomUUID(), offer_id: 'alone', image: photo };
    const { body: picture } = await booth('POST', '/v1/booth/jobs', wanted);
    const { guest_id } = (await db.one(findEventJob, { job_id: picture.id }))!;
    const id = newId();
    // The printer has it and has no paper.
    const printer_job_id = await createJob(call, address, abilities, { name: id, layout: '4x6', copies: 1 });
    const of = { event_id, account_id: account.id, guest_id, job_id: picture.id, base_url: 'https://x' };
    const asked = { key_id: 'k', job_ids: JSON.stringify([picture.id]), layout: '4x6', copies: 2 } as const;
    await db.transaction(async (tx) => {
      await tx.run(insertPrint, { id, ...of, ...asked, printer_id });
      await tx.run(setPrinting, { id, printer_job_id });
    });
    const began = performance.now();
    const header = { 'x-guest-token': picture.guest_token };
    const path = `/v1/guest/pictures/${picture.id}`;
    assert.equal((await request(server.url, 'DELETE', path, undefined, header)).status, 204);
    const took = performance.now() - began;
    assert.ok(took < 12_000, `${took} ms`);
    assert.equal((await readJob(call, address, printer_job_id))?.state, state);
    const rows = await db.all(everyPrint, { guest_id });
    assert.deepEqual(
      rows.map(({ job_ids, job_id, base_url, printer_job_id: job, ended_at }) => [
        job_ids + job_id + base_url,
        job,
        ended_at !== null,
      ]),
      [['[]', null, true]],
    );
    assert.equal(Number((await db.one(countCopiesOfGuest, { guest_id }))?.copies), 2);
  }
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../src/errors.ts';
import { createPrinterCalls, PrinterUnreachable } from '../../src/printing/ipp-client.ts';
import { operations } from '../../src/printing/ipp-message.ts';

/** Of a printer that is slow, so that busy cores are no fault of its. */
const slowLimits = { answerMs: 5000, idleMs: 2000 };
/** Of one that does nothing more. */
const limits = { answerMs: 300, idleMs: 500 };
/** An answer of IPP without attributes. */
const ok = Buffer.from([2, 0, 0, 0, 0, 0, 0, 1, 3]);
/** Several times what a connection within a machine holds, which the printer has still to take when all is sent. */
const document = Buffer.alloc(48 * 2 ** 20, 7);
const shareBytes = 4 * 2 ** 20;
const sending = { operation: operations.sendDocument, attributes: [], document };

/** A printer that takes a request as it likes before it answers. */
async function startPrinter(t: TestContext, take: (request: IncomingMessage) => Promise<void>) {
  const server = createServer(async (request, response) => {
    await take(request).catch(() => {});
    response.end(ok);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { account_id: 'a', url: `ipp://127.0.0.1:${port}/ipp/print`, trusted: true };
}

const resolve = async () => assert.fail('no name is looked up');
const callWith = (limits: typeof slowLimits) =>
  createPrinterCalls({ resolve, allowPrivateUrls: false, limits });

test('a document may take longer than the limit, as long as the printer takes some of it', async (t) => {
  let taken = 0;
  let length: string | undefined;
  const printer = await startPrinter(t, async (request) => {
    length = request.headers['content-length'];
    for await (const piece of request) {
      const shares = Math.floor(taken / shareBytes);
      taken += piece.length;
      if (Math.floor(taken / shareBytes) > shares) await sleep(400);
    }
  });
  const began = performance.now();
  assert.equal((await callWith(slowLimits)(printer, sending)).status, 0);
  assert.ok(performance.now() - began > 1.5 * slowLimits.idleMs);
  assert.deepEqual([taken > document.length, length], [true, String(taken)]);
});

test('a printer that takes no more of a document, or does not answer, is not reached', async (t) => {
  const stopped = await startPrinter(t, () => new Promise(() => {}));
  const call = callWith(limits);
  await assert.rejects(call(stopped, sending), PrinterUnreachable);
  await assert.rejects(call(stopped, { ...sending, document: Buffer.from('short') }), PrinterUnreachable);
  await assert.rejects(
    call(stopped, { operation: operations.getPrinterAttributes, attributes: [] }),
    PrinterUnreachable,
  );
});

test('a name that is not found is not allowed for a new printer, and one that is away for another', async () => {
  const resolve = () => Promise.reject(new Error('there is no such name'));
  const call = createPrinterCalls({ resolve, allowPrivateUrls: false, limits });
  const printer = { account_id: 'a', url: 'ipp://printer.example/ipp/print', trusted: true };
  const asking = { operation: operations.getPrinterAttributes, attributes: [] };
  await assert.rejects(call(printer, asking), PrinterUnreachable);
  await assert.rejects(
    call({ ...printer, isNew: true }, asking),
    (error) => error instanceof AppError && error.code === 'URL_NOT_ALLOWED',
  );
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { PreflightCheck } from '@guise/contract/events/preflight.ts';
import type { EventPrint } from '@guise/contract/events/prints.ts';
import { newId } from '../../src/ids.ts';
import { insertPrinter } from '../../src/store/events/print-records.ts';
import { makeBoothEvent } from '../support/booth-event.ts';
import { photo, startTestServer, until } from '../support/harness.ts';

test('a printer whose name is not found any more holds prints up, is red in the preflight, and is not there to be added', async (t) => {
  const server = await startTestServer({ runsPerMinute: 0, testsPerMinute: 0 });
  t.after(() => server.stop());
  const account = await server.account();
  const lost = { id: newId(), account_id: account.id, name: 'Lost', url: 'ipp://printer.invalid/ipp/print' };
  await server.db.run(insertPrinter, { ...lost, trusted: 1, created_at: server.db.now() });
  const { id, call: booth } = await makeBoothEvent(server.url, account, { printer_id: lost.id });
  const touched = { guest: randomUUID(), offer_id: 'alone', image: photo };
  const picture = (await booth('POST', '/v1/booth/jobs', touched)).body;
  await booth('GET', `/v1/booth/jobs/${picture.id}`, undefined, { prefer: 'wait=30' });
  const { body } = await booth('POST', '/v1/booth/prints', { job_ids: [picture.id] });
  const held: EventPrint = await until(async () => {
    const print = (await booth('GET', `/v1/booth/prints/${body.id}`)).body;
    return print.sentence !== null && print;
  });
  assert.deepEqual([held.state, held.attempts, /does not answer/.test(held.sentence!)], ['waiting', 0, true]);
  const { checks } = (await account.call('GET', `/v1/events/${id}/preflight`)).body;
  const row = checks.find(({ part }: PreflightCheck) => part === 'printer');
  assert.deepEqual([row.state, /^Lost: The printer does not answer/.test(row.sentence)], ['red', true]);
  const added = await account.call('POST', '/v1/printers', { name: 'x', url: lost.url });
  assert.deepEqual([added.status, added.body.error_code], [422, 'URL_NOT_ALLOWED']);
});

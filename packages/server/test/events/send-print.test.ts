import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { openStorage, type Storage } from '../../src/app/storage.ts';
import { AppError } from '../../src/errors.ts';
import { advancePrint, type PrintQueueParts } from '../../src/events/printing/send-print.ts';
import { newId } from '../../src/ids.ts';
import type { CallPrinter } from '../../src/printing/ipp-client.ts';
import { type IppAnswer, type IppGroup, operations } from '../../src/printing/ipp-message.ts';
import type { EventPrintRow } from '../../src/store/events/outbox-schema.ts';
import { insertPrint, insertPrinter, notePrinterJob, prints } from '../../src/store/events/print-records.ts';
import { storageUnavailable } from '../../src/store/storage-unavailable.ts';
import { temporaryConfig } from '../support/harness.ts';

const config = temporaryConfig();
let storage: Storage;
before(async () => {
  storage = await openStorage(config);
});
after(async () => {
  await storage.close();
  rmSync(config.dataDir, { recursive: true, force: true });
});

/** A print that waits, and one look at it with a printer that does this. */
async function newPrint() {
  const { db } = storage;
  const [id, printer_id, account_id, event_id] = [newId(), newId(), newId(), newId()];
  const printer = { id: printer_id, account_id, name: 'x', url: 'ipp://printer/', trusted: 1 } as const;
  await db.run(insertPrinter, { ...printer, created_at: 0 });
  const of = { event_id, account_id, guest_id: newId(), job_id: newId(), printer_id };
  const asked = { base_url: '', key_id: null, job_ids: '[]', layout: '4x6', copies: 1 } as const;
  await db.run(insertPrint, { id, ...of, ...asked });
  const read = async () => (await db.one(prints.find, { id, event_id }))!;
  const claim = async () => {
    const row = await read();
    return (await db.one(prints.claim, { id, claim: row.claim })) ?? assert.fail('it is not due');
  };
  const look = async (row: EventPrintRow, callPrinter: CallPrinter) => {
    const parts = { db, callPrinter, changes: { publish() {} }, log: pino({ level: 'silent' }) };
    await advancePrint(parts as unknown as PrintQueueParts, row);
    return read();
  };
  return { id, claim, look };
}

const answer = (groups: Partial<IppAnswer>): IppAnswer => ({
  status: 0,
  operation: new Map(),
  jobs: [],
  printers: [],
  ...groups,
});

test('a print waits uncounted while the storage is away or others have their turn', async () => {
  for (const error of [storageUnavailable(null), new AppError('OVERLOADED', 'There are too many.')]) {
    const print = await newPrint();
    const { state, attempts, sentence } = await print.look(await print.claim(), () => Promise.reject(error));
    assert.deepEqual([state, attempts, sentence], ['waiting', 0, 'The print could not be made now.']);
  }
});

test('a print whose job the printer ended in its document is tried five times', async () => {
  const { db } = storage;
  const { id, claim, look } = await newPrint();
  const able: IppGroup = new Map<string, (string | number)[]>([
    ['printer-state', [3]],
    ['document-format-supported', ['image/jpeg']],
    ['operations-supported', [operations.createJob, operations.sendDocument]],
  ]);
  const aborted: IppGroup = new Map<string, (string | number)[]>([
    ['job-name', [id]],
    ['job-state', [8]],
    ['job-state-reasons', ['aborted-by-system']],
  ]);
  const callPrinter: CallPrinter = async (_printer, { operation }) => {
    if (operation === operations.getPrinterAttributes) return answer({ printers: [able] });
    if (operation === operations.getJobAttributes) return answer({ jobs: [aborted] });
    return assert.fail(`operation ${operation}`);
  };
  const seen: unknown[] = [];
  for (let attempts = 0; attempts < 5; attempts++) {
    await db.run(prints.shortenWaits, { longestWaitMs: -1 });
    const row = await claim();
    await db.run(notePrinterJob, { id, claim: row.claim, printer_job_id: 7 });
    const { state, ...after } = await look({ ...row, printer_job_id: 7 }, callPrinter);
    assert.match(after.sentence!, /^The printer cancelled this print\./);
    seen.push([state, after.attempts, after.printer_job_id]);
  }
  assert.deepEqual(seen, [
    ['waiting', 1, null],
    ['waiting', 2, null],
    ['waiting', 3, null],
    ['waiting', 4, null],
    ['failed', 5, null],
  ]);
});

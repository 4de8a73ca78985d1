import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NewOffer } from '@guise/contract/events/offers.ts';
import { createAccount } from '../../src/accounts/accounts.ts';
import { returnEventJob, unlinkEventJob } from '../../src/events/count-event-jobs.ts';
import { noteStation } from '../../src/events/event-stations.ts';
import { countEventJob } from '../../src/events/submit-event-job.ts';
import { newId } from '../../src/ids.ts';
import type { Db } from '../../src/store/db.ts';
import {
  approveEventJob,
  countEventGuests,
  findEventJob,
  listEventJobs,
  listEventResults,
  listGuestJobs,
} from '../../src/store/events/event-guest-records.ts';
import {
  deleteEventOverlay,
  deleteEventOverlays,
  findOverlayByBlob,
  listEventOverlays,
  putEventOverlay,
} from '../../src/store/events/event-overlay-records.ts';
import {
  beginErasure,
  findEvent,
  insertEvent,
  keepReplacedFields,
  listEvents,
  revokeEventKeys,
  rollEventLinks,
  updateEvent,
  writeEventDraft,
} from '../../src/store/events/event-records.ts';
import type { EventRow } from '../../src/store/events/event-schema.ts';
import { insertMail, mails } from '../../src/store/events/mail-records.ts';
import {
  countCopiesOfGuest,
  endPrintsOf,
  insertPrint,
  noteSent,
  prints,
} from '../../src/store/events/print-records.ts';
import { countStations, deleteStations, listStations } from '../../src/store/events/station-records.ts';
import { insertJob } from '../../src/store/job-records.ts';
import { statement } from '../../src/store/statement.ts';
import { waitingJob } from '../jobs/queued-job.ts';

let emails = 0;
const noConsent = { consent_version: null, consent_language: null, consent_answers: null, consent_at: null };

/** Events, their guests and their jobs, on the database that a suite has opened. */
export function testEventRecords(open: () => Db): void {
  const newEvent = async (fields: Partial<EventRow> = {}): Promise<EventRow> => {
    const { id: account_id } = await createAccount(open(), {
      email: `booth${++emails}@example.com`,
      credits: 0,
    });
    const event: EventRow = {
      id: newId(),
      account_id,
      made_by: null,
      name: 'Gala',
      starts_at: 0,
      ends_at: 1000,
      paused: 0,
      closed: 0,
      budget: null,
      spent: 0,
      jobs: 0,
      gpu_seconds: 0,
      cost: 0,
      pictures_per_guest: null,
      tries_per_guest: null,
      result_hours: null,
      consent_version: 1,
      settings: '{}',
      draft: null,
      draft_number: 0,
      draft_changed_at: null,
      replaced: null,
      links_version: 1,
      gallery_password_hash: null,
      version: 1,
      created_at: 0,
      updated_at: 0,
      erasure_begun_at: null,
      erased_at: null,
      erasure: null,
      ...fields,
    };
    await open().run(insertEvent, event);
    return event;
  };

  const offer = NewOffer.parse({ id: 'o', kind: 'single', filter_id: 1, labels: {} });
  const several = NewOffer.parse({ ...offer, variations: [2, 3] });

  /** The job's id, or the code that refuses it. */
  const take = async (
    event: EventRow,
    { guest_ref = newId(), price = 2, now = 500, of = null as string | null, variation = 0 } = {},
  ) => {
    const jobId = newId();
    try {
      const taken = {
        event,
        guestRef: guest_ref,
        offer: of === null ? offer : several,
        consent: noConsent,
        take: of,
        variation,
        details: {},
      };
      await open().transaction((tx) => countEventJob(tx, taken, { jobId, price, now }));
      return { jobId };
    } catch (error) {
      return { code: (error as { code: string }).code };
    }
  };
  const giveBack = (event: EventRow, id: string) =>
    open().transaction((tx) => returnEventJob(tx, { id, event_id: event.id }));
  const spentBy = async (event: EventRow) => (await open().one(findEvent, event))?.spent;

  test('of twenty jobs at once an event accepts what its budget covers, and gets back each failed one once', async () => {
    const event = await newEvent({ budget: 11 });
    const taken = await Promise.all(Array.from({ length: 20 }, () => take(event)));
    const jobs = taken.flatMap(({ jobId }) => jobId ?? []);
    assert.equal(jobs.length, 5);
    assert.deepEqual(new Set(taken.map(({ code }) => code)), new Set([undefined, 'EVENT_BUDGET_SPENT']));
    assert.equal(await spentBy(event), 10);
    assert.ok((await take(event, { price: 1 })).jobId);
    await Promise.all(Array.from({ length: 5 }, () => giveBack(event, jobs[0]!)));
    await giveBack(event, newId());
    assert.equal(await spentBy(event), 9);
    // What was refused has left no guest behind.
    assert.equal((await open().one(countEventGuests, { event_id: event.id }))?.count, 6);
    const listed = await open().all(listEventJobs, { event_id: event.id, before: '~', limit: 9 });
    assert.equal(listed.filter(({ counted }) => counted === 0).length, 1);
  });

  test('of ten jobs of one guest at once as many are accepted as the guest has pictures and tries', async () => {
    const event = await newEvent({ pictures_per_guest: 2, tries_per_guest: 3 });
    const guest_ref = newId();
    const taken = await Promise.all(Array.from({ length: 10 }, () => take(event, { guest_ref })));
    const jobs = taken.flatMap(({ jobId }) => jobId ?? []);
    assert.equal(jobs.length, 2);
    assert.deepEqual(new Set(taken.map(({ code }) => code)), new Set([undefined, 'GUEST_LIMIT_REACHED']));
    assert.equal(await spentBy(event), 4);
    await giveBack(event, jobs[0]!);
    assert.ok((await take(event, { guest_ref })).jobId);
    await giveBack(event, jobs[1]!);
    assert.equal((await take(event, { guest_ref })).code, 'GUEST_LIMIT_REACHED');
    assert.ok((await take(event)).jobId);
    const job = await open().one(findEventJob, { job_id: jobs[0]! });
    const own = await open().all(listGuestJobs, { guest_id: job?.guest_id ?? '', limit: 9 });
    assert.equal(own.length, 3);
  });

  test('the place of the first of a take goes on with those that are left, and its picture comes back where none was made', async () => {
    const event = await newEvent({ pictures_per_guest: 1 });
    const shoot = async () => {
      const [guest_ref, of] = [newId(), newId()];
      const jobs: string[] = [];
      for (const variation of [0, 1, 2]) jobs.push((await take(event, { guest_ref, of, variation })).jobId!);
      const rows = () => Promise.all(jobs.map((job_id) => open().one(findEventJob, { job_id })));
      return {
        jobs,
        places: async () =>
          (await rows()).map((row) => row && `${row.counted} ${row.further} ${row.approval}`).join(', '),
        codeOfNext: async () => (await take(event, { guest_ref })).code,
      };
    };
    const failed = await shoot();
    assert.equal(await failed.places(), '1 0 0, 1 1 -1, 1 1 -1');
    await Promise.all(failed.jobs.slice(0, 2).map((id) => giveBack(event, id)));
    assert.equal((await failed.places()).split(', ')[2], '1 0 0');
    assert.equal(await failed.codeOfNext(), 'GUEST_LIMIT_REACHED');
    await giveBack(event, failed.jobs[2]!);
    assert.equal(await failed.codeOfNext(), undefined);
    const erased = await shoot();
    await Promise.all(
      erased.jobs.slice(0, 2).map((id) => open().transaction((tx) => unlinkEventJob(tx, id))),
    );
    assert.equal(await erased.places(), ', , 1 2 0');
    await giveBack(event, erased.jobs[2]!);
    assert.equal(await erased.codeOfNext(), 'GUEST_LIMIT_REACHED');
  });

  test('of prints of an erased picture the copies stay counted that the printer had, and nothing else', async () => {
    const event = await newEvent();
    const { jobId } = await take(event);
    const { guest_id } = (await open().one(findEventJob, { job_id: jobId! }))!;
    const { account_id } = event;
    const of = { event_id: event.id, account_id, guest_id, job_id: jobId!, base_url: '' };
    const asked = { key_id: 'k', job_ids: JSON.stringify([newId(), jobId]), layout: '4x6' } as const;
    const claims = [];
    for (const copies of [1, 2, 4]) {
      const id = newId();
      await open().run(insertPrint, { id, ...of, ...asked, copies, printer_id: newId() });
      claims.push((await open().one(prints.claim, { id, claim: 0 }))!);
    }
    const [printing, printed] = claims;
    await open().run(noteSent, { ...printing!, wait_ms: 9e9 });
    await open().run(prints.end, { ...printed!, state: 'printed', sentence: null, sent: 1 });
    const picture = { guest_id, job_id: jobId! };
    assert.deepEqual(await open().all(endPrintsOf, { ...picture, account_id: newId() }), []);
    const ended = await open().all(endPrintsOf, { ...picture, account_id });
    assert.deepEqual(ended.map(({ state }) => state).sort(), ['cancelled', 'printed']);
    await open().transaction((tx) => unlinkEventJob(tx, jobId!));
    assert.equal(Number((await open().one(countCopiesOfGuest, { guest_id }))?.copies), 3);
    const page = { event_id: event.id, before: '~', limit: 9 };
    assert.deepEqual(await open().all(prints.list, page), []);
    assert.equal((await open().one(prints.count, { event_id: event.id }))?.count, 2);
    assert.equal(await open().run(prints.deleteOfEvent, { event_id: event.id }), 2);
  });

  test('an event accepts jobs from its begin to its end, while it is neither paused, closed nor being erased', async () => {
    const event = await newEvent({ starts_at: 100 });
    const codeAt = async (now: number) => (await take(event, { now })).code;
    assert.deepEqual(
      [await codeAt(99), await codeAt(100), await codeAt(999), await codeAt(1000)],
      ['EVENT_NOT_BEGUN', undefined, undefined, 'EVENT_ENDED'],
    );
    const edit = { ...event, paused: 1, updated_at: 1 } as const;
    const rows = await Promise.all([1, 2, 3].map(() => open().run(updateEvent, edit)));
    assert.deepEqual(rows.sort(), [0, 0, 1]);
    assert.equal(await codeAt(500), 'EVENT_PAUSED');
    await open().run(beginErasure, { ...event, now: 600 });
    await open().run(beginErasure, { ...event, now: 700 });
    assert.equal(await codeAt(650), 'EVENT_ENDED');
    assert.equal(await open().run(updateEvent, { ...edit, version: 4 }), 0);
    const [listed] = await open().all(listEvents, {
      account_id: event.account_id,
      before: '~',
      limit: 5,
    });
    assert.deepEqual([listed?.erasure_begun_at, listed?.version], [600, 4]);
    assert.equal(await open().run(revokeEventKeys, { event_id: event.id, now: 700 }), 0);
  });

  test('results of an event are listed newest first by approval, without those that failed or have expired', async () => {
    const event = await newEvent();
    const jobs: string[] = [];
    const ends = [{}, {}, {}, {}, { expires_at: 400 }, { state: 'failed', result_key: null }] as const;
    for (const end of ends) {
      const { jobId } = await take(event);
      const done = { state: 'completed', result_key: 'results/a', expires_at: 900, ...end } as const;
      await open().run(insertJob, { ...waitingJob(event.account_id), id: jobId!, ...done });
      jobs.push(jobId!);
    }
    const [approved, hidden, ...pending] = jobs.slice(0, 4);
    const approve = (job_id: string, approval: -1 | 1, event_id = event.id) =>
      open().run(approveEventJob, { job_id, event_id, approval });
    assert.deepEqual([await approve(approved!, 1), await approve(hidden!, -1)], [1, 1]);
    assert.equal(await approve(pending[0]!, 1, newId()), 0);
    const list = async (least_approval: number, before = '~') => {
      const page = { event_id: event.id, before, least_approval, now: 500, limit: 9 };
      return (await open().all(listEventResults, page)).map(({ job_id }) => job_id);
    };
    assert.deepEqual(await list(1), [approved]);
    // Ids of one millisecond are in no order.
    const shown = [...pending, approved!].toSorted().toReversed();
    assert.deepEqual(await list(0), shown);
    assert.deepEqual(await list(0, shown[0]), shown.slice(1));
    assert.equal(await open().run(rollEventLinks, { ...event, now: 7 }), 1);
    const rolled = await open().one(findEvent, event);
    assert.deepEqual([rolled?.links_version, rolled?.version, rolled?.updated_at], [2, 2, 7]);
  });

  test('a draft of an event replaces the one that was read, and changes nothing else', async () => {
    const event = await newEvent();
    const { id } = event;
    const save = (before: number, draft: string | null) =>
      open().run(writeEventDraft, {
        id,
        draft,
        draft_number: before + 1,
        draft_changed_at: 7,
        before,
      });
    assert.deepEqual(
      [await save(0, '{"a":1}'), await save(0, '{"b":1}'), await save(1, '{"c":1}')],
      [1, 0, 1],
    );
    await open().run(keepReplacedFields, { id, replaced: '{"d":1}' });
    assert.deepEqual(await open().one(findEvent, event), {
      ...event,
      draft: '{"c":1}',
      draft_number: 2,
      draft_changed_at: 7,
      replaced: '{"d":1}',
    });
    await open().run(beginErasure, { ...event, now: 9 });
    assert.equal(await save(2, '{}'), 0, 'an event that is being erased has no drafts');
  });

  test('an event has one overlay for each ratio, and the last one counts', async () => {
    const { id: event_id } = await newEvent();
    const put = (ratio: 'portrait' | 'square', blob_key: string) =>
      open().run(putEventOverlay, { event_id, ratio, blob_key, updated_at: 1 });
    await put('square', 'overlays/a');
    await put('portrait', 'overlays/b');
    await put('square', 'overlays/c');
    const keys = async () => (await open().all(listEventOverlays, { event_id })).map((row) => row.blob_key);
    assert.deepEqual(await keys(), ['overlays/b', 'overlays/c']);
    assert.equal(await open().one(findOverlayByBlob, { blob_key: 'overlays/a' }), undefined);
    assert.equal((await open().one(findOverlayByBlob, { blob_key: 'overlays/c' }))?.event_id, event_id);
    const removed = await open().one(deleteEventOverlay, { event_id, ratio: 'portrait' });
    assert.equal(removed?.blob_key, 'overlays/b');
    await open().run(deleteEventOverlays, { event_id });
    assert.deepEqual(await keys(), []);
  });

  test('of prints that are due the first of each printer is sent, and accounts take turns at prints and mails', async () => {
    const newPrint = async (account_id: string, printer_id: string) => {
      const id = newId();
      const of = { event_id: newId(), account_id, guest_id: newId(), job_id: newId(), base_url: '' };
      const asked = { key_id: null, job_ids: '[]', layout: '4x6', copies: 1, printer_id } as const;
      await open().run(insertPrint, { id, ...of, ...asked });
      return id;
    };
    const [greedy, other] = [newId(), newId()];
    const [silent, second, others] = [newId(), newId(), newId()];
    const first: string[] = [];
    for (let i = 0; i < 30; i++) first.push(await newPrint(greedy, silent));
    const next = await newPrint(greedy, second);
    const wanted = await newPrint(other, others);
    const due = async (limit: number) => (await open().all(prints.due, { limit })).map(({ id }) => id);
    assert.deepEqual(await due(9), [first[0], wanted, next]);
    assert.deepEqual(await due(2), [first[0], wanted]);
    // What is claimed is not due, and what comes after it is found.
    assert.equal((await open().one(prints.claim, { id: first[0]!, claim: 0 }))?.id, first[0]);
    assert.deepEqual(await due(9), [first[1], wanted, next]);

    const newMail = async (account_id: string) => {
      const id = newId();
      const of = { event_id: newId(), account_id, guest_id: newId(), job_id: newId(), base_url: '' };
      await open().run(insertMail, { id, ...of, address: 'a@example.com', language: 'en', consent_at: 1 });
      return id;
    };
    const mailed = [await newMail(greedy), await newMail(greedy), await newMail(other)];
    const dueMails = (await open().all(mails.due, { limit: 9 })).map(({ id }) => id);
    assert.deepEqual(dueMails, [mailed[0], mailed[2], mailed[1]]);

    // What is renewed is not due when its first lease would have ended.
    const held = (await open().one(mails.claim, { id: mailed[0]!, claim: 0 }))!;
    const endLease = statement((db, p: { id: string }) =>
      db.updateTable('event_mails').set({ due_at: 0, lease_until: 1 }).where('id', '=', p.id),
    );
    for (const renew of [
      () => open().run(mails.renew, held),
      () => open().run(mails.noteTry, { ...held, attempts: 1 }),
    ]) {
      await open().run(endLease, held);
      assert.equal(await renew(), 1);
      assert.equal(await open().one(mails.claim, held), undefined);
    }
  });

  test('a booth is noted once with its last report, and not of an event that is being erased', async () => {
    const event = await newEvent();
    const report = { station: newId(), name: 'Foyer', waiting_photos: 1, prints: 0, page_version: '' };
    await Promise.all(
      Array.from({ length: 5 }, (_, prints) => noteStation(open(), event, null, { ...report, prints })),
    );
    await noteStation(open(), event, 'k', { ...report, name: 'Hall' });
    const rows = await open().all(listStations, { event_id: event.id, limit: 9 });
    assert.deepEqual(
      rows.map(({ name, key_id, waiting_photos }) => [name, key_id, waiting_photos]),
      [['Hall', 'k', 1]],
    );
    await open().run(beginErasure, { ...event, now: 600 });
    await noteStation(open(), event, null, { ...report, station: newId() });
    assert.equal((await open().one(countStations, { event_id: event.id }))?.count, 1);
    assert.equal(await open().run(deleteStations, { event_id: event.id }), 1);
  });
}

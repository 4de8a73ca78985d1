import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { GuiseError } from '@guise/client/guise-error.ts';
import type { NewEventJobInput, StartedEventJob } from '@guise/contract/events/event-guests.ts';
import { BoothGuests } from '../../../packages/booth/src/booth/guests/booth-guests.ts';
import { newGuest } from '../../../packages/booth/src/booth/guests/guest.ts';
import { guestRecords } from '../../../packages/booth/src/booth/guests/guest-records.ts';
import type { SealedStore } from '../../../packages/booth/src/booth/guests/sealed-store.ts';
import type { BoothApi } from '../../../packages/booth/src/booth/guests/submit-photo.ts';

const one = { kind: 'one', parts: 1 } as const;
const hourMs = 3600_000;

type Submit = (body: NewEventJobInput, options: { signal: AbortSignal }) => Promise<StartedEventJob>;

/** A device with a server that answers `submit` as a test says. What it stores is in memory, and stays for another page. */
function makeDevice() {
  const stored = new Map<string, Map<string, Uint8Array<ArrayBuffer>>>();
  const unreadable = new Set<string>();
  let isOpened = true;
  const assertOpened = () => assert.ok(isOpened, 'the database is not opened');
  const store: SealedStore = {
    async write(guest, values) {
      assertOpened();
      const own = stored.get(guest) ?? new Map();
      for (const [name, bytes] of Object.entries(values))
        if (bytes) own.set(name, bytes);
        else own.delete(name);
      stored.set(guest, own);
    },
    async read(guest, name) {
      assertOpened();
      assert.ok(!unreadable.has(`${guest} ${name}`), 'the value does not open');
      return stored.get(guest)?.get(name);
    },
    async guests() {
      assertOpened();
      return [...stored.keys()];
    },
    async drop(guest) {
      assertOpened();
      stored.delete(guest);
    },
  };
  let currentId: string | null = null;
  const device = {
    stored,
    unreadable,
    submitted: [] as NewEventJobInput[],
    moments: [] as { id: string; gif: string }[],
    submit: (async ({ guest }) => startedJob(guest)) as Submit,
    closeDatabase: () => {
      isOpened = false;
    },
    /** A page that was just opened. */
    open() {
      const api = {
        submit: (body: NewEventJobInput, options: { signal: AbortSignal }) => {
          device.submitted.push(body);
          return device.submit(body, options);
        },
        putMoment: async (id: string, { gif }: { gif: string }) => {
          device.moments.push({ id, gif });
        },
      } as unknown as BoothApi;
      const current = {
        read: () => currentId,
        write: (id: string | null) => {
          currentId = id;
        },
      };
      return new BoothGuests({ api, records: guestRecords(store), current, keepsMoments: () => true });
    },
  };
  return device;
}

const startedJob = (guest: string): StartedEventJob => ({
  id: `job of ${guest}`,
  guest_token: 'token',
  guest_url: 'http://127.0.0.1/g/token',
  pictures_left: null,
});

const away: Submit = async () => {
  throw new GuiseError('away', { code: 'NETWORK_ERROR' });
};
const refuse =
  (code: string, status: number, fields: { path: string; message: string }[] = []): Submit =>
  async () => {
    throw new GuiseError(code, { code, status, fields });
  };

/** From the first touch to the photo, which is sent. Gives the guest. */
async function takePicture(guests: BoothGuests, shots: Blob[] = []) {
  await guests.start('en');
  await guests.change({ offerId: 'first', ratio: 'portrait' });
  await guests.setPhotos([new Blob(['photo'])], 'one', shots);
  await guests.accept(one);
  return guests.state().guest!;
}

async function leaveWithNumber(guests: BoothGuests) {
  const guest = await takePicture(guests);
  await guests.leave();
  return guest;
}

test('two guests who wait have different numbers', async (t) => {
  // What the generator gives: 7 again and again, then 8.
  const numbers = [7, 7, 7, 8];
  t.mock.method(crypto, 'getRandomValues', (array: Uint32Array) => array.fill(numbers.shift() ?? 9));
  const device = makeDevice();
  device.submit = away;
  const guests = device.open();
  await guests.load();
  assert.deepEqual(
    [(await leaveWithNumber(guests)).code, (await leaveWithNumber(guests)).code],
    ['0007', '0008'],
  );
  assert.equal(newGuest('en', ['0009']).code, '0009', 'where all are taken, one is given twice');
});

/** A browser's worker that makes a GIF: the names of the shots. */
function mockMomentWorker(t: TestContext): void {
  class MomentWorker {
    onmessage = (_: { data: Uint8Array }) => {};
    async postMessage(shots: Blob[]) {
      const text = await new Blob(shots).text();
      this.onmessage({ data: new TextEncoder().encode(text) });
    }
    terminate() {}
  }
  const before = { Worker: globalThis.Worker, OffscreenCanvas: globalThis.OffscreenCanvas };
  Object.assign(globalThis, { Worker: MomentWorker, OffscreenCanvas: class {} });
  t.after(() => Object.assign(globalThis, before));
}

test('a guest who left while the photo was being sent gets no moving picture of the next one', async (t) => {
  mockMomentWorker(t);
  const device = makeDevice();
  device.submit = away;
  const guests = device.open();
  await guests.load();
  const shots = (name: string) => [new Blob([name]), new Blob([name])];
  const first = await takePicture(guests, shots('A'));
  const answer = Promise.withResolvers<void>();
  device.submit = async ({ guest }) => {
    await answer.promise;
    return startedJob(guest);
  };
  const sending = guests.flush();
  while (device.submitted.length < 2) await new Promise(setImmediate);
  await guests.leave();
  await guests.start('en');
  await guests.setPhotos([new Blob(['photo'])], 'one', shots('B'));
  answer.resolve();
  await sending;
  while (device.moments.length === 0) await new Promise(setImmediate);
  assert.deepEqual(device.moments, [{ id: `job of ${first.id}`, gif: btoa('AA') }]);
});

test('one photo that cannot be read keeps neither the page from starting nor the others from being sent', async () => {
  const device = makeDevice();
  device.submit = away;
  const before = device.open();
  await before.load();
  const ids: string[] = [];
  for (let guest = 0; guest < 3; guest++) ids.push((await leaveWithNumber(before)).id);
  device.unreadable.add(`${ids[0]} photo`).add(`${ids[1]} guest`);
  device.submit = async ({ guest }) => startedJob(guest);
  device.submitted.length = 0;
  const guests = device.open();
  await guests.load();
  assert.ok(guests.state().isLoaded);
  assert.deepEqual(
    device.submitted.map(({ guest }) => guest),
    [ids[2]],
  );
  // As it was with a database that the browser had closed for a moment.
  device.unreadable.clear();
  await guests.flush();
  assert.equal(guests.state().waiting, 0);
});

test('a browser that does not open its database serves guests from memory', async () => {
  const device = makeDevice();
  device.closeDatabase();
  const guests = device.open();
  await guests.load();
  assert.ok(guests.state().isLoaded);
  const { id, job } = await takePicture(guests);
  assert.ok(job);
  assert.ok(guests.state().unstored.has(id));
});

test('a guest whose photo is not there any more is asked for another one', async () => {
  const device = makeDevice();
  device.submit = away;
  const before = device.open();
  await before.load();
  const { id } = await takePicture(before);
  device.stored.get(id)!.delete('photo');
  device.submit = async ({ guest }) => startedJob(guest);
  const guests = device.open();
  await guests.load();
  const { step, notice, submission } = guests.state().guest!;
  assert.deepEqual([step, notice, submission], ['shoot', 'photoRefused', null]);
});

test('a photo that was refused is not sent again while its guest reads that', async () => {
  const device = makeDevice();
  const guests = device.open();
  await guests.load();
  device.submit = refuse('GUEST_LIMIT_REACHED', 403);
  assert.equal((await takePicture(guests)).refusal, 'limit');
  device.submit = async ({ guest }) => startedJob(guest);
  await guests.flush();
  assert.equal(device.submitted.length, 1);
  await guests.leave();
  assert.equal(device.stored.size, 0);
});

test('a shape that is not offered any more leads to the styles, with the photo', async () => {
  const device = makeDevice();
  const guests = device.open();
  await guests.load();
  device.submit = refuse('VALIDATION_ERROR', 422, [{ path: 'ratio', message: 'must be offered' }]);
  const { step, notice, ratio } = await takePicture(guests);
  assert.deepEqual([step, notice, ratio], ['style', 'offerGone', null]);
  assert.ok(guests.state().photo);
});

test('what a proxy says while the server starts refuses no photo', async () => {
  const device = makeDevice();
  const guests = device.open();
  await guests.load();
  device.submit = refuse('HTTP_404', 404);
  assert.equal((await takePicture(guests)).obstacle, 'away');
  await guests.leave();
  device.submit = refuse('HTTP_413', 413);
  assert.equal((await takePicture(guests)).notice, 'photoRefused', 'the proxy will never take it');
});

test('an upload that was given up is given more time when it is repeated', async (t) => {
  const { timeout } = AbortSignal;
  // A thousand times as fast.
  t.mock.method(AbortSignal, 'timeout', (ms: number) => timeout(ms / 1000));
  const device = makeDevice();
  device.submit = ({ guest }, { signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      // As long as 35 s.
      setTimeout(() => resolve(startedJob(guest)), 35);
    });
  const guests = device.open();
  await guests.load();
  assert.equal((await takePicture(guests)).obstacle, 'away');
  await guests.leave();
  await guests.flush();
  assert.equal(guests.state().waiting, 0);
});

test('a guest who was at the booth when it was switched off is not shown hours later, and the photo is sent', async (t) => {
  const device = makeDevice();
  device.submit = away;
  const before = device.open();
  await before.load();
  const { code } = await takePicture(before);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + hourMs });
  const guests = device.open();
  await guests.load();
  assert.equal(guests.state().guest, null);
  assert.equal(guests.state().waiting, 1);
  device.submit = async ({ guest }) => startedJob(guest);
  await guests.flush();
  assert.equal(await guests.collect(code), 'ready');
  // The same without a photo that was sent: nothing is left.
  await guests.leave();
  await guests.start('en');
  t.mock.timers.setTime(Date.now() + hourMs);
  await device.open().load();
  assert.equal(device.stored.size, 0);
});

test('nothing of a guest is kept for longer than a day, also by a page that stays open', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const device = makeDevice();
  device.submit = refuse('EVENT_ENDED', 410);
  const guests = device.open();
  await guests.load();
  device.submit = away;
  await leaveWithNumber(guests);
  device.submit = refuse('EVENT_ENDED', 410);
  t.mock.timers.setTime(Date.now() + 23 * hourMs);
  await guests.flush();
  assert.equal(guests.state().waiting, 1);
  t.mock.timers.setTime(Date.now() + 2 * hourMs);
  await guests.flush();
  assert.deepEqual([guests.state().waiting, device.stored.size], [0, 0]);
});

test('a guest whom a pause has stopped is not kept when another one collects a picture', async () => {
  const device = makeDevice();
  device.submit = away;
  const guests = device.open();
  await guests.load();
  const first = await leaveWithNumber(guests);
  device.submit = async ({ guest }) => startedJob(guest);
  await guests.flush();
  await guests.start('en');
  await guests.setPhotos([new Blob(['photo'])]);
  assert.equal(await guests.collect(first.code), 'ready');
  assert.deepEqual([...device.stored.keys()], [first.id]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guise } from '../src/guise.ts';
import { quickTestGuestApi } from '../src/quick-test-guest-api.ts';
import { uncoveredRoutes } from './support/uncovered-routes.ts';

/** Stands for any argument: it has every property, can be called, and is `x` as text. */
const anything: never = new Proxy(() => {}, {
  get: (_, name) =>
    name === Symbol.toPrimitive || name === 'toJSON'
      ? () => 'x'
      : name === Symbol.iterator
        ? undefined
        : anything,
  apply: () => anything,
}) as never;

type Call = (...words: never[]) => unknown;
const isCall = (value: unknown): value is Call => typeof value === 'function';

/** Every request that the client can make, as `GET /v1/jobs/x`, found by calling each of its methods. */
async function requestsOfClient(): Promise<Set<string>> {
  const sent = new Set<string>();
  const note = async (url: unknown, init: RequestInit = {}) => {
    sent.add(`${init.method ?? 'GET'} ${new URL(String(url)).pathname}`);
    // An upload goes on until it is complete.
    return new Response('{"complete":true}', { headers: { 'content-type': 'text/event-stream' } });
  };
  const guise = new Guise({ baseUrl: 'http://guise.invalid', apiKey: 'k', fetch: note as typeof fetch });
  const groups = Object.values(guise).filter(
    (value) => typeof value === 'object' && value !== guise.transport,
  );
  const calls = groups.flatMap((group) => Object.values(group).filter(isCall));
  for (const call of calls) await settle(() => call(...Array.from({ length: call.length }, () => anything)));
  const catalogs = ['face_swap', 'realistic', 'stylized'] as const;
  await Promise.all(catalogs.map((catalog) => guise.catalogs.list(catalog)));
  await guise.sessions.end('all');
  guise.followChanges({ onChange() {} })();
  guise.followWall('token', { onChange() {} })();
  const photo = new Uint8Array(1);
  const input = { photo, photos: [photo], first: photo, last: photo } as never;
  const families = [
    ...new Set(
      Object.getOwnPropertyNames(Guise.prototype).filter((name) => /swap|prompt|video|portrait/i.test(name)),
    ),
  ] as 'faceSwap'[];
  // The answer has no status, which is asked for until the signal aborts.
  for (const family of families) {
    const abort = new AbortController();
    const run = guise[family](input, { signal: abort.signal, onProgress: () => abort.abort() });
    await run.catch(() => {});
  }
  const { fetch } = globalThis;
  globalThis.fetch = note as typeof fetch;
  try {
    const guest = quickTestGuestApi('http://guise.invalid', 'token');
    await guest.get();
    await guest.start(anything);
    await guest.run('x', 1);
  } finally {
    globalThis.fetch = fetch;
  }
  return sent;
}

/** Calls, and reads the first entry where that is what sends the request. */
async function settle(call: () => unknown): Promise<void> {
  try {
    const value = await call();
    const entries = value as AsyncIterator<unknown> | undefined;
    if (typeof entries?.next === 'function') await entries.next();
  } catch {
    // What comes of the answer is tested elsewhere.
  }
}

test('every route has a method of the client, or a reason to have none', async () => {
  const sent = [...(await requestsOfClient())];
  assert.deepEqual(uncoveredRoutes(sent), []);
  // The test itself: a request that is not made is missed.
  assert.deepEqual(uncoveredRoutes(sent.filter((request) => request !== 'GET /v1/keys')), ['GET /v1/keys']);
});

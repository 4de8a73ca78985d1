import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Db } from '@guise/server/store/db.ts';
import { statement } from '@guise/server/store/statement.ts';
import { photo, type TestAccount } from '../../../packages/server/test/support/harness.ts';
import { type TestEngine, untilAborted } from '../../../packages/server/test/support/test-engine.ts';

export const filters = '/v1/users/me/my-custom-filters';
export const definition = (prompt: string) => ({ kind: 'prompt', prompt });

const listRenders = statement((db, _: Record<string, never>) => db.selectFrom('renders').selectAll());
export const countRenders = async (db: Db) => (await db.all(listRenders, {})).length;

export const create = async (account: TestAccount, prompt = 'a lake'): Promise<string> => {
  const filter = { name: prompt, filter_type: 'face_swap', definition: definition(prompt) };
  const made = await account.call('POST', filters, filter);
  assert.equal(made.status, 201);
  return made.body.id;
};
export const previewsOf = async (account: TestAccount): Promise<string[]> =>
  (await account.call('GET', filters)).body.flatMap((entry: { preview_images: string[] }) =>
    entry.preview_images.slice(0, 1),
  );
export const submit = async (account: TestAccount): Promise<string> => {
  const run = await account.call('POST', '/v6/run/face_swap', { base64: photo, gender: 1, filter_id: 1 });
  assert.equal(run.status, 200);
  return run.body.id;
};
/** What the engine was asked for so far: ids of jobs and, for previews and tests, of filters. */
export const callsOf = (engine: TestEngine) =>
  engine.requests.map(({ jobId }) => jobId.replace('preview-', ''));

/** A test whose caller can hang up. */
export function openTest({ url, api_key }: TestAccount, filterId: string) {
  const call = request(`${url}${filters}/${filterId}/test`, {
    method: 'POST',
    headers: { 'x-api-key': api_key },
    // `fetch` opens a second connection in place of one that is cut.
    agent: false,
  });
  const ended = once(call, 'response').then(
    ([response]) => {
      response.resume();
      return response.statusCode as number;
    },
    () => 'hung up',
  );
  call.end();
  return { ended, hangUp: () => void call.destroy(new Error('hung up')) };
}

/** Work that goes on until it is stopped, and the signal that stops it. */
export function endlessWork() {
  const begun = Promise.withResolvers<AbortSignal>();
  const work: TestEngine['before'] = (request, context) => {
    begun.resolve(context.signal);
    return untilAborted(request, context);
  };
  return { work, begun: begun.promise };
}

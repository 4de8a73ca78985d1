import assert from 'node:assert/strict';
import { type Answer, request, type TestAccount } from './harness.ts';

export const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();

/** An event that is going on, and a booth of it. */
export interface BoothEvent {
  id: string;
  key: string;
  /** As the booth. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** Makes an event of the account at `url`, and a key of it for a booth. */
export async function makeBoothEvent(
  url: string,
  account: TestAccount,
  fields: object = {},
): Promise<BoothEvent> {
  const made = await account.call('POST', '/v1/events', {
    name: 'Gala',
    starts_at: inHours(-1),
    ends_at: inHours(5),
    offers: [{ id: 'alone', kind: 'single', filter_id: 1, labels: { en: 'x' } }],
    ...fields,
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = made.body;
  const key: string = (await account.call('POST', `/v1/events/${id}/keys`, { name: 'tablet' })).body.secret;
  return {
    id,
    key,
    call: (method, path, body, headers = {}) =>
      request(url, method, path, body, { 'x-api-key': key, ...headers }),
  };
}

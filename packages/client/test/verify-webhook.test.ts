import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signatureHeaders } from '../../server/src/jobs/webhooks/signature-headers.ts';
import { verifyWebhook, WebhookNotVerified } from '../src/verify-webhook.ts';

const [current, previous, foreign] = ['new', 'old', 'foreign'].map(
  (word) => `whsec_${Buffer.from(word.padEnd(32, '-')).toString('base64')}`,
) as [string, string, string];
const body = '{"type":"job.completed","timestamp":"2026-01-01T00:00:00Z","data":{"id":"Zoë"}}';
const headers = signatureHeaders([current, previous], 'an-id', body, Date.now());

test('a webhook that is signed with one of the secrets is read, from a text or from bytes', async () => {
  for (const secret of [current, previous, [foreign, previous]])
    for (const given of [body, new TextEncoder().encode(body)])
      assert.equal((await verifyWebhook({ body: given, headers, secret })).data.id, 'Zoë');
  assert.equal(
    (await verifyWebhook({ body, headers: new Headers(headers), secret: current })).type,
    'job.completed',
  );
});

test('a webhook that was changed, is old, lacks a header or is signed with another secret is refused', async () => {
  const old = signatureHeaders([current], 'an-id', body, Date.now() - 600_000);
  const { 'webhook-id': _, ...withoutId } = headers;
  const refused = [
    { body, headers, secret: foreign },
    { body: body.replace('Zoë', 'Zoe'), headers, secret: current },
    { body, headers: { ...headers, 'webhook-id': 'another' }, secret: current },
    { body, headers: { ...headers, 'webhook-timestamp': 'soon' }, secret: current },
    { body, headers: { ...headers, 'webhook-signature': 'v1,*** v1' }, secret: current },
    { body, headers: old, secret: current },
    { body, headers: withoutId, secret: current },
  ];
  for (const request of refused) await assert.rejects(verifyWebhook(request), WebhookNotVerified);
});

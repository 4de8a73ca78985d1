import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GuiseError } from '@guise/client/guise-error.ts';
import type { BoothApi } from '../../../packages/booth/src/booth/guests/submit-photo.ts';
import { queuePrint } from '../../../packages/booth/src/booth/print/queue-print.ts';

const lost = () => Promise.reject(new GuiseError('lost', { code: 'NETWORK_ERROR' }));
const refused = () => Promise.reject(new GuiseError('refused', { code: 'PRINT_LIMIT_REACHED', status: 403 }));
const wanted = { jobIds: ['job'], layout: undefined } as const;

test('a print whose answer was lost is the same print when the guest touches again, and the next is another one', async () => {
  const keys: string[] = [];
  const answers = [lost, lost, async () => ({ id: 'print', sent_at: 'now', sentence: null }), refused, lost];
  const api = {
    startPrint: (_: object, { headers }: { headers: Record<string, string> }) => {
      keys.push(headers['idempotency-key']!);
      return answers[keys.length - 1]!();
    },
  } as unknown as BoothApi;
  const touch = () =>
    queuePrint(api, wanted, new AbortController().signal).then(
      () => 'printed',
      () => 'failed',
    );
  const became: string[] = [];
  for (let turn = 0; turn < answers.length; turn++) became.push(await touch());
  assert.deepEqual(became, ['failed', 'failed', 'printed', 'failed', 'failed']);
  const [first, second, third, fourth, fifth] = keys;
  assert.deepEqual([second, third], [first, first]);
  assert.equal(new Set([first, fourth, fifth]).size, 3);
});

test('a print that waits has not failed because the connection was lost for a moment', async () => {
  const states = [lost, async () => ({ id: 'print', sent_at: 'now', sentence: null })];
  const api = {
    startPrint: async () => ({ id: 'print', sent_at: null, sentence: null }),
    printState: () => states.shift()!(),
  } as unknown as BoothApi;
  await queuePrint(api, wanted, new AbortController().signal);
  assert.equal(states.length, 0);
});

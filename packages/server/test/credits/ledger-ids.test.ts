import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createLedgerIds } from '../../src/credits/ledger-ids.ts';

const ids = createLedgerIds('a secret');
const account = randomUUID();

test('the id of a ledger entry tells its account nothing but which entry it is', () => {
  const numbers = [1, 2, 3, 1000, Number.MAX_SAFE_INTEGER];
  const written = numbers.map((id) => ids.write(account, id));
  assert.deepEqual(
    written.map((id) => ids.read(account, id)),
    numbers,
  );
  for (const id of written) assert.match(id, /^[0-9a-f]{32}$/);
  // Neighbours have nothing in common, and the same entry of another account or installation neither.
  const others = [ids.write(randomUUID(), 1), createLedgerIds('another').write(account, 1)];
  assert.equal(new Set([...written, ...others].map((id) => id.slice(0, 6))).size, numbers.length + 2);
});

test('what is no id of the account’s is none', () => {
  const foreign = ids.write(randomUUID(), 7);
  for (const text of ['7', '', 'x'.repeat(32), foreign, '0'.repeat(32)])
    assert.equal(ids.read(account, text), undefined, text);
});

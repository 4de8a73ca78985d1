import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyPatch, readMutants, root, writesToPackages } from './mutants/mutants.ts';

const mutants = readMutants();
/** What the simulator must find. */
const simulated = readMutants(join(root, 'sim/mutants'));

test('every mutant applies to the sources', async () => {
  const refusals = await Promise.all(
    [...mutants, ...simulated].map((mutant) => applyPatch(mutant, root, '--check')),
  );
  assert.deepEqual(
    refusals.filter((refusal) => refusal !== null),
    [],
  );
});

test('every mutant says its harm and names test files that exist', () => {
  assert.ok(mutants.length >= 60, `${mutants.length} mutants`);
  const incomplete = mutants.filter(
    ({ harm, caughtBy, changed }) =>
      !harm ||
      changed.length === 0 ||
      caughtBy.length === 0 ||
      caughtBy.some((file) => writesToPackages(file) || !existsSync(join(root, file))),
  );
  assert.deepEqual(
    incomplete.map(({ name }) => name),
    [],
  );
  assert.deepEqual(
    simulated.filter(({ harm, changed }) => !harm || changed.length === 0).map(({ name }) => name),
    [],
  );
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSeedThreads } from '../sim/run-seeds.ts';
import type { RunOutcome } from '../sim/seed-messages.ts';
import { shrink } from '../sim/shrink.ts';

/** @ownProcess: its threads have a core each for some seconds, which other tests of this folder would wait for. */

const threads = startSeedThreads(2);
after(() => threads.close());

/** Smaller runs than those of `npm run sim`. */
const shape = { jobs: 5, minutes: 0.4 };
const requestOf = (seed: number, wantsLines = false) => ({ seed, shape, only: null, wantsLines });

test('200 seeds of the simulated job core break no rule', async () => {
  const outcomes: RunOutcome[] = [];
  const requests = Array.from({ length: 200 }, (_, i) => requestOf(i + 1));
  await threads.playAll(requests, (outcome) => outcomes.push(outcome));
  const broken = outcomes.filter(({ violation }) => violation);
  assert.deepEqual(
    broken.map(({ seed, violation }) => `seed ${seed}: ${violation?.rule}: ${violation?.seen}`),
    [],
  );
  assert.ok(outcomes.reduce((sum, { jobs }) => sum + jobs, 0) > 400);
});

/** What once broke a rule in larger runs. */
const brokeOnce = {
  5471: 'a photo that is being accepted is not swept after the clock was an hour ahead for some seconds',
  214: 'a job that is queued again lets no newcomers in before those who wait',
  26985: 'nor jobs of its own account that come later',
  32429: 'a repeated request is answered where the job of the first is erased meanwhile',
};
for (const [seed, what] of Object.entries(brokeOnce))
  test(`seed ${seed}: ${what}`, async () => {
    const outcome = await threads.play({ ...requestOf(Number(seed)), shape: { jobs: 30, minutes: 2 } });
    assert.equal(outcome.violation, null);
  });

test('a seed gives the same timeline, byte by byte, in whichever thread and after whatever else it is played', async () => {
  const played: RunOutcome[] = [];
  await threads.playAll([requestOf(7, true), requestOf(8), requestOf(7, true)], (outcome) =>
    played.push(outcome),
  );
  const [first, second] = played.filter(({ seed }) => seed === 7) as [RunOutcome, RunOutcome];
  assert.ok(first.lines.length > 50);
  assert.deepEqual(second.lines, first.lines);
  assert.equal(second.hash, first.hash);
});

test('a failing run is shrunk to what breaks the rule', async () => {
  const parts = ['a1', 'a2', 'a3', 'a4', 'a5', 'f1', 'f2', 'f3'];
  const outcomeOf = (kept: readonly string[]) => {
    const isBroken = kept.includes('a4') && kept.includes('f2');
    const violation = isBroken ? { rule: 'credits', at: 0, seen: '' } : null;
    return { parts: kept, violation } as unknown as RunOutcome;
  };
  const play = async ({ only }: { only: readonly string[] | null }) => outcomeOf(only ?? parts);
  const { only, outcome } = await shrink({ play }, requestOf(1), outcomeOf(parts));
  assert.deepEqual(only, ['a4', 'f2']);
  assert.equal(outcome.violation?.rule, 'credits');
});

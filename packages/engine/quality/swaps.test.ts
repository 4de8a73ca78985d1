import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  checkLikeness,
  checkOval,
  checkScores,
  checkSeam,
  checkSkin,
  makeSwap,
  type Swap,
} from '../test/swap/mesh/check-swap.ts';

/** Poses and light differ widely. */
const pairs = ['1.2>6.3', '3.1>6.3', '6.3>3.1', '6.0>6.2', '6.3>6.1', '1.0>6.1', '6.3>6.0'] as const;

const swaps: Swap[] = [];

before(async () => {
  for (const pair of pairs) swaps.push(await makeSwap(pair));
});

test('faces in templates become the guests, for a recogniser', async () => {
  const scores: number[] = [];
  for (const swap of swaps) scores.push(await checkLikeness(swap));
  checkScores(scores);
});

test('swapped faces are lit like the templates, without a seam, and nothing else is changed', () => {
  for (const swap of swaps) {
    checkOval(swap);
    checkSkin(swap);
    checkSeam(swap);
  }
});

test('heads in another pose, by 28 degrees and by 33 to the other side, become the guests', async () => {
  for (const pair of ['6.2>3.0', '6.0>6.1']) {
    const alike = await checkLikeness(await makeSwap(pair));
    assert.ok(alike > 0.5, `${pair}: ${alike}`);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceOf } from '@guise/contract/families/prices.ts';
import { readConfig } from '../../src/config.ts';
import { readPrices } from '../../src/credits/prices.ts';

const pricesOf = (text: string) => readPrices(readConfig({ GUISE_PRICES: text }).prices);

test('GUISE_PRICES sets the price of a run, or of each second of a video', () => {
  const prices = pricesOf('{"face_swap_v6": 3, "single_frame_video": {"perSecond": {"simple": 5}}}');
  assert.equal(priceOf(prices.face_swap_v6!, {}), 3);
  assert.equal(priceOf(prices.single_frame_video!, { model: 'simple', duration: '4s' }), 20);
});

test('GUISE_PRICES that names no job family, or no price, stops the start with a sentence', () => {
  assert.throws(() => pricesOf('{"faceswap": 3}'), {
    code: 'BAD_SETTING',
    message: /^GUISE_PRICES names faceswap\. The job families are face_swap_v6, /,
  });
  assert.throws(() => pricesOf('{"face_swap_v6": "three"}'), {
    code: 'BAD_SETTING',
    message: /^GUISE_PRICES=\{"face_swap_v6":"three"\} cannot be used: .*\. Prices in credits/,
  });
  assert.throws(() => pricesOf('3 credits'), { code: 'BAD_SETTING', message: /must be JSON/ });
});

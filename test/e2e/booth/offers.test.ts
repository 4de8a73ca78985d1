import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Booth } from '@guise/contract/events/event-guests.ts';
import { formatTime } from '../../../packages/booth/src/booth/event/format-time.ts';
import { offersFor } from '../../../packages/booth/src/booth/event/offers.ts';

test('a group is offered what is left when the last group style has gone', () => {
  const offer = (id: string, kind: string) => ({ id, kind });
  const boothWith = (...offers: object[]) => ({ offers, ratios: [] }) as unknown as Booth;
  const idsFor = (booth: Booth) => offersFor(booth, 'group').map(({ id }) => id);
  const [single, band, art] = [
    offer('single', 'single'),
    offer('band', 'group'),
    offer('art', 'stylized'),
  ] as const;
  assert.deepEqual(idsFor(boothWith(single, band, art)), ['band', 'art']);
  assert.deepEqual(idsFor(boothWith(single)), ['single']);
});

test('a time is told in a zone that this browser does not know', () => {
  const time = new Date('2026-07-01T12:00:00Z');
  assert.match(formatTime(time, 'Europe/Kyiv', 'en'), /Wednesday.*July 1.*03:00/);
  assert.match(formatTime(time, 'Europe/Of_A_Later_Year', 'en'), /July/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../src/events/check-details.ts';
import { detailsIn, NewGuestDetail, withDetails } from '../src/events/details.ts';
import { hasBlockedWord } from '../src/events/word-filter.ts';

test('coarse words and those of the event are found in disguise, and not within names and towns', () => {
  const own = ['Rivals United', 'ブラック'];
  for (const text of [
    'FUCK',
    'f.u.c.k',
    'f u c k',
    'fuuuck you',
    'Fück',
    'sh!t fuck',
    'fvck fuck!',
    'Arschl0ch',
  ])
    assert.ok(hasBlockedWord(text, own), text);
  for (const text of ['rivals united', 'R1vals Un1ted', 'チームブラック', 'hijo de puta', 'Kurwa mać'])
    assert.ok(hasBlockedWord(text, own), text);
  for (const text of [
    'Scunthorpe',
    'Niger Allstars',
    'Cassandra',
    'Hurenbach',
    'Zoë & Ann',
    'Team 7',
    'أحمد',
    '佐藤',
  ])
    assert.ok(!hasBlockedWord(text, own), text);
});

test('what a guest gave is checked by its kind, and stands in the places of a text', () => {
  const details = [
    { id: 'name', kind: 'text', required: true, letters: 5, labels: {} },
    { id: 'number', kind: 'number', least: 1, most: 99, labels: {} },
    { id: 'team', kind: 'choice', choices: [{ id: 'red', labels: { en: 'Red' } }], labels: {} },
  ].map((detail) => NewGuestDetail.parse(detail));
  const check = (given: Record<string, string>) => problemsOf(details, given, ['bob']);
  assert.deepEqual(check({ name: 'Ann', number: '99', team: 'red' }), {});
  assert.deepEqual(check({ number: '' }), { name: 'missing' });
  assert.deepEqual(check({ name: 'Annabel', number: '100', team: 'blue' }), {
    name: 'long',
    number: 'number',
    team: 'choice',
  });
  assert.deepEqual(check({ name: 'Bob', number: '1.5' }), { name: 'blocked', number: 'number' });
  assert.deepEqual(detailsIn('{guest.name} of {name}, {guest.team}'), ['name', 'team']);
  assert.equal(withDetails('{guest.name} for {guest.team} at {name}', { name: 'Ann' }), 'Ann for at {name}');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FilterLists, nameFilters, searchFilters } from '../src/other-clients/named-filters.ts';

const id = (digit: string) => `${digit.repeat(8)}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`;
const lists: FilterLists = {
  catalogs: {
    face_swap: [
      { id: '12', name: 'Knight of the great hall' },
      { id: '13', name: 'Northern lights' },
      { id: '14', name: 'Northern forest' },
      { id: '15', name: 'Oil' },
    ],
    realistic: [
      { id: '3', name: 'Harbour at dusk' },
      { id: '4', name: 'Oil' },
    ],
    stylized: [{ id: '3', name: 'Woodcut' }],
  },
  customFilters: [
    { id: id('1'), name: 'Northern lights', filter_type: 'multi_swap' },
    { id: id('2'), name: 'Our hall', filter_type: 'face_swap' },
    { id: id('3'), name: 'Our hall', filter_type: 'face_swap' },
    { id: id('4'), name: '13 Guests', filter_type: 'multi_swap' },
    { id: id('5'), name: 'Gala', filter_type: 'face_swap' },
  ],
  aliases: [
    { id: id('a'), project: 'Gala', ai_filter: id('1') },
    { id: id('b'), project: '', ai_filter: id('4') },
    { id: id('c'), project: 'Twice', ai_filter: id('1') },
    { id: id('d'), project: 'twice', ai_filter: id('2') },
    { id: id('e'), project: 'Gone', ai_filter: id('9') },
  ],
};
const all = nameFilters(lists);
const find = (text: string) => {
  const found = searchFilters(all, text);
  return 'filter' in found ? found.filter.key : found.problem;
};

test('no two filters have the same title, and each is found by its title, its key and in any case', () => {
  assert.equal(new Set(all.map(({ title }) => title)).size, all.length);
  for (const { title, key } of all)
    for (const text of [title, key, title.toUpperCase(), ` ${key}  `]) assert.equal(find(text), key, text);
});

test('a filter is found by its name and by the first words of one name', () => {
  assert.equal(find('knight of the great hall'), '12');
  assert.equal(find('Harbour'), 'realistic 3');
  assert.equal(find('Oil'), '15');
  assert.equal(find('face_swap 12'), '12');
  assert.equal(find('12 Knight'), '12');
  assert.equal(find('13 Guests'), id('4'));
  assert.equal(find('Harb'), 'There is no filter with this name.');
  assert.equal(find(' '), 'There is no filter with this name.');
});

test('what is the caller’s own comes before the catalogs, and an alias before a custom filter', () => {
  assert.equal(find('Northern lights'), id('1'));
  assert.equal(find('Gala'), id('a'));
});

test('a name that stands for several is refused with what they are', () => {
  assert.match(find('Our hall'), new RegExp(`Our hall \\[${id('2')}\\], Our hall \\[${id('3')}\\]`));
  assert.match(find('Twice'), new RegExp(`${id('c')}.*${id('d')}`));
  assert.match(find('Northern'), /begin with this: Northern lights, Northern forest\./);
});

test('a number before the name of another filter is refused', () => {
  assert.equal(find('12 Northern lights'), 'The filter 12 has another name: Knight of the great hall.');
  assert.equal(find('stylized 3 Oil'), 'The filter stylized 3 has another name: Woodcut.');
  assert.equal(find('99 Oil'), 'There is no filter with this name.');
  assert.equal(find('realistic 99'), 'There is no filter realistic 99.');
});

test('an alias whose filter is gone cannot be named', () => {
  assert.equal(find('Gone'), 'There is no filter with this name.');
});

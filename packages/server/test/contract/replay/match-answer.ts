import { readFileSync } from 'node:fs';

/**
 * What an answer must be. Strings that begin with `$` name a rule, `$shape:NAME` a shape of shapes.json; `$one_of` lists
 * values, and a list that begins with `$each` has at least one element, all of that shape. An object may have no other
 * fields than those that are named, and those of `$more`, which the interface does not have and clients ignore.
 */
export type Expected = string | number | boolean | null | readonly Expected[] | { [field: string]: Expected };

const shapes = JSON.parse(readFileSync(new URL('shapes.json', import.meta.url), 'utf8')) as Record<
  string,
  Expected
>;

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const isText = (value: unknown): value is string => typeof value === 'string';
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const rules: Record<string, (value: unknown) => boolean> = {
  $any: () => true,
  $string: isText,
  $text: (value) => isText(value) && value !== '',
  $list: Array.isArray,
  $uuid: (value) => isText(value) && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value),
  $time: (value) => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
  $integer_text: (value) => isText(value) && /^\d+$/.test(value),
  $url: (value) => isText(value) && /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
  $png: (value) =>
    isText(value) &&
    /^[A-Za-z\d+/]+={0,2}$/.test(value) &&
    Buffer.from(value, 'base64').subarray(0, 8).equals(png),
  $map_of_names: (value) =>
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([id, name]) => /^\d+$/.test(id) && isText(name)),
};

/** Where an answer differs from what is expected, in words; undefined where it does not. */
export function difference(
  answer: unknown,
  expected: Expected,
  fill: (text: string) => string,
  at = 'answer',
): string | undefined {
  if (isText(expected)) return textDifference(answer, expected, fill, at);
  if (Array.isArray(expected)) return listDifference(answer, expected, fill, at);
  if (isRecord(expected)) return objectDifference(answer, expected as Fields, fill, at);
  return answer === expected ? undefined : `${at} is ${JSON.stringify(answer)}, not ${expected}`;
}

type Fields = Record<string, Expected>;
type Fill = (text: string) => string;

function textDifference(answer: unknown, expected: string, fill: Fill, at: string): string | undefined {
  if (expected.startsWith('$shape:'))
    return difference(answer, shapes[expected.slice('$shape:'.length)]!, fill, at);
  const fits = rules[expected]?.(answer) ?? answer === fill(expected);
  return fits ? undefined : `${at} is ${JSON.stringify(answer)?.slice(0, 200)}, not ${fill(expected)}`;
}

function listDifference(answer: unknown, expected: readonly Expected[], fill: Fill, at: string) {
  if (!Array.isArray(answer)) return `${at} is no list`;
  const isEach = expected[0] === '$each';
  if (isEach ? answer.length === 0 : answer.length !== expected.length)
    return `${at} has ${answer.length} elements`;
  return first(answer, (element, i) =>
    difference(element, isEach ? expected[1]! : expected[i]!, fill, `${at}[${i}]`),
  );
}

function objectDifference(
  answer: unknown,
  { $more = [], $one_of, ...fields }: Fields,
  fill: Fill,
  at: string,
) {
  if (Array.isArray($one_of))
    return $one_of.includes(answer) ? undefined : `${at} is ${answer}, none of ${$one_of}`;
  if (!isRecord(answer)) return `${at} is no object`;
  const unknown = Object.keys(answer).filter((name) => !(name in fields));
  const foreign = $more === '$any' ? [] : unknown.filter((name) => !($more as string[]).includes(name));
  if (foreign.length > 0) return `${at} has ${foreign}, which the interface does not have`;
  return first(Object.keys(fields), (name) =>
    name in answer ? difference(answer[name], fields[name]!, fill, `${at}.${name}`) : `${at} has no ${name}`,
  );
}

function first<T>(list: readonly T[], find: (element: T, index: number) => string | undefined) {
  for (const [index, element] of list.entries()) {
    const found = find(element, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

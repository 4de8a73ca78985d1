import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parseAst } from 'vite';

const folder = join(import.meta.dirname, '../packages/studio/src');
const sources = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((file) => !file.startsWith('words/'));

/** One part of the studio: `npm run test:files -- test/studio-words.test.ts` with `WORDS_OF=screens/jobs`. */
const part = process.env.WORDS_OF ?? '';

test('every text of the studio can be said in its languages', () => {
  const found = sources
    .filter((file) => file.startsWith(part))
    .flatMap((file) => textsOutsideOfWords(file).map((text) => `${file}: ${text}`));
  assert.deepEqual(found, []);
});

const tables = await Promise.all(
  globSync('words/german/*.ts', { cwd: folder })
    .filter((file) => !/(german|errors)\.ts$/.test(file))
    .map(async (file) => {
      const [table] = Object.values(await import(join(folder, file))) as Record<string, string>[];
      return { file, table: table! };
    }),
);

test('a text has the same places in every language, and one translation', () => {
  const placesOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
  const translations = new Map<string, string>();
  for (const { file, table } of tables)
    for (const [english, translation] of Object.entries(table)) {
      assert.deepEqual(placesOf(translation), placesOf(english), `${file}: ${english}`);
      assert.notEqual(translation.trim(), '', `${file}: ${english}`);
      assert.ok(!translations.has(english), `${file}: ${english} stands in another table, too`);
      translations.set(english, translation);
    }
});

test('every translation is of a text that the studio has', () => {
  const titles = join(folder, '../../contract/src/families/family-titles.ts');
  const used = new Set([...sources, titles].flatMap(literalsOf));
  const unused = tables.flatMap(({ file, table }) =>
    Object.keys(table)
      .filter((english) => !used.has(english))
      .map((english) => `${file}: ${english}`),
  );
  assert.deepEqual(unused, []);
});

function literalsOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value);
    if (node.type === 'TemplateElement') found.push((node.value as { cooked: string }).cooked);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
  };
  visit(parsed(file));
  return found;
}

const parsed = (file: string) =>
  parseAst(readFileSync(resolve(folder, file), 'utf8'), {
    lang: file.endsWith('x') ? 'tsx' : 'ts',
  }) as unknown as Node;

const serverTables = await Promise.all(
  globSync('words/german/server/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('/server.ts'))
    .map(async (file) => {
      const [table] = Object.values(await import(join(folder, file))) as Record<string, string>[];
      return { file, table: table! };
    }),
);

test('sentences of the server have the same places, and are those that it says', () => {
  const packages = join(folder, '../..');
  const said = ['contract', 'engine', 'server']
    .flatMap((name) => globSync(`${name}/src/**/*.ts`, { cwd: packages }))
    .flatMap((file) => readFileSync(join(packages, file), 'utf8').replaceAll("\\'", "'").split('\n'))
    // Without comments and lines of code alone: the whole sources take ten times as long to search.
    .filter((line) => !/^ *(\*|\/[/*]|import )|^[^'`"]*[;{,(]$/.test(line))
    // Names of languages come from `Intl`.
    .concat('German', 'English')
    .join('\n');
  for (const { file, table } of serverTables)
    for (const [english, translation] of Object.entries(table)) {
      const [wanted, has] = [english, translation].map((text) => new Set(text.match(/\{\w+\}/g)));
      assert.deepEqual(has, wanted, `${file}: ${english}`);
      for (const part of english.split(/\{\w+\}/))
        assert.ok(piecesOf(part.trim(), said) <= 10, `${file}: nothing says “${part.trim()}”`);
    }
});

/** How few pieces of the sources a text is put together from; a source may say it in parts. */
function piecesOf(text: string, sources: string): number {
  let pieces = 0;
  for (let rest = text; rest !== ''; pieces++) {
    const length = saidBeginning(rest, sources);
    if (length < Math.min(3, rest.length)) return Number.POSITIVE_INFINITY;
    rest = rest.slice(length).trimStart();
  }
  return pieces;
}

/** How many of the first characters of a text stand in the sources. */
function saidBeginning(text: string, sources: string): number {
  let [least, most] = [0, text.length];
  while (least < most) {
    const length = Math.ceil((least + most) / 2);
    if (sources.includes(text.slice(0, length))) least = length;
    else most = length - 1;
  }
  return least;
}

/** Texts that are shown as they stand in the source. */
function textsOutsideOfWords(file: string): string[] {
  const texts: string[] = [];
  visit(parsed(file), null);
  return texts;

  function visit(node: Node, parent: Node | null): void {
    if (isNoText(node, parent)) return;
    if (node.type === 'JSXText' && /\p{L}{2}/u.test(node.value as string)) report(node.value as string);
    if (node.type === 'Literal' && typeof node.value === 'string' && isSentence(node.value))
      report(node.value);
    if (node.type === 'TemplateLiteral') {
      const text = (node.quasis as { value: { cooked: string } }[])
        .map(({ value }) => value.cooked)
        .join('…');
      if (isSentence(text)) report(text);
    }
    for (const [name, value] of Object.entries(node)) {
      if (name === 'parent' || name === 'key' || name === 'typeAnnotation' || name === 'typeArguments')
        continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node);
    }
  }

  function report(text: string): void {
    const shown = text.trim().replaceAll(/\s+/g, ' ');
    if (!unspoken[file]?.test(shown)) texts.push(shown);
  }
}

interface Node {
  type: string;
  [name: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** What has letters and is shown to nobody, or stays as it is in every language. */
function isNoText(node: Node, parent: Node | null): boolean {
  const nameOf = (one: unknown) => String((one as { name?: unknown } | null)?.name ?? '');
  if (/^(Import|Export(All|Named)Declaration$)/.test(node.type)) return node.type.startsWith('Import');
  if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(node.type)) return true;
  if (node.type === 'CallExpression' && /^say(Parts)?$/.test(nameOf(node.callee))) return false;
  if (parent?.type === 'CallExpression' && /^say(Parts)?$/.test(nameOf(parent.callee)))
    return (parent.arguments as unknown[])[0] === node;
  if (node.type === 'NewExpression' && /^(\w*Error|RegExp|Intl)$/.test(nameOf(node.callee))) return true;
  if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator as string)) return true;
  if (node.type === 'SwitchCase') return false;
  if (node.type === 'VariableDeclarator' && /class|style|frame$/i.test(nameOf(node.id))) return true;
  if (node.type === 'JSXElement')
    return ['code', 'kbd', 'pre'].includes(nameOf((node.openingElement as Node).name));
  if (node.type === 'JSXAttribute')
    return (
      /^(data-|class|id$|type$|name$|d$|pattern$)/i.test(nameOf(node.name)) ||
      /Class$/.test(nameOf(node.name))
    );
  return false;
}

/** Names of colours, keys of the keyboard and the like are one word, or begin with a small letter. */
function isSentence(text: string): boolean {
  const words = text.trim();
  if (/[[\]<>=/_]|^https?:|^\W*$|-\d|\w:\w/.test(words)) return false;
  if (/^\p{Lu}[\p{Ll}’']*( |$|[.?!:…,])/u.test(words) && !proper.has(words)) return true;
  return /(^| )\p{Ll}{2,} \p{Ll}{2,}( |$|[.?!:…,])/u.test(words) && !/\p{L}-\p{L}/u.test(words);
}

/** Names that are the same in every language, and words of the browser. */
const proper = new Set([
  ...['Android', 'Chrome', 'Chromebook', 'ComfyUI', 'Edge', 'Firefox', 'Guise', 'Linux', 'Mac', 'Opera'],
  ...['Python', 'Safari', 'Samsung Internet', 'Windows', 'English', 'Deutsch', 'UTC', 'MB', 'GB', 'X'],
  ...['Backspace', 'Control', 'Delete', 'End', 'Enter', 'Escape', 'Home', 'Meta', 'Shift', 'Space', 'Tab'],
  ...['AbortError', 'Bearer', 'GET', 'Infinity', 'POST'],
]);

/** Commands, code, examples of prompts, which engines read in English, and beginnings of sentences of the server. */
const unspoken: Readonly<Record<string, RegExp>> = {
  'app/ways-in.tsx': /^accounts (link|create)/,
  'screens/events/editor/show-refusal.ts': /^Offer$/,
  'screens/events/evening/event-end.tsx': /events export/,
  'screens/try/code-samples.ts': /^(True|False)$/,
  'screens/try/prompt-notes.tsx': /^model simple$/,
  'screens/try/video-models.ts': /camera moves in|^Morph slowly/,
  'screens/try/words-panel.tsx': /^(Under|On|In|As) (the|a) /,
};

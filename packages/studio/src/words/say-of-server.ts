import { language } from './language.ts';

const tables =
  language === 'de' ? Object.values((await import('./german/server/server.ts')).germanOfServer) : [];
/** Sentences with places, which have to be tried one after the other. */
const patterns = tables.flatMap((table) =>
  Object.entries(table)
    .filter(([english]) => english.includes('{'))
    .map(([english, translation]) => ({ pattern: patternOf(english), translation })),
);

/** A sentence of the server in the language of the studio; in English where it has no translation. */
export function sayOfServer(sentence: string): string {
  for (const table of tables) if (Object.hasOwn(table, sentence)) return table[sentence]!;
  for (const { pattern, translation } of patterns) {
    const found = pattern.exec(sentence)?.groups;
    if (found) return translation.replaceAll(/\{(\w+)\}/g, (_, name: string) => found[name] ?? '');
  }
  return sentence;
}

/** What the places of a sentence hold may be anything. */
function patternOf(english: string): RegExp {
  const parts = english.split(/\{(\w+)\}/);
  const source = parts.map((part, i) =>
    i % 2 === 0 ? part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&') : `(?<${part}>.+?)`,
  );
  return new RegExp(`^${source.join('')}$`, 's');
}

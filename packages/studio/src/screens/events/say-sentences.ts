import { sayOfServer } from '../../words/say-of-server.ts';

/** Sentences of the server one after the other, which may stand behind the name of a printer; in English unless all are known. */
export function saySentences(said: string): string {
  const known = sayEach(said.split(/(?<=\.) /));
  if (known !== null) return known;
  const [, name, report = ''] = /^(.+?): (.+)$/s.exec(said) ?? [];
  const reported = sayEach(report.split(/(?<=\.) /));
  return reported === null ? said : `${name}: ${reported}`;
}

/** Some of the server's texts are several sentences, so the shortest known beginning is looked for. */
function sayEach(parts: readonly string[]): string | null {
  for (let count = 1; count <= parts.length; count++) {
    const first = parts.slice(0, count).join(' ');
    const known = sayOfServer(first);
    if (known === first) continue;
    if (count === parts.length) return known;
    const rest = sayEach(parts.slice(count));
    if (rest !== null) return `${known} ${rest}`;
  }
  return null;
}

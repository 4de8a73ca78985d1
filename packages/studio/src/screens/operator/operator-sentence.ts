import { sayOfServer } from '../../words/say-of-server.ts';

/** Several sentences that the server has put together are each said by itself. */
export function operatorSentence(said: string): string {
  // Each begins with a workflow and its node.
  const [, head, missing] = /^(lacks something): (.+)$/s.exec(said) ?? [];
  if (head !== undefined && missing !== undefined)
    return `${sayOfServer(head)}: ${missing
      .split(/; (?=[^;]+: node )/)
      .map(sayOfServer)
      .join('; ')}`;
  const parts = said.split('; ');
  if (parts.every(isKnown)) return parts.map(sayOfServer).join('; ');
  const known = sayOfServer(said);
  if (known !== said) return known;
  // What went wrong, and what caused it.
  const [, sentence, cause] = /^(.+?[.!?]) \((.+)\)$/s.exec(said) ?? /^(.+?) \((.+)\)\.$/s.exec(said) ?? [];
  if (sentence !== undefined && cause !== undefined) return withCause(sentence, cause);
  return said;
}

const isKnown = (said: string) => sayOfServer(said) !== said;

/** The full stop stands before the brackets or behind them. */
function withCause(sentence: string, cause: string): string {
  const reason = `(${operatorSentence(cause)})`;
  if (/[.!?]$/.test(sentence)) return `${sayOfServer(sentence)} ${reason}`;
  return `${sayOfServer(`${sentence}.`).replace(/\.$/, '')} ${reason}.`;
}

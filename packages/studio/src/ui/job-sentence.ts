import { say } from '../words/say.ts';
import { sayOfServer } from '../words/say-of-server.ts';

/** Why a job failed, or what it did: of a burst there may be a sentence on each shot, one after the other. */
export function jobSentence(said: string): string {
  return said
    .split(/ (?=Shot \d+: )/)
    .map((part) => {
      const [, number, reason] = /^Shot (\d+): (.+)$/s.exec(part) ?? [];
      if (number === undefined || reason === undefined) return sayOfServer(part);
      return say('Shot {number}: {name}', { number, name: reasonOf(reason) });
    })
    .join(' ');
}

/** Reasons are sentences that may have lost their full stop. */
function reasonOf(said: string): string {
  const known = sayOfServer(said);
  return known === said ? sayOfServer(`${said}.`).slice(0, -1) : known;
}

import { createHash } from 'node:crypto';

/** What happened in a run, line by line: simulated time, who, what. */
export interface Timeline {
  add(at: number, who: string, what: string): void;
  /** Gives an id a short name: J1 for the first job, A2 for the second account. */
  name(id: string, kind: string): void;
  /** A text with short names in place of ids. */
  shorten(text: string): string;
  lines(): readonly string[];
  hash(): string;
}

const ids = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

export function createTimeline(): Timeline {
  const lines: string[] = [];
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const shorten = (text: string) => text.replaceAll(ids, (id) => names.get(id) ?? id);
  return {
    name(id, kind) {
      if (names.has(id)) return;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      names.set(id, kind + count);
    },
    shorten,
    add(at, who, what) {
      lines.push(`${writeTime(at)} ${who.padEnd(8)} ${shorten(what)}`);
    },
    lines: () => lines,
    hash: () => createHash('sha256').update(lines.join('\n')).digest('hex'),
  };
}

/** Hours, minutes and seconds since the beginning, to the millisecond. */
function writeTime(ms: number): string {
  const whole = Math.floor(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = Math.floor(whole / 1000);
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${time}.${String(whole % 1000).padStart(3, '0')}`;
}

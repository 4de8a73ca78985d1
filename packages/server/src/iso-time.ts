const known = new Map<number, string>();
const mostKnown = 10_000;

/** A time as callers read it. Whoever polls asks for the same two times again and again, and each costs 1 µs to write. */
export function isoTime(ms: number): string {
  let text = known.get(ms);
  if (text === undefined) {
    text = new Date(ms).toISOString();
    if (known.size >= mostKnown) known.clear();
    known.set(ms, text);
  }
  return text;
}

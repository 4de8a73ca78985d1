/** Works on many things, a few at once, so that a bucket or a database is not asked for all of them in one moment. */
export async function eachAtOnce<T>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < things.length; at += atOnce) {
    await Promise.all(things.slice(at, at + atOnce).map(work));
  }
}

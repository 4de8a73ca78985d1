/** A page of a list: how to read the next one, or null when there is none. */
interface Page {
  next_cursor: string | null;
}

/** Every entry of a list, page by page, for `for await`. The next page is read when the one before is used up. */
export async function* readEntries<P extends Page, Entry>(
  readPage: (cursor: string | undefined) => Promise<P>,
  entriesOf: (page: P) => readonly Entry[],
): AsyncGenerator<Entry, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    yield* entriesOf(page);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** The cursor of the page after these rows, or null where the page is not full: nothing comes after it. */
export function nextCursor<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): string | null {
  const last = rows.at(-1);
  return last !== undefined && rows.length === limit ? cursorOf(last) : null;
}

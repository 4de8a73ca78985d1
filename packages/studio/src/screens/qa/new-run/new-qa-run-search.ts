/** The filter of a run that is being put together, in the address of the page. */
export interface NewQaRunSearch {
  filter?: string;
}

export function readNewQaRunSearch(search: Record<string, unknown>): NewQaRunSearch {
  return typeof search.filter === 'string' && search.filter ? { filter: search.filter } : {};
}

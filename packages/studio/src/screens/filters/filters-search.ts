export const shownLists = ['own', 'face_swap', 'realistic', 'stylized'] as const;
export type ShownList = (typeof shownLists)[number];

/** Which filters the screen shows, in its address: going back shows the same ones. */
export interface FiltersSearch {
  show?: ShownList;
}

export function readFiltersSearch(search: Record<string, unknown>): FiltersSearch {
  const show = shownLists.find((name) => name === search.show);
  return show ? { show } : {};
}

/** Which picture is in which cell. The first cell is the large one, where there is one. */
export interface Rotation {
  /** Ids of pictures; null for an empty cell. */
  cells: readonly (string | null)[];
  /** When each cell was last changed, counted in turns. */
  changed: readonly number[];
  turn: number;
  /** All pictures there are, newest first. */
  ids: readonly string[];
  /** New pictures that wait for their turn, the oldest first. */
  arrivals: readonly string[];
}

export const emptyRotation: Rotation = { cells: [], changed: [], turn: 0, ids: [], arrivals: [] };

/** Pictures or cells have become more or fewer. What has gone is in no cell after this. */
export function withPictures(before: Rotation, ids: readonly string[], cellCount: number): Rotation {
  const there = new Set(ids);
  const known = new Set(before.ids);
  const cells = Array.from({ length: cellCount }, (_, at) => {
    const id = before.cells[at];
    return id != null && there.has(id) ? id : null;
  });
  // At the start everything is new, and nothing arrives.
  const fresh = before.ids.length === 0 ? [] : ids.filter((id) => !known.has(id)).reverse();
  const arrivals = [...before.arrivals.filter((id) => there.has(id)), ...fresh];
  const changed = cells.map((_, at) => before.changed[at] ?? before.turn);
  const next = { ...before, cells, changed, ids, arrivals };
  return cells.reduce<Rotation>((state, id, at) => (id === null ? fillCell(state, at) : state), next);
}

/** Shows the next picture: one that is new in the first cell, else one that was not shown for long in the oldest cell. */
export function turned(before: Rotation): Rotation {
  const state = { ...before, turn: before.turn + 1 };
  const [arrival, ...arrivals] = state.arrivals;
  if (arrival !== undefined) {
    const shown = { ...state, arrivals };
    if (state.cells.includes(arrival)) return shown;
    const oldest = oldestCell(state, 1);
    const first = state.cells[0] ?? null;
    // What was in the first cell goes on in another one.
    const moved = oldest === undefined ? shown : setCell(shown, oldest, first);
    return setCell(moved, 0, arrival);
  }
  const at = state.turn % 3 === 0 ? 0 : oldestCell(state, 1);
  if (at === undefined) return state;
  if (hiddenIds(state).length > 0) return fillCell(state, at);
  // All are shown: two of them change places.
  const other = at === 0 ? oldestCell(state, 1) : 0;
  if (other === undefined) return state;
  const [one, two] = [state.cells[at] ?? null, state.cells[other] ?? null];
  return setCell(setCell(state, at, two), other, one);
}

const hiddenIds = ({ ids, cells }: Rotation) => ids.filter((id) => !cells.includes(id));

/** With the picture that follows the one which is there, in the order of their age; the oldest is followed by the newest. */
function fillCell(state: Rotation, at: number): Rotation {
  const hidden = hiddenIds(state);
  const current = state.cells[at];
  const older = current == null ? undefined : hidden.find((id) => id < current);
  const id = older ?? hidden[0] ?? null;
  const arrivals = state.arrivals.filter((arrival) => arrival !== id);
  return setCell({ ...state, arrivals }, at, id);
}

function setCell(state: Rotation, at: number, id: string | null): Rotation {
  return { ...state, cells: state.cells.with(at, id), changed: state.changed.with(at, state.turn) };
}

/** The cell that has not been changed for longest, from the cell `first` on. */
function oldestCell({ changed }: Rotation, first: number): number | undefined {
  let oldest: number | undefined;
  for (let at = first; at < changed.length; at++)
    if (oldest === undefined || changed[at]! < changed[oldest]!) oldest = at;
  return oldest;
}

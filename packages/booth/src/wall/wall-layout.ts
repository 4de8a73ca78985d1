/** Cells that fill a screen. With `hasLarge` one of them is as large as four others. */
export interface WallLayout {
  columns: number;
  rows: number;
  hasLarge: boolean;
  /** Pictures at once. */
  cells: number;
}

/** More would be too small to be looked at from across a room, and each takes memory. */
const mostCells = 28;
/** From here on a large cell leaves enough others beside it. */
const largeFrom = 15;

/**
 * The grid for so many pictures of a shape (width by height), so that cells are near that shape and little is cut off. It
 * has cells for no more than there are pictures, and changes in steps: not with every picture that comes.
 */
export function layoutFor(
  screen: { width: number; height: number },
  pictures: number,
  shape: number,
): WallLayout {
  const wanted = Math.min(mostCells, stepBelow(pictures));
  let best = { columns: 1, rows: 1, score: Number.POSITIVE_INFINITY };
  for (let rows = 1; rows <= 8; rows++) {
    for (let columns = 1; columns <= 12; columns++) {
      const cells = columns * rows;
      if (cells > wanted) break;
      const cellShape = screen.width / columns / (screen.height / rows);
      const score = 2 * Math.abs(Math.log(cellShape / shape)) + Math.log(wanted / cells);
      if (score < best.score) best = { columns, rows, score };
    }
  }
  const { columns, rows } = best;
  const hasLarge = columns * rows >= largeFrom && columns >= 3 && rows >= 3;
  return { columns, rows, hasLarge, cells: columns * rows - (hasLarge ? 3 : 0) };
}

/** 1, 2, 3, 4, 6, 8, 12, 16 and so on. */
function stepBelow(count: number): number {
  if (count <= 4) return Math.max(1, count);
  const power = 2 ** Math.floor(Math.log2(count));
  return count >= 1.5 * power ? 1.5 * power : power;
}

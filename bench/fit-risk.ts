/** How strongly weights are held near 0, where every column has a spread of 1. */
const ridge = 1;
const newtonSteps = 8;

/** A logistic combination of columns. */
export interface Fit {
  bias: number;
  weights: number[];
}

/**
 * Fits how likely rows are to be true. No weight is negative: every measure grows with what is wrong, and one that
 * seems to speak for a picture only repeats an accident of few photos.
 */
export function fitRisk(rows: readonly (readonly number[])[], labels: readonly boolean[]): Fit {
  const columns = rows[0]?.map((_, c) => c) ?? [];
  const spreads = columns.map((c) => spreadOf(rows.map((row) => row[c]!)));
  let kept = columns.filter((c) => spreads[c]! > 1e-6);
  for (;;) {
    const scaled = rows.map((row) => [...kept.map((c) => row[c]! / spreads[c]!), 1]);
    const solved = newton(scaled, labels);
    const positive = kept.filter((_, i) => solved[i]! > 0);
    if (positive.length === kept.length) {
      const weights = columns.map((c) => (kept.includes(c) ? solved[kept.indexOf(c)]! / spreads[c]! : 0));
      return { bias: solved.at(-1)!, weights };
    }
    kept = positive;
  }
}

function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Ridge regression by Newton's method; the last column is the bias, which is free. */
function newton(rows: readonly (readonly number[])[], labels: readonly boolean[]): number[] {
  const size = rows[0]?.length ?? 1;
  const held = (c: number) => (c === size - 1 ? 1e-6 : ridge);
  let solved = Array.from({ length: size }, () => 0);
  for (let step = 0; step < newtonSteps; step++) {
    const gradient = solved.map((value, c) => held(c) * value);
    const curvature = solved.map((_, c) => solved.map((_, d) => (c === d ? held(c) : 0)));
    for (const [r, row] of rows.entries()) {
      const sum = row.reduce((total, value, c) => total + value * solved[c]!, 0);
      const likely = 1 / (1 + Math.exp(-sum));
      for (let c = 0; c < size; c++) {
        gradient[c]! += row[c]! * (likely - Number(labels[r]));
        for (let d = 0; d < size; d++) curvature[c]![d]! += row[c]! * row[d]! * likely * (1 - likely);
      }
    }
    const change = solve(curvature, gradient);
    solved = solved.map((value, c) => value - change[c]!);
  }
  return solved;
}

/** Gaussian elimination; the matrix is positive definite. */
function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const rows = matrix.map((row, r) => [...row, values[r]!]);
  for (let c = 0; c < rows.length; c++) {
    for (let r = c + 1; r < rows.length; r++) {
      const share = rows[r]![c]! / rows[c]![c]!;
      for (let d = c; d <= rows.length; d++) rows[r]![d]! -= share * rows[c]![d]!;
    }
  }
  const solved = values.map(() => 0);
  for (let r = rows.length - 1; r >= 0; r--) {
    const known = solved.reduce((sum, value, c) => sum + value * rows[r]![c]!, 0);
    solved[r] = (rows[r]!.at(-1)! - known) / rows[r]![r]!;
  }
  return solved;
}

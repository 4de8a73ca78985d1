import type { Plane } from './plane.ts';

/** Connected parts of a plane that lie above a threshold (or below it). */
export interface Regions {
  /** 0 outside; else the number of the region, from 1. */
  labels: Int32Array;
  /** Pixels of each region; index 0 is unused. */
  areas: number[];
}

/** Labels by runs of a row, each joined with those that it touches in the row above; three times as fast as filling by pixels. */
export function findRegions(plane: Plane, threshold: number, side: 'above' | 'below'): Regions {
  const { starts, ends, first } = joinRuns(plane, threshold, side === 'above');
  const labels = new Int32Array(plane.data.length);
  const areas = [0];
  const labelOf = new Int32Array(starts.length);
  for (const [run, start] of starts.entries()) {
    // The first run of a region comes before all others of it.
    const root = rootOf(first, run);
    if (root === run) labelOf[run] = areas.push(0) - 1;
    const label = labelOf[root]!;
    labels.fill(label, start, ends[run]);
    areas[label]! += ends[run]! - start;
  }
  return { labels, areas };
}

/** Where runs of pixels start and end, row by row, and for each an earlier run of its region, or itself. */
function joinRuns({ width, height, data }: Plane, threshold: number, isAbove: boolean) {
  const starts: number[] = [];
  const ends: number[] = [];
  const first: number[] = [];
  let above = 0;
  for (let y = 0; y < height; y++) {
    const rowStart = starts.length;
    const rowEnd = (y + 1) * width;
    for (let i = y * width; i < rowEnd; i++) {
      if (data[i]! >= threshold !== isAbove) continue;
      const start = i;
      while (i < rowEnd && data[i]! >= threshold === isAbove) i++;
      const run = starts.length;
      starts.push(start);
      ends.push(i);
      first.push(run);
      while (above < rowStart && ends[above]! <= start - width) above++;
      for (let other = above; other < rowStart && starts[other]! < i - width; other++)
        join(first, run, other);
    }
    above = rowStart;
  }
  return { starts, ends, first };
}

function rootOf(first: number[], run: number): number {
  let root = run;
  while (first[root] !== root) {
    first[root] = first[first[root]!]!;
    root = first[root]!;
  }
  return root;
}

function join(first: number[], one: number, other: number): void {
  const [a, b] = [rootOf(first, one), rootOf(first, other)];
  if (a < b) first[b] = a;
  else first[a] = b;
}

import type { Plane } from './plane.ts';

/** Connected parts of a plane that lie above a threshold (or below it). */
export interface Regions {
  /** 0 outside; else the number of the region, from 1. */
  labels: Int32Array;
  /** Pixels of each region; index 0 is unused. */
  areas: number[];
}

export function findRegions(
  { width, height, data }: Plane,
  threshold: number,
  side: 'above' | 'below',
): Regions {
  const count = width * height;
  const inside = new Uint8Array(count);
  for (let i = 0; i < count; i++) inside[i] = data[i]! >= threshold === (side === 'above') ? 1 : 0;
  const labels = new Int32Array(count);
  const stack = new Int32Array(count);
  const areas = [0];
  for (let start = 0; start < count; start++) {
    if (inside[start] === 0 || labels[start] !== 0) continue;
    const label = areas.length;
    let depth = 0;
    let area = 0;
    stack[depth++] = start;
    labels[start] = label;
    while (depth > 0) {
      const i = stack[--depth]!;
      area++;
      const x = i % width;
      if (x > 0 && inside[i - 1] === 1 && labels[i - 1] === 0) {
        labels[i - 1] = label;
        stack[depth++] = i - 1;
      }
      if (x < width - 1 && inside[i + 1] === 1 && labels[i + 1] === 0) {
        labels[i + 1] = label;
        stack[depth++] = i + 1;
      }
      if (i >= width && inside[i - width] === 1 && labels[i - width] === 0) {
        labels[i - width] = label;
        stack[depth++] = i - width;
      }
      if (i + width < count && inside[i + width] === 1 && labels[i + width] === 0) {
        labels[i + width] = label;
        stack[depth++] = i + width;
      }
    }
    areas.push(area);
  }
  return { labels, areas };
}

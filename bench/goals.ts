import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** What benches share: medians, tables, and goals that end the process with 1 when one is missed. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export type Format = (value: number) => string;
export const percent: Format = (share) => `${Number((100 * share).toFixed(1))}%`;
export const seconds: Format = (value) => `${value.toFixed(1)} s`;
export const megabytes: Format = (value) => `${value.toFixed(0)} MB`;
export const times: Format = (value) => `${value.toFixed(2)}×`;

export interface Goal {
  name: string;
  value: string;
  limit: string;
  reached: boolean;
}

export interface Goals {
  readonly list: readonly Goal[];
  atMost(name: string, value: number, limit: number, format: Format): Goal;
  atLeast(name: string, value: number, limit: number, format: Format): Goal;
  /** Prints the goals that were missed. The process ends with 1 if there are any, or if no goal was checked. */
  report(): void;
}

export function newGoals(): Goals {
  const list: Goal[] = [];
  const add = (goal: Goal) => {
    list.push(goal);
    return goal;
  };
  return {
    list,
    // A value that is not a number reaches neither kind of goal.
    atMost: (name, value, limit, format) =>
      add({ name, value: format(value), limit: `≤ ${format(limit)}`, reached: value <= limit }),
    atLeast: (name, value, limit, format) =>
      add({ name, value: format(value), limit: `≥ ${format(limit)}`, reached: value >= limit }),
    report() {
      const missed = list.filter(({ reached }) => !reached);
      if (list.length === 0) console.log('\nNo goal was checked: is there such a row?');
      else console.log(`\n${list.length - missed.length} of ${list.length} goals reached`);
      for (const { name, value, limit } of missed) console.log(`missed: ${name}: ${value}, goal ${limit}`);
      if (missed.length > 0 || list.length === 0) process.exitCode = 1;
    },
  };
}

export const reachedWord = ({ reached }: Goal) => (reached ? 'yes' : 'NO');

/** As Markdown, to be copied into the docs. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  printHead(head);
  for (const cells of rows) printRow(cells);
}

export function printHead(head: readonly string[]): void {
  printRow(head);
  printRow(head.map(() => '---'));
}

export function printRow(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}

/** What the figures depend on beside the code: other work on the same cores makes all of them worse. */
export function printMachine(): void {
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
  console.log(`${availableParallelism()} cores, load ${load} at the start\n`);
}

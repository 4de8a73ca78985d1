import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { after } from 'node:test';

/** The processor time of a test file, with that of all processes that it started. */
export interface FileTime {
  file: string;
  seconds: number;
}

let counted = 0;

/** Adds a line with the time of a file of this process to those of the run, when the suite that it is has ended. */
export function countProcessorTime(file: string, times: string): void {
  after(() => {
    const seconds = processorSeconds();
    const time: FileTime = { file, seconds: seconds - counted };
    appendFileSync(times, `${JSON.stringify(time)}\n`);
    counted = seconds;
  });
}

export function readFileTimes(times: string): FileTime[] {
  const lines = readFileSync(times, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** Of this process and of all that it has started, also those that have ended; where there is no `/proc`, of this one alone. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  if (!existsSync('/proc/self/stat')) return (user + system) / 1e6;
  const all = new Map(readdirSync('/proc').flatMap(readProcess));
  const isBelow = (pid: number | undefined): boolean =>
    pid === process.pid || (pid !== undefined && isBelow(all.get(pid)?.parent));
  return [...all].reduce((sum, [pid, { seconds }]) => sum + (isBelow(pid) ? seconds : 0), 0);
}

const ticksPerSecond = 100;

function readProcess(name: string): [number, { parent: number; seconds: number }][] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    // What follows the name, which may have blanks in it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Its own, in programs and in the system, and that of its children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [[Number(name), { parent: Number(fields[1]), seconds: ticks / ticksPerSecond }]];
  } catch {
    // It ended while we looked.
    return [];
  }
}

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Memory and processor time of other processes, as Linux counts them. A process that has ended has none. */

/** The most memory that a process had resident at once, in MB of 1,048,576 bytes. */
export function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(read(pid, 'status'))?.[1] ?? 0) / 1024;
}

/** Makes `peakMemory` begin anew from what the process has now. */
export function resetPeakMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The process, everything that it has started, everything that those have started, and so on. */
export function processTree(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) =>
    read(pid, `task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(processTree)];
}

/** The process that started it. */
export function parentOf(pid: number): number {
  return Number(/PPid:\s+(\d+)/.exec(read(pid, 'status'))?.[1] ?? 0);
}

/** The name of the program that a process runs. */
export function programOf(pid: number): string {
  return read(pid, 'comm').trim();
}

/** Ticks of /proc: USER_HZ, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** The processor time of a process and all below it so far. What has ended counts with its parent. */
export function treeCpuSeconds(pid: number): number {
  return processTree(pid).reduce((sum, one) => sum + cpuSeconds(one), 0);
}

function cpuSeconds(pid: number): number {
  const stat = read(pid, 'stat');
  // The name, in parentheses, may contain spaces; user, system and the ended children's times are fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface Process {
  pid: number;
  command: string;
  /** Processor time so far, in seconds. */
  cpu: number;
}

/** Every process that a process has started, and those have, and so on. */
export function descendantsOf(pid: number): Process[] {
  const all = list();
  const found: Process[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map((child) => child.pid);
  }
  return found;
}

export function isAlive(pid: number): boolean {
  return list().some((one) => one.pid === pid);
}

type Listed = Process & { parent: number };

const list = (): Listed[] => (existsSync('/proc/self/stat') ? listByProc() : listByPs());

/** Linux, where `ps` may not be installed. A zombie uses nothing and only waits to be counted. */
function listByProc(): Listed[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, command, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))!;
      const [state, parent, ...fields] = rest!.split(' ');
      const ticks = Number(fields[9]) + Number(fields[10]);
      if (state === 'Z') return [];
      return [{ pid: Number(name), parent: Number(parent), command: command!, cpu: ticks / 100 }];
    } catch {
      // It ended while we looked.
      return [];
    }
  });
}

function listByPs(): Listed[] {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,time=,comm='], { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, state, time, command] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (!pid || state!.startsWith('Z')) return [];
    const cpu = time!.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
    return [{ pid: Number(pid), parent: Number(parent), command: command!, cpu }];
  });
}

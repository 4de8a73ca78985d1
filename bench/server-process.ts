import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { measure } from './load.ts';

/** A server of server.ts in a process of its own. */
export interface ServerProcess {
  url: string;
  key: string;
  pid: number;
  child: ChildProcess;
}

/** What is sent to which server. */
export interface Target {
  server: ServerProcess;
  request: Buffer;
}

/** What one turn of a target gave. */
export interface Round {
  /** Answers a second. */
  rate: number;
  /** Microseconds of the server's processor time for a request, on all its threads. */
  cpu: number;
}

export async function startServer(...args: string[]): Promise<ServerProcess> {
  const child = fork(new URL('./server.ts', import.meta.url), args);
  const [started] = (await once(child, 'message')) as [{ url: string; key: string }];
  return { ...started, pid: child.pid!, child };
}

export async function measureRound(
  { server, request }: Target,
  connections: number,
  seconds: number,
): Promise<Round> {
  const before = cpuMicroseconds(server.pid);
  const began = performance.now();
  const rate = await measure({ url: server.url, request, connections, seconds });
  const answers = (rate * (performance.now() - began)) / 1000;
  return { rate, cpu: (cpuMicroseconds(server.pid) - before) / answers };
}

/** Of all threads that there are: to the nanosecond, where /proc/PID/stat counts hundredths of a second. */
function cpuMicroseconds(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce(
    (sum, task) => sum + Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1000,
    0,
  );
}

/** Alternates between the two servers, each first by turns, so that both see the same noise. */
export async function takeTurns(
  [guise, floor]: readonly [Target, Target],
  { rounds, seconds, connections }: { rounds: number; seconds: number; connections: number },
): Promise<{ guise: Round; floor: Round }[]> {
  const results: { guise: Round; floor: Round }[] = [];
  for (const target of [guise, floor]) await measureRound(target, connections, 0.5);
  for (let round = 0; round < rounds; round++) {
    const inOrder = round % 2 === 0;
    const first = await measureRound(inOrder ? guise : floor, connections, seconds);
    const second = await measureRound(inOrder ? floor : guise, connections, seconds);
    results.push(inOrder ? { guise: first, floor: second } : { guise: second, floor: first });
  }
  return results;
}

/** What a server's main thread does while `work` goes on. */
export async function profileServer(
  { child }: ServerProcess,
  work: () => Promise<unknown>,
): Promise<Profiler.Profile> {
  child.send('start profile');
  await once(child, 'message');
  await work();
  child.send('stop profile');
  const [profile] = (await once(child, 'message')) as [Profiler.Profile];
  return profile;
}

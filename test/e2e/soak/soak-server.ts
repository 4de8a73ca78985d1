import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { descendantsOf } from '../../../packages/server/test/support/processes.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';

/** What a process holds at one moment. */
export interface ProcessResources {
  /** Resident memory in MB: with what the garbage collector and the allocator keep for later. */
  memory: number;
  descriptors: number;
}

/** What a process needs, in MB, right after its garbage was collected. */
export interface LiveMemory {
  heap: number;
  /** Buffers and other memory of objects outside of the heap. */
  external: number;
}

/** A server that is killed, starved and deceived, and started again when it has ended. */
export interface SoakServer {
  url(): Promise<string>;
  holdings(): ProcessResources;
  /** What its descriptors are of. */
  openFiles(): string[];
  live(): Promise<LiveMemory>;
  kill(): Promise<void>;
  /** Stops an engine process, as a debugger or a machine that swaps would. It is not continued. */
  stopEngine(): boolean;
  setClockBy(ms: number): void;
  /** Lets no file grow until `mayWrite`, as on a full disk. */
  fillDisk(): void;
  mayWrite(): void;
  end(): Promise<void>;
}

export function startSoakServer(env: Record<string, string>): SoakServer {
  const start = (): ServerProcess =>
    startProcess(new URL('./soak-node.ts', import.meta.url), [], { ...process.env, ...env });
  let server = start();
  const limitFiles = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:unlimited`]);
  return {
    url: () => server.url,
    holdings: () => ({
      memory: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024,
      descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    }),
    openFiles() {
      const folder = `/proc/${server.pid}/fd`;
      return readdirSync(folder).map((fd) => readlinkSync(`${folder}/${fd}`));
    },
    async live() {
      server.send({ measure: true });
      const { heapUsed, external } = await server.told<NodeJS.MemoryUsage>('memory');
      return { heap: heapUsed / 2 ** 20, external: external / 2 ** 20 };
    },
    async kill() {
      server.kill('SIGKILL');
      await server.exited;
      server = start();
      await server.url;
    },
    stopEngine() {
      const engine = descendantsOf(server.pid).find(({ command }) => command.includes('node'));
      if (engine) process.kill(engine.pid, 'SIGSTOP');
      return engine !== undefined;
    },
    setClockBy: (ms) => server.send({ setClockBy: ms }),
    fillDisk: () => limitFiles('4096'),
    mayWrite: () => limitFiles('unlimited'),
    async end() {
      server.kill('SIGTERM');
      await server.exited;
    },
  };
}

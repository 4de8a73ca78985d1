import { readFileSync } from 'node:fs';
import { arenaMemory, copyToArena, reserveBytes } from '../../runtime/arena.ts';
import { rowPool, rowsOf } from '../../runtime/parallel-rows.ts';
import { rowThread } from '../../runtime/row-thread.ts';

const forRows = rowsOf(import.meta.url);

type Kernel =
  | 'resample_across'
  | 'resample_down'
  | 'reduce'
  | 'sample'
  | 'add_weighted'
  | 'add_softmax'
  | 'gaussian_across'
  | 'gaussian_down'
  | 'box_means_across'
  | 'box_means_down'
  | 'multiply'
  | 'fit_colour'
  | 'fit_grey'
  | 'apply_fit'
  | 'finish'
  | 'light'
  | 'png_rows';

type Exports = Record<Kernel, (...args: number[]) => void>;

/** The kernels of this thread, on the memory of its arena. */
class KernelInstance {
  #exports: Exports | null = null;

  /** Made when it is first used. V8 compiles a file once for all threads of a process. */
  get exports(): Exports {
    if (!this.#exports) {
      const module = new WebAssembly.Module(readFileSync(new URL('./kernels.wasm', import.meta.url)));
      const { exports } = new WebAssembly.Instance(module, { env: { memory: arenaMemory() } });
      this.#exports = exports as Exports;
    }
    return this.#exports;
  }
}

const instance = new KernelInstance();

interface RowCall {
  kernel: Kernel;
  /** Numbers and addresses, in the order of the C function, up to the workspace. */
  args: number[];
  /** Of all threads, one after the other; null for a kernel that needs none. */
  workspaces: { address: number; bytes: number } | null;
}

export function callRows({ kernel, args, workspaces }: RowCall, _: object, from: number, to: number): void {
  const call = instance.exports[kernel];
  if (workspaces) call(...args, workspaces.address + (rowThread?.number ?? 0) * workspaces.bytes, from, to);
  else call(...args, from, to);
}

interface KernelCall {
  kernel: Kernel;
  /** Rows, or columns for a kernel that goes down. */
  count: number;
  args: number[];
  targets: readonly ArrayBufferView[];
  /** Of each thread. */
  workspaceBytes?: number;
}

/** Runs a kernel over all rows of its target on all threads. */
export function runKernel({ kernel, count, args, targets, workspaceBytes }: KernelCall): void {
  forRows(callRows, count, { kernel, args, workspaces: reserveWorkspaces(workspaceBytes) }, { targets });
}

function reserveWorkspaces(bytesPerThread: number | undefined): RowCall['workspaces'] {
  if (bytesPerThread === undefined) return null;
  // Whole cache lines, so that two threads never write to the same one.
  const bytes = Math.ceil(bytesPerThread / 64) * 64;
  return { address: reserveBytes(bytes * rowPool.threadCount), bytes };
}

/** The address of a table of the planes' addresses. */
export function addressTable(planes: readonly Float32Array[], locate = copyToArena): number {
  return copyToArena(Uint32Array.from(planes, (plane) => locate(plane)));
}

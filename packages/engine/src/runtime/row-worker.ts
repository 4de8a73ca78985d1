import { receiveMessageOnPort } from 'node:worker_threads';
import { nextBand, type RowKernel, type RowTask, runBands } from './row-task.ts';
import { rowThread } from './row-thread.ts';

/** The program of a row thread: waits until a task is posted and runs bands of it until none is left. */

const { tasks, failures, wakeCounter } = rowThread!;
const kernels = new Map<string, RowKernel<unknown, unknown>>();

for (let seen = 0; ; ) {
  Atomics.wait(wakeCounter, 0, seen);
  seen = Atomics.load(wakeCounter, 0);
  for (let next = receiveMessageOnPort(tasks); next; next = receiveMessageOnPort(tasks)) {
    await run(next.message as RowTask);
  }
}

/** A task that the other threads have finished meanwhile is skipped: its arrays may hold something else by now. */
async function run(task: RowTask): Promise<void> {
  if (Atomics.load(task.progress, nextBand) * task.band >= task.count) return;
  const kernel = await findKernel(task);
  runBands(kernel, task, (error) => {
    failures.postMessage(error instanceof Error ? error : new Error(String(error)));
  });
}

async function findKernel({ module, kernel: name }: RowTask): Promise<RowKernel<unknown, unknown>> {
  const key = `${module}#${name}`;
  let kernel = kernels.get(key);
  if (!kernel) {
    kernel = await importKernel(module, name).catch((error: unknown) => () => {
      throw error;
    });
    kernels.set(key, kernel);
  }
  return kernel;
}

async function importKernel(module: string, name: string): Promise<RowKernel<unknown, unknown>> {
  const exported = (await import(module)) as Record<string, RowKernel<unknown, unknown> | undefined>;
  const kernel = exported[name];
  if (!kernel) throw new Error(`${module} exports no ${name} to run over rows`);
  return kernel;
}

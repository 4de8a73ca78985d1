import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import {
  nextBand,
  type RowKernel,
  type RowOrder,
  type RowThreadStart,
  workThrough,
} from './parallel-rows.ts';

/** A thread that takes bands of rows: sleeps until the bell rings, then looks what there is to do. */

const { orders, failures, bell } = workerData as RowThreadStart;
const known = new Map<string, RowKernel<unknown, unknown>>();

for (let heard = 0; ; ) {
  Atomics.wait(bell, 0, heard);
  heard = Atomics.load(bell, 0);
  for (let got = receiveMessageOnPort(orders); got; got = receiveMessageOnPort(orders)) {
    await obey(got.message as RowOrder);
  }
}

/** An order that the others have finished meanwhile is past: its planes may hold something else by now. */
async function obey(order: RowOrder): Promise<void> {
  if (Atomics.load(order.progress, nextBand) * order.band >= order.count) return;
  const kernel = await kernelOf(order);
  workThrough(kernel, order, (error) => {
    failures.postMessage(error instanceof Error ? error : new Error(String(error)));
  });
}

async function kernelOf({ module, kernel: name }: RowOrder): Promise<RowKernel<unknown, unknown>> {
  const key = `${module}#${name}`;
  let kernel = known.get(key);
  if (!kernel) {
    kernel = await importKernel(module, name).catch((error: unknown) => () => {
      throw error;
    });
    known.set(key, kernel);
  }
  return kernel;
}

async function importKernel(module: string, name: string): Promise<RowKernel<unknown, unknown>> {
  const exported = (await import(module)) as Record<string, RowKernel<unknown, unknown> | undefined>;
  const kernel = exported[name];
  if (!kernel) throw new Error(`${module} exports no ${name} to run over rows`);
  return kernel;
}

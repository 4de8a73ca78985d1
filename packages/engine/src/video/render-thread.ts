import { parentPort, workerData } from 'node:worker_threads';
import { frameOver } from './frame.ts';
import type { Renderer, RenderOrder, ThreadStart } from './frame-threads.ts';

const { module, data, size } = workerData as ThreadStart;
const { rendererOf } = (await import(module)) as { rendererOf(data: unknown): Renderer };
const render = rendererOf(data);

parentPort!.on('message', ({ index, buffer }: RenderOrder) => {
  render(index, frameOver(buffer, size));
  parentPort!.postMessage(index);
});

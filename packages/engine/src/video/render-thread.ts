import { parentPort, workerData } from 'node:worker_threads';
import { frameOver } from './frame.ts';
import type { Renderer, RenderOrder, RenderStart } from './frame-threads.ts';

const { rendererOf } = (await import(workerData as string)) as { rendererOf(data: unknown): Renderer };

parentPort!.once('message', ({ data, size }: RenderStart) => {
  const render = rendererOf(data);
  parentPort!.on('message', ({ index, buffer }: RenderOrder) => {
    render(index, frameOver(buffer, size));
    parentPort!.postMessage(index);
  });
});

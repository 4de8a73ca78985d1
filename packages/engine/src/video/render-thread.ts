import { parentPort, workerData } from 'node:worker_threads';
import type { Size } from '../pixels/plane.ts';
import { type Frame, frameOver } from './frame.ts';

/** Paints frame number `index` over whatever the frame holds. */
export type Renderer = (index: number, frame: Frame) => void;

/** What a thread is told: once what to render from, then one frame after another. It answers with their indices. */
export interface RenderStart {
  data: unknown;
  size: Size;
}
export interface RenderOrder {
  index: number;
  buffer: SharedArrayBuffer;
}

const { rendererOf } = (await import(workerData as string)) as { rendererOf(data: unknown): Renderer };

parentPort!.once('message', ({ data, size }: RenderStart) => {
  const render = rendererOf(data);
  parentPort!.on('message', ({ index, buffer }: RenderOrder) => {
    render(index, frameOver(buffer, size));
    parentPort!.postMessage(index);
  });
});

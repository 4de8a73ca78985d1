import { parentPort } from 'node:worker_threads';
import {
  type ComparedFrames,
  type FrameComparison,
  frameComparison,
  type PeopleMasks,
} from './comparison.ts';
import { openCv } from './opencv.ts';

/** What the thread is told, in this order. */
export type ToComparer = { compared: ComparedFrames } | { masks: PeopleMasks | null };

// Loaded while the photos are still being read.
const loading = openCv();
let comparison: FrameComparison;

parentPort!.on('message', async (message: ToComparer) => {
  if ('compared' in message) {
    comparison = frameComparison(await loading, message.compared);
    parentPort!.postMessage(comparison.relatedness);
  } else {
    parentPort!.postMessage(comparison.compare(message.masks));
  }
});

import { parentPort } from 'node:worker_threads';
import { type Compared, compareFrames } from './comparison.ts';
import { openCv } from './opencv.ts';

// Loaded while the photos are still being read.
const loading = openCv();

parentPort!.once('message', async (compared: Compared) => {
  parentPort!.postMessage(compareFrames(await loading, compared));
});

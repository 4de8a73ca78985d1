import { comfyuiServer } from '../packages/server/test/support/comfyui-server.ts';

/** The fake ComfyUI in a process of its own: argument 1 is the seconds a picture takes, 2 the pictures at once. */
const [seconds = '4', gpus = '8'] = process.argv.slice(2);
const steps = 20;
/** Of the eight others, the checkpoint and the two texts are cached after the first run. */
const otherNodes = 5;
const server = await comfyuiServer({
  gpus: Number(gpus),
  steps,
  nodeMs: (Number(seconds) * 1000) / (steps + otherNodes),
});
process.send?.(server.url);

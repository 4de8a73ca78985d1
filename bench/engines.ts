import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EnginesPlan } from '@guise/server/engines/engines-file.ts';
import sharp from 'sharp';
import { samplePhoto } from '../packages/server/test/support/harness.ts';
import { comfyuiPlan, pictureWorkflow } from '../packages/server/test/support/remote.ts';
import {
  type Goal,
  median,
  newGoals,
  percent,
  printHead,
  printMachine,
  printRow,
  reachedWord,
} from './goals.ts';
import { type ClientWork, compareHosted } from './hosted-pictures.ts';
import {
  compareInTurns,
  type JobLoad,
  type JobTimes,
  type PictureClient,
  rounds,
  startGuise,
  type TimesOfRounds,
} from './remote-jobs.ts';

/**
 * What Guise costs per job beside the GPU, and what it gets out of several: the same jobs by a bare client (upload,
 * prompt, wait for the socket's message, view: it never sleeps) and through Guise (submit, wait, read the result), in
 * turns, on the same fake ComfyUI servers in processes of their own. They take as long as a GPU takes for such a picture
 * and hand out real PNGs of 1200×1800. The same with OpenAI's own library beside a hosted engine, in three rows: the call
 * alone, the call with what Guise makes of every picture, and that with the comparison of its people with the photo. Ends
 * with 1 when a goal is missed.
 */
const canvas = { width: 1200, height: 1800 };

const photo = await sharp(samplePhoto()).resize({ width: 1600 }).jpeg({ quality: 90 }).toBuffer();

interface Gpu {
  url: string;
  process: ChildProcess;
}

/** A server that takes so many seconds for a picture, and makes so many at once. */
async function startGpu(gpuSeconds: number, atOnce: number): Promise<Gpu> {
  const child = fork(new URL('./comfyui-process.ts', import.meta.url), [String(gpuSeconds), String(atOnce)]);
  const [url] = (await once(child, 'message')) as [string];
  return { url, process: child };
}

/** Generates at the size of the result. */
function workflow() {
  const definition = pictureWorkflow();
  const { megapixels: _, ...size } = definition.bindings.size!;
  definition.bindings.size = size;
  return definition;
}

interface SavedImage {
  filename: string;
  subfolder: string;
  type: string;
}

/** One socket for all jobs. The message that says what the output node saved is all that a job waits for. */
async function bareClient(url: string): Promise<PictureClient> {
  const id = crypto.randomUUID();
  const waiting = new Map<string, (image: SavedImage) => void>();
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?clientId=${id}`);
  socket.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') return;
    const message = JSON.parse(data) as {
      type: string;
      data: { prompt_id: string; node: string; output: { images: SavedImage[] } };
    };
    if (message.type !== 'executed' || message.data.node !== '9') return;
    waiting.get(message.data.prompt_id)?.(message.data.output.images[0]!);
    waiting.delete(message.data.prompt_id);
  });
  await once(socket, 'open');

  return {
    async run() {
      const prompt_id = crypto.randomUUID();
      const form = new FormData();
      form.append('image', new File([new Uint8Array(photo)], `${prompt_id}.jpg`));
      const uploaded = await fetch(`${url}/upload/image`, { method: 'POST', body: form });
      const { name } = (await uploaded.json()) as { name: string };
      const graph = workflow().workflow;
      graph['2']!.inputs.image = name;
      Object.assign(graph['5']!.inputs, canvas);
      graph['9']!.inputs.filename_prefix = `bare/${prompt_id}`;
      const saved = new Promise<SavedImage>((resolve) => waiting.set(prompt_id, resolve));
      const body = JSON.stringify({ prompt: graph, prompt_id, client_id: id });
      const queued = await fetch(`${url}/prompt`, { method: 'POST', body });
      if (!queued.ok) throw new Error(await queued.text());
      const query = new URLSearchParams({ ...(await saved) });
      await (await fetch(`${url}/view?${query}`)).arrayBuffer();
    },
    stop: async () => socket.close(),
  };
}

function gpuPlan(urls: readonly string[], jobsEach: number): EnginesPlan {
  const plan = comfyuiPlan([]);
  const servers = urls.map((url) => ({ url, weight: 1, jobs: jobsEach, headers: {} }));
  plan.engines.gpu = { type: 'comfyui', servers };
  plan.routes = [{ families: ['face_swap_v6'], engine: 'gpu', workflows: [workflow()] }];
  return plan;
}

async function compareGpu(load: JobLoad): Promise<TimesOfRounds> {
  const gpu = await startGpu(load.gpuSeconds, load.gpus);
  const guise = await startGuise(gpuPlan([gpu.url], load.parallel), photo);
  return compareInTurns(load, { bare: await bareClient(gpu.url), guise }).finally(() => gpu.process.kill());
}

/** Pictures a second of servers that take so long, with more jobs waiting than they have room for. */
async function measureFleet(gpuSeconds: readonly number[]): Promise<number> {
  const gpus = await Promise.all(gpuSeconds.map((each) => startGpu(each, 1)));
  const urls = gpus.map(({ url }) => url);
  const guise = await startGuise(gpuPlan(urls, 2), photo);
  let made = 0;
  let stopped = false;
  const lane = async () => {
    while (!stopped) {
      await guise.run();
      made++;
    }
  };
  try {
    const lanes = Array.from({ length: 4 * gpus.length }, lane);
    await sleep(fleetWarmUpMs);
    const [madeBefore, began] = [made, performance.now()];
    await sleep(fleetMs);
    const rate = (made - madeBefore) / ((performance.now() - began) / 1000);
    stopped = true;
    await Promise.all(lanes);
    return rate;
  } finally {
    await guise.stop();
    for (const gpu of gpus) gpu.process.kill();
  }
}

/** Long enough for the slow server to make several. */
const fleetMs = 48_000;
const fleetWarmUpMs = 8000;
const fast = 2;
const slow = 8;

/** `npm run bench:engines -- hosted` runs that row alone. */
const [only] = process.argv.slice(2);
const isWanted = (part: 'gpu' | 'hosted') => only === undefined || only === part;

printMachine();
const goals = newGoals();
const row = (what: string, results: TimesOfRounds, of: 'mean' | 'each', goal: Goal) => {
  const middle = (side: 'bare' | 'guise', part: keyof JobTimes) =>
    `${median(results.map((result) => result[side][part])).toFixed(2)} s`;
  // On cores that others use too, the least comes nearest to what it would be without them.
  const least = (side: 'bare' | 'guise') => Math.min(...results.map((result) => result[side][of]));
  const cells = [middle('bare', of), middle('guise', of), goal.value, goal.limit, reachedWord(goal)];
  const leastOverhead = `${Math.round(1000 * (least('guise') - least('bare')))} ms`;
  printRow([what, ...cells, leastOverhead, middle('bare', 'cpu'), middle('guise', 'cpu')]);
};
console.log(`${rounds} rounds, the middle one of each\n`);
printHead([
  'jobs',
  'bare client',
  'through Guise',
  'overhead',
  'goal',
  'reached',
  'least',
  'CPU, bare',
  'CPU, Guise',
]);

if (isWanted('gpu')) {
  const short = await compareGpu({ gpuSeconds: 1, gpus: 1, parallel: 2, jobs: 24 });
  const shortOverhead = median(short.map(({ bare, guise }) => guise.each / bare.each - 1));
  row(
    'of 1 s, one after the other, the next one ready: seconds for each',
    short,
    'each',
    goals.atMost('1 s jobs', shortOverhead, 0.05, percent),
  );

  const long = await compareGpu({ gpuSeconds: 10, gpus: 4, parallel: 4, jobs: 8 });
  const longOverhead = median(long.map(({ bare, guise }) => guise.mean - bare.mean));
  row(
    'of 10 s, four at a time: seconds that a guest waits',
    long,
    'mean',
    goals.atMost('10 s jobs', 1000 * longOverhead, 100, (ms) => `${Math.round(ms)} ms`),
  );
}
const hostedRows: Record<ClientWork, string> = {
  call: 'of 2 s by a hosted service, two at a time, beside the `openai` library: seconds that a guest waits',
  finished: 'the same beside it and what Guise makes of every picture: cut, checked, signed, stored',
  compared: 'the same, both comparing the people of pictures with the photo',
};
if (isWanted('hosted'))
  for (const work of ['call', 'finished', 'compared'] as const) {
    const hosted = await compareHosted({ gpuSeconds: 2, gpus: 2, parallel: 2, jobs: 8 }, work);
    const overhead = 1000 * median(hosted.map(({ bare, guise }) => guise.mean - bare.mean));
    const goal = goals.atMost(`hosted, ${work}`, overhead, 100, (ms) => `${Math.round(ms)} ms`);
    row(hostedRows[work], hosted, 'mean', goal);
  }
if (isWanted('gpu')) {
  console.log('');
  printHead(['servers', 'pictures a second', 'of what they can', 'goal', 'reached']);
  const rate = await measureFleet([fast, fast, slow]);
  const could = 2 / fast + 1 / slow;
  const fleet = goals.atLeast('fleet', rate / could, 0.9, percent);
  printRow([
    `two that take ${fast} s and one that takes ${slow} s`,
    rate.toFixed(2),
    `${fleet.value} of ${could.toFixed(2)}`,
    fleet.limit,
    reachedWord(fleet),
  ]);
}
goals.report();

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { startApp } from '@guise/server/app/all-in-one.ts';
import { openStore } from '@guise/server/app/storage.ts';
import { readConfig } from '@guise/server/config.ts';
import { createEngines } from '@guise/server/engines/engines.ts';
import type { EnginesPlan } from '@guise/server/engines/engines-file.ts';
import OpenAI, { toFile } from 'openai';
import sharp from 'sharp';
import { accountOn, samplePhoto } from '../packages/server/test/support/harness.ts';
import { openaiImagesPlan } from '../packages/server/test/support/hosted.ts';
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

/**
 * What Guise costs per job beside the GPU, and what it gets out of several: the same jobs by a bare client (upload,
 * prompt, wait for the socket's message, view: it never sleeps) and through Guise (submit, wait, read the result), in
 * turns, on the same fake ComfyUI servers in processes of their own. They take as long as a GPU takes for such a picture
 * and hand out real PNGs of 1200×1800. The same with OpenAI's own library beside a hosted engine. Ends with 1 when a goal
 * is missed.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
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

interface Client {
  /** Makes one picture. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

/** One socket for all jobs. The message that says what the output node saved is all that a job waits for. */
async function bareClient(url: string): Promise<Client> {
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

/** OpenAI's own library, which decodes the picture as whoever uses it would. */
function bareOpenai({ url, key }: Hosted): Client {
  const client = new OpenAI({ apiKey: key, baseURL: url, maxRetries: 0 });
  return {
    async run() {
      const image = await toFile(photo, 'photo.jpg', { type: 'image/jpeg' });
      const asked = { model: 'gpt-image-2', prompt: 'in space', size: '1200x1808' as never };
      const { data } = await client.images.edit({ image: [image], ...asked });
      Buffer.from(data![0]!.b64_json!, 'base64');
    },
    stop: async () => {},
  };
}

interface Hosted {
  url: string;
  key: string;
  process: ChildProcess;
}

async function startHosted(seconds: number): Promise<Hosted> {
  const child = fork(new URL('./openai-process.ts', import.meta.url), [String(seconds)]);
  const [told] = (await once(child, 'message')) as [{ url: string; key: string }];
  return { ...told, process: child };
}

/** Compared with the photos, a picture takes as long as that takes; here, it is what handing it on costs. */
const hostedPlan = (hosted: Hosted, jobs: number) =>
  openaiImagesPlan(hosted, { jobs }, { families: ['face_swap_v6'], likeness: 0 });

function gpuPlan(urls: readonly string[], jobsEach: number): EnginesPlan {
  const plan = comfyuiPlan([]);
  const servers = urls.map((url) => ({ url, weight: 1, jobs: jobsEach, headers: {} }));
  plan.engines.gpu = { type: 'comfyui', servers };
  plan.routes = [{ families: ['face_swap_v6'], engine: 'gpu', workflows: [workflow()] }];
  return plan;
}

async function startGuise(plan: EnginesPlan): Promise<Client> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guise-bench-'));
  const config = readConfig({ PORT: '0', GUISE_LOG_LEVEL: 'silent', GUISE_DATA_DIR: dataDir });
  // Before the server starts, which would make a demo account with previews otherwise.
  const db = await openStore(config);
  const account = await createAccount(db, { email: 'bench@example.com', credits: 10_000 });
  await db.close();
  const app = await startApp(config, (settings) => createEngines(settings, plan));
  const caller = accountOn(app.url, account);
  const body = { base64: photo.toString('base64'), gender: 1, filter_id: 1 };
  return {
    async run() {
      const { id } = (await caller.call('POST', '/v6/run/face_swap', body)).body;
      for (;;) {
        const answer = await caller.call('POST', `/v6/status/${id}`, undefined, { prefer: 'wait=60' });
        if (answer.body.status === 'COMPLETED') return;
        if (answer.body.status === 'FAILED') throw new Error(answer.body.error);
      }
    },
    async stop() {
      await app.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

interface Measured {
  /** Seconds of a job, as those who wait for it see it: the mean over all. */
  mean: number;
  /** Seconds until all were made, for each. */
  each: number;
  /** Seconds of this process for each job, the one that waits for it included. */
  cpu: number;
}

/** So many jobs, so many of them at a time. */
async function measure(client: Client, load: Load): Promise<Measured> {
  const before = process.cpuUsage();
  const began = performance.now();
  const times: number[] = [];
  let left = load.jobs;
  const lane = async (n: number) => {
    // Guests do not press the button all at once.
    await sleep((n * load.gpuSeconds * 1000) / load.parallel / load.gpus);
    while (left-- > 0) {
      const started = performance.now();
      await client.run();
      times.push((performance.now() - started) / 1000);
    }
  };
  await Promise.all(Array.from({ length: load.parallel }, (_, n) => lane(n)));
  const { user, system } = process.cpuUsage(before);
  return {
    mean: times.reduce((sum, time) => sum + time, 0) / times.length,
    each: (performance.now() - began) / 1000 / times.length,
    cpu: (user + system) / 1e6 / times.length,
  };
}

interface Load {
  gpuSeconds: number;
  /** Pictures that the server makes at once. */
  gpus: number;
  parallel: number;
  jobs: number;
}

type Rounds = { bare: Measured; guise: Measured }[];

async function compareGpu(load: Load): Promise<Rounds> {
  const gpu = await startGpu(load.gpuSeconds, load.gpus);
  const guise = await startGuise(gpuPlan([gpu.url], load.parallel));
  return compare(load, await bareClient(gpu.url), guise).finally(() => gpu.process.kill());
}

async function compareHosted(load: Load): Promise<Rounds> {
  const hosted = await startHosted(load.gpuSeconds);
  const guise = await startGuise(hostedPlan(hosted, load.parallel));
  return compare(load, bareOpenai(hosted), guise).finally(() => hosted.process.kill());
}

/** Both clients in turns on a server of their own. */
async function compare(load: Load, bare: Client, guise: Client): Promise<Rounds> {
  try {
    await Promise.all([bare.run(), guise.run()]);
    const results: Rounds = [];
    for (let round = 0; round < rounds; round++)
      results.push({ bare: await measure(bare, load), guise: await measure(guise, load) });
    return results;
  } finally {
    await Promise.all([bare.stop(), guise.stop()]);
  }
}

/** Pictures a second of servers that take so long, with more jobs waiting than they have room for. */
async function measureFleet(gpuSeconds: readonly number[]): Promise<number> {
  const gpus = await Promise.all(gpuSeconds.map((each) => startGpu(each, 1)));
  const urls = gpus.map(({ url }) => url);
  const guise = await startGuise(gpuPlan(urls, 2));
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
const row = (what: string, results: Rounds, of: 'mean' | 'each', goal: Goal) => {
  const middle = (side: 'bare' | 'guise', part: keyof Measured) =>
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
if (isWanted('hosted')) {
  const hosted = await compareHosted({ gpuSeconds: 2, gpus: 2, parallel: 2, jobs: 8 });
  const hostedOverhead = median(hosted.map(({ bare, guise }) => guise.mean - bare.mean));
  row(
    'of 2 s by a hosted service, two at a time, beside the `openai` library: seconds that a guest waits',
    hosted,
    'mean',
    goals.atMost('hosted', 1000 * hostedOverhead, 100, (ms) => `${Math.round(ms)} ms`),
  );
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

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { startApp } from '@guise/server/app/all-in-one.ts';
import { openStore } from '@guise/server/app/storage.ts';
import { readConfig } from '@guise/server/config.ts';
import { enginesOf } from '@guise/server/engines/engines.ts';
import sharp from 'sharp';
import { accountOn, samplePhoto } from '../packages/server/test/support/harness.ts';
import { comfyuiPlan, pictureWorkflow } from '../packages/server/test/support/remote.ts';
import { median, newGoals, percent, printHead, printMachine, printRow, reachedWord } from './goals.ts';

/**
 * What Guise costs per job beside the GPU: the same jobs, eight at a time, by a bare client (upload, prompt, wait for
 * the socket's message, view) and through Guise (submit, wait, read the result), in turns, on the same fake ComfyUI
 * server in a process of its own. The server takes as long as a GPU takes for such a picture and hands out real PNGs of
 * 1200×1800. Ends with 1 when the goal is missed.
 */
const parallel = 8;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
/** Jobs of each side in a round. */
const jobs = Number(process.env.BENCH_JOBS ?? 24);
const gpuSeconds = Number(process.env.BENCH_GPU_SECONDS ?? 4);
const mostOverhead = 0.15;

const child = fork(new URL('./comfyui-process.ts', import.meta.url), [String(gpuSeconds), String(parallel)]);
const [url] = (await once(child, 'message')) as [string];

const photo = await sharp(samplePhoto()).resize({ width: 1600 }).jpeg({ quality: 90 }).toBuffer();

/** Generates at the size of the result, or at one that has to be scaled. */
function workflow(megapixels: number | undefined) {
  const definition = pictureWorkflow();
  const { megapixels: _, ...size } = definition.bindings.size!;
  definition.bindings.size = { ...size, ...(megapixels && { megapixels }) };
  return definition;
}

interface SavedImage {
  filename: string;
  subfolder: string;
  type: string;
}

/** One socket for all jobs. The message that says what the output node saved is all that a job waits for. */
async function bareClient() {
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
    async run(megapixels: number | undefined): Promise<void> {
      const prompt_id = crypto.randomUUID();
      const form = new FormData();
      form.append('image', new File([new Uint8Array(photo)], `${prompt_id}.jpg`));
      const uploaded = await fetch(`${url}/upload/image`, { method: 'POST', body: form });
      const { name } = (await uploaded.json()) as { name: string };
      const graph = workflow(megapixels).workflow;
      graph['2']!.inputs.image = name;
      const size = megapixels ? { width: 832, height: 1248 } : { width: 1200, height: 1800 };
      Object.assign(graph['5']!.inputs, size);
      graph['9']!.inputs.filename_prefix = `bare/${prompt_id}`;
      const saved = new Promise<SavedImage>((resolve) => waiting.set(prompt_id, resolve));
      const body = JSON.stringify({ prompt: graph, prompt_id, client_id: id });
      const queued = await fetch(`${url}/prompt`, { method: 'POST', body });
      if (!queued.ok) throw new Error(await queued.text());
      const query = new URLSearchParams({ ...(await saved) });
      await (await fetch(`${url}/view?${query}`)).arrayBuffer();
    },
    close: () => socket.close(),
  };
}

interface Measured {
  /** Seconds of a job, as those who wait for it see it: the mean over all. */
  mean: number;
  /** Seconds of this process for each job, the one that waits for it included. */
  cpu: number;
}

async function measure(job: () => Promise<void>): Promise<Measured> {
  const before = process.cpuUsage();
  const times: number[] = [];
  let left = jobs;
  const lane = async (n: number) => {
    // Guests do not press the button all at once.
    await sleep((n * gpuSeconds * 1000) / parallel);
    while (left-- > 0) {
      const started = performance.now();
      await job();
      times.push((performance.now() - started) / 1000);
    }
  };
  await Promise.all(Array.from({ length: parallel }, (_, n) => lane(n)));
  const { user, system } = process.cpuUsage(before);
  return {
    mean: times.reduce((sum, time) => sum + time, 0) / times.length,
    cpu: (user + system) / 1e6 / times.length,
  };
}

async function startGuise(megapixels: number | undefined) {
  const dataDir = mkdtempSync(join(tmpdir(), 'guise-bench-'));
  const plan = comfyuiPlan([]);
  plan.engines.gpu = { type: 'comfyui', servers: [{ url, weight: 1, jobs: parallel, token: null }] };
  plan.routes = [{ families: ['face_swap_v6'], engine: 'gpu', workflows: [workflow(megapixels)] }];
  const config = {
    ...readConfig({ PORT: '0', GUISE_LOG_LEVEL: 'silent', GUISE_DATA_DIR: dataDir }),
    engines: plan,
  };
  // Before the server starts, which would make a demo account with previews otherwise.
  const db = await openStore(config);
  const account = await createAccount(db, { email: 'bench@example.com', credits: 10_000 });
  await db.close();
  const app = await startApp(config, (settings) => enginesOf(settings));
  const caller = accountOn(app.url, account);
  const body = { base64: photo.toString('base64'), gender: 1, filter_id: 1 };
  return {
    async run(): Promise<void> {
      const { id } = (await caller.call('POST', '/v6/run/face_swap', body)).body;
      for (;;) {
        const answer = await caller.call('POST', `/v6/status/${id}`, undefined, { prefer: 'wait=60' });
        if (answer.body.status === 'COMPLETED') return;
        if (answer.body.status === 'FAILED') throw new Error(answer.body.error);
      }
    },
    async stop(): Promise<void> {
      await app.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const pictures = [
  ['1200×1800, as it is', undefined],
  ['832×1248, scaled up here', 1.04],
] as const;

try {
  printMachine();
  const goals = newGoals();
  const client = await bareClient();
  console.log(`${rounds} rounds of ${jobs} jobs, ${parallel} at a time, ${gpuSeconds} s of GPU each\n`);
  printHead([
    'picture from the GPU',
    'bare client',
    'through Guise',
    'overhead',
    'goal',
    'reached',
    'CPU, bare',
    'CPU, Guise',
  ]);
  for (const [picture, megapixels] of pictures) {
    const guise = await startGuise(megapixels);
    await Promise.all([client.run(megapixels), guise.run()]);
    const results: { bare: Measured; guise: Measured }[] = [];
    for (let round = 0; round < rounds; round++) {
      const bare = await measure(() => client.run(megapixels));
      results.push({ bare, guise: await measure(guise.run) });
    }
    await guise.stop();
    const middle = (side: 'bare' | 'guise', of: keyof Measured) =>
      `${median(results.map((result) => result[side][of])).toFixed(2)} s`;
    const overhead = median(results.map((result) => result.guise.mean / result.bare.mean - 1));
    const goal = goals.atMost(picture, overhead, mostOverhead, percent);
    printRow([
      picture,
      middle('bare', 'mean'),
      middle('guise', 'mean'),
      goal.value,
      goal.limit,
      reachedWord(goal),
      middle('bare', 'cpu'),
      middle('guise', 'cpu'),
    ]);
  }
  client.close();
  goals.report();
} finally {
  child.kill();
}

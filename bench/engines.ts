import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { openStore, startApp } from '@guise/server/app/app.ts';
import { readConfig } from '@guise/server/config.ts';
import { createEngines } from '@guise/server/engines/engines.ts';
import sharp from 'sharp';
import { accountOn, samplePhoto } from '../packages/server/test/support/harness.ts';
import { comfyuiPlan, pictureWorkflow } from '../packages/server/test/support/remote.ts';

/**
 * What Guise costs per job beside the GPU: the same jobs, eight at a time, by a bare client (upload, prompt, poll,
 * view) and through Guise (submit, wait, read the result), on the same fake ComfyUI server in a process of its own.
 * The server takes as long as a GPU takes for such a picture and hands out real PNGs of 1200×1800.
 */
const parallel = 8;
const jobs = Number(process.env.BENCH_JOBS ?? 48);
const gpuSeconds = Number(process.env.BENCH_GPU_SECONDS ?? 4);

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

async function bareJob(megapixels: number | undefined): Promise<void> {
  const form = new FormData();
  form.append('image', new File([new Uint8Array(photo)], `${crypto.randomUUID()}.jpg`));
  const upload = (await (await fetch(`${url}/upload/image`, { method: 'POST', body: form })).json()) as {
    name: string;
  };
  const graph = workflow(megapixels).workflow;
  graph['2']!.inputs.image = upload.name;
  Object.assign(
    graph['5']!.inputs,
    megapixels ? { width: 832, height: 1248 } : { width: 1200, height: 1800 },
  );
  graph['9']!.inputs.filename_prefix = `bare/${crypto.randomUUID()}`;
  const body = JSON.stringify({ prompt: graph, client_id: crypto.randomUUID() });
  const queued = (await (await fetch(`${url}/prompt`, { method: 'POST', body })).json()) as {
    prompt_id: string;
  };
  for (;;) {
    await sleep(250);
    const found = (await (await fetch(`${url}/history/${queued.prompt_id}`)).json()) as Record<
      string,
      { outputs: Record<string, { images: Record<string, string>[] }> }
    >;
    const image = found[queued.prompt_id]?.outputs['9']?.images[0];
    if (!image) continue;
    await (await fetch(`${url}/view?${new URLSearchParams(image)}`)).arrayBuffer();
    return;
  }
}

interface Measured {
  mean: number;
  wall: number;
  /** Seconds of this process for each job, the one that waits for it included. */
  cpu: number;
}

/** Seconds per job, as those who wait for it see it: the mean over all. */
async function measure(job: () => Promise<void>): Promise<Measured> {
  const before = process.cpuUsage();
  const began = performance.now();
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
    wall: (performance.now() - began) / 1000,
    cpu: (user + system) / 1e6 / times.length,
  };
}

async function guiseJobs(megapixels: number | undefined): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guise-bench-'));
  const plan = comfyuiPlan([]);
  plan.engines.gpu = { type: 'comfyui', servers: [{ url, weight: 1, jobs: parallel, token: null }] };
  plan.routes = [{ families: ['face_swap_v6'], engine: 'gpu', workflows: [workflow(megapixels)] }];
  const config = readConfig({ PORT: '0', GUISE_DATA_DIR: dataDir });
  // Before the server starts, which would make a demo account with previews otherwise.
  const db = await openStore(config);
  const account = await createAccount(db, { email: 'bench@example.com', credits: 10_000 });
  await db.close();
  const app = await startApp(config, (settings) => createEngines(settings, plan));
  try {
    const caller = accountOn(app.url, account);
    const body = { base64: photo.toString('base64'), gender: 1, filter_id: 1 };
    return await measure(async () => {
      const { id } = (await caller.call('POST', '/v6/run/face_swap', body)).body;
      for (;;) {
        const answer = await caller.call('POST', `/v6/status/${id}`, undefined, { prefer: 'wait=60' });
        if (answer.body.status === 'COMPLETED') return;
        if (answer.body.status === 'FAILED') throw new Error(answer.body.error);
      }
    });
  } finally {
    await app.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

try {
  console.log(
    `${jobs} jobs, ${parallel} at a time, ${gpuSeconds} s of GPU each; load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}\n`,
  );
  console.log(
    '| picture from the GPU | bare client | through Guise | overhead | CPU, bare | CPU, Guise |\n|---|---|---|---|---|---|',
  );
  for (const [what, megapixels] of [
    ['1200×1800, as it is', undefined],
    ['832×1248, scaled up here', 1.04],
  ] as const) {
    const bare = await measure(() => bareJob(megapixels));
    const guise = await guiseJobs(megapixels);
    const overhead = (100 * (guise.mean / bare.mean - 1)).toFixed(1);
    console.log(
      `| ${what} | ${bare.mean.toFixed(2)} s | ${guise.mean.toFixed(2)} s | ${overhead}% | ${bare.cpu.toFixed(2)} s | ${guise.cpu.toFixed(2)} s |`,
    );
  }
} finally {
  child.kill();
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplePhotos } from '@guise/engine/samples.ts';
import sharp from 'sharp';
import { type ComfyuiServer, comfyuiAt, type FinishedComfyuiRun } from './comfyui-server.ts';
import { type GuiseServer, startGuise } from './guise-server.ts';
import {
  blurredFile,
  foreignGraph,
  quickWorkflow,
  raisingThereWorkflow,
  raisingWorkflow,
  refusedWorkflow,
  type Slowness,
  slowWorkflow,
} from './weightless-workflows.ts';

/**
 * Guise in front of a real ComfyUI: `npm run try:comfyui -- URL [URL2]`. Needs no weights and no node packs. Prints a
 * table for docs/gpu.md and ends with 1 when something is not as it should be. The servers should have nothing else to
 * do meanwhile.
 */

/** The filters of the catalog that stand for the cases. */
const filters = { quick: 1, slow: 2, refused: 3, raising: 4, shared: 5, raisingThere: 6 } as const;
/** How long a slow run is to take, about. */
const slowSeconds = 8;
/** Jobs over two servers. */
const fleetJobs = 8;

const addresses = process.argv.slice(2);
if (addresses.length < 1 || addresses.length > 2) {
  console.error('Usage: npm run try:comfyui -- URL [URL2]');
  process.exit(2);
}
const servers = addresses.map(comfyuiAt);
const [one, two] = servers as [ComfyuiServer, ComfyuiServer | undefined];

interface Step {
  name: string;
  run(guise: GuiseServer): Promise<string>;
}

class Unexpected extends Error {}

function expect(fact: boolean, what: string): void {
  if (!fact) throw new Unexpected(what);
}

async function until<T>(
  what: string,
  condition: () => Promise<T | undefined | false>,
  ms = 120_000,
): Promise<T> {
  for (const giveUpAt = Date.now() + ms; Date.now() < giveUpAt; ) {
    const value = await condition();
    if (value !== undefined && value !== false) return value as T;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Unexpected(`${what} did not come within ${ms / 1000} s`);
}

/** The runs of Guise that have ended since, on these servers. */
async function runsSince(
  before: ReadonlySet<string>,
  on: readonly ComfyuiServer[] = [one],
): Promise<FinishedComfyuiRun[]> {
  const all = (await Promise.all(on.map((server) => server.history()))).flat();
  return all.filter(
    ({ id, prefixes }) => !before.has(id) && prefixes.some((name) => name.startsWith('guise/')),
  );
}

async function historyIds(on: readonly ComfyuiServer[] = [one]): Promise<Set<string>> {
  const runs = await Promise.all(on.map((server) => server.history()));
  return new Set(runs.flat().map(({ id }) => id));
}

/** So many blurs, and so large, that a run takes about `slowSeconds` here, in steps short enough to be interrupted. */
async function measureSlowness(): Promise<Slowness> {
  const tried = 4;
  for (const side of [256, 512, 768]) {
    const timed = async (color: number) => {
      const began = performance.now();
      await one.ended(await one.queueForeign(foreignGraph({ blurs: tried, side }, color)));
      return (performance.now() - began) / 1000;
    };
    // The first run loads what the second does not.
    await timed(1);
    const perBlur = (await timed(2)) / tried;
    const blurs = Math.ceil(slowSeconds / perBlur);
    if (blurs <= 300) return { blurs: Math.max(10, blurs), side };
  }
  return { blurs: 300, side: 768 };
}

const slowness = await measureSlowness();
let colour = 10;
const foreignRun = (part = 1) =>
  one.queueForeign(foreignGraph({ ...slowness, blurs: Math.ceil(slowness.blurs * part) }, ++colour));

const isRunning = (guise: GuiseServer, id: string, least = 0.1) =>
  until('progress of the job', async () => (await guise.status(id)).progress >= least);

const steps: Step[] = [
  {
    name: 'a picture, as the server made it, without its workflow',
    async run(guise) {
      const before = await historyIds();
      const { status, error, output } = await guise.ended(await guise.submit(filters.quick));
      expect(status === 'COMPLETED', `the job ended ${status}: ${error}`);
      const [run, ...others] = await runsSince(before);
      expect(run !== undefined && others.length === 0, `${others.length + 1} runs for one job`);
      const made = Buffer.from(output.images![0]!.replace(/^data:[^,]*,/, ''), 'base64');
      const saved = await one.view(run!);
      const [mine, theirs] = await Promise.all(
        [made, saved].map((png) => sharp(png).removeAlpha().raw().toBuffer()),
      );
      expect(mine!.equals(theirs!), 'the pixels are others than those that the server saved');
      expect(
        saved.includes('class_type') && !made.includes('class_type'),
        'the workflow is still in the file',
      );
      const { width, height } = await sharp(made).metadata();
      return `${width}×${height}, every pixel the same; the graph that ComfyUI writes into its file is gone`;
    },
  },
  {
    name: 'progress',
    async run(guise) {
      const id = await guise.submit(filters.slow);
      const seen: number[] = [];
      const began = performance.now();
      await until('the end', async () => {
        const { status, progress } = await guise.status(id);
        if (progress !== seen.at(-1)) seen.push(progress);
        return status === 'COMPLETED';
      });
      const between = seen.filter((value) => value > 0.05 && value < 0.95);
      expect(between.length >= 5, `only ${between.length} values: ${seen.join(', ')}`);
      expect(
        seen.every((value, i) => i === 0 || value > seen[i - 1]!),
        `it went back: ${seen.join(', ')}`,
      );
      return `${seen.length} values in ${((performance.now() - began) / 1000).toFixed(1)} s, each larger than the last`;
    },
  },
  {
    name: 'cancel of a job that runs, another client’s waiting behind it',
    async run(guise) {
      const credits = await guise.credits();
      const before = await historyIds();
      const id = await guise.submit(filters.slow);
      await isRunning(guise, id);
      const foreign = await foreignRun(0.2);
      const began = performance.now();
      await guise.cancel(id);
      const other = await one.ended(foreign);
      expect(other.worked, 'the other client’s run did not end well');
      const [own] = await runsSince(before);
      expect(own?.interrupted === true, 'Guise’s run was not interrupted');
      expect(
        (await guise.status(id)).error === 'The job was cancelled.',
        'the job does not say that it was cancelled',
      );
      expect((await guise.credits()) === credits, 'the credits did not come back');
      return `interrupted; the other run ended well ${((performance.now() - began) / 1000).toFixed(1)} s later; credits back`;
    },
  },
  {
    name: 'cancel of a job that waits, another client’s running',
    async run(guise) {
      const before = await historyIds();
      const foreign = await foreignRun();
      await until('the other run', async () => (await one.queue())[0] === foreign);
      const id = await guise.submit(filters.slow);
      await until('two runs in the queue', async () => (await one.queue()).length === 2);
      await guise.cancel(id);
      await until('the job out of the queue', async () => (await one.queue()).length === 1, 10_000);
      expect((await one.ended(foreign)).worked, 'the other client’s run did not end well');
      expect((await runsSince(before)).length === 0, 'Guise’s run was run all the same');
      return 'taken out of the queue, never run; the other run ended well';
    },
  },
  {
    name: 'kill -9 of Guise in the middle of a job',
    async run(guise) {
      const before = await historyIds();
      const credits = await guise.credits();
      const id = await guise.submit(filters.slow);
      await isRunning(guise, id, 0.3);
      await guise.kill();
      expect((await one.queue()).length === 1, 'the server lost the run');
      await guise.restart();
      const { status, error } = await guise.ended(id);
      expect(status === 'COMPLETED', `the job ended ${status}: ${error}`);
      const runs = await runsSince(before);
      expect(runs.length === 1 && (await one.queue()).length === 0, `it was run ${runs.length} times`);
      const paid = credits - (await guise.credits());
      return `the next process finished it: 1 run, charged once (${paid} credits)`;
    },
  },
  {
    name: 'a prompt that the server refuses',
    async run(guise) {
      const id = await guise.submit(filters.refused);
      const { status, error } = await guise.ended(id);
      expect(status === 'FAILED', `the job ended ${status}`);
      const cause = await guise.cause(id);
      expect(/ImageBlur.*blur_radius/.test(cause), `the operator reads: ${cause}`);
      return `the guest reads: “${error}” The operator: “${cause.replace(error!, '').trim()}”`;
    },
  },
  {
    name: 'a node that raises',
    async run(guise) {
      const id = await guise.submit(filters.raising);
      const { status, error } = await guise.ended(id);
      expect(status === 'FAILED', `the job ended ${status}`);
      const cause = await guise.cause(id);
      expect(/ImageBlur/.test(cause) && !/ImageBlur|adding/.test(error!), `the operator reads: ${cause}`);
      return `the guest reads: “${error}” The operator: “${cause.replace(error!, '').trim()}”`;
    },
  },
];

const stepsOfTwo: Step[] = [
  {
    name: `two servers, ${fleetJobs} jobs at once`,
    async run(guise) {
      const made = await makeAll(guise, filters.shared);
      expect(made.failed === 0, `${made.failed} jobs failed`);
      expect(
        made.perServer.every((count) => count > 0),
        `runs of each: ${made.perServer.join(' and ')}`,
      );
      expect(made.runs === fleetJobs, `${made.runs} runs`);
      return `0 failed, ${made.runs} runs: ${made.perServer.join(' and ')}`;
    },
  },
  {
    name: `two servers, on the second of which a node raises, ${fleetJobs} jobs at once`,
    async run(guise) {
      const made = await makeAll(guise, filters.raisingThere);
      expect(made.failed === 0, `${made.failed} jobs failed`);
      expect(made.perServer[0] === fleetJobs, `the first made ${made.perServer[0]}`);
      return `0 failed; ${made.raised} runs raised on the second and were made on the first`;
    },
  },
];

async function makeAll(guise: GuiseServer, filter: number) {
  const before = await historyIds(servers);
  const ids = await Promise.all(Array.from({ length: fleetJobs }, () => guise.submit(filter)));
  const ends = await Promise.all(ids.map((id) => guise.ended(id)));
  const runs = await Promise.all(servers.map((server) => runsSince(before, [server])));
  return {
    failed: ends.filter(({ status }) => status !== 'COMPLETED').length,
    perServer: runs.map((list) => list.filter(({ worked }) => worked).length),
    raised: runs.flat().filter(({ worked }) => !worked).length,
    runs: runs.flat().length,
  };
}

/** The file of `GUISE_ENGINES` with a route for each case. */
function writeEnginesFile(folder: string): string {
  const workflowFile = (name: string, definition: object) => {
    const file = join(folder, `${name}.json`);
    const needs = { comfyui: '0.3.57 or later', custom_nodes: [], models: [], vram: 'none' };
    const about = 'A workflow that needs no weights.';
    writeFileSync(file, JSON.stringify({ name, about, families: ['face_swap_v6'], needs, definition }));
    return file;
  };
  const route = (engine: string, name: keyof typeof filters, definition: object) => ({
    families: ['face_swap_v6'],
    filters: [filters[name]],
    engine,
    workflow: workflowFile(name, definition),
  });
  const file = join(folder, 'engines.json');
  const engine = (list: readonly ComfyuiServer[]) => ({
    type: 'comfyui',
    servers: list.map(({ url }) => ({ url })),
  });
  const plan = {
    engines: { one: engine([one]), all: engine(servers) },
    routes: [
      route('one', 'quick', quickWorkflow()),
      route('one', 'slow', slowWorkflow(slowness)),
      route('one', 'refused', refusedWorkflow()),
      route('one', 'raising', raisingWorkflow()),
      route('all', 'shared', slowWorkflow({ ...slowness, blurs: Math.ceil(slowness.blurs / 8) })),
      route('all', 'raisingThere', raisingThereWorkflow()),
    ],
    local: false,
  };
  writeFileSync(file, JSON.stringify(plan));
  return file;
}

const plain = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#406080' } })
    .png()
    .toBuffer();

const folder = mkdtempSync(join(tmpdir(), 'guise-try-'));
let failed = 0;
try {
  await one.upload(blurredFile, await plain(256));
  await two?.upload(blurredFile, await plain(16));
  const photo = await sharp(samplePhotos.onePerson).resize({ width: 800 }).jpeg().toBuffer();
  const guise = await startGuise(join(folder, 'data'), writeEnginesFile(folder), photo);
  try {
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
    console.log(`Guise at ${commit}, Node ${process.version}`);
    for (const [i, server] of servers.entries()) console.log(`Server ${i + 1}: ${await server.versions()}`);
    console.log(`A slow run: ${slowness.blurs} blurs of ${slowness.side}×${slowness.side}\n`);
    console.log('| what | seen | seconds | as it should be |\n| --- | --- | --- | --- |');
    for (const { name, run } of [...steps, ...(two ? stepsOfTwo : [])]) {
      const began = performance.now();
      const [seen, fine] = await run(guise).then(
        (text) => [text, true] as const,
        (error: unknown) => {
          if (!(error instanceof Unexpected)) throw error;
          return [error.message, false] as const;
        },
      );
      if (!fine) failed++;
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`| ${name} | ${seen.replaceAll('|', '\\|')} | ${seconds} | ${fine ? 'yes' : 'NO'} |`);
    }
  } finally {
    await guise.stop();
  }
} finally {
  await Promise.all(servers.map((server) => server.freeMemory()));
  rmSync(folder, { recursive: true, force: true });
}
if (failed > 0) {
  console.log(`\n${failed} not as it should be`);
  process.exitCode = 1;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp, { type Region } from 'sharp';
import { type CheckoutServer, createFilter, runJob, startCheckout } from '../tools/checkout-server.ts';
import { type Format, median, megabytes, percent, printHead, printMachine, printRow } from './goals.ts';
import { measure as measureLoad, requestBytes } from './load.ts';
import { peakMemory, processTree, resetPeakMemory, treeCpuSeconds } from './process-usage.ts';

/**
 * This checkout against another one, over HTTP: the same requests in turns in one run, so that a busy machine slows
 * both alike. Ends with 1 when this one is worse by more than 5% in a row, beyond the noise.
 *
 *   npm run bench:compare -- --base DIR [--only PART] [--rounds N]
 *
 * The other checkout is any folder in which `npm start` runs, such as a worktree of an earlier commit after `npm ci`.
 * A round measures a row on both sides, one right after the other, and gives one ratio. A row's ratio is the median
 * over the rounds; its noise is two standard errors of that median. A row whose ratio is above the limit, but not by
 * more than its noise, gets up to three times as many rounds before it is called unclear, which fails nothing.
 */

const { values: flags } = parseArgs({
  options: {
    base: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '7' },
  },
});
if (!flags.base) throw new Error('--base names the checkout to compare with.');
const fewestRounds = Math.max(7, Number(flags.rounds));
const mostRounds = 3 * fewestRounds;
const limit = 1.05;

/** What one request costs. Memory is the peak of the largest process. */
type Cost = Partial<Record<'wall' | 'cpu' | 'memory', number>>;

interface Side {
  checkout: string;
  server: CheckoutServer;
  folder: string;
}

interface Row {
  name: string;
  measure(side: Side): Promise<Cost>;
}

const milliseconds: Format = (value) => `${(1000 * value).toFixed(value < 0.1 ? 2 : 0)} ms`;
const formats: Record<keyof Cost, Format> = { wall: milliseconds, cpu: milliseconds, memory: megabytes };

const testPhotos = new URL('../node_modules/@vladmandic/face-api/demo/', import.meta.url);
const base64 = async (name: string, crop?: Region) => {
  const photo = sharp(new URL(name, testPhotos).pathname);
  return (await (crop ? photo.extract(crop) : photo).jpeg({ quality: 92 }).toBuffer()).toString('base64');
};
const one = await base64('sample6.jpg', { left: 20, top: 300, width: 640, height: 1237 });
const upright = await base64('sample6.jpg', { left: 900, top: 60, width: 1020, height: 1477 });
const three = await base64('sample1.jpg');
const four = await base64('sample6.jpg');

/** A job from its submission to its result. */
function jobRow(name: string, run: string, status: string, body: object | ((side: Side) => object)): Row {
  return {
    name,
    async measure(side) {
      const { server } = side;
      const wanted = { run, status, body: typeof body === 'function' ? body(side) : body };
      for (const pid of processTree(server.pid)) resetPeakMemory(pid);
      const cpu = treeCpuSeconds(server.pid);
      const began = performance.now();
      const job = await runJob(server, wanted);
      const cost = {
        wall: (performance.now() - began) / 1000,
        cpu: treeCpuSeconds(server.pid) - cpu,
        memory: Math.max(...processTree(server.pid).map(peakMemory)),
      };
      if (job.status !== 'COMPLETED') throw new Error(`${name}: ${JSON.stringify(job)}`);
      await server.call('DELETE', `/v1/jobs/${job.id}`);
      return cost;
    },
  };
}

const faceSwap = (name: string, body: object | ((side: Side) => object)) =>
  jobRow(name, '/v6/run/face_swap', '/v6/status/', body);
const multiSwap = (name: string, body: object) =>
  jobRow(name, '/v5/run/multi_swap', '/v5/status_multi_swap/', body);
const video = (name: string, run: string, body: object) =>
  jobRow(name, run, '/v1/status/single_frame_video/', { prompt: 'dolly in, dust', duration: '4s', ...body });

const templates = new Map<Side, string>();
const alone = { base64: one, gender: 1, filter_id: 1 };
const rows: Row[] = [
  faceSwap('compose, 1 person (v6.1)', { ...alone, quality_mode: 'v6.1' }),
  faceSwap('compose, 1 person (v6)', { ...alone, quality_mode: 'v6' }),
  faceSwap('head in costume', { ...alone, base64: upright, filter_id: 12 }),
  faceSwap('swap into a template', (side) => ({ ...alone, filter_id: templates.get(side) })),
  multiSwap('compose, group of 4', { input_image: four, style_id: 2, outpaint: false }),
  multiSwap('outpaint, group of 4', { input_image: four, style_id: 11, outpaint: true }),
  ...Array.from({ length: 15 }, (_, i) =>
    jobRow(`stylise, style ${i + 1}`, '/v1/run/stylized_multi_swap', '/v1/status_stylized_multi_swap/', {
      input_image: three,
      style_id: i + 1,
    }),
  ),
  ...['simple', 'advanced', 'performance'].map((model) =>
    video(`video, ${model}`, '/v1/run/single_frame_video', { prompt_image: upright, model }),
  ),
  video('video, first to last', '/v1/run/first_last_frame_video', {
    model: 'advanced',
    first_frame: one,
    last_frame: upright,
  }),
  { name: 'status of a finished picture', measure: measureStatus },
  { name: 'start to first answer', measure: measureStart },
];

/** An answer of about 4 MB. Small answers have floors of their own in `npm run bench`. */
const finishedJobs = new Map<Side, string>();
async function measureStatus(side: Side): Promise<Cost> {
  const { server } = side;
  const status = '/v6/status/';
  if (!finishedJobs.has(side)) {
    const job = await runJob(server, { run: '/v6/run/face_swap', status, body: alone });
    finishedJobs.set(side, job.id);
  }
  const request = requestBytes('POST', status + finishedJobs.get(side), { 'x-api-key': server.key });
  const cpu = treeCpuSeconds(server.pid);
  const began = performance.now();
  const rate = await measureLoad({ url: server.url, request, connections: 4, seconds: 1 });
  const answers = (rate * (performance.now() - began)) / 1000;
  return { wall: 1 / rate, cpu: (treeCpuSeconds(server.pid) - cpu) / answers };
}

/** On a data folder that exists, beside the server that runs. */
const startKeys = new Map<Side, string>();
async function measureStart(side: Side): Promise<Cost> {
  const began = performance.now();
  const key = startKeys.get(side);
  const started = await startCheckout(side.checkout, join(side.folder, 'started'), key ? { key } : {});
  await started.call('GET', '/health');
  const wall = (performance.now() - began) / 1000;
  startKeys.set(side, started.key);
  await started.stop();
  return { wall };
}

const families = [
  'face_swap_v6',
  'multi_swap_v5',
  'stylized_multi_swap_v1',
  'single_frame_video',
  'first_last_frame_video',
];

async function startSide(checkout: string): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'guise-compare-'));
  const prices = Object.fromEntries(families.map((family) => [family, 0]));
  const server = await startCheckout(checkout, join(folder, 'data'), {
    env: { GUISE_PRICES: JSON.stringify(prices) },
  });
  const side = { checkout, server, folder };
  templates.set(side, await createFilter(server, 'face_swap', { kind: 'template', image: upright }));
  await untilPreviewed(server);
  return side;
}

/** A server makes previews of its filters when it is first started. */
async function untilPreviewed(server: CheckoutServer): Promise<void> {
  for (const giveUpAt = Date.now() + 300_000; Date.now() < giveUpAt; await sleep(200)) {
    const filters = (await server.call('GET', '/v1/users/me/my-custom-filters')) as {
      preview_images: string[];
    }[];
    if (filters.every((filter) => filter.preview_images.length > 0)) return;
  }
  throw new Error('The previews were not made within 5 minutes.');
}

async function stopSide({ server, folder }: Side): Promise<void> {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

interface Pair {
  base: Cost;
  now: Cost;
}

interface Judged {
  measure: keyof Cost;
  ratio: number;
  noise: number;
  verdict: 'ok' | 'WORSE' | 'unclear';
}

function judge(pairs: readonly Pair[], measure: keyof Cost): Judged {
  const ratios = pairs.map(({ base, now }) => now[measure]! / base[measure]!);
  const ratio = median(ratios);
  // Of normal noise, the deviation is 1.48 of the median distance, and a median errs by 1.25 of a mean.
  const deviation = 1.48 * median(ratios.map((value) => Math.abs(value - ratio)));
  const noise = (2 * 1.25 * deviation) / Math.sqrt(ratios.length);
  const verdict = ratio <= limit ? 'ok' : ratio - noise > limit ? 'WORSE' : 'unclear';
  return { measure, ratio, noise, verdict };
}

async function compareRow(row: Row, base: Side, now: Side): Promise<Judged[]> {
  const pairs: Pair[] = [];
  const addPair = async () => {
    // In turns, because the second may gain or lose by what the first left behind.
    const baseFirst = pairs.length % 2 === 0;
    const first = await row.measure(baseFirst ? base : now);
    const second = await row.measure(baseFirst ? now : base);
    pairs.push(baseFirst ? { base: first, now: second } : { base: second, now: first });
  };
  await addPair();
  // The first one loaded models and code.
  pairs.length = 0;
  const judgeAll = () =>
    (Object.keys(formats) as (keyof Cost)[])
      .filter((measure) => pairs[0]!.now[measure] !== undefined)
      .map((measure) => judge(pairs, measure));
  while (pairs.length < fewestRounds) await addPair();
  while (pairs.length < mostRounds && judgeAll().some(({ verdict }) => verdict === 'unclear')) {
    await addPair();
  }
  const judged = judgeAll();
  for (const { measure, ratio, noise, verdict } of judged) {
    const middle = (side: keyof Pair) => formats[measure](median(pairs.map((pair) => pair[side][measure]!)));
    printRow([
      row.name,
      measure,
      middle('base'),
      middle('now'),
      ratio.toFixed(3),
      `± ${percent(noise)}`,
      String(pairs.length),
      verdict,
    ]);
  }
  return judged;
}

const chosen = rows.filter(({ name }) => name.includes(flags.only));
if (chosen.length === 0) throw new Error(`No row has "${flags.only}" in its name.`);
printMachine();
const sides: Side[] = [];
try {
  for (const checkout of [flags.base, join(import.meta.dirname, '..')]) sides.push(await startSide(checkout));
  const [base, now] = sides as [Side, Side];
  printHead(['row', 'measure', 'base', 'now', 'now / base', 'noise', 'rounds', 'verdict']);
  const judged: Judged[] = [];
  for (const row of chosen) judged.push(...(await compareRow(row, base, now)));
  const count = (verdict: Judged['verdict']) => judged.filter((one) => one.verdict === verdict).length;
  console.log(`\n${count('ok')} ok, ${count('WORSE')} worse by more than 5%, ${count('unclear')} unclear`);
  if (count('WORSE') > 0) process.exitCode = 1;
} finally {
  for (const side of sides) await stopSide(side);
}

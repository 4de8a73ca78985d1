import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { photo, until } from '../packages/server/test/support/harness.ts';
import { door } from '../packages/server/test/support/test-engine.ts';
import { type Studio, startStudio } from '../test/e2e/studio/open-studio.ts';

/**
 * The studio in a browser against what the server alone does: `npm run bench:studio`. Exits with 1 when a goal is missed.
 * The engine of the tests takes a set time for each job, so that the rest is the service and the page.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const rounds = Number(values.rounds);
const goals = { interactiveMs: 1500, qaRatio: 1.05 };
/** A job takes as long as the local engine needs for one person on two cores. */
const qa = { photos: 24, jobMs: 1400 };

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1]!;

/** From the request for a page until its control is there, without a cache. */
async function timeToControl(studio: Studio, path: string, control: string): Promise<number> {
  const { page } = await studio.open('about:blank');
  const start = performance.now();
  await page.goto(path, { waitUntil: 'commit' });
  await page.locator(control).first().waitFor();
  const ms = performance.now() - start;
  await page.context().close();
  return ms;
}

/** Jobs that are all waiting are let go; `allEnded` resolves when whoever looks at them has seen the last one end. */
async function timeFromStart(
  studio: Studio,
  allEnded: () => Promise<unknown>,
  gate: ReturnType<typeof door>,
) {
  const start = performance.now();
  gate.open();
  await allEnded();
  studio.server.engine.before = async () => {};
  return performance.now() - start;
}

function holdJobs(studio: Studio): ReturnType<typeof door> {
  const gate = door();
  studio.server.engine.before = async (request, context) => {
    await gate.work(request, context);
    await sleep(qa.jobMs, undefined, { signal: context.signal });
  };
  return gate;
}

/** The floor: callers who wait for their jobs as the interface offers it, without a page. */
async function timeOfJobs(studio: Studio): Promise<number> {
  const gate = holdJobs(studio);
  const { account } = studio;
  const ids = await Promise.all(
    Array.from({ length: qa.photos }, async () => {
      const run = { image: photo, filter_id: 1, gender: 1 };
      return (await account.call('POST', '/v1/run/faceswap', run)).body.id as string;
    }),
  );
  const wait = (id: string) =>
    account.call('POST', `/v2/status/${id}`, undefined, { prefer: 'wait=60', 'accept-encoding': 'identity' });
  const answers = Promise.all(ids.map(wait));
  return timeFromStart(studio, () => answers, gate);
}

/** A QA run of as many photos, until the board shows every picture. */
async function timeOfQaRun(studio: Studio, filterId: string, setId: string): Promise<number> {
  const gate = holdJobs(studio);
  const run = await studio.account.call('POST', '/v1/qa_runs', {
    filter_id: filterId,
    photo_set_id: setId,
  });
  const { page } = await studio.open(`/studio/qa/${run.body.id}`);
  const pictures = page.locator('td[id^=cell-] img');
  await page
    .locator('td[id^=cell-]')
    .nth(qa.photos - 1)
    .waitFor();
  const ms = await timeFromStart(
    studio,
    () => until(async () => (await pictures.count()) >= qa.photos, 120_000),
    gate,
  );
  await page.context().close();
  return ms;
}

async function makeQaContent({ account, server }: Studio): Promise<{ filterId: string; setId: string }> {
  server.engine.result = await sharp({
    create: {
      width: 1024,
      height: 1536,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const filter = await account.call('POST', '/v1/users/me/my-custom-filters', {
    name: 'Snow',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'in the snow' },
  });
  const set = await account.call('POST', '/v1/photo_sets', { name: 'Guests' });
  for (let n = 0; n < qa.photos; n++)
    await account.call('POST', `/v1/photo_sets/${set.body.id}/photos`, { image: photo, name: `Guest ${n}` });
  return { filterId: filter.body.id, setId: set.body.id };
}

const studio = await startStudio();
const studioLoads: number[] = [];
const referenceLoads: number[] = [];
for (let round = 0; round < rounds; round++) {
  studioLoads.push(await timeToControl(studio, '/', '[aria-label="Scenes and costumes"] button img'));
  referenceLoads.push(await timeToControl(studio, '/docs', '.swagger-ui .opblock'));
}
const { filterId, setId } = await makeQaContent(studio);
const jobs: number[] = [];
const boards: number[] = [];
for (let round = 0; round < rounds; round++) {
  jobs.push(await timeOfJobs(studio));
  boards.push(await timeOfQaRun(studio, filterId, setId));
}
await studio.stop();

const [interactive, ratio] = [median(studioLoads), median(boards) / median(jobs)];
console.log(
  `first load until the wall of filters is there: ${interactive.toFixed(0)} ms (goal ${goals.interactiveMs})`,
);
console.log(`first load of the reference page, for comparison: ${median(referenceLoads).toFixed(0)} ms`);
console.log(
  `${qa.photos} jobs of ${qa.jobMs} ms, two at a time: ${median(jobs).toFixed(0)} ms by the interface, ` +
    `${median(boards).toFixed(0)} ms on the QA board: ${ratio.toFixed(3)} (goal ${goals.qaRatio})`,
);
process.exitCode = interactive <= goals.interactiveMs && ratio <= goals.qaRatio ? 0 : 1;

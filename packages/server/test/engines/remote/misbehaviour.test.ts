import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { createEngines } from '../../../src/engines/engines.ts';
import type { EnginesPlan } from '../../../src/engines/engines-file.ts';
import { findJobById } from '../../../src/store/job-records.ts';
import { type ComfyuiFaults, type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import { photo, startTestServer, type TestAccount, type TestServer } from '../../support/harness.ts';
import { pictureWorkflow, withShortWaits } from '../../support/remote.ts';
import { type RunpodFaults, type RunpodServer, runpodServer } from '../../support/runpod-server.ts';

/** A server's misbehaviour and how a job on it ends: a sentence, or nothing when it must come through all the same. */
interface Case<F> {
  name: string;
  faults: Partial<F>;
  ends: string | null;
  /** How often the prompt may be queued at most. */
  runs?: number;
}

const tooLong = 'The job took longer than it may and was stopped.';
const line = await sharp({ create: { width: 30_000, height: 1, channels: 3, background: '#888' } })
  .png()
  .toBuffer();
const black = await sharp({ create: { width: 64, height: 96, channels: 3, background: '#000' } })
  .png()
  .toBuffer();
const noise = Buffer.from('<!doctype html><title>nginx at /srv/comfyui</title>');

const onComfyui: Case<ComfyuiFaults>[] = [
  { name: 'messages in another order', faults: { reorder: true }, ends: null, runs: 1 },
  { name: 'a silent socket', faults: { silentSocket: true }, ends: null, runs: 1 },
  { name: 'a late history', faults: { historyLateMs: 500 }, ends: null, runs: 1 },
  { name: 'a forgotten prompt', faults: { forget: 1 }, ends: null, runs: 2 },
  { name: 'a cut answer', faults: { cutPromptAnswers: 1 }, ends: null, runs: 1 },
  { name: 'runs that take too long', faults: { slowMs: 60_000 }, ends: tooLong, runs: 1 },
  {
    name: '200 with node_errors',
    faults: { nodeErrors: true },
    ends: 'The workflow of this filter does not run on the GPU servers of this installation.',
    runs: 1,
  },
  {
    name: 'deleted files',
    faults: { deleteFiles: true },
    ends: 'The workflow of this filter left no file to fetch.',
    runs: 2,
  },
  {
    name: 'an endless file',
    faults: { output: 'endless' },
    ends: 'The engine made a file that is far too large.',
    runs: 1,
  },
  {
    name: 'a page instead of a picture',
    faults: { output: noise },
    ends: 'The engine made a picture that cannot be read.',
    runs: 3,
  },
  {
    name: 'half a picture',
    faults: { output: black.subarray(0, 70) },
    ends: 'The engine made a picture that cannot be read.',
    runs: 3,
  },
  {
    name: 'a picture of 30,000×1 px',
    faults: { output: line },
    ends: 'The engine made a picture of an unusable shape.',
    runs: 1,
  },
  { name: 'a black picture', faults: { output: black }, ends: 'The engine made a black picture.', runs: 3 },
  {
    name: 'garbage from /history',
    faults: { garbage: '/history' },
    ends: 'The GPU server stopped answering.',
    // On a busy machine an answer may also come too late: each of the three attempts then queues the prompt once more.
    runs: 6,
  },
  {
    name: 'garbage from /prompt',
    faults: { garbage: '/prompt' },
    ends: 'The GPU servers did not take the job.',
    runs: 0,
  },
  {
    name: 'status 500 everywhere',
    faults: { broken: '/' },
    ends: 'No GPU server can be reached right now. Try again in a while.',
    runs: 0,
  },
  {
    name: 'no answer at all',
    faults: { mute: '/' },
    ends: 'No GPU server can be reached right now. Try again in a while.',
    runs: 0,
  },
  {
    name: 'a node that raises',
    faults: {
      raise: {
        type: 'PIL.UnidentifiedImageError',
        message: "cannot identify image file '/srv/comfyui/base/x.png'",
      },
    },
    ends: 'The workflow of this filter failed. Choose another filter.',
    runs: 1,
  },
  {
    name: 'a GPU out of memory',
    faults: { raise: { type: 'torch.OutOfMemoryError', message: 'Allocation on device /srv/comfyui' } },
    ends: 'The GPU could not finish this job.',
    runs: 3,
  },
];

const onRunpod: Case<RunpodFaults>[] = [
  { name: 'too many requests', faults: { tooMany: 3, retryAfterSeconds: 0 }, ends: null, runs: 1 },
  { name: 'an end that is masked by late progress', faults: { mask: 2 }, ends: null, runs: 1 },
  {
    name: 'an error that the handler returned',
    faults: { fail: 'returned' },
    ends: 'The workflow of this filter failed. Choose another filter.',
    runs: 1,
  },
  {
    name: 'an error that the handler raised',
    faults: { fail: 'raised' },
    ends: 'The GPU could not finish this job.',
    runs: 3,
  },
  {
    name: 'its own time limit',
    faults: { status: 'TIMED_OUT' },
    ends: 'The rented GPU took longer than it may.',
    runs: 3,
  },
  {
    name: 'a cancellation over there',
    faults: { status: 'CANCELLED' },
    ends: 'The job was cancelled at the rented GPU.',
    runs: 3,
  },
  {
    name: 'an expired job',
    faults: { expired: true },
    ends: 'The rented GPU did not get to this job in time.',
    runs: 3,
  },
  { name: 'one forgotten job', faults: { forget: 1 }, ends: null, runs: 2 },
  {
    name: 'success without images',
    faults: { noImages: true },
    ends: 'The workflow of this filter left no file to fetch.',
    runs: 1,
  },
  {
    name: 'a page instead of a picture',
    faults: { output: noise },
    ends: 'The engine made a picture that cannot be read.',
    runs: 3,
  },
  {
    name: 'base64 that is none',
    faults: { base64: '***' },
    ends: 'The engine made a picture that cannot be read.',
    runs: 3,
  },
  {
    name: 'garbage from /status',
    faults: { garbage: 'status' },
    ends: 'The rented GPU did not answer as it should.',
    runs: 3,
  },
  {
    name: 'a bad gateway at /run',
    faults: { broken: 'run' },
    ends: 'The rented GPU did not answer as it should.',
    runs: 0,
  },
  { name: 'a result too large to arrive', faults: { never: true }, ends: tooLong, runs: 1 },
  {
    name: 'a link into the private network',
    faults: { link: 'http://169.254.169.254/latest/meta-data' },
    ends: 'The result could not be fetched from where the rented GPU put it.',
    runs: 3,
  },
];

/** Nothing of these may be in what a caller gets. */
const secrets =
  /srv\/comfyui|workspace|secret|traceback|127\.0\.0\.1|169\.254|rpa_|nginx|prompt_id|PIL\.|torch\.|[a-z]Error/;

describe('a job on a server that misbehaves ends once, with a clear sentence and the right credits', {
  concurrency: true,
}, () => {
  const comfyui: ComfyuiServer[] = [];
  const runpod: RunpodServer[] = [];
  let service: TestServer;
  let account: TestAccount;

  before(async () => {
    const timeLimits = {
      missingMs: 6000,
      silentPollMs: 80,
      awayMs: 400,
      noServerMs: 800,
      answerMs: 2000,
      healthMs: 300,
    };
    const polling = { firstMs: 60, longestMs: 200, troubleMs: 400, overtimeMs: 0 };
    const plan: EnginesPlan = { engines: {}, routes: [], local: false };
    for (const [i, { faults }] of onComfyui.entries()) {
      const server = await comfyuiServer();
      Object.assign(server.faults, faults);
      comfyui.push(server);
      const entry = { url: server.url, weight: 1, jobs: 2, headers: {} };
      plan.engines[`comfyui-${i}`] = { type: 'comfyui', servers: [entry] };
      plan.routes.push({
        families: ['multi_swap_v5'],
        filters: [String(i + 1)],
        engine: `comfyui-${i}`,
        workflows: [pictureWorkflow()],
        running_seconds: 20,
      });
    }
    for (const [i, { faults }] of onRunpod.entries()) {
      const server = await runpodServer();
      Object.assign(server.faults, faults);
      runpod.push(server);
      plan.engines[`runpod-${i}`] = {
        type: 'runpod',
        endpoint: server.endpoint,
        key: server.key,
        jobs: 8,
        execution_seconds: 60,
        queue_seconds: 60,
        private_results: false,
      };
      plan.routes.push({
        families: ['stylized_multi_swap_v1'],
        filters: [String(i + 1)],
        engine: `runpod-${i}`,
        workflows: [pictureWorkflow()],
        running_seconds: 20,
      });
    }
    service = await startTestServer({}, (config) =>
      createEngines(config, withShortWaits(plan, { timeLimits, polling })),
    );
    account = await service.account(1000);
  });
  after(async () => {
    await service.stop();
    await Promise.all([...comfyui, ...runpod].map((server) => server.stop()));
  });

  async function endOf(run: string, status: string, styleId: number) {
    const body = { input_image: photo, style_id: styleId, outpaint: false };
    const { id } = (await account.call('POST', run, body)).body;
    for (;;) {
      const answer = await account.call('POST', `${status}${id}`, undefined, { prefer: 'wait=30' });
      if (answer.body.status === 'COMPLETED' || answer.body.status === 'FAILED')
        return { id, ...answer.body };
    }
  }

  async function check(
    job: { id: string; status: string; error?: string; output: unknown },
    ends: string | null,
  ) {
    assert.deepEqual([job.status, job.error], ends === null ? ['COMPLETED', undefined] : ['FAILED', ends]);
    const { output: _, ...told } = job;
    assert.doesNotMatch(JSON.stringify(told), secrets);
    const { entries } = (await account.call('GET', '/v1/users/me/credits?limit=100')).body;
    const amounts = entries
      .filter((entry: { job_id: string }) => entry.job_id === job.id)
      .map((entry: { amount: number }) => entry.amount)
      .sort();
    assert.deepEqual(amounts, ends === null ? [-3] : [-3, 3]);
    assert.doesNotMatch(String((await service.db.one(findJobById, { id: job.id }))!.error), secrets);
  }

  for (const [i, { name, ends, runs }] of onComfyui.entries()) {
    test(`comfyui: ${name}`, async () => {
      const job = await endOf('/v5/run/multi_swap', '/v5/status_multi_swap/', i + 1);
      await check(job, ends);
      assert.ok(comfyui[i]!.accepted.length <= runs!, `${comfyui[i]!.accepted.length} runs`);
    });
  }
  for (const [i, { name, ends, runs }] of onRunpod.entries()) {
    test(`runpod: ${name}`, async () => {
      const job = await endOf('/v1/run/stylized_multi_swap', '/v1/status_stylized_multi_swap/', i + 1);
      await check(job, ends);
      assert.ok(runpod[i]!.submitted.length <= runs!, `${runpod[i]!.submitted.length} runs`);
    });
  }
});

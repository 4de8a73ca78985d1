import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { circuit } from '../../../src/engines/circuit.ts';
import { describeRefusal, Refusal } from '../../../src/engines/comfyui/refusal.ts';
import { forOperator } from '../../../src/engines/failure.ts';
import { failurePatterns, patternOf, unknownFailure } from '../../../src/engines/failure-patterns.ts';
import { engineFor } from '../../../src/engines/routing.ts';
import type { AppError } from '../../../src/errors.ts';
import { type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import {
  comfyuiPlan,
  directRun,
  pictureWorkflow,
  type RunFields,
  remoteEngines,
  runpodPlan,
} from '../../support/remote.ts';
import { runpodServer } from '../../support/runpod-server.ts';

const photo = await sharp({ create: { width: 90, height: 120, channels: 3, background: '#c08060' } })
  .jpeg()
  .toBuffer();
const group: RunFields = { family: 'multi_swap_v5', params: { outpaint: false } };
const words: RunFields = { family: 'self_prompt_v2', params: { prompt: 'a fox' }, filter: null };
const timeLimits = { silentPollMs: 60, pollMs: 200, healthMs: 200, noServerMs: 600 };
const polling = { firstMs: 30, longestMs: 80, troubleMs: 500 };

type Engines = ReturnType<typeof remoteEngines>;
const close = (engines: Engines) => Promise.all(engines.map((engine) => engine.close()));

async function make(engines: Engines, fields: RunFields, given: Buffer | null = photo) {
  const run = await directRun(given, fields);
  return engineFor(engines, run.request).run(run.request, run.context).finally(run.clean);
}
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => assert.fail('it did not fail'),
    (error: AppError) => error,
  );

const ofWorkflow = 'The workflow of this filter failed. Choose another filter.';
const ofPhoto = 'The workflow of this filter failed on this photo. Try another photo.';

async function onServers(
  count: number,
  check: (servers: ComfyuiServer[], engines: Engines) => Promise<void>,
) {
  const servers = await Promise.all(Array.from({ length: count }, () => comfyuiServer()));
  const engines = remoteEngines(comfyuiPlan(servers), { timeLimits });
  try {
    await check(servers, engines);
  } finally {
    await close(engines);
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** What ComfyUI, node packs and worker-comfyui say, by the row that must know it. */
const examples: Record<string, string[]> = {
  'no face': [
    'InsightFace: No face detected.',
    'Reference Image: No face detected',
    'Could not find a face in the image',
  ],
  'face too small': ['The detected face is too small: 12 px'],
  'out of memory': [
    'torch.OutOfMemoryError Allocation on device',
    'torch.cuda.OutOfMemoryError CUDA out of memory. Tried to allocate 2.00 GiB',
  ],
  'disk full': ['OSError [Errno 28] No space left on device'],
  'refused workflow': [
    "Workflow validation failed:\n• Node 4 (ckpt_name): Value not in list - ckpt_name: 'a.safetensors' not in []",
    'Cannot execute because node ApplyInstantID does not exist.',
  ],
  'photo not received': ['image - Invalid image file: guise/a1.jpg'],
  'weights unusable': [
    'safetensors_rust.SafetensorError Error while deserializing header: header too small',
    "FileNotFoundError [Errno 2] No such file or directory: '/srv/comfyui/models/instantid/ip-adapter.bin'",
  ],
  'GPU fault': [
    'RuntimeError CUDA error: device-side assert triggered',
    'cuDNN error: CUDNN_STATUS_INTERNAL_ERROR',
  ],
  'server unreachable': [
    'ComfyUI server (127.0.0.1:8188) not reachable after multiple retries.',
    'WebSocket communication error: Connection to remote host was lost.',
  ],
};

describe('the table of failures', () => {
  test('knows each of its rows by what servers really say', () => {
    for (const [name, texts] of Object.entries(examples))
      for (const text of texts) assert.equal(patternOf(text).name, name, text);
    assert.deepEqual(failurePatterns.map(({ name }) => name).toSorted(), Object.keys(examples).toSorted());
    assert.equal(patternOf('KeyError: 77'), unknownFailure);
  });

  test('says to a guest nothing of the machinery, and tries a photo that is at fault nowhere else', () => {
    for (const row of [...failurePatterns, unknownFailure]) {
      assert.match(row.sentence, /^[A-Z][^:/_]*\.$/);
      assert.doesNotMatch(row.sentence, /CUDA|ComfyUI|node|weights|file/);
      const isPhotos = row.source === 'photo';
      assert.deepEqual(
        [row.otherServer, row.fallback, isPhotos && row.retry, isPhotos && row.rest],
        [!isPhotos, !isPhotos, false, isPhotos && null],
        row.name,
      );
    }
  });

  test('decides alike for ComfyUI and for RunPod how a job ends', async () => {
    const rented = await runpodServer({ queueMs: 1, runMs: 1 });
    const cloud = remoteEngines(runpodPlan(rented), { polling });
    for (const row of failurePatterns) {
      const message = examples[row.name]![0]!;
      rented.faults.details = [
        `Workflow execution error: Node Type: VAEDecode, Node ID: 8, Message: ${message}`,
      ];
      await onServers(1, async ([server], engines) => {
        server!.faults.raise = { type: 'Exception', message };
        for (const own of [engines, cloud]) {
          const { code, retryable, message: sentence, cause } = await failureOf(make(own, group));
          assert.deepEqual(
            { code, retryable, sentence },
            {
              code: row.fallback ? 'ENGINE_BROKE' : 'ENGINE_REFUSED',
              retryable: row.retry,
              sentence: row.sentence,
            },
            row.name,
          );
          assert.ok((cause as Error).message.startsWith(`${row.cause} (`), (cause as Error).message);
        }
      });
    }
    await close(cloud);
    await rented.stop();
  });

  test('shows the operator no folders and no endless texts', () => {
    assert.equal(
      forOperator("cannot identify image file '/srv/comfyui/base/input/x.png'\n"),
      "cannot identify image file '…/x.png'",
    );
    assert.ok(forOperator('x'.repeat(9000)).length < 300);
  });
});

describe('a node that raises', () => {
  for (const message of [
    'Error while deserializing header: header too small',
    'a bug of this machine alone',
  ]) {
    test(`on one server of two fails no job while the other works: ${message}`, async () => {
      await onServers(2, async ([good, bad], engines) => {
        bad!.faults.raise = { type: 'RuntimeError', message };
        await Promise.all(Array.from({ length: 12 }, () => make(engines, group)));
        assert.equal(good!.finished.length, 12);
        // Three jobs show that it is this server; it had one more by then at most.
        assert.ok(bad!.begun.length >= 3 && bad!.begun.length <= 6, String(bad!.begun.length));
        await make(engines, words, null);
      });
    });
  }

  test('the same on two servers is the workflow’s, or the photo’s where the job before was made; it rests neither', async () => {
    await onServers(3, async (servers, engines) => {
      const raise = () => {
        for (const server of servers) server.faults.raise = { type: 'ValueError', message: 'odd shape 17' };
      };
      raise();
      for (let n = 0; n < 4; n++) {
        const error = await failureOf(make(engines, group));
        assert.deepEqual([error.code, error.retryable, error.message], ['ENGINE_BROKE', false, ofWorkflow]);
        assert.match(
          (error.cause as Error).message,
          /two servers say the same: .*node 8 \(VAEDecode\): ValueError odd shape/,
        );
      }
      assert.equal(servers.flatMap((server) => server.begun).length, 8);
      for (const server of servers) server.behave();
      await make(engines, group);
      raise();
      const error = await failureOf(make(engines, group));
      assert.deepEqual([error.code, error.retryable, error.message], ['ENGINE_REFUSED', false, ofPhoto]);
      assert.equal((await failureOf(make(engines, group))).message, ofWorkflow);
    });
  });

  test('in a caller’s workflow on its only server is told as the photo’s only where the job before was made', async () => {
    const own: RunFields = { filter: pictureWorkflow() };
    const rented = await runpodServer({ queueMs: 1, runMs: 1 });
    const cloud = remoteEngines(runpodPlan(rented), { polling });
    await onServers(1, async ([server], engines) => {
      const cases = [
        {
          made: engines,
          fail: () => {
            server!.faults.raise = { type: 'ValueError', message: 'odd' };
          },
          behave: () => server!.behave(),
          cause: /\(node 8 \(VAEDecode\): ValueError odd\)$/,
        },
        {
          made: cloud,
          fail: () => {
            rented.faults.details = ['Workflow execution error: Node Type: VAEDecode, Node ID: 8, odd'];
          },
          behave: () => {
            rented.faults.details = null;
          },
          cause: /VAEDecode, Node ID: 8, odd/,
        },
      ];
      for (const { made, fail, behave, cause } of cases) {
        const read = async () => {
          const error = await failureOf(make(made, own));
          assert.match((error.cause as Error).message, cause);
          return [error.code, error.retryable, error.message];
        };
        fail();
        assert.deepEqual(await read(), ['ENGINE_BROKE', false, ofWorkflow]);
        behave();
        await make(made, own);
        fail();
        assert.deepEqual(await read(), ['ENGINE_REFUSED', false, ofPhoto]);
        assert.deepEqual(await read(), ['ENGINE_BROKE', false, ofWorkflow]);
        behave();
      }
    });
    await close(cloud);
    await rented.stop();
  });

  test('is told with the server and the cause, and so is the server that made the job then', async () => {
    await onServers(2, async ([bad, good], engines) => {
      bad!.faults.raise = { type: 'OSError', message: '[Errno 28] No space left on device' };
      const run = await directRun(photo, group);
      const attempts: unknown[] = [];
      run.context.attempted = ({ gpuSeconds, ...attempt }) => {
        assert.equal(typeof gpuSeconds, 'number');
        attempts.push(attempt);
      };
      await engineFor(engines, run.request).run(run.request, run.context).finally(run.clean);
      const said = 'node 8 (VAEDecode): OSError [Errno 28] No space left on device';
      assert.deepEqual(attempts, [
        { server: new URL(bad!.url).host, cause: `the disk of the GPU server is full (${said})` },
        { server: new URL(good!.url).host, cause: null },
      ]);
      const [report] = engineFor(engines, run.request).servers!.list();
      assert.equal(report!.last_error, 'disk full');
      assert.ok(Date.now() - Date.parse(report!.last_error_at!) < 60_000);
    });
  });

  test('for want of a face is tried nowhere else', async () => {
    await onServers(2, async (servers, engines) => {
      for (const server of servers)
        server.faults.raise = { type: 'Exception', message: 'InsightFace: No face detected.' };
      assert.equal((await failureOf(make(engines, group))).code, 'ENGINE_REFUSED');
      assert.equal(servers.flatMap((server) => server.begun).length, 1);
    });
  });
});

describe('failures of one workflow', () => {
  test('leave its server to the others', async () => {
    await onServers(1, async ([server], engines) => {
      const raise = { type: 'torch.OutOfMemoryError', message: 'Allocation on device', having: 'LoadImage' };
      server!.faults.raise = raise;
      for (let n = 0; n < 3; n++) await failureOf(make(engines, group));
      // The first workflow rests now, with nothing sent; the other is made at once.
      const began = server!.begun.length;
      assert.match((await failureOf(make(engines, group))).message, /^No GPU server/);
      assert.equal(server!.begun.length, began);
      await make(engines, words, null);
      const [report] = engines[0]!.servers!.list();
      assert.equal(report!.state, 'up');
      assert.match(report!.reason!, /no jobs of 1 workflow for a while/);
    });
  });

  test('count against the server when several workflows fail, or the connection does', () => {
    const one = circuit();
    for (let n = 0; n < 5; n++) one.failed({ workflow: 'a' });
    assert.deepEqual([one.state(), one.allows(0, 'a'), one.allows(0, 'b')], ['up', false, true]);
    for (let n = 0; n < 3; n++) one.failed({ workflow: 'b' });
    assert.deepEqual([one.state(), one.allows(0, 'c')], ['resting', false]);

    const large = circuit();
    for (const workflow of ['a', 'b', 'a', 'b', 'a', 'b']) large.failed({ workflow, alsoServer: false });
    assert.deepEqual([large.state(), large.allows(0, 'a'), large.allows(0, 'c')], ['up', false, true]);

    const gone = circuit();
    for (let n = 0; n < 3; n++) gone.failed();
    assert.equal(gone.state(), 'resting');
  });
});

describe('a prompt that is refused', () => {
  test('leaves node, input, value and message for the operator, and not for the guest', async () => {
    await onServers(1, async ([server], _) => {
      const workflow = pictureWorkflow();
      workflow.workflow['1']!.inputs.ckpt_name = 'other.safetensors';
      const engines = remoteEngines(comfyuiPlan([server!], { workflows: [workflow] }), { timeLimits });
      const { message, cause, code, retryable } = await failureOf(make(engines, group));
      assert.deepEqual([code, retryable], ['ENGINE_BROKE', false]);
      assert.doesNotMatch(message, /other|ckpt/);
      assert.match(
        (cause as Error).message,
        /^127\.0\.0\.1:\d+: node 1 \(CheckpointLoaderSimple\), input ckpt_name, value "other\.safetensors": Value not in list$/,
      );
      await close(engines);
    });
  });

  test('is described from what ComfyUI 0.3.64 answered', () => {
    const describe = (body: unknown) => describeRefusal(Refusal.parse(body));
    const nodes = (errors: unknown[], class_type = 'ImageBlur') => ({
      node_errors: { '3': { errors, class_type } },
    });
    const smaller = {
      type: 'value_smaller_than_min',
      message: 'Value 0 smaller than min of 1',
      details: 'blur_radius',
      extra_info: { input_name: 'blur_radius', input_config: ['INT', { min: 1 }], received_value: 0 },
    };
    assert.equal(
      describe(nodes([smaller])),
      'node 3 (ImageBlur), input blur_radius, value 0: Value 0 smaller than min of 1',
    );
    const custom = {
      message: 'Custom validation failed for node',
      details: 'image - Invalid image file: nope.png',
      extra_info: { input_name: 'image' },
    };
    assert.equal(
      describe(nodes([custom], 'LoadImage')),
      'node 3 (LoadImage), input image: Custom validation failed for node (image - Invalid image file: nope.png)',
    );
    assert.match(describe(nodes([smaller, smaller, smaller, smaller])), /; and 1 more$/);
    const missing = { message: 'Cannot execute because node X does not exist.', details: "Node ID '#3'" };
    assert.equal(describe({ error: missing, node_errors: [] }), `${missing.message} ${missing.details}`);
  });
});

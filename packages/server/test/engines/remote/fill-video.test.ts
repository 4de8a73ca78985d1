import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseRequest } from '@guise/contract/families/requests.ts';
import { bind } from '../../../src/engines/workflow/bind.ts';
import { fillVideo } from '../../../src/engines/workflow/fill-video.ts';
import { fillOf, shapeOf } from '../../../src/engines/workflow/picture-shape.ts';
import { ffmpeg } from '../../../src/engines/workflow/run-ffmpeg.ts';
import { finishVideo } from '../../../src/engines/workflow/video.ts';
import { ownWorkflow, readWorkflowFile } from '../../../src/engines/workflow/workflow-file.ts';
import { decodesHere } from '../../support/decode-here.ts';
import { sampleVideo } from '../../support/remote.ts';

const { signal } = new AbortController();
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guise-fill-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Size and number of frames, counted. */
async function measure(file: string): Promise<string> {
  const { said } = await ffmpeg(['-i', file, '-map', '0:v', '-f', 'null', '-'], signal);
  return `${/, (\d+x\d+)/.exec(said)![1]} ${[...said.matchAll(/frame=\s*(\d+)/g)].at(-1)![1]}`;
}

describe('a video whose model makes fewer frames than were asked for', () => {
  test('is brought to the length, rate and size that docs/video.md promises, and says that it is slowed down', async () => {
    const source = join(folder, 'from-server');
    await writeFile(source, await sampleVideo('mp4', 5));
    const target = join(folder, 'slow.mp4');
    const shape = { width: 96, height: 144, type: 'video/mp4', exact: false, seconds: 8 } as const;
    const notes = await finishVideo(
      { source, target },
      { ...shape, fill: { width: 96, height: 128, fps: 24 } },
      { signal, decoder: decodesHere.forJob(signal) },
    );
    assert.equal(await measure(target), '96x128 192');
    assert.deepEqual(notes, [
      {
        kind: 'input',
        value: 'duration',
        reason: 'the model makes 5.0 s of motion, which are slowed down to 8 s',
      },
    ]);
  });

  test('is not interpolated where its own frames fit', () => {
    const fill = { width: 1280, height: 720, fps: 24 };
    const { filters, frames, slowed } = fillVideo({ seconds: 97 / 24, fps: 24 }, fill, 4);
    assert.doesNotMatch(filters, /minterpolate/);
    assert.deepEqual([frames, slowed], [96, undefined]);
    const faster = fillVideo({ seconds: 65 / 16, fps: 16 }, fill, 4);
    assert.match(faster.filters, /minterpolate=fps=24/);
    assert.equal(faster.slowed, undefined);
  });

  test('has the size of its model', () => {
    const size = { width: 1280, height: 720 };
    assert.deepEqual(fillOf(size, 'performance'), { width: 1920, height: 1080, fps: 24 });
    assert.deepEqual(fillOf(size, 'advanced'), { width: 1280, height: 720, fps: 24 });
  });
});

for (const [name, family, most, size] of [
  ['video-wan22', 'single_frame_video', 121, '1280x704'],
  ['video-wan21-first-last', 'first_last_frame_video', 81, '848x480'],
  ['video-ltx', 'single_frame_video', 257, '832x480'],
  ['video-ltx-first-last', 'first_last_frame_video', 257, '832x480'],
] as const)
  test(`${name} stays within the frames and the size that its model is made for`, () => {
    const { definition } = readWorkflowFile(ownWorkflow(name));
    for (const duration of ['4s', '6s', '8s']) {
      const params = { prompt: 'waves', model: 'advanced', duration };
      const request = { ...parseRequest(family, params, null), jobId: 'j' };
      const shape = shapeOf(request, { width: 16, height: 9 });
      const photos = definition.bindings.photos.map((_, i) => `${i}.jpg`);
      const graph = bind(definition, request, shape, { photos, template: null }, 'x');
      const { inputs } = Object.values(graph).find((node) => 'length' in node.inputs)!;
      assert.ok(Number(inputs.length) <= most && (Number(inputs.length) - 1) % 4 === 0, `${inputs.length}`);
      assert.equal(`${inputs.width}x${inputs.height}`, size);
    }
  });

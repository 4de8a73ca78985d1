import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { requestFor } from '@guise/contract/families/requests.ts';
import { sentencesOf } from '@guise/contract/notes.ts';
import { Bindings, type Workflow } from '@guise/contract/workflow.ts';
import sharp from 'sharp';
import type { AbortReason } from '../../../src/engines/abort.ts';
import type { ComfyuiPlan } from '../../../src/engines/comfyui/comfyui-kind.ts';
import { savedFile } from '../../../src/engines/comfyui/outputs.ts';
import type { Engine, EngineAttempt, EngineRequest } from '../../../src/engines/engine.ts';
import { engineFor } from '../../../src/engines/routing.ts';
import { prepare } from '../../../src/engines/workflow/prepare.ts';
import { type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import { decodesHere } from '../../support/decode-here.ts';
import { until } from '../../support/harness.ts';
import { comfyuiPlan, directRun, type RunFields, remoteEngines, sampleVideo } from '../../support/remote.ts';

const photo = await sharp({ create: { width: 90, height: 120, channels: 3, background: '#c08060' } })
  .jpeg()
  .toBuffer();
const group: RunFields = { family: 'multi_swap_v5', params: { outpaint: false } };

const timeLimits = {
  missingMs: 1500,
  missingAfterOutageMs: 300,
  silentPollMs: 60,
  pollMs: 300,
  healthMs: 200,
};

/** The compressed pixels of a PNG, chunk by chunk. */
function imageData(png: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const isData = png.toString('latin1', at + 4, at + 8) === 'IDAT';
    if (isData) chunks.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return chunks;
}

let server: ComfyuiServer;
let engines: Engine[];
before(async () => {
  server = await comfyuiServer({ nodeMs: 2 });
  engines = remoteEngines(comfyuiPlan([server]), { timeLimits });
});
after(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  await server.stop();
});
beforeEach(() => {
  server.behave();
  for (const list of [server.accepted, server.begun, server.finished, server.interrupted, server.requests])
    list.length = 0;
});

async function begin(fields: RunFields = group, handle: string | null = null, given: Buffer | null = photo) {
  const run = await directRun(given, fields, handle);
  const work = engineFor(engines, run.request).run(run.request, run.context);
  work.catch(() => {});
  return { ...run, work };
}
const made = async (fields?: RunFields) => {
  const run = await begin(fields);
  return run.work.finally(run.clean);
};

describe('a photo with transparent parts', () => {
  const cutOut = sharp({ create: { width: 40, height: 30, channels: 4, background: '#c0806080' } }).png();
  const graph = {
    load: { class_type: 'LoadImage', inputs: { image: '' } },
    invert: { class_type: 'ImageInvert', inputs: { image: ['load', 0] } },
    save: { class_type: 'SaveImage', inputs: { images: ['invert', 0], filename_prefix: '' } },
  };
  const sentFor = async (workflow: Workflow) => {
    const folder = mkdtempSync(join(tmpdir(), 'guise-alpha-'));
    const file = join(folder, 'photo.png');
    await cutOut.clone().toFile(file);
    const bindings = Bindings.parse({ photos: { node: 'load', input: 'image' }, output: 'save' });
    const request = {
      ...requestFor('multi_swap_v5', { outpaint: false }, null),
      images: [file],
      scratch: '',
    };
    const { photos } = await prepare(
      request as unknown as EngineRequest,
      { kind: 'workflow', workflow, bindings },
      {
        findFaces: () => assert.fail('no face is asked for'),
        signal: AbortSignal.timeout(60_000),
        decoder: decodesHere.forJob(AbortSignal.timeout(60_000)),
      },
    );
    rmSync(folder, { recursive: true });
    return { ...(await sharp(photos[0]!.bytes).metadata()), extension: photos[0]!.extension };
  };

  test('goes as JPEG on white where the workflow takes the picture alone', async () => {
    const { format, hasAlpha, extension } = await sentFor(graph);
    assert.deepEqual([format, hasAlpha, extension], ['jpeg', false, 'jpg']);
  });

  test('goes as PNG with its transparency where a node takes the mask of LoadImage', async () => {
    const mask = { class_type: 'InvertMask', inputs: { mask: ['load', 1] } };
    const invert = { class_type: 'JoinImageWithAlpha', inputs: { image: ['load', 0], alpha: ['mask', 0] } };
    const { format, hasAlpha, extension, width } = await sentFor({ ...graph, invert, mask });
    assert.deepEqual([format, hasAlpha, extension, width], ['png', true, 'png', 40]);
  });
});

describe('a run on a ComfyUI server', () => {
  test('uploads the photo upright and without metadata, and never sends Origin', async () => {
    const sideways = await sharp(photo)
      .withExif({ IFD0: { Artist: 'SECRET' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const run = await begin(group, null, sideways);
    await run.work.finally(run.clean);
    const [name] = [...server.uploads.keys()].slice(-1);
    const { width, height, exif, orientation } = await sharp(server.uploads.get(name!)!).metadata();
    assert.deepEqual(
      { width, height, exif, orientation },
      { width: 120, height: 90, exif: undefined, orientation: undefined },
    );
    assert.ok(server.requests.every(({ headers }) => headers.origin === undefined));
  });

  test('uploads the pixels of a photo that is upright as they are, without its metadata', async () => {
    const upright = await sharp(photo)
      .withExif({ IFD0: { Artist: 'SECRET' } })
      .jpeg({ quality: 60 })
      .toBuffer();
    const run = await begin(group, null, upright);
    await run.work.finally(run.clean);
    const sent = server.uploads.get([...server.uploads.keys()].at(-1)!)!;
    assert.equal(sent.includes('SECRET'), false);
    assert.ok((await sharp(sent).raw().toBuffer()).equals(await sharp(upright).raw().toBuffer()));
  });

  test('binds prompt, gender, seed and size, and saves under a name of its own', async () => {
    const params = { gender: 2, ratio: 'landscape', quality_mode: 'v6', seed: 77 };
    await made({ params, filter: { kind: 'prompt', prompt: 'on {gender} street' } });
    await made({ params, filter: { kind: 'prompt', prompt: 'on {gender} street' } });
    const [one, two] = server.accepted.map((id) => server.graphs.get(id)!);
    assert.equal(one!['3']!.inputs!.text, 'photo of a boy, on {gender} street');
    assert.equal(one!['7']!.inputs!.seed, 77);
    assert.deepEqual([one!['5']!.inputs!.width, one!['5']!.inputs!.height], [384, 256]);
    assert.notEqual(one!['9']!.inputs!.filename_prefix, two!['9']!.inputs!.filename_prefix);
  });

  test('says which wishes its workflow has no place for', async () => {
    const { applied, ignored } = sentencesOf(await made({ ...group, params: { outpaint: true, seed: 3 } }));
    assert.deepEqual(applied, ['seed']);
    assert.deepEqual(ignored, ['outpaint: the workflow of this filter does not take it']);
  });

  test('keeps the shape of a group picture, and cuts a single one to its size', async () => {
    const whole = await begin(group);
    const { width, height } = await sharp((await whole.work).file).metadata();
    assert.ok(Math.abs(width / height - 2 / 3) < 0.02, `${width}×${height}`);
    await whole.clean();
    server.faults.output = await sharp(photo).resize(400, 400).png().toBuffer();
    const single = await begin({});
    const result = await single.work;
    assert.deepEqual(result.applied.at(-1), { kind: 'crop', value: '1200×1800' });
    assert.equal((await sharp(result.file).metadata()).height, 1800);
    await single.clean();
  });

  test('passes a picture that already fits on as it is, byte for byte but for its metadata', async () => {
    const fitting = await sharp(photo).resize(1200, 1800).png({ compressionLevel: 1 }).toBuffer();
    server.faults.output = fitting;
    const run = await begin({});
    const png = await readFile((await run.work).file);
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    assert.ok((await pixels(png)).equals(await pixels(fitting)));
    assert.deepEqual(imageData(png), imageData(fitting));
    await run.clean();
  });

  for (const [fault, faults] of Object.entries({
    'messages in another order': { reorder: true },
    'a silent socket': { silentSocket: true },
    'no socket at all': { refuseSocket: true },
    'a socket that is cut again and again': { cutSocketAfter: 3 },
    'a history that comes late': { historyLateMs: 500 },
    'an answer to the prompt that is cut off': { cutPromptAnswers: 1 },
    'a file that is cut off': { cutFiles: 1 },
  })) {
    test(`comes through ${fault}, and runs once`, async () => {
      Object.assign(server.faults, faults);
      await made();
      assert.equal(server.accepted.length, 1);
      assert.equal(server.begun.length, 1);
    });
  }

  test('follows the workflow with its progress', async () => {
    server.faults.slowMs = 15;
    const run = await begin();
    await run.work;
    const steps = [...new Set(run.progress.map((done) => Math.round(done * 100)))];
    assert.ok(steps.length >= 10, steps.join());
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    );
    await run.clean();
  });

  test('is begun anew when the server was restarted and lost it, and only then', async () => {
    server.faults.slowMs = 60;
    const run = await begin();
    await until(async () => server.begun.length === 1);
    await server.kill();
    await server.start();
    server.behave();
    await run.work;
    assert.equal(server.accepted.length, 2);
    assert.equal(server.finished.length, 1);
    await run.clean();
  });

  test('is begun anew when the server accepted it and forgot it', async () => {
    server.faults.forget = 1;
    await made();
    assert.equal(server.accepted.length, 2);
    assert.equal(server.begun.length, 1);
  });

  test('never hands out a file that is not its own, as a cached run would give', async () => {
    await made();
    server.faults.repeatFile = `${server.accepted[0]}_00001_.png`;
    await assert.rejects(made(), {
      code: 'ENGINE_BROKE',
      message: 'The workflow of this filter left no file to fetch.',
    });
  });

  test('sends the operator’s token with everything, the socket included', async () => {
    const plan = comfyuiPlan([server]);
    const gpu = plan.engines.gpu as ComfyuiPlan;
    gpu.servers[0]!.headers = { authorization: 'Bearer a-token' };
    const again = remoteEngines(plan, { timeLimits });
    server.requests.length = 0;
    const run = await directRun(photo, group);
    await engineFor(again, run.request).run(run.request, run.context);
    const ours = server.requests.filter(({ headers }) => headers.authorization === 'Bearer a-token');
    for (const path of ['/upload/image', '/prompt', '/ws', '/view'])
      assert.ok(
        ours.some((request) => request.path === path),
        path,
      );
    await Promise.all(again.map((engine) => engine.close()));
    await run.clean();
  });

  test('says how long the GPU was at work, and what that costs at the price of its hour', async () => {
    const plan = comfyuiPlan([server]);
    const gpu = plan.engines.gpu as ComfyuiPlan;
    gpu.servers[0]!.gpu_hour_price = 3600;
    const again = remoteEngines(plan, { timeLimits });
    const run = await directRun(photo, group);
    const attempts: EngineAttempt[] = [];
    run.context.attempted = (attempt) => void attempts.push(attempt);
    await engineFor(again, run.request).run(run.request, run.context);
    const [{ cause, gpuSeconds, cost }] = attempts as [EngineAttempt];
    assert.equal(cause, null);
    assert.ok(gpuSeconds !== undefined && gpuSeconds >= 0 && gpuSeconds < 30, String(gpuSeconds));
    assert.ok(Math.abs(cost! - gpuSeconds) < 1e-9, `${cost} dollars of ${gpuSeconds} s`);
    await Promise.all(again.map((engine) => engine.close()));
    await run.clean();
  });

  test('names weights as its server has them', async () => {
    const plan = comfyuiPlan([server]);
    const gpu = plan.engines.gpu as ComfyuiPlan;
    gpu.servers[0]!.files = { 'sd_xl_base_1.0.safetensors': 'SDXL/base.safetensors' };
    const again = remoteEngines(plan, { timeLimits });
    const run = await directRun(photo, group);
    // The fake has it under the workflow's name alone, so that it refuses the other one by name.
    await assert.rejects(engineFor(again, run.request).run(run.request, run.context), (error: Error) => {
      assert.match(String((error.cause as Error).message), /SDXL\/base\.safetensors/);
      return true;
    });
    await Promise.all(again.map((engine) => engine.close()));
    await run.clean();
  });

  test('finds its file among previews, other nodes’ and other runs’ files, in images and in gifs', () => {
    const file = (filename: string, type = 'output', subfolder = 'guise') => ({ filename, subfolder, type });
    const mine = file('mine_00001_.png');
    const outputs = {
      '3': { images: [file('mine_00001_.png')] },
      '9': {
        text: ['hello'],
        images: [file('mine_00001_.png', 'temp'), file('other_00001_.png'), mine],
        animated: [false],
      },
      '10': { gifs: [{ ...file('mine_00001.mp4'), format: 'video/h264-mp4' }] },
      '11': { images: [file('mine_00001_.png', 'output', 'elsewhere'), 'nonsense', null] },
    };
    assert.deepEqual(savedFile(outputs, '9', 'mine'), mine);
    assert.equal(savedFile(outputs, '10', 'mine')?.filename, 'mine_00001.mp4');
    for (const node of ['11', '12']) assert.equal(savedFile(outputs, node, 'mine'), null);
  });

  test('finds no face where the workflow found none', async () => {
    server.faults.raise = { type: 'Exception', message: 'InsightFace: No face detected.' };
    await assert.rejects(made(), { code: 'ENGINE_REFUSED', message: /^No face was found/ });
  });
});

describe('a run that is stopped', () => {
  test('is cancelled on the server, and nobody else’s is', async () => {
    server.faults.slowMs = 40;
    const [one, other] = [await begin(), await begin()];
    await until(async () => server.begun.length === 1 && server.queue().length === 2);
    const mine = JSON.parse(one.handles[0]!).prompt as string;
    const running = server.begun[0] === mine ? one : other;
    const waiting = running === one ? other : one;
    running.stop.abort('cancelled');
    await assert.rejects(running.work);
    await until(async () => server.interrupted.length === 1);
    assert.equal(server.interrupted[0], JSON.parse(running.handles[0]!).prompt);
    await waiting.work;
    assert.deepEqual(server.finished.at(-1), JSON.parse(waiting.handles[0]!).prompt);
    await Promise.all([one.clean(), other.clean()]);
  });

  test('is taken out of the queue when it only waits', async () => {
    server.faults.slowMs = 40;
    const [one, two] = [await begin(), await begin()];
    await until(async () => server.queue().length === 2 && server.begun.length === 1);
    const waiting = server.begun[0] === JSON.parse(one.handles[0]!).prompt ? two : one;
    waiting.stop.abort('cancelled');
    await until(async () => server.queue().length === 1);
    await (waiting === one ? two : one).work;
    assert.deepEqual(server.interrupted, []);
    assert.equal(server.begun.length, 1);
    await Promise.all([one.clean(), two.clean()]);
  });

  test('is interrupted again when the interrupt is lost', async () => {
    // A step is so long that the run does not end by itself meanwhile.
    Object.assign(server.faults, { slowMs: 1000, loseInterrupts: 3 });
    const run = await begin();
    await until(async () => server.begun.length === 1);
    run.stop.abort('cancelled');
    await assert.rejects(run.work);
    await until(async () => server.interrupted.length === 1);
    await run.clean();
  });

  for (const reason of ['shutdown', 'taken-over'] satisfies AbortReason[]) {
    test(`goes on over there when the reason is ${reason}, and is picked up by its handle`, async () => {
      server.faults.slowMs = 40;
      const first = await begin();
      await until(async () => server.begun.length === 1);
      first.stop.abort(reason);
      await assert.rejects(first.work);
      const second = await begin(group, first.handles[0]!);
      await second.work;
      assert.deepEqual(
        [server.accepted.length, server.finished.length, server.interrupted.length],
        [1, 1, 0],
      );
      assert.ok(second.progress.length > 2);
      assert.deepEqual(second.handles, []);
      await Promise.all([first.clean(), second.clean()]);
    });
  }

  test('a run whose handle was stored but whose prompt never left is sent, once', async () => {
    const { url } = server;
    const handle = JSON.stringify({ kind: 'comfyui', server: url, prompt: 'never-sent', client: 'x' });
    const run = await begin(group, handle);
    await run.work;
    assert.equal(server.accepted.length, 1);
    await run.clean();
  });
});

describe('videos', () => {
  const video: RunFields = {
    family: 'single_frame_video',
    params: { prompt: 'snow', model: 'advanced', duration: '4s' },
    filter: null,
  };

  for (const [kind, extension, options] of [
    ['H.264 is copied', 'mp4', []],
    ['4:4:4 is encoded again', 'mp4', ['-pix_fmt', 'yuv444p']],
    ['WebM is encoded again', 'webm', ['-c:v', 'libvpx', '-deadline', 'realtime']],
    ['a GIF is encoded again', 'gif', []],
  ] as const) {
    test(`${kind}; the result is an MP4 without the sender’s metadata`, async () => {
      const bytes = await sampleVideo(extension, 4, [...options]);
      const films = await comfyuiServer({ video: { bytes, extension } });
      const own = remoteEngines(comfyuiPlan([films]), { timeLimits });
      const run = await directRun(photo, video);
      const { file, type, ...notes } = await engineFor(own, run.request).run(run.request, run.context);
      const mp4 = await readFile(file);
      assert.equal(type, 'video/mp4');
      assert.equal(mp4.toString('latin1', 4, 8), 'ftyp');
      assert.equal(mp4.includes('SECRET-PROMPT'), false);
      assert.ok(mp4.includes('avc1'));
      assert.deepEqual(sentencesOf(notes).ignored, [
        'duration: the workflow of this filter does not take it',
      ]);
      await Promise.all(own.map((engine) => engine.close()));
      await Promise.all([films.stop(), run.clean()]);
    });
  }

  test('an animated WebP, which ComfyUI’s own node saves, becomes an MP4', async () => {
    const frames = [...Array(8).keys()].map((n) => Buffer.alloc(64 * 96 * 3, n * 30));
    const bytes = await sharp(Buffer.concat(frames), {
      raw: { width: 64, height: 96 * 8, channels: 3, pageHeight: 96 },
    })
      .webp({ delay: Array(8).fill(500), loop: 0 })
      .toBuffer();
    const films = await comfyuiServer({ video: { bytes, extension: 'webp' } });
    const own = remoteEngines(comfyuiPlan([films]), { timeLimits });
    const run = await directRun(photo, video);
    const { file } = await engineFor(own, run.request).run(run.request, run.context);
    assert.equal((await readFile(file)).toString('latin1', 4, 8), 'ftyp');
    await Promise.all(own.map((engine) => engine.close()));
    await Promise.all([films.stop(), run.clean()]);
  });

  test('a playlist that would make ffmpeg read other files is refused', async () => {
    const bytes = Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n');
    const films = await comfyuiServer({ video: { bytes, extension: 'mp4' } });
    const own = remoteEngines(comfyuiPlan([films]), { timeLimits });
    const run = await directRun(photo, video);
    await assert.rejects(engineFor(own, run.request).run(run.request, run.context), {
      message: 'The engine made a video that cannot be read.',
    });
    await Promise.all(own.map((engine) => engine.close()));
    await Promise.all([films.stop(), run.clean()]);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FamilyName, families } from '@guise/contract/families/families.ts';
import { parseRequest } from '@guise/contract/families/requests.ts';
import type { FilterDefinition, WorkflowDefinition } from '@guise/contract/filters.ts';
import { readConfig } from '../../src/config.ts';
import type { TimeLimits } from '../../src/engines/comfyui/time-limits.ts';
import type { Engine, EngineContext, EngineRequest } from '../../src/engines/engine.ts';
import { createEngines, type EngineChoice } from '../../src/engines/engines.ts';
import type { EnginesPlan, RoutePlan } from '../../src/engines/engines-file.ts';
import type { Polling } from '../../src/engines/poll-run.ts';
import { ffmpeg } from '../../src/engines/workflow/run-ffmpeg.ts';
import type { ComfyuiServer } from './comfyui-server.ts';
import { decodesHere } from './decode-here.ts';
import type { RunpodServer } from './runpod-server.ts';

/** A graph that the fake servers run: the photo, scaled, sampled and saved. */
export function pictureWorkflow(): WorkflowDefinition {
  return {
    kind: 'workflow',
    workflow: {
      '1': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sd_xl_base_1.0.safetensors' } },
      '2': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
      '3': { class_type: 'CLIPTextEncode', inputs: { text: '', clip: ['1', 1] } },
      '4': { class_type: 'CLIPTextEncode', inputs: { text: 'blurry', clip: ['1', 1] } },
      '5': {
        class_type: 'ImageScale',
        inputs: { image: ['2', 0], upscale_method: 'lanczos', width: 512, height: 512, crop: 'center' },
      },
      '6': { class_type: 'VAEEncode', inputs: { pixels: ['5', 0], vae: ['1', 2] } },
      '7': {
        class_type: 'KSampler',
        inputs: {
          model: ['1', 0],
          seed: 1,
          steps: 20,
          cfg: 7,
          sampler_name: 'euler',
          scheduler: 'normal',
          positive: ['3', 0],
          negative: ['4', 0],
          latent_image: ['6', 0],
          denoise: 0.6,
        },
      },
      '8': { class_type: 'VAEDecode', inputs: { samples: ['7', 0], vae: ['1', 2] } },
      '9': { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'ComfyUI' } },
    },
    bindings: {
      photos: [{ node: '2', input: 'image' }],
      texts: [{ node: '3', input: 'text', text: 'photo of a {gender}, {prompt}' }],
      seed: [{ node: '7', input: 'seed' }],
      size: {
        width: [{ node: '5', input: 'width' }],
        height: [{ node: '5', input: 'height' }],
        megapixels: 0.1,
        multiple: 8,
      },
      output: '9',
    },
  };
}

/** The same without a photo. */
export function promptWorkflow(): WorkflowDefinition {
  const definition = pictureWorkflow();
  const { workflow, bindings } = definition;
  delete workflow['2'];
  workflow['5'] = { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 512, batch_size: 1 } };
  delete workflow['6'];
  workflow['7']!.inputs.latent_image = ['5', 0];
  return { ...definition, bindings: { ...bindings, photos: [] } };
}

/** One photo, or two, to a video. */
export function videoWorkflow(photos: 1 | 2 = 1): WorkflowDefinition {
  const definition = pictureWorkflow();
  const { workflow, bindings } = definition;
  workflow['9'] = { class_type: 'CreateVideo', inputs: { images: ['8', 0], fps: 16 } };
  workflow['10'] = {
    class_type: 'SaveVideo',
    inputs: { video: ['9', 0], filename_prefix: 'video/ComfyUI', format: 'auto', codec: 'auto' },
  };
  if (photos === 2) {
    workflow['11'] = { class_type: 'LoadImage', inputs: { image: 'example.png' } };
    workflow['12'] = { class_type: 'ImageBatch', inputs: { image1: ['2', 0], image2: ['11', 0] } };
    workflow['5']!.inputs.image = ['12', 0];
    bindings.photos.push({ node: '11', input: 'image' });
  }
  return { ...definition, bindings: { ...bindings, output: '10' } };
}

const imageFamilies = families.filter((family) => family.output === 'image').map((family) => family.name);

/** Routes that send everything to one engine. */
export function routesTo(engine: string, extra: Partial<RoutePlan> = {}): RoutePlan[] {
  const route = { engine, ...extra };
  return [
    { families: imageFamilies, engine, nodes: 'any', workflows: [] },
    { families: imageFamilies, workflows: [pictureWorkflow(), promptWorkflow()], ...route },
    { families: ['single_frame_video'], workflows: [videoWorkflow()], engine },
    { families: ['first_last_frame_video'], workflows: [videoWorkflow(2)], engine },
  ];
}

export function comfyuiPlan(servers: ComfyuiServer[], extra: Partial<RoutePlan> = {}): EnginesPlan {
  const entries = servers.map(({ url }) => ({ url, weight: 1, jobs: 2, headers: {} }));
  return {
    engines: { gpu: { type: 'comfyui', servers: entries } },
    routes: routesTo('gpu', extra),
    local: false,
  };
}

export function runpodPlan(server: RunpodServer, extra: Partial<RoutePlan> = {}): EnginesPlan {
  const cloud = {
    type: 'runpod' as const,
    endpoint: server.endpoint,
    key: server.key,
    jobs: 8,
    execution_seconds: 60,
    queue_seconds: 60,
    private_results: true,
  };
  return { engines: { cloud }, routes: routesTo('cloud', extra), local: false };
}

/** Shorter waits than the usual ones. */
export interface ShortWaits {
  timeLimits?: Partial<TimeLimits>;
  polling?: Partial<Polling>;
}

/** The plan with shorter waits in its engines. */
export function withShortWaits(plan: EnginesPlan, { timeLimits, polling }: ShortWaits): EnginesPlan {
  const engines = Object.entries(plan.engines).map(([name, engine]) => [
    name,
    {
      ...engine,
      ...(engine.type === 'comfyui' && timeLimits && { timeLimits }),
      ...(engine.type === 'runpod' && polling && { polling }),
    },
  ]);
  return { ...plan, engines: Object.fromEntries(engines) };
}

/** The engines of a plan, without a server around them. */
export function remoteEngines(plan: EnginesPlan, options: ShortWaits & EngineChoice = {}): Engine[] {
  return createEngines(readConfig({}), withShortWaits(plan, options), options);
}

/** A run of an engine without a server around it. */
export interface DirectRun {
  request: EngineRequest;
  context: EngineContext;
  progress: number[];
  handles: string[];
  stop: AbortController;
  clean(): Promise<void>;
}

/** What a test says of a request; the rest is a single guest under the northern lights. */
export interface RunFields {
  jobId?: string;
  family?: FamilyName;
  params?: object;
  filter?: FilterDefinition | null;
  filterRef?: string | null;
}

let runs = 0;

export async function directRun(
  photo: Buffer | null,
  fields: RunFields = {},
  handle: string | null = null,
): Promise<DirectRun> {
  const scratch = await mkdtemp(join(tmpdir(), 'guise-run-'));
  const images = photo ? [join(scratch, 'photo-0')] : [];
  for (const image of images) await writeFile(image, photo!);
  const stop = new AbortController();
  const progress: number[] = [];
  const handles: string[] = [];
  return {
    request: {
      ...parseRequest(
        fields.family ?? 'face_swap_v6',
        fields.params ?? { gender: 1, ratio: 'portrait', quality_mode: 'v6' },
        fields.filter === undefined ? { kind: 'scene', scene: 'aurora' } : fields.filter,
      ),
      jobId: fields.jobId ?? `job-${++runs}`,
      filterRef: fields.filterRef ?? null,
      images,
      scratch,
      via: [],
    },
    context: {
      signal: stop.signal,
      decoder: decodesHere.forJob(stop.signal),
      progress: (done) => progress.push(done),
      handle,
      saveHandle: async (saved) => {
        handles.push(saved);
      },
    },
    progress,
    handles,
    stop,
    clean: () => rm(scratch, { recursive: true, force: true }),
  };
}

/** A real video of a moving pattern. */
export async function sampleVideo(
  extension: 'mp4' | 'webm' | 'gif',
  seconds = 4,
  options: string[] = [],
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'guise-video-'));
  try {
    const file = join(folder, `sample.${extension}`);
    const source = ['-f', 'lavfi', '-i', `testsrc=size=64x96:rate=8:duration=${seconds}`];
    const codec = extension === 'mp4' ? ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'] : [];
    const secret = ['-metadata', 'comment={"workflow":"SECRET-PROMPT"}'];
    const made = await ffmpeg(
      [...source, ...codec, ...secret, ...options, file],
      AbortSignal.timeout(60_000),
    );
    if (!made.ok) throw new Error(made.said);
    const { readFile } = await import('node:fs/promises');
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

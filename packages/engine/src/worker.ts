import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineContext, EngineRequest, EngineResult } from '@guise/server/engines/engine.ts';
import { familyRules, readParams } from './family-rules.ts';
import { blazeFace, faceMesh, faceRes, iris, modNet } from './models/models.ts';
import { session } from './models/sessions.ts';
import { encodePng } from './pixels/png.ts';
import { usePacks, wishOf } from './plan.ts';
import { makePicture } from './render.ts';
import { cannotMake } from './render-error.ts';
import { beginStage } from './runtime/stages.ts';
import { runVideo, videoMakers } from './video/run-video.ts';

let modelsDir: string | null = null;
let cacheDir: string | null = null;

/** Where the operator's own models and packs are, and where converted models are kept. */
export function configure(
  settings: { modelsDir?: string; cacheDir?: string; packs?: string[] } | null,
): void {
  modelsDir = settings?.modelsDir ?? null;
  cacheDir = settings?.cacheDir ?? null;
  usePacks(settings?.packs ?? []);
}

/** Makes what a request asks for and leaves it as a file in the run's scratch folder. */
export async function run(request: EngineRequest, context: EngineContext): Promise<EngineResult> {
  const make = videoMakers[request.family];
  return make ? runVideo(make, request, await seedFor(request), context) : runPicture(request, context);
}

async function runPicture(request: EngineRequest, context: EngineContext): Promise<EngineResult> {
  const rule = familyRules[request.family];
  if (!rule) throw cannotMake('The local engine does not make this kind of picture.');
  const params = readParams(request.params);
  const wish = await wishOf(request.filter, params, rule);
  const seed = await seedFor(request);
  const made = await makePicture(request.images, wish, {
    rule,
    params,
    seed,
    modelsDir,
    signal: context.signal,
    progress: context.progress,
  });
  context.signal.throwIfAborted();
  beginStage('encode');
  const file = join(request.scratch, 'result.png');
  await writeFile(file, await encodePng(made.picture));
  return { file, type: 'image/png', applied: made.applied, ignored: made.ignored };
}

/** Loads the models that every picture needs, so that the first guest does not wait for them. */
export async function warmUp(): Promise<void> {
  await Promise.all([modNet, blazeFace, faceMesh, iris, faceRes].map((model) => session(model, cacheDir)));
}

/** The caller's, or one by which the same photos and the same wish give the same picture. */
async function seedFor({ family, filter, params, images }: EngineRequest): Promise<number> {
  if (typeof params.seed === 'number') return params.seed;
  const hash = createHash('sha256').update(JSON.stringify([family, filter, params]));
  for (const image of images) hash.update(await readFile(image));
  return hash.digest().readUInt32LE(0);
}

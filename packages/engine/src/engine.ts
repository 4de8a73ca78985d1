import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TemplateCheck } from '@guise/contract/definition-checks.ts';
import { isGroupPortrait } from '@guise/contract/families/living-portrait.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { openCatalog } from './catalog.ts';
import { familyRules } from './family-rules.ts';
import {
  checkIdentity,
  findGuests,
  type GeneratedPicture,
  type GuestPhotos,
  type IdentityCheck,
  type PhotoPeople,
} from './identity-check.ts';
import { useImportedModels } from './models/model-files.ts';
import { blazeFace, faceMesh, faceRes, iris, modNet, moveNet, selfieMulticlass } from './models/models.ts';
import { findOptionalModel, realEsrgan, sam2 } from './models/optional-models.ts';
import { session } from './models/sessions.ts';
import { encodePng } from './pixels/png.ts';
import { planFor } from './plan.ts';
import { renderPicture } from './render.ts';
import { livingRule, renderLivingPortrait } from './render-living.ts';
import { renderVideo } from './render-video.ts';
import type {
  LivingFile,
  LivingRequest,
  LoopRequest,
  PictureRequest,
  RenderContext,
  RenderedFile,
  RenderRequest,
} from './request.ts';
import { once } from './runtime/once.ts';
import { beginStage } from './runtime/stages.ts';
import { loadOperatorSwap } from './swap/network/operator-models.ts';
import { checkTemplate } from './template-check.ts';

export interface EngineSettings {
  /** The folder of the operator's own models, of those that were fetched and of those that were imported. */
  modelsDir?: string | null;
  /** Where converted models are kept between starts; without it they are converted at every start. */
  cacheDir?: string | null;
  /** Folders of the operator's packs: their scenes and costumes stand beside the catalog's own. */
  packs?: readonly string[];
}

/** The engine as a library: a request in, a picture or a video out. */
export interface RenderEngine {
  /** Makes what a request asks for and leaves it as a file in its scratch folder. */
  render(request: RenderRequest, context: RenderContext): Promise<RenderedFile>;
  /** Makes a clip of a burst and leaves it, and a still of it, in the scratch folder. */
  renderLiving(request: LivingRequest, context: RenderContext): Promise<LivingFile>;
  /** What can be told of a photo before it becomes a template. */
  checkTemplate(file: string): Promise<TemplateCheck>;
  /** Who is in photos that a generator makes a picture of, for `checkIdentity`. */
  findGuests(photos: GuestPhotos): Promise<PhotoPeople>;
  /** How the people of photos came out in a picture that a generator made of them. */
  checkIdentity(made: GeneratedPicture): Promise<IdentityCheck>;
  /** Loads the models that every picture needs, so that the first guest does not wait for them. */
  warmUp(): Promise<void>;
}

export function createEngine({
  modelsDir = null,
  cacheDir = null,
  packs = [],
}: EngineSettings = {}): RenderEngine {
  if (modelsDir !== null) useImportedModels(modelsDir);
  const catalog = openCatalog(packs, cacheDir);
  const swapNetwork = once(() => loadOperatorSwap(modelsDir));
  const outlineModel = once(() => findOptionalModel(modelsDir, sam2));
  const upscaleModel = once(() => findOptionalModel(modelsDir, realEsrgan));

  async function renderPictureFile(request: PictureRequest, context: RenderContext): Promise<RenderedFile> {
    const rule = familyRules[request.family];
    const plan = await planFor(request, rule, catalog);
    const {
      picture,
      faces: _,
      measurements: __,
      ...notes
    } = await renderPicture(request.images, plan, {
      rule,
      params: request.params,
      seed: await seedFor(request),
      swapNetwork,
      outlineModel,
      upscaleModel,
      ...context,
    });
    context.signal.throwIfAborted();
    beginStage('encode');
    const file = join(request.scratch, 'result.png');
    await writeFile(file, await encodePng(picture));
    return { file, type: 'image/png', ...notes };
  }

  async function renderLiving(request: LivingRequest, context: RenderContext): Promise<LivingFile> {
    const rule = livingRule(request.params);
    const { family, shots: images, ...rest } = request;
    return renderLivingPortrait(request, await planFor(request, rule, catalog), {
      rule,
      params: request.params,
      seed: await seedFor({ ...rest, family, images }),
      swapNetwork,
      outlineModel,
      // What is drawn larger differs from shot to shot.
      upscaleModel: async () => null,
      cacheDir,
      ...context,
    });
  }

  return {
    async render(request, context) {
      if (request.output === 'loop') return renderLiving(livingRequestOf(request), context);
      return request.output === 'video'
        ? renderVideo(request, await seedFor(request), { ...context, cacheDir })
        : renderPictureFile(request, context);
    },
    renderLiving,
    checkTemplate: async (file) => checkTemplate(file, (await swapNetwork()) === null),
    findGuests: (photos) => findGuests(photos, cacheDir),
    checkIdentity: (made) => checkIdentity(made, cacheDir),
    async warmUp() {
      const always = [modNet, selfieMulticlass, blazeFace, faceMesh, iris, faceRes, moveNet];
      await Promise.all(always.map((model) => session(model, cacheDir)));
    },
  };
}

/** A burst as callers ask for it: filters of one person make upright portraits of one. */
function livingRequestOf({ images, params, ...request }: LoopRequest): LivingRequest {
  const { seconds, loop, format, ratio } = params;
  const shape = ratio ?? (isGroupPortrait(params) ? undefined : 'portrait');
  return {
    ...request,
    shots: images,
    params: { ...params, ...(shape && { ratio: shape }) },
    ...{ seconds, loop, format },
  };
}

/** The caller's seed, or one by which the same photos and the same request give the same picture. */
async function seedFor({
  family,
  filter,
  params,
  images,
}: {
  family: string;
  filter: FilterDefinition | null;
  params: { seed?: number | undefined };
  images: readonly string[];
}): Promise<number> {
  if (params.seed !== undefined) return params.seed;
  // Where the files of an account's scene are says nothing about the picture.
  const { own: _, ...asked } = filter?.kind === 'scene' ? filter : { ...filter, own: null };
  const hash = createHash('sha256').update(JSON.stringify([family, filter && asked, params]));
  for (const image of images) hash.update(await readFile(image));
  return hash.digest().readUInt32LE(0);
}

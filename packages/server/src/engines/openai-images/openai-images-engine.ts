import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Size } from '@guise/contract/families/canvas.ts';
import { familyOf } from '@guise/contract/families/families.ts';
import { z } from 'zod';
import type { PhotoToSend } from '../../media/decoder.ts';
import type { Engine, EngineContext, EngineRequest } from '../engine.ts';
import type { EngineRoute } from '../engine-kind.ts';
import { hostedNotesOf, hostedSeedOf, narrowAbilities, promptOf } from '../hosted/hosted-words.ts';
import { type HostedResult, type HostedRun, runHosted } from '../hosted/run-hosted.ts';
import { type RunLimits, wholeLimit } from '../run-limits.ts';
import { generatedSize, type Shape, shapeOf } from '../workflow/picture-shape.ts';
import { finish } from '../workflow/result.ts';
import type { ImagesRequest, OpenaiImagesClient, Usage } from './openai-images-client.ts';

/** What is asked of the service beside the photos and the words. */
export interface ImagesChoices {
  model: string;
  image_field: 'image[]' | 'image';
  response_format: 'omit' | 'b64_json';
  size: 'any' | 'standard' | 'omit';
  megapixels?: number | undefined;
  most_photos: number;
  seed_field?: string | undefined;
  /** Fields that are sent as they are. */
  extra: Record<string, string | number | boolean>;
  /** For stable-diffusion.cpp, which reads its own settings out of the prompt. */
  sd_cpp?: Record<string, unknown> | undefined;
  refused: 'fail' | 'fallback';
  dollars_per_picture?: number | undefined;
  dollars_per_million?: { text: number; image_in: number; image_out: number } | undefined;
}

export interface OpenaiImagesEngineOptions extends EngineRoute {
  client: OpenaiImagesClient;
  choices: ImagesChoices;
}

/** Edits photos, or makes pictures from words, at a service of OpenAI's images interface. */
export function openaiImagesEngine({
  name,
  abilities,
  limitsOf,
  client,
  choices,
}: OpenaiImagesEngineOptions): Engine {
  const service = { name, state: client.state, refusedFallsBack: choices.refused === 'fallback' };
  const pictures = abilities.filter(({ family }) => familyOf(family).output === 'image');
  return {
    name,
    abilities: narrowAbilities(pictures, numbersTo(choices.most_photos)),
    slots: client.slots,
    servers: client.state.reports,
    timeLimitOf: (family) => wholeLimit(limitsOf(family)),
    run: (request, context) =>
      // Such a request cannot be found again: it is answered on the connection that it came by, or never.
      runHosted(service, context, z.null(), (run) =>
        makePicture({ client, choices, limits: limitsOf(request.family) }, request, context, run),
      ),
    close: () => client.close(),
  };
}

async function makePicture(
  { client, choices, limits }: { client: OpenaiImagesClient; choices: ImagesChoices; limits: RunLimits },
  request: EngineRequest,
  context: EngineContext,
  run: HostedRun<null>,
): Promise<HostedResult> {
  const photos = await Promise.all(request.images.map((file) => context.decoder.photoToSend({ file })));
  const shape = shapeOf(request, photos[0] ?? null);
  context.progress(0.05);
  await run.sending();
  const { bytes, usage } = await client.make(
    imagesRequestOf(request, photos, shape, choices),
    limits,
    context.signal,
  );
  context.progress(0.95);
  const file = join(request.scratch, 'from-server');
  await writeFile(file, bytes);
  const takesSeed = choices.seed_field !== undefined || choices.sd_cpp !== undefined;
  const notes = hostedNotesOf(request, { seed: takesSeed, duration: false });
  return {
    result: await finish(file, request.scratch, shape, notes, context),
    cost: costOf(usage, choices),
  };
}

export function imagesRequestOf(
  request: EngineRequest,
  photos: readonly PhotoToSend[],
  shape: Shape,
  choices: ImagesChoices,
): ImagesRequest {
  const seed = hostedSeedOf(request);
  const size = sizeOf(shape, choices);
  const fields: Record<string, string | number | boolean> = {
    model: choices.model,
    prompt: promptOf(request) + settingsInPrompt(choices, seed),
    n: 1,
    ...(size && { size: `${size.width}x${size.height}` }),
    ...(choices.response_format !== 'omit' && { response_format: choices.response_format }),
    ...(choices.seed_field !== undefined && { [choices.seed_field]: seed }),
    ...choices.extra,
  };
  if (photos.length === 0) return { json: fields };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  for (const [i, { bytes, extension }] of photos.entries()) {
    const type = extension === 'png' ? 'image/png' : 'image/jpeg';
    form.append(
      choices.image_field,
      new File([Uint8Array.from(bytes)], `photo-${i + 1}.${extension}`, { type }),
    );
  }
  return { form };
}

function settingsInPrompt({ sd_cpp }: ImagesChoices, seed: number): string {
  return sd_cpp === undefined
    ? ''
    : ` <sd_cpp_extra_args>${JSON.stringify({ seed, ...sd_cpp })}</sd_cpp_extra_args>`;
}

/** What every model of the interface knows. */
const standardSizes: readonly Size[] = [
  { width: 1024, height: 1024 },
  { width: 1536, height: 1024 },
  { width: 1024, height: 1536 },
];

/** Models that make any size want both sides by 16. */
function sizeOf(shape: Size, { size, megapixels }: ImagesChoices): Size | null {
  if (size === 'omit') return null;
  if (size === 'any') return generatedSize(shape, megapixels, 16);
  const distance = ({ width, height }: Size) =>
    Math.abs(Math.log(width / height / (shape.width / shape.height)));
  return standardSizes.reduce((best, each) => (distance(each) < distance(best) ? each : best));
}

/** In US dollars, by what the service counted, else by what the operator says a picture costs. */
function costOf(usage: Usage | undefined, choices: ImagesChoices): number | null {
  const { dollars_per_million: prices, dollars_per_picture = null } = choices;
  if (!usage || !prices) return dollars_per_picture;
  const { text_tokens, image_tokens } = usage.input_tokens_details;
  const millionths =
    text_tokens * prices.text + image_tokens * prices.image_in + usage.output_tokens * prices.image_out;
  return millionths / 1e6;
}

const numbersTo = (most: number): number[] => Array.from({ length: most + 1 }, (_, i) => i);

import { canvasSizes, ratioOf } from '@guise/contract/families/canvas.ts';
import type { SdRun } from '@guise/contract/other-clients/sdapi.ts';
import type { FastifyReply } from 'fastify';
import { invalidField } from '../../../errors.ts';
import type { JobStatusRow } from '../../../store/job-records.ts';
import { idempotencyOf } from '../../endpoints/submit-run.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf, disconnectSignal } from '../../request.ts';
import type { RouteRequest } from '../../route.ts';
import { awaitPicture, maxWaitMs, openPicture, readNotes, submitPicture } from '../make-picture.ts';
import { chooseSeed, hasRatio, type PlannedRun, planRun } from '../plan-run.ts';
import { chosenFilter, promptTitle, readCheckpoint } from './sd-options.ts';

/** A run with a photo, or without one. */
type SdRequest = RouteRequest<SdRun & { init_images?: string[] }>;

/** Submits the job that a request asks for and answers with its picture. */
export async function runSdPicture(
  parts: HttpParts,
  request: SdRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const signal = disconnectSignal(reply);
  const idempotency = idempotencyOf(request);
  const run = await planSdRun(parts, request);
  const id = await submitPicture(parts, request, run, { idempotency, signal });
  const job = await awaitPicture(parts, request, id, { waitMs: maxWaitMs, signal });
  const blob = await openPicture(parts, job);
  reply.type('application/json; charset=utf-8');
  const parameters = JSON.stringify({
    ...request.body,
    ...(request.body.init_images && { init_images: null }),
  });
  const info = JSON.stringify(JSON.stringify(infoOf(request.body, run, job)));
  return reply.sendBlob({
    blob,
    start: 0,
    end: blob.size - 1,
    prefix: '{"images":["',
    suffix: `"],"parameters":${parameters},"info":${info}}`,
  });
}

async function planSdRun(parts: HttpParts, request: SdRequest): Promise<PlannedRun> {
  const { styles, override_settings, init_images, prompt, width, height, gender, seed } = request.body;
  const caller = callerOf(request);
  const title =
    styles?.find((style) => style.trim() !== '') ??
    (override_settings?.sd_model_checkpoint || (await readCheckpoint(parts.db, caller)));
  const filter = await chosenFilter(parts, caller, title);
  if (filter && !init_images)
    throw invalidField('init_images', `is required: the filter ${filter.title} takes a photo. Use img2img`);
  return planRun({
    filter,
    photos: init_images?.slice(0, 1) ?? [],
    prompt,
    gender,
    ratio: ratioOf(width ?? 512, height ?? 512),
    seed: chooseSeed(seed, request.fingerprint),
  });
}

function infoOf(request: SdRequest['body'], run: PlannedRun, job: JobStatusRow) {
  const { filter, seed, ratio } = run;
  const prompt = request.prompt ?? '';
  const negative_prompt = request.negative_prompt ?? '';
  const size = hasRatio(run) ? canvasSizes[ratio] : null;
  const { applied, ignored } = readNotes(job);
  const unused = [
    ...(filter && prompt ? ['prompt: a filter is named'] : []),
    ...(negative_prompt ? ['negative_prompt'] : []),
    ...((request.init_images?.length ?? 0) > 1 ? ['init_images: the first one is used'] : []),
    ...((request.batch_size ?? 1) > 1 ? ['batch_size: one picture is made'] : []),
    ...((request.n_iter ?? 1) > 1 ? ['n_iter: one picture is made'] : []),
  ];
  return {
    prompt,
    all_prompts: [prompt],
    negative_prompt,
    all_negative_prompts: [negative_prompt],
    seed,
    all_seeds: [seed],
    subseed: seed,
    all_subseeds: [seed],
    subseed_strength: 0,
    width: size?.width ?? request.width ?? null,
    height: size?.height ?? request.height ?? null,
    sampler_name: request.sampler_name ?? '',
    cfg_scale: request.cfg_scale ?? null,
    steps: request.steps ?? null,
    batch_size: 1,
    denoising_strength: request.denoising_strength ?? null,
    extra_generation_params: {},
    index_of_first_image: 0,
    infotexts: [prompt],
    styles: request.styles ?? [],
    sd_model_name: filter?.title ?? promptTitle,
    sd_model_hash: null,
    job_id: job.id,
    applied,
    ignored: [...ignored, ...unused],
  };
}

import { randomInt } from 'node:crypto';
import type { CatalogName } from '@guise/contract/catalogs.ts';
import type { Ratio } from '@guise/contract/common.ts';
import { canvasSizes, ratioOf } from '@guise/contract/families/canvas.ts';
import { type AnyBody, type FamilyName, familyOf } from '@guise/contract/families/families.ts';
import type { Img2Img } from '@guise/contract/sdapi.ts';
import type { FastifyReply } from 'fastify';
import type { TitledFilter } from '../../catalog/titled-filters.ts';
import { AppError, invalidField } from '../../errors.ts';
import { readJobAtEnd } from '../../jobs/read.ts';
import { readSentences } from '../../jobs/stored-notes.ts';
import { earlierAnswer, submit } from '../../jobs/submit.ts';
import type { JobStatusRow } from '../../store/job-records.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf, disconnectSignal } from '../request.ts';
import type { RouteRequest } from '../route.ts';
import { chosenFilter, promptTitle, readCheckpoint } from './sd-options.ts';
import { idempotencyOf } from './submit-run.ts';

/** How long a call waits for its picture. Pictures have three minutes each, and wait for those before them. */
const maxWaitMs = 10 * 60_000;

const failed = (sentence: string | null) =>
  new AppError('JOB_FAILED', sentence ?? 'The picture could not be made.');
const notEnded = (id: string) =>
  new AppError('JOB_NOT_ENDED', `The job ${id} has not ended. GET /v1/jobs/${id} tells what becomes of it.`, {
    headers: { 'retry-after': '5' },
  });

/** A run as a job family takes it, and what of it the answer repeats. */
interface PlannedRun {
  family: FamilyName;
  body: AnyBody;
  filter: TitledFilter | null;
  seed: number;
  ratio: Ratio;
}

/** Submits the job that a request asks for and answers with its picture. */
export async function runImg2Img(
  parts: HttpParts,
  request: RouteRequest<Img2Img>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id: accountId, key_id: keyId } = callerOf(request);
  const signal = disconnectSignal(reply);
  const idempotency = idempotencyOf(request);
  const run = await planRun(parts, request);
  const earlier = idempotency && (await earlierAnswer(parts.db, accountId, idempotency));
  const { id } =
    earlier ??
    (await submit(parts, {
      accountId,
      keyId,
      family: familyOf(run.family),
      body: run.body,
      uploads: request.received?.uploads,
      idempotency,
      signal,
    }));
  // The job has its own copy of the photo: a body that waits with its caller would take the room of others.
  await request.received?.release();
  const job = await readJobAtEnd(parts, { accountId, statusPath: null, id }, maxWaitMs, signal);
  if (job.state === 'failed') throw failed(job.error);
  if (job.state !== 'completed') throw notEnded(id);
  const blob = await parts.blobs.open(job.result_key ?? 'results/none');
  if (!blob) throw new Error(`the result of job ${id} is gone`);
  reply.type('application/json; charset=utf-8');
  const parameters = JSON.stringify({ ...request.body, init_images: null });
  const info = JSON.stringify(JSON.stringify(infoOf(request.body, run, job)));
  return reply.sendBlob({
    blob,
    start: 0,
    end: blob.size - 1,
    prefix: '{"images":["',
    suffix: `"],"parameters":${parameters},"info":${info}}`,
  });
}

async function planRun(parts: HttpParts, request: RouteRequest<Img2Img>): Promise<PlannedRun> {
  const { styles, override_settings, init_images, prompt, width, height, gender } = request.body;
  const caller = callerOf(request);
  const title =
    styles?.find((style) => style.trim() !== '') ??
    (override_settings?.sd_model_checkpoint || (await readCheckpoint(parts.db, caller)));
  const filter = await chosenFilter(parts, caller, title);
  const image = init_images[0]!;
  const seed = seedOf(request);
  const ratio = ratioOf(width ?? 512, height ?? 512);
  const planned = { filter, seed, ratio };
  if (!filter) {
    if (prompt === undefined) throw promptMissing();
    return {
      ...planned,
      family: 'self_prompt_v2',
      body: { image, prompt, gender, ratio, seed },
    };
  }
  const family = familyOfCatalog[filter.catalog];
  if (filter.catalog === 'face_swap') {
    return {
      ...planned,
      family,
      body: { image, filter_id: filter.ref, gender, ratio, seed },
    };
  }
  return { ...planned, family, body: { input_image: image, style_id: filter.ref, outpaint: false, seed } };
}

/** Face swap v1 tells the guest from the photo where no gender is given. */
const familyOfCatalog = {
  face_swap: 'face_swap_v1',
  realistic: 'multi_swap_v5',
  stylized: 'stylized_multi_swap_v1',
} as const satisfies Record<CatalogName, FamilyName>;

const promptMissing = () => invalidField('prompt', 'is required where no filter is named');

const seeds = 2 ** 32;

/** A request that is repeated with its `Idempotency-Key` has the same seed again. */
function seedOf({ body: { seed }, fingerprint }: RouteRequest<Img2Img>): number {
  if (typeof seed === 'number' && Number.isInteger(seed) && seed >= 0) return seed % seeds;
  return fingerprint ? Number.parseInt(fingerprint.slice(0, 8), 16) : randomInt(seeds);
}

function infoOf(request: Img2Img, { filter, seed, ratio }: PlannedRun, job: JobStatusRow) {
  const prompt = request.prompt ?? '';
  const negative_prompt = request.negative_prompt ?? '';
  // A multi swap has the shape of its photo.
  const size = filter && filter.catalog !== 'face_swap' ? null : canvasSizes[ratio];
  const { applied, ignored } =
    job.result_notes === null ? { applied: [], ignored: [] } : readSentences(job.result_notes);
  const unused = [
    ...(filter && prompt ? ['prompt: a filter is named'] : []),
    ...(negative_prompt ? ['negative_prompt'] : []),
    ...(request.init_images.length > 1 ? ['init_images: the first one is used'] : []),
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

import { Readable } from 'node:stream';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import type { ImageOptions } from '@guise/contract/other-clients/openai-images.ts';
import type { FastifyRequest } from 'fastify';
import type { AppError } from '../../../errors.ts';
import { openResult } from '../../../jobs/results/read-result.ts';
import { linkKeyOf } from '../../../jobs/results/result-keys.ts';
import type { JobStatusRow } from '../../../store/job-records.ts';
import { publicError } from '../../error-response.ts';
import { errorStatus } from '../../error-status.ts';
import type { HttpParts } from '../../parts.ts';
import { jobLinks } from '../../request.ts';
import { openPicture, readNotes } from '../make-picture.ts';
import { defaultQuality } from '../picture-encoder.ts';
import { hasRatio, type PlannedRun } from '../plan-run.ts';
import { openAiError } from './openai-errors.ts';
import { answersWithLinks } from './openai-models.ts';

/** The pictures of one request, as they are made, and how it wants them. */
export interface ImagesAnswer {
  kind: string;
  options: ImageOptions;
  run: PlannedRun;
  pictures: readonly Promise<JobStatusRow>[];
  /** Why others were not accepted. */
  refusals: readonly AppError[];
}

/** One JSON document, written while the pictures are read: ten of them would be 80 MB of text. */
export function streamImages(parts: HttpParts, request: FastifyRequest, answer: ImagesAnswer): Readable {
  return Readable.from(writeImages(parts, request, answer), { objectMode: false });
}

async function* writeImages(
  parts: HttpParts,
  request: FastifyRequest,
  answer: ImagesAnswer,
): AsyncGenerator<string | Buffer> {
  const isLink = wantsLinks(answer.options);
  const failed: object[] = [];
  let separator = '';
  yield `{"created":${Math.floor(Date.now() / 1000)},"data":[`;
  for (const end of await Promise.allSettled(answer.pictures)) {
    if (end.status === 'rejected') {
      failed.push(failureOf(end.reason));
      continue;
    }
    const job = end.value;
    yield `${separator}{${ownFieldsOf(job)},`;
    separator = ',';
    if (isLink) {
      const url = jobLinks(parts, request)(job, linkKeyOf(job.result_key ?? ''));
      yield `"url":${JSON.stringify(url)}}`;
      continue;
    }
    yield '"b64_json":"';
    yield* base64Of(parts, job, answer.options);
    yield '"}';
  }
  failed.push(...answer.refusals.map(failureOf));
  const rest = { ...describe(answer, isLink), ...(failed.length > 0 && { failed }) };
  yield `],${JSON.stringify(rest).slice(1)}`;
}

/** A server-sent event for each picture, at its end. No partial pictures are sent. */
export function streamEvents(parts: HttpParts, request: FastifyRequest, answer: ImagesAnswer): Readable {
  // A failure that is awaited later is not one that nobody handles.
  for (const picture of answer.pictures) picture.catch(() => {});
  return Readable.from(writeEvents(parts, answer), { objectMode: false }).once('error', (err) =>
    parts.log.error({ err, request_id: request.id }, 'answer broke off'),
  );
}

async function* writeEvents(parts: HttpParts, answer: ImagesAnswer): AsyncGenerator<string | Buffer> {
  const type = `${answer.kind}.completed`;
  for (const picture of answer.pictures) {
    try {
      const job = await picture;
      yield `event: ${type}\ndata: {"type":"${type}",${ownFieldsOf(job)},"b64_json":"`;
      yield* base64Of(parts, job, answer.options);
      const rest = {
        created_at: Math.floor(Date.now() / 1000),
        quality: 'auto',
        background: 'opaque',
        ...describe(answer, false),
        usage: noTokens,
      };
      yield `",${JSON.stringify(rest).slice(1)}\n\n`;
    } catch (error) {
      yield errorEvent(error);
    }
  }
  for (const refusal of answer.refusals) yield errorEvent(refusal);
}

/** What Guise says of each picture beside what OpenAI does, as the fields of an object. */
function ownFieldsOf(job: JobStatusRow): string {
  return JSON.stringify({ job_id: job.id, ...readNotes(job) }).slice(1, -1);
}

const noTokens = {
  total_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  input_tokens_details: { text_tokens: 0, image_tokens: 0 },
};

function wantsLinks({ response_format, model }: ImageOptions): boolean {
  return response_format === undefined ? answersWithLinks(model) : response_format === 'url';
}

/** Links lead to the picture as it is stored. */
function describe({ options, run }: ImagesAnswer, isLink: boolean) {
  const { width, height } = canvasSizes[run.ratio];
  return {
    output_format: isLink ? 'png' : (options.output_format ?? 'png'),
    ...(hasRatio(run) && { size: `${width}x${height}` }),
  };
}

async function* base64Of(
  parts: HttpParts,
  job: JobStatusRow,
  { output_format: format = 'png', output_compression }: ImageOptions,
): AsyncGenerator<string | Buffer> {
  if (format === 'png') {
    yield* (await openPicture(parts, job)).stream();
    return;
  }
  const picture = await openResult(parts.blobs, job.result_key ?? 'results/none');
  if (!picture) throw new Error(`the result of job ${job.id} is gone`);
  const quality = Math.max(1, output_compression ?? defaultQuality);
  const encoded = await parts.pictureEncoder.encode(picture, { format, quality, accountId: job.account_id });
  yield encoded.toString('base64');
}

function failureOf(error: unknown) {
  const known = publicError(error);
  return { message: known.message, code: known.code.toLowerCase() };
}

function errorEvent(error: unknown): string {
  const known = publicError(error);
  const { text } = openAiError(known, errorStatus[known.code]!.status);
  return `event: error\ndata: ${JSON.stringify({ type: 'error', ...JSON.parse(text) })}\n\n`;
}

import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { PhotoResult } from '@guise/contract/other-clients/photo-run.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openResult } from '../../../jobs/results/read-result.ts';
import { linkKeyOf } from '../../../jobs/results/result-keys.ts';
import type { JobStatusRow } from '../../../store/job-records.ts';
import type { HttpParts } from '../../parts.ts';
import { jobLinks } from '../../request.ts';
import { readNotes } from '../make-picture.ts';
import { defaultQuality, type PictureFormat, pictureFormats } from '../picture-encoder.ts';
import type { PhotoRequest } from './photo-request.ts';

/** What comes back: the picture by itself, beside JSON in a form, or inside of JSON. */
export interface WantedAnswer {
  answer: 'picture' | 'json' | 'multipart';
  format: PictureFormat;
}

/** Sends the picture of a completed job as the call asked for it. */
export async function sendPhotoAnswer(
  parts: HttpParts,
  request: PhotoRequest,
  reply: FastifyReply,
  job: JobStatusRow,
): Promise<unknown> {
  const { answer, format } = wantedAnswer(request.query, request.headers.accept);
  const picture = await readPicture(parts, job, format);
  const type = `image/${format}`;
  reply.header('x-guise-job', job.id);
  if (answer === 'picture') {
    reply.type(type).header('content-disposition', `inline; filename="guise-${job.id}.${format}"`);
    return picture;
  }
  const result = describeResult(parts, request, job, type);
  if (answer === 'json') return { ...result, output: { images: [picture.toString('base64')] } };
  const boundary = randomUUID();
  reply.type(`multipart/form-data; boundary=${boundary}`);
  return Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="json"\r\nContent-Type: application/json\r\n\r\n` +
        `${JSON.stringify(result)}\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="guise-${job.id}.${format}"\r\n` +
        `Content-Type: ${type}\r\n\r\n`,
    ),
    picture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

/** The query before `Accept`, whose first type that is known here counts. */
export function wantedAnswer(
  { answer, format }: { answer?: WantedAnswer['answer'] | undefined; format?: PictureFormat | undefined },
  accept = '',
): WantedAnswer {
  const accepted = typesOf(accept)
    .map(answerOfType)
    .find((known) => known !== undefined);
  return {
    answer: answer ?? (format ? 'picture' : (accepted?.answer ?? 'picture')),
    format: format ?? accepted?.format ?? 'png',
  };
}

/** The types of an `Accept` header, best first. */
function typesOf(accept: string): string[] {
  return accept
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase());
      const quality = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1);
      return { type, quality };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ type }) => type);
}

function answerOfType(type: string): WantedAnswer | undefined {
  if (type === 'application/json') return { answer: 'json', format: 'png' };
  if (/^multipart\/(form-data|mixed|\*)$/.test(type)) return { answer: 'multipart', format: 'png' };
  if (type === '*/*' || type === 'image/*') return { answer: 'picture', format: 'png' };
  const format = pictureFormats.find(
    (name) => type === `image/${name}` || (name === 'jpeg' && type === 'image/jpg'),
  );
  return format && { answer: 'picture', format };
}

async function readPicture(parts: HttpParts, job: JobStatusRow, format: PictureFormat): Promise<Buffer> {
  const stored = await openResult(parts.blobs, job.result_key ?? 'results/none');
  if (!stored) throw new Error(`the result of job ${job.id} is gone`);
  if (format === 'png') return buffer(stored);
  return parts.pictureEncoder.encode(stored, { format, quality: defaultQuality, accountId: job.account_id });
}

function describeResult(
  parts: HttpParts,
  request: FastifyRequest,
  job: JobStatusRow,
  media_type: string,
): PhotoResult {
  const url = jobLinks(parts, request)(job, linkKeyOf(job.result_key ?? ''));
  return { id: job.id, status: 'COMPLETED', media_type, url, ...readNotes(job) };
}

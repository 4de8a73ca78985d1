import type { ImageJob, LivingPortraitJob, VideoJob } from '@guise/contract/jobs.ts';
import { base64ToBytes } from '../bytes.ts';
import { GuiseError } from '../guise-error.ts';
import type { Transport } from '../transport.ts';
import type { RunFamily } from './family-inputs.ts';
import { openFileSystem } from './file-system.ts';

export type ResultType = 'image/png' | 'video/mp4' | 'image/gif' | 'image/webp';

/** What a job made: a PNG, an MP4, or a loop as GIF or WebP. */
export interface JobResult {
  /** The id of the job. */
  readonly id: string;
  readonly family: RunFamily;
  readonly mediaType: ResultType;
  /** For `<img>` and `<video>`: a data URI of a picture, a signed link to a video that is valid until `expiresAt`. */
  readonly url: string;
  /** Of a living portrait: a signed link to its best frame, a PNG. */
  readonly posterUrl: string | undefined;
  /** Of a living portrait that is an MP4: signed links to the same in other formats. */
  readonly gifUrl: string | undefined;
  readonly webpUrl: string | undefined;
  /** What of the request was followed, in sentences. */
  readonly applied: readonly string[];
  /** What was not. */
  readonly ignored: readonly string[];
  /** How good a picture is, as far as its engine can tell, and what is wrong with it; where it was looked at. */
  readonly quality: ImageJob['quality'];
  /** When the server erases the result. */
  readonly expiresAt: Date | undefined;
  /** The file. A video is downloaded at the first call. */
  bytes(signal?: AbortSignal): Promise<Uint8Array>;
  blob(signal?: AbortSignal): Promise<Blob>;
  /** Writes the file; in a browser, the visitor is offered a download of that name. */
  save(path: string | URL, signal?: AbortSignal): Promise<void>;
}

/** The result of a job that has ended; throws `JOB_FAILED` with the job's sentence when there is none. */
export function resultOf(
  transport: Transport,
  family: RunFamily,
  job: ImageJob | VideoJob | LivingPortraitJob,
): JobResult {
  const output: ImageJob['output'] & LivingPortraitJob['output'] = job.output;
  if (job.status !== 'COMPLETED') {
    const sentence = job.error ?? output.video_error ?? 'The job failed.';
    throw new GuiseError(sentence, { code: 'JOB_FAILED', jobId: job.id });
  }
  const [image] = output.images ?? [];
  const url = image === undefined ? output.video_url : `data:image/png;base64,${image}`;
  if (url === undefined)
    throw new GuiseError('The job has no result.', { code: 'JOB_FAILED', jobId: job.id });
  const mediaType = image === undefined ? typeOfLink(url) : 'image/png';
  const bytes = onceDone(async (signal?: AbortSignal) =>
    image === undefined ? transport.download(url, signal) : base64ToBytes(image),
  );
  const blob = async (signal?: AbortSignal) => new Blob([await bytes(signal)], { type: mediaType });
  return {
    id: job.id,
    family,
    mediaType,
    url,
    posterUrl: output.poster_url,
    gifUrl: output.gif_url,
    webpUrl: output.webp_url,
    applied: job.applied ?? [],
    ignored: job.ignored ?? [],
    quality: job.quality,
    expiresAt: job.expires_at === undefined ? undefined : new Date(job.expires_at),
    bytes,
    blob,
    async save(path, signal) {
      const files = await openFileSystem();
      if (files) return files.writeFile(path, await bytes(signal));
      offerDownload(await blob(signal), String(path));
    },
  };
}

/** The type of the file that a link to a video leads to. */
function typeOfLink(url: string): ResultType {
  const { pathname } = new URL(url, 'http://localhost');
  if (pathname.endsWith('.gif')) return 'image/gif';
  return pathname.endsWith('.webp') ? 'image/webp' : 'video/mp4';
}

/** Keeps what the first call that succeeds gives. */
function onceDone<T>(make: (signal?: AbortSignal) => Promise<T>): (signal?: AbortSignal) => Promise<T> {
  let made: Promise<T> | undefined;
  return (signal) => {
    made ??= make(signal).catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** The part of a page that is used. */
interface Page {
  createElement(name: 'a'): { href: string; download: string; click(): void };
}

function offerDownload(file: Blob, name: string): void {
  const { document } = globalThis as unknown as { document?: Page };
  if (!document) throw new TypeError('A result can be saved in a page, but not in a worker.');
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The download reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

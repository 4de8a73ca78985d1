import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../errors.ts';
import { pause } from '../../pause.ts';
import type { FileToGet } from './propose-setup.ts';

export interface DownloadOptions {
  signal: AbortSignal;
  progress(done: number, total: number): void;
  /** For files that are given only to accounts. */
  token?: string | undefined;
  /** Between tries of a connection that was cut off. */
  pauseMs?: number;
}

/** This machine does not reach where a file is: another one may. */
export class HostNotReached extends AppError {}

/** What came so far of a file. */
export const partFileOf = (target: string) => `${target}.part`;

/** Tries in a row that brought nothing. */
const maxFutileTries = 5;
const maxRedirects = 5;

/**
 * Fetches a file, goes on where an earlier try ended, and gives it its name only when it is whole: as long as the server
 * said, and of the hash that is known, or that Hugging Face names. Returns the hash where there was one to compare with.
 */
export async function downloadFile(
  file: Pick<FileToGet, 'file' | 'from' | 'sha256' | 'bytes'>,
  target: string,
  options: DownloadOptions,
): Promise<string | null> {
  const part = partFileOf(target);
  await mkdir(dirname(target), { recursive: true });
  let futile = 0;
  let reason = '';
  for (;;) {
    const before = await fileSize(part);
    const got = await fetchRest(file.from, part, before, options).catch((error: unknown) => {
      options.signal.throwIfAborted();
      if (error instanceof AppError) throw error;
      reason = connectionProblem(error);
      return null;
    });
    if (got && (await fileSize(part)) === got.total) {
      return finish(file, part, target, { named: got.sha256, signal: options.signal });
    }
    futile = (await fileSize(part)) > before ? 0 : futile + 1;
    if (futile >= maxFutileTries && reason !== '')
      throw new HostNotReached('USAGE', `${new URL(file.from).host} is not reached from here (${reason}).`);
    if (futile >= maxFutileTries)
      throw failed(
        file.file,
        `${file.from} was cut off again and again. What came so far is kept: run this again`,
      );
    await pause(options.pauseMs ?? 2000, options.signal);
  }
}

/** What the system says where no connection came about; empty for one that was cut off. */
function connectionProblem(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  const known = [
    'ENOTFOUND',
    'EAI_AGAIN',
    'ECONNREFUSED',
    'ENETUNREACH',
    'EHOSTUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
  ];
  return typeof cause?.code === 'string' && known.includes(cause.code) ? cause.code : '';
}

interface Fetched {
  total: number;
  /** As Hugging Face names it. */
  sha256: string | null;
}

/** Appends what is missing. Without ranges, the server sends it from the beginning. */
async function fetchRest(
  from: string,
  part: string,
  begin: number,
  { signal, progress, token }: DownloadOptions,
): Promise<Fetched> {
  const { response, sha256 } = await follow(from, begin, { signal, token });
  if (response.status === 416) {
    // What is there is longer than the file, or it is the whole one.
    const total = Number(/\*\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]);
    await response.body?.cancel();
    if (total === begin) return { total, sha256 };
    await rm(part, { force: true });
    throw new Error('the part was of another file');
  }
  if (response.status !== 200 && response.status !== 206) throw refused(from, response.status);
  const start = Number(/^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? 0);
  const at = response.status === 206 ? start : 0;
  if (at !== 0 && at !== begin) throw new Error('another part than the one that was asked for');
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const total = Number.isNaN(length) ? 0 : at + length;
  let done = at;
  const count = new Transform({
    transform(chunk: Buffer, _, next) {
      done += chunk.length;
      progress(done, Math.max(total, done));
      next(null, chunk);
    },
  });
  const body = Readable.fromWeb(response.body as import('node:stream/web').ReadableStream);
  await pipeline(body, count, createWriteStream(part, { flags: at === 0 ? 'w' : 'a' }), { signal });
  return { total: total || done, sha256 };
}

/** By hand: the first answer of Hugging Face names the hash, and the key must not go to other hosts. */
async function follow(
  from: string,
  begin: number,
  { signal, token }: { signal: AbortSignal; token: string | undefined },
): Promise<{ response: Response; sha256: string | null }> {
  let url = new URL(from);
  const { host } = url;
  let sha256: string | null = null;
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: {
        ...(begin > 0 && { range: `bytes=${begin}-` }),
        ...(token && url.host === host && { authorization: `Bearer ${token}` }),
      },
    });
    sha256 ??= /^"?([0-9a-f]{64})"?$/.exec(response.headers.get('x-linked-etag') ?? '')?.[1] ?? null;
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || !location) return { response, sha256 };
    await response.body?.cancel();
    url = new URL(location, url);
  }
  throw new Error('redirected again and again');
}

async function finish(
  { file, sha256, bytes }: Pick<FileToGet, 'file' | 'sha256' | 'bytes'>,
  part: string,
  target: string,
  { named, signal }: { named: string | null; signal: AbortSignal },
): Promise<string | null> {
  const size = await fileSize(part);
  const expected = sha256 ?? named;
  const found = expected === null ? null : await sha256Of(part, signal);
  const wrong =
    bytes !== undefined && size !== bytes
      ? `it has ${size} bytes, and should have ${bytes}`
      : found !== expected
        ? `its SHA-256 is ${found}, and should be ${expected}`
        : null;
  if (wrong) {
    await rm(part, { force: true });
    throw failed(file, `What came is not the file: ${wrong}. It was deleted`);
  }
  await rename(part, target);
  return found;
}

export async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** 0 where there is no such file. */
export const fileSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

const failed = (file: string, why: string) =>
  new AppError('USAGE', `${file} could not be downloaded. ${why}.`);

function refused(from: string, status: number): Error {
  if (status === 401 || status === 403)
    return failed(
      from,
      `The server answers ${status}: accept the licence on its page, and give your Hugging Face token in HF_TOKEN`,
    );
  // Others may pass.
  return status === 404 || status === 410 ? failed(from, 'It is no longer there') : new Error(String(status));
}

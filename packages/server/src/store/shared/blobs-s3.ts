import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Settings } from '../../config.ts';
import { assertBlobKey, type Blobs, type OpenBlob } from '../blobs.ts';
import { storageUnavailable } from '../storage-unavailable.ts';

const partBytes = 8 * 1024 * 1024;
const maxAttempts = 5;
const connectMs = 5000;
/** A request during which no byte moves for this long is ended and sent again: a bucket that is silent costs 90 s in all. */
const defaultIdleMs = 15_000;

/** Blobs in a bucket of Amazon S3 or of a server that is compatible with it. */
export function s3Blobs(
  options: S3Settings,
  { pageKeys = 1000, idleMs = defaultIdleMs }: { pageKeys?: number; idleMs?: number } = {},
): Blobs & { close(): Promise<void> } {
  const { bucket: Bucket, prefix } = options;
  const client = new S3Client(s3ClientConfig(options, options.endpoint, { socketTimeout: idleMs }));
  // Whoever reads a stream may pause for longer than a bucket may: only the answer's beginning is limited here.
  const answerWithin = { requestTimeout: idleMs, throwOnRequestTimeout: true };
  const streamClient = new S3Client(s3ClientConfig(options, options.endpoint, answerWithin));
  const publicClient =
    options.publicEndpoint && new S3Client(s3ClientConfig(options, options.publicEndpoint));
  const root = prefix === '' ? '' : `${prefix}/`;
  const locationOf = (key: string) => {
    assertBlobKey(key);
    return { Bucket, Key: root + key };
  };

  return {
    async put(key, bytes, signal) {
      const location = locationOf(key);
      if (bytes instanceof Uint8Array) {
        const put = new PutObjectCommand({ ...location, Body: bytes });
        await client.send(put, abortedBy(signal)).catch(rethrowS3Error);
        return;
      }
      const params = { ...location, Body: Readable.from(bytes, { objectMode: false }) };
      await sendInParts(client, params, signal).catch(rethrowS3Error);
    },
    async read(key) {
      const found = await client.send(new GetObjectCommand(locationOf(key))).catch(undefinedIfMissing);
      return found && Buffer.from(await found.Body!.transformToByteArray().catch(rethrowS3Error));
    },
    async open(key, signal) {
      const location = locationOf(key);
      const found = await streamClient
        .send(new GetObjectCommand(location), abortedBy(signal))
        .catch(undefinedIfMissing);
      if (!found) return undefined;
      const size = found.ContentLength ?? 0;
      return openBlob(found.Body as Readable, { size, idleMs }, async ({ start, end }) => {
        const ranged = new GetObjectCommand({ ...location, Range: `bytes=${start}-${end}` });
        const part = await streamClient.send(ranged).catch(rethrowS3Error);
        // Some servers answer some ranges with more bytes than were requested, or with all of them.
        const from = Number(/^bytes (\d+)-/.exec(part.ContentRange ?? '')?.[1] ?? 0);
        return sliceOf(withIdleLimit(part.Body as Readable, idleMs), start - from, end - from + 1);
      });
    },
    async remove(key, signal) {
      await client.send(new DeleteObjectCommand(locationOf(key)), abortedBy(signal)).catch(rethrowS3Error);
    },
    async *list(under) {
      const pages = paginateListObjectsV2(
        { client, pageSize: pageKeys },
        { Bucket, Prefix: `${root}${under}/` },
      );
      for (;;) {
        const { done, value: page } = await pages.next().catch(rethrowS3Error);
        if (done) return;
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          yield { key: Key.slice(root.length), modified: LastModified?.getTime() ?? Date.now() };
        }
      }
    },
    async link(key, { seconds, type, disposition }) {
      const location = locationOf(key);
      if (!publicClient || !(await client.send(new HeadObjectCommand(location)).catch(undefinedIfMissing)))
        return undefined;
      const headers = { ResponseContentType: type, ResponseContentDisposition: disposition };
      return getSignedUrl(publicClient, new GetObjectCommand({ ...location, ...headers }), {
        expiresIn: seconds,
      });
    },
    async close() {
      client.destroy();
      streamClient.destroy();
      if (publicClient) publicClient.destroy();
    },
  };
}

/** A part is held in memory, so that it can be sent again. */
async function sendInParts(
  client: S3Client,
  params: PutObjectCommandInput,
  signal: AbortSignal | undefined,
): Promise<void> {
  const upload = new Upload({ client, params, partSize: partBytes, queueSize: 1 });
  const abort = () => void upload.abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  try {
    await upload.done();
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

const abortedBy = (signal: AbortSignal | undefined) => (signal ? { abortSignal: signal } : {});

/** Of the SDK's handler. Without `throwOnRequestTimeout` it only warns. */
interface CallLimits {
  /** How long no byte may move in either direction. */
  socketTimeout?: number;
  /** How long it may take until the answer begins. */
  requestTimeout?: number;
  throwOnRequestTimeout?: boolean;
}

export function s3ClientConfig(
  { region, pathStyle, keyId, secret }: S3Settings,
  endpoint: string,
  limits: CallLimits = { socketTimeout: defaultIdleMs },
): S3ClientConfig {
  return {
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== '' && { endpoint }),
    ...(keyId !== '' && { credentials: { accessKeyId: keyId, secretAccessKey: secret } }),
    maxAttempts,
    requestHandler: {
      connectionTimeout: connectMs,
      ...limits,
      httpAgent: { maxSockets: 200 },
      httpsAgent: { maxSockets: 200 },
    },
    // Not every server understands the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}

type ReadRange = (range: { start: number; end: number }) => Promise<AsyncIterable<Buffer>>;

/** The request that returned the size already streams the whole blob; a range is a request of its own. */
function openBlob(
  whole: Readable,
  { size, idleMs }: { size: number; idleMs: number },
  readRange: ReadRange,
): OpenBlob {
  // An error before anybody reads must not end the process.
  whole.on('error', () => {});
  return {
    size,
    stream(range) {
      // Closed with the stream and not by the generator, which may never begin.
      if (!range) return streamOf(withIdleLimit(whole, idleMs)).once('close', () => whole.destroy());
      whole.destroy();
      return streamOf(onFirstRead(() => readRange(range)));
    },
    async close() {
      whole.destroy();
    },
  };
}

const streamOf = (bytes: AsyncIterable<Buffer>) => Readable.from(bytes, { objectMode: false });

/** Breaks off when a reader has waited for so long without a byte. Time in which nobody reads does not count. */
async function* withIdleLimit(source: Readable, idleMs: number): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const breakOff = () => source.destroy(new Error(`the bucket sent nothing for ${idleMs} ms`));
  try {
    for (;;) {
      const limit = setTimeout(breakOff, idleMs);
      const { done, value } = await chunks
        .next()
        .catch(rethrowS3Error)
        .finally(() => clearTimeout(limit));
      if (done) return;
      yield value;
    }
  } finally {
    source.destroy();
  }
}

async function* onFirstRead(open: () => Promise<AsyncIterable<Buffer>>): AsyncGenerator<Buffer> {
  yield* await open();
}

async function* sliceOf(bytes: AsyncIterable<Buffer>, start: number, end: number): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of bytes) {
    const wanted = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at));
    if (wanted.length > 0) yield wanted;
    at += chunk.length;
    if (at >= end) return;
  }
}

interface S3Error extends Error {
  $metadata?: { httpStatusCode?: number };
}

function undefinedIfMissing(error: S3Error): undefined {
  if (error.$metadata?.httpStatusCode === 404 && error.name !== 'NoSuchBucket') return undefined;
  return rethrowS3Error(error);
}

/** The bucket cannot be reached or has a fault of its own; any other error is a mistake in the request. */
export function rethrowS3Error(error: S3Error): never {
  const status = error.$metadata?.httpStatusCode;
  throw status === undefined || status >= 500 || status === 429 ? storageUnavailable(error) : error;
}

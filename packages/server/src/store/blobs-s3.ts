import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Settings } from '../config.ts';
import { AppError } from '../errors.ts';
import { type Blobs, mustBeKey, type OpenBlob } from './blobs.ts';

const partBytes = 8 * 1024 * 1024;
const maxAttempts = 5;
const connectMs = 5000;
/** Without a byte from the bucket for this long, the request is tried again. */
const silentMs = 30_000;

/** Blobs in a bucket of Amazon's or of anything that speaks like it. */
export function s3Blobs(settings: S3Settings, pageKeys = 1000): Blobs & { close(): Promise<void> } {
  const { bucket: Bucket, prefix } = settings;
  const client = new S3Client(clientConfig(settings, settings.endpoint));
  const outside = settings.publicEndpoint && new S3Client(clientConfig(settings, settings.publicEndpoint));
  const root = prefix === '' ? '' : `${prefix}/`;
  const place = (key: string) => ({ Bucket, Key: root + mustBeKey(key) });

  return {
    async put(key, bytes) {
      const at = place(key);
      if (bytes instanceof Uint8Array) {
        await client.send(new PutObjectCommand({ ...at, Body: bytes })).catch(unavailable);
        return;
      }
      // A part is held in memory, so that it can be sent again.
      const params = { ...at, Body: Readable.from(bytes, { objectMode: false }) };
      await new Upload({ client, params, partSize: partBytes, queueSize: 1 }).done().catch(unavailable);
    },
    async read(key) {
      const found = await client.send(new GetObjectCommand(place(key))).catch(absent);
      return found && Buffer.from(await found.Body!.transformToByteArray().catch(unavailable));
    },
    async open(key) {
      const at = place(key);
      const found = await client.send(new GetObjectCommand(at)).catch(absent);
      if (!found) return undefined;
      return openBlob(found.Body as Readable, found.ContentLength ?? 0, async ({ start, end }) => {
        const ranged = new GetObjectCommand({ ...at, Range: `bytes=${start}-${end}` });
        const part = await client.send(ranged).catch(unavailable);
        // Some servers answer some ranges with more than was asked for, or with everything.
        const from = Number(/^bytes (\d+)-/.exec(part.ContentRange ?? '')?.[1] ?? 0);
        return cut(part.Body as Readable, start - from, end - from + 1);
      });
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(place(key))).catch(unavailable);
    },
    async *list(under) {
      const pages = paginateListObjectsV2(
        { client, pageSize: pageKeys },
        { Bucket, Prefix: `${root}${under}/` },
      );
      for await (const page of pages) {
        for (const { Key = '', LastModified } of page.Contents ?? []) {
          yield { key: Key.slice(root.length), modified: LastModified?.getTime() ?? Date.now() };
        }
      }
    },
    async link(key, { seconds, type, disposition }) {
      const at = place(key);
      if (!outside || !(await client.send(new HeadObjectCommand(at)).catch(absent))) return undefined;
      const headers = { ResponseContentType: type, ResponseContentDisposition: disposition };
      return getSignedUrl(outside, new GetObjectCommand({ ...at, ...headers }), { expiresIn: seconds });
    },
    async close() {
      client.destroy();
      if (outside) outside.destroy();
    },
  };
}

function clientConfig({ region, pathStyle, keyId, secret }: S3Settings, endpoint: string): S3ClientConfig {
  return {
    region,
    forcePathStyle: pathStyle,
    ...(endpoint !== '' && { endpoint }),
    ...(keyId !== '' && { credentials: { accessKeyId: keyId, secretAccessKey: secret } }),
    maxAttempts,
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: silentMs,
      httpAgent: { maxSockets: 200 },
      httpsAgent: { maxSockets: 200 },
    },
    // Sums that the SDK adds on its own are not understood by every server.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}

type Part = (range: { start: number; end: number }) => Promise<AsyncIterable<Buffer>>;

/** The whole is on its way since the size is known; a part is asked for on its own. */
function openBlob(whole: Readable, size: number, part: Part): OpenBlob {
  // Until somebody reads, nobody else listens.
  whole.on('error', () => {});
  return {
    size,
    stream(range) {
      if (!range) return whole;
      whole.destroy();
      return Readable.from(
        lazily(() => part(range)),
        { objectMode: false },
      );
    },
    async close() {
      whole.destroy();
    },
  };
}

async function* lazily(open: () => Promise<AsyncIterable<Buffer>>): AsyncGenerator<Buffer> {
  yield* await open();
}

async function* cut(bytes: AsyncIterable<Buffer>, start: number, end: number): AsyncGenerator<Buffer> {
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

function absent(error: S3Error): undefined {
  if (error.$metadata?.httpStatusCode === 404 && error.name !== 'NoSuchBucket') return undefined;
  return unavailable(error);
}

/** The bucket is not there or has trouble of its own; anything else is our mistake. */
function unavailable(error: S3Error): never {
  const status = error.$metadata?.httpStatusCode;
  if (status !== undefined && status < 500 && status !== 429) throw error;
  throw new AppError('STORAGE_UNAVAILABLE', 'The server cannot reach its storage. Try again in a moment.', {
    cause: error,
    retryable: true,
    headers: { 'retry-after': '2' },
  });
}

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { OpenBlob } from '../store/blobs.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with the headers that the reply has so far and with the length of the body. Closes the blob. */
    sendBlob(body: BlobBody): FastifyReply;
  }
}

/** The bytes of a blob from `start` to `end` inclusive, and the text around them. */
export interface BlobBody {
  blob: OpenBlob;
  start: number;
  end: number;
  prefix: string;
  suffix: string;
}

/** Few tasks of the thread pool for a picture, and little memory for each connection. */
const chunkBytes = 256 * 1024;
const maxSpareBuffers = 32;

export function addSendBlob(app: FastifyInstance, log: Logger): void {
  const spare: Buffer[] = [];
  app.decorateReply('sendBlob', function (this: FastifyReply, body: BlobBody): FastifyReply {
    const { blob, start, end, prefix, suffix } = body;
    const length = Buffer.byteLength(prefix) + (end - start + 1) + Buffer.byteLength(suffix);
    this.header('content-length', length);
    const { read } = blob;
    if (!read) return this.send(streamOf(body));
    this.hijack();
    this.raw.writeHead(this.statusCode, this.getHeaders() as OutgoingHttpHeaders);
    const buffers = [0, 1].map(() => spare.pop() ?? Buffer.allocUnsafeSlow(chunkBytes));
    writeBlob(this.raw, body, read, buffers)
      .then(() => {
        // What a closed connection did not take may still be read by it.
        if (!this.raw.destroyed && spare.length < maxSpareBuffers) spare.push(...buffers);
      })
      .finally(() => blob.close())
      .catch((error) => {
        log.error({ err: error, request_id: this.request.id }, 'answer broke off');
        // The length is announced: a body that breaks off can only be ended with its connection.
        this.raw.destroy();
      });
    return this;
  });
}

function streamOf({ blob, start, end, prefix, suffix }: BlobBody): Readable {
  async function* chunks() {
    yield Buffer.from(prefix);
    yield* blob.stream({ start, end });
    yield Buffer.from(suffix);
  }
  // Closed with the stream and not by the generator, which never begins when the caller is already gone.
  return Readable.from(chunks(), { objectMode: false }).once('close', () => void blob.close());
}

/**
 * Fills two buffers alternately, each again when the connection has taken it. A new buffer for each chunk, as a stream
 * has, costs page faults and garbage collections: half of the CPU of a 5 MB answer (docs/decisions/011-fastify.md).
 */
async function writeBlob(
  response: ServerResponse,
  { start, end, prefix, suffix }: BlobBody,
  read: NonNullable<OpenBlob['read']>,
  buffers: Buffer[],
): Promise<void> {
  // The callback of a write is not called where the response waited behind another on its connection.
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  const write = (chunk: string | Buffer) =>
    Promise.race([closed, new Promise<void>((resolve) => response.write(chunk, () => resolve()))]);

  const written = [write(prefix), Promise.resolve()];
  for (let position = start, current = 1; position <= end; current = 1 - current) {
    await written[current];
    if (response.destroyed) return;
    const buffer = buffers[current]!;
    const bytesRead = await read(buffer.subarray(0, Math.min(chunkBytes, end - position + 1)), position);
    if (bytesRead === 0) throw new Error('the blob is shorter than it was');
    written[current] = write(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  await Promise.all(written);
  response.end(suffix);
}

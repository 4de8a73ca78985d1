import type { Hash } from 'node:crypto';
import type { Place } from '../../admission/gate.ts';
import type { FileKind } from '../../media/file-kind.ts';
import { Upload } from '../../media/upload.ts';
import type { UploadStore } from '../../media/upload-store.ts';
import { InvalidBody, payloadTooLarge } from './body-errors.ts';
import type { EventLoopTime } from './event-loop-time.ts';
import type { IdleCollection } from './idle-collection.ts';
import { DiscardedText, type TextSink } from './json-string-decoder.ts';

/** No endpoint takes more than eight. */
const maxUploads = 10;

/** Opens a sink for an image or a video of the body, and gives the string that stands for it in the value. */
export type OpenImage = (kind?: FileKind) => { name: string; sink: TextSink };

/** Reads a body that comes in parts. Throws `InvalidBody` where it cannot become what it should be. */
export interface BodyScanner {
  write(chunk: Buffer): void;
  /** The value, in which names stand for images. */
  end(): unknown;
}

/** What a body is read with. */
export interface BodyParts {
  store: UploadStore;
  loopTime: EventLoopTime;
  idleCollection: IdleCollection;
  /** What the body has of the bytes in flight. */
  share: Place;
  maxBytes: number;
  /** How many bytes will come; undefined when the client did not tell. */
  expectedBytes: number | undefined;
  /** How its images come. */
  imageForm: 'base64' | 'file';
  createScanner(openImage: OpenImage): BodyScanner;
  /** Is given every byte that comes in. */
  hash: Hash | null;
}

/** A body whose images become uploads while it comes in. */
export class ReceivedBody {
  /** The body's images, by the names that stand for them in its value. */
  readonly uploads = new Map<string, Upload>();
  readonly #parts: BodyParts;
  #users = 0;
  #isClosed = false;
  #bytes = 0;

  constructor(parts: BodyParts) {
    this.#parts = parts;
  }

  /** The body's value; undefined when it is not what it should be. Throws when there is too much of it or no room for it. */
  read(chunks: AsyncIterable<Buffer>): Promise<unknown> {
    return this.use(async () => {
      try {
        return await this.#read(chunks);
      } catch (error) {
        this.close();
        if (error instanceof InvalidBody) return undefined;
        throw error;
      }
    });
  }

  /** Keeps the uploads until `work` is done, even when the body is closed meanwhile. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.#users++;
    try {
      return await work();
    } finally {
      this.#users--;
      if (this.#isClosed) await this.#discard();
    }
  }

  /** The request is over: frees what the body takes. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts.idleCollection.count(this.#bytes);
    this.#parts.share.release();
    void this.#discard();
  }

  /** Frees what the body takes while its request goes on. Its user needs the uploads no more. */
  async release(): Promise<void> {
    this.close();
    await this.#discardUploads();
  }

  async #discard(): Promise<void> {
    if (this.#users === 0) await this.#discardUploads();
  }

  async #discardUploads(): Promise<void> {
    const uploads = [...this.uploads.values()];
    this.uploads.clear();
    await Promise.all(uploads.map((upload) => upload.discard()));
  }

  async #read(chunks: AsyncIterable<Buffer>): Promise<unknown> {
    const { share, loopTime, hash } = this.#parts;
    const scanner = this.#parts.createScanner((kind) => this.#openImage(kind));
    let problem: InvalidBody | undefined;
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      if (this.#bytes > this.#parts.maxBytes) throw payloadTooLarge();
      // The share was given back: what had come in before must not take it again, because nobody would return it.
      if (this.#isClosed) throw new Error('the client hung up before its body was read');
      await share.take(chunk.length);
      await loopTime.wait();
      hash?.update(chunk);
      // What is not JSON is read to its end all the same, so that the connection can be used again.
      problem ??= invalidBodyIn(() => scanner.write(chunk));
      for (const upload of this.uploads.values()) await upload.settle();
    }
    if (problem) throw problem;
    return scanner.end();
  }

  #openImage(kind?: FileKind): ReturnType<OpenImage> {
    // Lists of so many images are refused by their length.
    if (this.uploads.size >= maxUploads) return { name: 'upload:none', sink: new DiscardedText() };
    const { store, expectedBytes, imageForm } = this.#parts;
    const upload = new Upload(store, expectedBytes, imageForm, kind);
    this.uploads.set(upload.name, upload);
    return { name: upload.name, sink: upload };
  }
}

function invalidBodyIn(work: () => void): InvalidBody | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof InvalidBody) return error;
    throw error;
  }
}

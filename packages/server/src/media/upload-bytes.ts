import type { FileHandle } from 'node:fs/promises';
import type { ByteSink } from './base64-decoder.ts';
import type { UploadStore } from './upload-store.ts';

/** Larger images go to the disk, and so do those of unknown size. Most photos from phones and booths are smaller. */
const maxBytesInMemory = 2 * 1024 * 1024;

/** So much of a file is gathered before it is written. */
const stepBytes = 128 * 1024;
/** With room for what comes in before it is written. */
const gatheredBytes = stepBytes + 192 * 1024;

/** What is read of a file at a time. */
const readBytes = 64 * 1024;

/** Bytes in memory, or in a file without a name when there are many of them. */
export class UploadBytes implements ByteSink {
  readonly #store: UploadStore;
  readonly #goesToFile: boolean;
  /** What is not in the file. */
  #memory: Buffer;
  #used = 0;
  #file: FileHandle | undefined;
  #size = 0;
  #isComplete = false;

  /** `most` is how many bytes may come; undefined when nobody knows. */
  constructor(store: UploadStore, most: number | undefined) {
    this.#store = store;
    const fitsMemory = most !== undefined && most <= maxBytesInMemory && store.hasMemory();
    this.#goesToFile = !fitsMemory;
    this.#memory = Buffer.allocUnsafeSlow(fitsMemory ? most : gatheredBytes);
    store.takeMemory(this.#memory.length);
  }

  get size(): number {
    return this.#size;
  }

  room(): Buffer {
    return this.#memory.subarray(this.#used);
  }

  filled(bytes: number): void {
    this.#used += bytes;
    this.#size += bytes;
  }

  end(): void {
    this.#isComplete = true;
  }

  /** Writes to the file what has gathered. */
  async settle(): Promise<void> {
    if (!this.#goesToFile) return;
    // What is complete and small stays where it is.
    if (this.#used < (this.#isComplete && this.#file ? 1 : stepBytes)) return;
    this.#file ??= await this.#store.createFile();
    await this.#store.write(this.#file, this.#memory.subarray(0, this.#used));
    this.#used = 0;
    if (this.#isComplete) this.#freeMemory();
  }

  /** All bytes, after the end. */
  content(): Buffer | AsyncIterable<Buffer> {
    if (this.#file) return { [Symbol.asyncIterator]: () => this.#read() };
    return this.#memory.subarray(0, this.#used);
  }

  /** Fills a buffer of this size with all bytes of the file. */
  async readInto(whole: Buffer): Promise<void> {
    for (let at = 0; at < whole.length; ) at += await this.#readAt(whole.subarray(at), at);
  }

  async discard(): Promise<void> {
    this.#freeMemory();
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  #freeMemory(): void {
    this.#store.returnMemory(this.#memory.length);
    this.#memory = Buffer.alloc(0);
    this.#used = 0;
  }

  async *#read(): AsyncGenerator<Buffer> {
    for (let at = 0; at < this.#size; ) {
      const buffer = Buffer.allocUnsafeSlow(Math.min(readBytes, this.#size - at));
      const bytesRead = await this.#readAt(buffer, at);
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  async #readAt(buffer: Buffer, position: number): Promise<number> {
    if (!this.#file) throw new Error('the upload was discarded');
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) throw new Error('the upload is shorter than it was');
    return bytesRead;
  }
}

import type { FileHandle } from 'node:fs/promises';
import type { ByteSink } from './base64-decoder.ts';
import type { UploadStore } from './upload-store.ts';

/** Larger images go to the disk. Most photos from phones and booths are smaller. */
const maxBytesInMemory = 2 * 1024 * 1024;

/** By this much memory grows, and so much of a file is written at a time. */
const stepBytes = 256 * 1024;

/** What is read of a file at a time. */
const readBytes = 64 * 1024;

/** Bytes whose number is not known before: in memory up to a limit, beyond it in a file without a name. */
export class UploadBytes implements ByteSink {
  readonly #store: UploadStore;
  /** What is not in the file. */
  #memory: ArrayBuffer;
  #used = 0;
  #file: FileHandle | undefined;
  #size = 0;
  #isComplete = false;

  constructor(store: UploadStore) {
    this.#store = store;
    // One that grows in place needs no copies, and its memory goes back to the system.
    this.#memory = new ArrayBuffer(0, { maxByteLength: maxBytesInMemory + stepBytes });
  }

  get size(): number {
    return this.#size;
  }

  room(bytes: number): Buffer {
    const { byteLength } = this.#memory;
    if (this.#used + bytes > byteLength) {
      this.#memory.resize(byteLength + stepBytes);
      this.#store.takeMemory(stepBytes);
    }
    return Buffer.from(this.#memory, this.#used);
  }

  filled(bytes: number): void {
    this.#used += bytes;
    this.#size += bytes;
  }

  end(): void {
    this.#isComplete = true;
  }

  /** Writes to the file what memory is no place for. */
  async settle(): Promise<void> {
    const staysInMemory = this.#used <= maxBytesInMemory && this.#store.hasMemory();
    if (!this.#file && staysInMemory) return;
    if (!this.#isComplete && this.#used < stepBytes / 2) return;
    this.#file ??= await this.#store.createFile();
    await this.#store.write(this.#file, Buffer.from(this.#memory, 0, this.#used));
    this.#used = 0;
    this.#resize(this.#isComplete ? 0 : stepBytes);
  }

  /** All bytes, after the end. */
  content(): Buffer | AsyncIterable<Buffer> {
    if (this.#file) return { [Symbol.asyncIterator]: () => this.#read() };
    return Buffer.from(this.#memory, 0, this.#used);
  }

  /** Fills a buffer of this size with all bytes of the file. */
  async readInto(whole: Buffer): Promise<void> {
    for (let at = 0; at < whole.length; ) at += await this.#readAt(whole.subarray(at), at);
  }

  async discard(): Promise<void> {
    // Not resized: native code that was given the memory may still read it.
    this.#store.returnMemory(this.#memory.byteLength);
    this.#memory = new ArrayBuffer(0);
    this.#used = 0;
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  #resize(bytes: number): void {
    this.#store.returnMemory(this.#memory.byteLength - bytes);
    this.#memory.resize(bytes);
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

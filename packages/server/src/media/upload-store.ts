import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gate } from '../admission/gate.ts';
import { rethrowDiskError } from '../store/storage-unavailable.ts';
import type { DecodingCaller } from './decoder.ts';
import { imageLimits } from './inspect-image.ts';

/** What all uploads of a process may hold in memory together. Beyond it, the small ones go to the disk as well. */
const memoryBytes = 64 * 1024 * 1024;

/** Bytes that are read from a file. */
interface ReadableBytes {
  size: number;
  /** Fills a buffer of this size with all bytes. */
  readInto(whole: Buffer): Promise<void>;
}

/** Where uploads lie until their request is answered. */
export class UploadStore {
  readonly #folder: string;
  #memoryLeft: number;
  /**
   * Holds a large image while it is inspected, one at a time. A buffer that can be resized gives its memory back at
   * once: after 40 images of 20 MB in buffers of their own, a process kept 83 MB more than before.
   */
  readonly #whole = new ArrayBuffer(0, { maxByteLength: imageLimits.bytes });
  readonly #inspections: Gate;

  /** The folder must exist and belong to this process. `inspections` gives accounts their turns at that buffer. */
  constructor(folder: string, inspections: Gate, memory = memoryBytes) {
    this.#folder = folder;
    this.#inspections = inspections;
    this.#memoryLeft = memory;
  }

  hasMemory(): boolean {
    return this.#memoryLeft > 0;
  }

  takeMemory(bytes: number): void {
    this.#memoryLeft -= bytes;
  }

  returnMemory(bytes: number): void {
    this.#memoryLeft += bytes;
  }

  /** A file without a name: it is gone when it is closed or the process ends, however it ends. */
  async createFile(): Promise<FileHandle> {
    const path = join(this.#folder, `upload-${randomUUID()}`);
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
    const file = await open(path, flags, 0o600).catch(rethrowDiskError);
    await rm(path);
    return file;
  }

  async write(file: FileHandle, bytes: Buffer): Promise<void> {
    await file.writeFile(bytes).catch(rethrowDiskError);
  }

  /** Calls `work` with all bytes of a file. It must not use them after it has returned, and should not wait. */
  withWhole<T>(
    bytes: ReadableBytes,
    { accountId, signal }: DecodingCaller,
    work: (whole: Buffer) => Promise<T>,
  ): Promise<T> {
    const readAndWork = async () => {
      this.#whole.resize(bytes.size);
      try {
        const whole = Buffer.from(this.#whole);
        await bytes.readInto(whole);
        return await work(whole);
      } finally {
        this.#whole.resize(0);
      }
    };
    return this.#inspections.run(accountId, readAndWork, signal ? { signal } : {});
  }
}

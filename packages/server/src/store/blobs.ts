import type { Readable } from 'node:stream';

/**
 * Photos, results, templates and previews, by key. A blob is written once and never changed. Every call has a time limit
 * of its own where it goes to another machine; a `signal` breaks it off sooner.
 */
export interface Blobs {
  /** On return, the bytes survive a crash of the machine. */
  put(key: string, bytes: Uint8Array | AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  /** The whole blob, or undefined when there is none. */
  read(key: string): Promise<Buffer | undefined>;
  /** Its size, and a stream of the bytes from `start` to `end` inclusive. */
  open(key: string, signal?: AbortSignal): Promise<OpenBlob | undefined>;
  /** Removing what is not there is no error. */
  remove(key: string, signal?: AbortSignal): Promise<void>;
  list(prefix: string): AsyncIterable<{ key: string; modified: number }>;
  /** A signed URL that leads to the blob without this server; absent where blobs have no address of their own. */
  link?(key: string, link: BlobLink): Promise<string | undefined>;
}

export interface BlobLink {
  seconds: number;
  type: string;
  disposition: string;
}

export interface OpenBlob {
  size: number;
  stream(range?: { start: number; end: number }): Readable;
  /** Fills a buffer from a position on and says with how many bytes, where that is cheap. */
  read?(buffer: Buffer, position: number): Promise<number>;
  /** Needed when the blob is not streamed. */
  close(): Promise<void>;
}

/** Keys become file paths: nothing but plain segments may pass. */
export function isBlobKey(key: unknown): key is string {
  return typeof key === 'string' && /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9.-]*)+$/.test(key);
}

export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new Error(`not a blob key: ${key}`);
}

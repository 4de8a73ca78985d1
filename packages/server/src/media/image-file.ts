import type { AppError } from '../errors.ts';
import type { ByteSink } from './base64-decoder.ts';
import { invalidImage } from './image-errors.ts';
import { imageLimits } from './inspect-image.ts';

/** An image that comes as its file, byte by byte. What is wrong with it is kept and not thrown, as with `ImageText`. */
export class ImageFile {
  readonly #bytes: ByteSink;
  /** Bytes have no text, and so no control characters in it. */
  readonly hasControlCharacter = false;
  #problem: AppError | undefined;

  constructor(bytes: ByteSink) {
    this.#bytes = bytes;
  }

  get problem(): AppError | undefined {
    return this.#problem;
  }

  write(chunk: Buffer, from: number, to: number): void {
    if (this.#bytes.size + to - from > imageLimits.bytes)
      this.#problem ??= invalidImage('The image is larger than 20 MB.');
    if (this.#problem) return;
    chunk.copy(this.#bytes.room(to - from), 0, from, to);
    this.#bytes.filled(to - from);
  }

  end(): void {
    if (this.#bytes.size === 0) this.#problem ??= invalidImage('The image is empty.');
  }
}

import { randomUUID } from 'node:crypto';
import type { AppError } from '../errors.ts';
import type { Decoder, DecodingCaller } from './decoder.ts';
import { type FileKind, imageKind } from './file-kind.ts';
import { ImageFile } from './image-file.ts';
import { ImageText } from './image-text.ts';
import { decodedLimits, type ImageInfo, inspectImage } from './inspect-image.ts';
import { UploadBytes } from './upload-bytes.ts';
import type { UploadStore } from './upload-store.ts';

/** An image's file: in memory, or to be read from the disk in parts, as often as needed. */
export type ImageBytes = Buffer | AsyncIterable<Buffer>;

/** The images of one request, by the names that stand for them in its body. */
export type Uploads = ReadonlyMap<string, Upload>;

/** An image or a video of a request body, decoded where it is base64 while the body comes in. */
export class Upload {
  /** Stands for the image in the body. Nobody can guess it, and with this scheme it is no image by itself. */
  readonly name = `upload:${randomUUID()}`;
  readonly #store: UploadStore;
  readonly #bytes: UploadBytes;
  #reader: ImageText | ImageFile | undefined;
  #problem: AppError | undefined;

  /** It comes as base64 or as a file in a body of so many bytes, which is undefined when nobody knows. */
  constructor(
    store: UploadStore,
    bodyBytes: number | undefined,
    form: 'base64' | 'file' = 'base64',
    kind: FileKind = imageKind,
  ) {
    this.#store = store;
    const share = form === 'file' ? 1 : 3 / 4;
    this.#bytes = new UploadBytes(store, bodyBytes === undefined ? undefined : Math.ceil(bodyBytes * share));
    this.#reader = form === 'file' ? new ImageFile(this.#bytes) : new ImageText(this.#bytes, kind);
  }

  /** Takes a part of the image. Line breaks and tabs of base64 must come as spaces. */
  write(chunk: Buffer, from: number, to: number): void {
    this.#reader!.write(chunk, from, to);
  }

  /** The image is complete. Returns whether its text had a byte below 0x20, which no JSON string has. */
  end(): boolean {
    const reader = this.#reader!;
    reader.end();
    this.#problem = reader.problem;
    // The decoder's buffer is not needed any more.
    this.#reader = undefined;
    this.#bytes.end();
    return reader.hasControlCharacter;
  }

  /** Moves to the disk what memory has no room for. To be awaited before more is written. */
  async settle(): Promise<void> {
    if (this.#reader ? this.#reader.problem : this.#problem) await this.#bytes.discard();
    else await this.#bytes.settle();
  }

  get bytes(): ImageBytes {
    return this.#bytes.content();
  }

  /** The bytes of a video, which is not inspected here. Throws what is wrong with its text. */
  videoBytes(): ImageBytes {
    if (this.#problem) throw this.#problem;
    return this.#bytes.content();
  }

  /** Checks the image as `inspectImage` does. */
  async inspect(decoder: Pick<Decoder, 'checkPicture'>, asked: DecodingCaller): Promise<ImageInfo> {
    if (this.#problem) throw this.#problem;
    const checkPicture = (bytes: Buffer) => decoder.checkPicture(bytes, asked);
    const content = this.#bytes.content();
    if (Buffer.isBuffer(content)) return inspectImage(content, checkPicture);
    // Those that are decoded as well wait for a decoder: the buffer of large ones is not held meanwhile.
    if (this.#bytes.size <= decodedLimits.bytes) {
      const whole = Buffer.allocUnsafe(this.#bytes.size);
      await this.#bytes.readInto(whole);
      return inspectImage(whole, checkPicture);
    }
    return this.#store.withWhole(this.#bytes, asked, (whole) => inspectImage(whole, checkPicture));
  }

  /** Frees the memory and the disk. Nothing may use the image any more. */
  discard(): Promise<void> {
    return this.#bytes.discard();
  }
}

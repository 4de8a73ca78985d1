import type { ByteSink } from './base64-decoder.ts';
import type { Decoder, DecodingCaller } from './decoder.ts';
import { imageKind } from './file-kind.ts';
import { ImageText, schemeOf } from './image-text.ts';
import { type ImageInfo, inspectImage } from './inspect-image.ts';
import type { FetchUrl } from './safe-fetch.ts';
import type { ImageBytes, Upload } from './upload.ts';

export interface Image extends ImageInfo {
  bytes: ImageBytes;
}

/** What images are read with. */
export interface ImageParts {
  fetchUrl: FetchUrl;
  decoder: Pick<Decoder, 'checkPicture'>;
}

/** An image as callers send it: raw base64, a `data:` URI or an http(s) URL, or an upload made of one of the first two. */
export async function readImage(
  input: string | Upload,
  { fetchUrl, decoder }: ImageParts,
  asked: DecodingCaller,
): Promise<Image> {
  if (typeof input !== 'string') return { bytes: input.bytes, ...(await input.inspect(decoder, asked)) };
  const text = input.trim();
  const bytes = isImageUrl(text) ? await fetchUrl(text, asked) : decodeImageText(text);
  const checkPicture = (picture: Buffer) => decoder.checkPicture(picture, asked);
  return { bytes, ...(await inspectImage(bytes, checkPicture)) };
}

export function isImageUrl(text: string): boolean {
  return ['http', 'https'].includes(schemeOf(text.trim()) ?? '');
}

/** The bytes of raw base64 or a `data:` URI; throws where the text is neither. */
export function decodeImageText(input: string, kind = imageKind): Buffer {
  const text = Buffer.from(input.replaceAll(/[\t-\r]/g, ' '));
  const bytes = new FixedBytes(text.length);
  const image = new ImageText(bytes, kind);
  image.write(text, 0, text.length);
  image.end();
  if (image.problem) throw image.problem;
  return bytes.filledPart();
}

/** A buffer that is filled from its start. */
class FixedBytes implements ByteSink {
  readonly #buffer: Buffer;
  #size = 0;

  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafe(bytes);
  }

  get size(): number {
    return this.#size;
  }

  room(): Buffer {
    return this.#buffer.subarray(this.#size);
  }

  filled(bytes: number): void {
    this.#size += bytes;
  }

  filledPart(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }
}

import type { AppError } from '../errors.ts';
import { Base64Decoder, type ByteSink, includesControlCharacter } from './base64-decoder.ts';
import { invalidImage } from './image-errors.ts';
import { imageLimits } from './inspect-image.ts';
import { urlNotAllowed } from './url-not-allowed.ts';

/** Four characters for three bytes, and a tenth more for line breaks. */
const maxBase64Length = Math.ceil((imageLimits.bytes / 3) * 4 * 1.1);

/** Longer than any media type with its parameters. */
const maxDataHeader = 256;

/** Neither alphabet of base64 contains a colon. */
const scheme = /^([a-z][a-z0-9+.-]{0,31}):/i;

export function schemeOf(text: string): string | undefined {
  return scheme.exec(text)?.[1]?.toLowerCase();
}

/**
 * The text of an image, raw base64 or a `data:` URI, which is decoded as it comes in. Line breaks and tabs must come
 * as spaces. What is wrong with the image is not thrown but kept, because a request may be wrong in ways that are
 * answered first.
 */
export class ImageText {
  readonly #bytes: ByteSink;
  /** The start of the text, until it tells what the text is. */
  #head = Buffer.alloc(0);
  #decoder: Base64Decoder | undefined;
  #problem: AppError | undefined;
  #length = 0;
  #hasControlCharacter = false;

  constructor(bytes: ByteSink) {
    this.#bytes = bytes;
  }

  get problem(): AppError | undefined {
    return this.#problem;
  }

  /** Whether a byte below 0x20 came in. */
  get hasControlCharacter(): boolean {
    return this.#hasControlCharacter || (this.#decoder?.hasControlCharacter ?? false);
  }

  write(chunk: Buffer, from: number, to: number): void {
    this.#length += to - from;
    if (this.#length > maxBase64Length) this.#problem ??= tooLarge();
    const at = this.#problem || this.#decoder ? from : this.#readHead(chunk, from, to);
    if (!this.#problem && this.#decoder?.write(chunk, at, to) === false) this.#problem = notBase64();
    if (this.#bytes.size > imageLimits.bytes) this.#problem ??= tooLarge();
    if (this.#problem) this.#hasControlCharacter ||= includesControlCharacter(chunk, from, to);
  }

  end(): void {
    if (!this.#problem && !this.#decoder) this.#decide();
    if (!this.#problem && this.#decoder?.end() === false) this.#problem = notBase64();
    if (this.#bytes.size > imageLimits.bytes) this.#problem ??= tooLarge();
  }

  /** Returns where the text goes on after its head. */
  #readHead(chunk: Buffer, from: number, to: number): number {
    let at = from;
    while (at < to && !this.#decoder && !this.#problem) {
      const end = Math.min(to, at + maxDataHeader);
      this.#head = Buffer.concat([this.#head, chunk.subarray(at, end)]);
      at = end;
      const text = this.#head.toString().trimStart();
      if (text === '') this.#head = Buffer.alloc(0);
      if (text.length >= maxDataHeader) this.#decide();
    }
    this.#hasControlCharacter ||= includesControlCharacter(chunk, from, at);
    return at;
  }

  #decide(): void {
    const untrimmed = this.#head.toString();
    const text = untrimmed.trimStart();
    const blanks = untrimmed.slice(0, untrimmed.length - text.length);
    switch (text === '' ? '' : schemeOf(text)) {
      case '':
        this.#problem = invalidImage('The image is empty.');
        break;
      case undefined:
        this.#startDecoding(blanks, false);
        break;
      case 'data':
        if (isBase64Image(text)) this.#startDecoding(blanks + text.slice(0, text.indexOf(',') + 1), true);
        else this.#problem = noBase64Image();
        break;
      default:
        this.#problem = urlNotAllowed();
    }
  }

  /** Decodes the head from after `before`, as bytes: it may end within a character. */
  #startDecoding(before: string, isUri: boolean): void {
    this.#decoder = new Base64Decoder(this.#bytes, isUri);
    const { length } = this.#head;
    if (!this.#decoder.write(this.#head, Buffer.byteLength(before), length)) this.#problem = notBase64();
  }
}

/** Whether a data URI says that it holds an image in base64. */
function isBase64Image(uri: string): boolean {
  const comma = uri.slice(0, maxDataHeader).indexOf(',');
  if (comma < 0) return false;
  const [type = '', ...parameters] = uri.slice('data:'.length, comma).toLowerCase().split(';');
  // Browsers send a file of unknown type with one of the last two. Its content decides what it is.
  const isImage = type.startsWith('image/') || ['', 'application/octet-stream'].includes(type.trim());
  return isImage && parameters.at(-1)?.trim() === 'base64';
}

function noBase64Image() {
  return invalidImage('The data URI must contain a base64 image, such as "data:image/jpeg;base64,…".');
}

function tooLarge() {
  return invalidImage('The image is larger than 20 MB.');
}

function notBase64() {
  return invalidImage('The image must be base64, a data URI or an http(s) URL.');
}

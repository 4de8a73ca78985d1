import type { AppError } from '../errors.ts';
import { Base64Decoder, type ByteSink, includesControlCharacter } from './base64-decoder.ts';
import { type FileKind, imageKind, tooLarge } from './file-kind.ts';
import { urlNotAllowed } from './url-not-allowed.ts';

/** Four characters for three bytes, and a tenth more for line breaks. */
const maxBase64Length = ({ maxBytes }: FileKind) => Math.ceil((maxBytes / 3) * 4 * 1.1);

/** Longer than any media type with its parameters. */
const maxDataHeader = 256;

/** Neither alphabet of base64 contains a colon. */
const scheme = /^([a-z][a-z0-9+.-]{0,31}):/i;

export function schemeOf(text: string): string | undefined {
  return scheme.exec(text)?.[1]?.toLowerCase();
}

/**
 * The text of an image or a video, raw base64 or a `data:` URI, which is decoded as it comes in. Line breaks and tabs must come
 * as spaces. What is wrong with the image is not thrown but kept, because a request may be wrong in ways that are
 * answered first.
 */
export class ImageText {
  readonly #bytes: ByteSink;
  readonly #kind: FileKind;
  /** The start of the text, until it tells what the text is. */
  #head = Buffer.alloc(0);
  #decoder: Base64Decoder | undefined;
  #problem: AppError | undefined;
  #length = 0;
  #hasControlCharacter = false;

  constructor(bytes: ByteSink, kind = imageKind) {
    this.#bytes = bytes;
    this.#kind = kind;
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
    if (this.#length > maxBase64Length(this.#kind)) this.#problem ??= tooLarge(this.#kind);
    const at = this.#problem || this.#decoder ? from : this.#readHead(chunk, from, to);
    if (!this.#problem && this.#decoder?.write(chunk, at, to) === false)
      this.#problem = notBase64(this.#kind);
    if (this.#bytes.size > this.#kind.maxBytes) this.#problem ??= tooLarge(this.#kind);
    if (this.#problem) this.#hasControlCharacter ||= includesControlCharacter(chunk, from, to);
  }

  end(): void {
    if (!this.#problem && !this.#decoder) this.#decide();
    if (!this.#problem && this.#decoder?.end() === false) this.#problem = notBase64(this.#kind);
    if (this.#bytes.size > this.#kind.maxBytes) this.#problem ??= tooLarge(this.#kind);
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
        this.#problem = this.#kind.invalid(`The ${this.#kind.noun} is empty.`);
        break;
      case undefined:
        this.#startDecoding(blanks, false);
        break;
      case 'data':
        if (isBase64Of(text, this.#kind))
          this.#startDecoding(blanks + text.slice(0, text.indexOf(',') + 1), true);
        else this.#problem = noBase64File(this.#kind);
        break;
      default:
        this.#problem = urlNotAllowed();
    }
  }

  /** Decodes the head from after `before`, as bytes: it may end within a character. */
  #startDecoding(before: string, isUri: boolean): void {
    this.#decoder = new Base64Decoder(this.#bytes, isUri);
    const { length } = this.#head;
    if (!this.#decoder.write(this.#head, Buffer.byteLength(before), length))
      this.#problem = notBase64(this.#kind);
  }
}

/** What browsers, phones and object stores call a file of unknown type. Its content decides what it is. */
const unknownTypes = [
  '',
  '*/*',
  'application/octet-stream',
  'application/x-octet-stream',
  'binary/octet-stream',
];

/** Whether a data URI says that it holds an image, or a video, in base64. */
function isBase64Of(uri: string, { noun }: FileKind): boolean {
  const comma = uri.slice(0, maxDataHeader).indexOf(',');
  if (comma < 0) return false;
  const [type = '', ...parameters] = uri.slice('data:'.length, comma).toLowerCase().split(';');
  const isOfKind = type.startsWith(`${noun}/`) || unknownTypes.includes(type.trim());
  return isOfKind && parameters.at(-1)?.trim() === 'base64';
}

function noBase64File({ noun, example, invalid }: FileKind) {
  return invalid(`The data URI must contain a base64 ${noun}, such as "${example},…".`);
}

function notBase64({ noun, invalid }: FileKind) {
  return invalid(`The ${noun} must be base64, a data URI or an http(s) URL.`);
}

/** Where decoded bytes go. */
export interface ByteSink {
  /** How many bytes it has. */
  readonly size: number;
  /** Memory for the next bytes, at least as many as asked for. */
  room(bytes: number): Buffer;
  /** So many bytes of that memory were filled. */
  filled(bytes: number): void;
}

/** Text is decoded in blocks of this many characters: the longest string that is ever made of it. */
const blockChars = 64 * 1024;
/** What a block decodes to, at most. */
export const blockBytes = (blockChars / 4) * 3;

/** What may follow the data: padding, and blanks as `trim` knows them. */
const tailPattern = /^={0,2}\s*$/;
const maxTailBytes = 1024;

const space = 0x20;
const percent = 0x25;
const symbols = symbolTable();

/**
 * Decodes base64 of both alphabets, with or without padding and with spaces anywhere, from text that comes in parts.
 * Node decodes a block at native speed and skips what is not base64, so the decoded length tells whether anything was
 * skipped. Only such a block is looped over.
 */
export class Base64Decoder {
  readonly #sink: ByteSink;
  /** Whether `%2B` stands for `+`, as in a URI. */
  readonly #isUri: boolean;
  readonly #text = Buffer.allocUnsafeSlow(blockChars);
  #length = 0;
  /** Everything from the first character on that is neither a symbol nor a space. */
  #tail: Buffer | undefined;
  #hasControlCharacter = false;

  constructor(sink: ByteSink, isUri: boolean) {
    this.#sink = sink;
    this.#isUri = isUri;
  }

  /** Whether a byte below 0x20 came in. */
  get hasControlCharacter(): boolean {
    return this.#hasControlCharacter || includesControlCharacter(this.#text, 0, this.#length);
  }

  /** False when the text is not base64, whatever follows. */
  write(chunk: Buffer, from: number, to: number): boolean {
    for (let at = from; at < to; ) {
      if (this.#tail) return this.#addToTail(chunk.subarray(at, to));
      const end = Math.min(to, at + blockChars - this.#length);
      chunk.copy(this.#text, this.#length, at, end);
      this.#length += end - at;
      at = end;
      if (this.#length === blockChars && !this.#decodeGroups() && !this.#decodeSlowly(false)) return false;
    }
    return true;
  }

  /** Whether all of the text was base64. */
  end(): boolean {
    this.#decodeGroups();
    if (!this.#decodeSlowly(true)) return false;
    // No data is encoded to one symbol more than groups of four.
    if (this.#length === 1) return false;
    this.#decode(this.#length, Math.floor((this.#length * 3) / 4));
    return this.#tail === undefined || tailPattern.test(this.#tailText());
  }

  /** Decodes the groups of four characters, if they are all symbols. */
  #decodeGroups(): boolean {
    const chars = this.#length - (this.#length % 4);
    if (!this.#decode(chars, (chars / 4) * 3)) return false;
    this.#text.copyWithin(0, chars, this.#length);
    this.#length -= chars;
    return true;
  }

  /** Decodes the text without its spaces. Up to three symbols are left, for those that follow. */
  #decodeSlowly(isLast: boolean): boolean {
    const end = this.#length;
    this.#hasControlCharacter ||= includesControlCharacter(this.#text, 0, end);
    const read = this.#removeSpaces();
    this.#decodeGroups();
    const rest = this.#text.subarray(read, end);
    // The start of `%2B` waits for the rest of it.
    const waits = !isLast && rest.length < 3 && rest[0] === percent;
    if (rest.length > 0 && !waits) return this.#addToTail(rest);
    rest.copy(this.#text, this.#length);
    this.#length += rest.length;
    return true;
  }

  /** Moves the symbols together and returns the index of the first character that is neither a symbol nor a space. */
  #removeSpaces(): number {
    const end = this.#length;
    let at = 0;
    this.#length = 0;
    while (at < end) {
      const isEscape = this.#isUri && this.#text[at] === percent;
      if (isEscape && at + 3 > end) break;
      const byte = isEscape ? byteOfHex(this.#text.toString('latin1', at + 1, at + 3)) : this.#text[at]!;
      if (symbols[byte]) this.#text[this.#length++] = byte;
      else if (byte !== space && !(isEscape && isBlank(byte))) break;
      at += isEscape ? 3 : 1;
    }
    return at;
  }

  /** Whether these characters of the text were all symbols. */
  #decode(chars: number, bytes: number): boolean {
    if (chars === 0) return true;
    const written = this.#sink.room(bytes).write(this.#text.toString('latin1', 0, chars), 'base64');
    if (written !== bytes) return false;
    this.#sink.filled(bytes);
    return true;
  }

  #addToTail(part: Buffer): boolean {
    this.#hasControlCharacter ||= includesControlCharacter(part, 0, part.length);
    this.#tail = Buffer.concat([this.#tail ?? Buffer.alloc(0), part]);
    return this.#tail.length <= maxTailBytes;
  }

  #tailText(): string {
    const text = this.#tail!.toString();
    try {
      return this.#isUri ? decodeURIComponent(text) : text;
    } catch {
      return text;
    }
  }
}

export function includesControlCharacter(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at]! < space) return true;
  return false;
}

/** 0xff, which no text holds, where it is not two hexadecimal digits. */
function byteOfHex(digits: string): number {
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : 0xff;
}

function isBlank(byte: number): boolean {
  return byte === space || (byte >= 0x09 && byte <= 0x0d);
}

function symbolTable(): Uint8Array {
  const table = new Uint8Array(256);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_';
  for (const symbol of alphabet) table[symbol.charCodeAt(0)] = 1;
  return table;
}

import { includesControlCharacter } from '../../media/base64-decoder.ts';
import { InvalidJson } from './body-errors.ts';

/** What becomes of a long string's text. */
export interface TextSink {
  /** A part of the text without its escapes; those for line breaks and tabs have become spaces. */
  write(chunk: Buffer, from: number, to: number): void;
  /** The text is complete. Returns whether it had a byte below 0x20. */
  end(): boolean;
}

/** Drops a text that is not needed, and notes whether it had control characters. */
export class DiscardedText implements TextSink {
  #hasControlCharacter = false;

  write(chunk: Buffer, from: number, to: number): void {
    this.#hasControlCharacter ||= includesControlCharacter(chunk, from, to);
  }

  end(): boolean {
    return this.#hasControlCharacter;
  }
}

const [space, quote, backslash, letterU] = [0x20, 0x22, 0x5c, 0x75];
/** Stands for escaped control characters that are no blanks: a byte below 0x20 would be one that is not escaped. */
const deleteCharacter = 0x7f;
const simpleEscapes = simpleEscapeTable();
const unicodeEscapeBytes = 6;

/** Shorter runs between escapes are copied together, because each call of the sink has a cost. */
const shortRunBytes = 64;
const gatheredBytes = 4096;

/** Reads a string of JSON that comes in parts, without ever holding all of it. */
export class JsonStringDecoder {
  readonly #sink: TextSink;
  /** The start of an escape whose rest has not come yet. */
  #pending = Buffer.alloc(0);
  /** Short runs and escaped characters, until there are enough of them for the sink. */
  #gathered: Buffer | undefined;
  #gatheredLength = 0;
  #isClosed = false;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get pendingBytes(): number {
    return this.#pending.length;
  }

  /** Reads up to the closing quote, or to the chunk's end, and returns where it stopped. */
  write(chunk: Buffer, from: number): number {
    let at = this.#pending.length > 0 ? this.#resumeEscape(chunk, from) : from;
    let [nextQuote, nextBackslash] = [-1, -1];
    for (;;) {
      // Each byte is searched once: an earlier search holds until its result has been passed.
      if (nextQuote < at) nextQuote = indexOf(chunk, quote, at);
      if (nextBackslash < at) nextBackslash = indexOf(chunk, backslash, at);
      const end = Math.min(nextQuote, nextBackslash);
      this.#writeRun(chunk, at, end);
      if (end === chunk.length || end === nextQuote) {
        this.#flush();
        if (end === chunk.length) return end;
        this.#close();
        return end + 1;
      }
      at = this.#readEscape(chunk, end);
    }
  }

  #close(): void {
    this.#isClosed = true;
    if (this.#sink.end()) throw new InvalidJson('a control character in a string');
  }

  /** Returns where the text goes on after the escape, or the chunk's end when the escape goes on after it. */
  #readEscape(chunk: Buffer, at: number): number {
    const letter = chunk[at + 1];
    const end = at + (letter === letterU ? unicodeEscapeBytes : 2);
    if (end > chunk.length) {
      this.#pending = Buffer.from(chunk.subarray(at));
      return chunk.length;
    }
    if (letter === letterU) {
      this.#gatherCodeUnit(codeUnitAt(chunk, at + 2));
    } else {
      const byte = simpleEscapes[letter!]!;
      if (byte === 0) throw new InvalidJson('an unknown escape in a string');
      this.#gather(byte);
    }
    return end;
  }

  #resumeEscape(chunk: Buffer, from: number): number {
    const before = this.#pending.length;
    const joined = Buffer.concat([this.#pending, chunk.subarray(from, from + unicodeEscapeBytes)]);
    this.#pending = Buffer.alloc(0);
    return from + this.#readEscape(joined, 0) - before;
  }

  #writeRun(chunk: Buffer, from: number, to: number): void {
    if (to - from > shortRunBytes) {
      this.#flush();
      this.#sink.write(chunk, from, to);
    } else for (let at = from; at < to; at++) this.#gather(chunk[at]!);
  }

  /** As UTF-8. The halves of a surrogate pair become bytes that are no UTF-8: they are no base64 in any case. */
  #gatherCodeUnit(code: number): void {
    if (code < space) this.#gather(code >= 0x09 && code <= 0x0d ? space : deleteCharacter);
    else if (code < 0x80) this.#gather(code);
    else {
      if (code < 0x800) this.#gather(0xc0 | (code >> 6));
      else {
        this.#gather(0xe0 | (code >> 12));
        this.#gather(0x80 | ((code >> 6) & 0x3f));
      }
      this.#gather(0x80 | (code & 0x3f));
    }
  }

  #gather(byte: number): void {
    this.#gathered ??= Buffer.allocUnsafe(gatheredBytes);
    this.#gathered[this.#gatheredLength++] = byte;
    if (this.#gatheredLength === gatheredBytes) this.#flush();
  }

  #flush(): void {
    if (this.#gathered && this.#gatheredLength > 0) this.#sink.write(this.#gathered, 0, this.#gatheredLength);
    this.#gatheredLength = 0;
  }
}

/** The chunk's length where there is none. Near bytes are looped over, because each call of Node's own has a cost. */
function indexOf(chunk: Buffer, byte: number, from: number): number {
  const near = Math.min(from + 16, chunk.length);
  for (let at = from; at < near; at++) if (chunk[at] === byte) return at;
  const found = chunk.indexOf(byte, near);
  return found < 0 ? chunk.length : found;
}

function codeUnitAt(chunk: Buffer, from: number): number {
  let code = 0;
  for (let at = from; at < from + 4; at++) {
    const digit = hexDigit(chunk[at]!);
    if (digit < 0) throw new InvalidJson('an unknown escape in a string');
    code = code * 16 + digit;
  }
  return code;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

/** What the letter after a backslash stands for; 0 where it is no escape. */
function simpleEscapeTable(): Uint8Array {
  const table = new Uint8Array(256);
  for (const letter of '"\\/') table[letter.charCodeAt(0)] = letter.charCodeAt(0);
  for (const letter of 'fnrt') table[letter.charCodeAt(0)] = space;
  table['b'.charCodeAt(0)] = deleteCharacter;
  return table;
}

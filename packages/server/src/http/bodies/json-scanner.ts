import { type FileKind, imageKind, videoKind } from '../../media/file-kind.ts';
import { InvalidJson } from './body-errors.ts';
import { DiscardedText, JsonStringDecoder, type TextSink } from './json-string-decoder.ts';

/** What is done with a string that is longer than any field but an image may be. */
export type LongString =
  /** It is an image: its text goes to a sink. */
  | 'image'
  /** The same of a video. */
  | 'video'
  /** Its start is kept: too long for its field, and enough to say so, or of a field that is ignored. */
  | 'start'
  /** It is kept as long as the whole does not become too large. */
  | 'whole';

export interface JsonRules {
  /** Beyond this, a string of JSON is long. */
  longStringBytes: number;
  /** What is done with a long string; the path consists of the keys that lead to it, with `*` for lists. */
  longString(path: readonly string[]): LongString;
  /** A sink for the text of an image, and the string that stands for the image in the value. */
  openImage(kind: FileKind): { name: string; sink: TextSink };
  /** What may be left of the JSON without its images. */
  maxBytes: number;
  /** Commas and brackets: each stands for a value. */
  maxValues: number;
  /** Brackets that are open at a time. */
  maxDepth: number;
  /** What is thrown when there is more. */
  tooLarge(): Error;
}

const fileKinds = { image: imageKind, video: videoKind } as const;

const [tab, lineFeed, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20];
const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
/** What some editors and serializers write before text in UTF-8. */
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A list or an object that is open. */
interface Container {
  isObject: boolean;
  /** Whether the next string of the object is a key. */
  expectsKey: boolean;
  /** Where the last key stands in what is kept, with its quotes. */
  key: { from: number; to: number };
}

/**
 * Reads JSON that comes in parts. Images leave it on the way, and what is left is small before `JSON.parse` sees it.
 * The scanner knows strings, brackets and commas; everything else that JSON forbids is left to `JSON.parse`.
 */
export class JsonScanner {
  readonly #rules: JsonRules;
  #kept = Buffer.allocUnsafe(4096);
  #length = 0;
  #values = 0;
  readonly #open: Container[] = [];
  /** Where the string that is being read begins in what is kept; undefined between strings. */
  #stringFrom: number | undefined;
  #isKey = false;
  #isEscaped = false;
  /** How long the string that is being read may become before it is long. */
  #stringLimit = 0;
  #longString: JsonStringDecoder | undefined;

  constructor(rules: JsonRules) {
    this.#rules = rules;
  }

  /** Throws `InvalidJson` where the text cannot become JSON any more, and `tooLarge` of the rules. */
  write(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#longString) at = this.#readLongString(chunk, at);
      else if (this.#stringFrom !== undefined) at = this.#readString(chunk, at);
      else at = this.#readStructure(chunk, at);
    }
  }

  /** The value, in which names stand for images. */
  end(): unknown {
    const kept = this.#kept.subarray(0, this.#length);
    const from = kept.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
    try {
      return JSON.parse(kept.toString('utf8', from)) as unknown;
    } catch (cause) {
      throw new InvalidJson('not JSON', { cause });
    }
  }

  /** Reads up to and with the next opening quote. */
  #readStructure(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      switch (byte) {
        case tab:
        case lineFeed:
        case carriageReturn:
        case space:
          // One of them keeps apart what they kept apart.
          if (this.#kept[this.#length - 1] !== space || this.#length === 0) this.#keepByte(space);
          continue;
        case quote:
          this.#beginString();
          return at + 1;
        case openList:
        case openObject:
          this.#openContainer(byte === openObject);
          break;
        case closeList:
        case closeObject:
          if (!this.#open.pop()) throw new InvalidJson('a bracket that was not opened');
          break;
        case comma:
          this.#countValue();
          this.#expectKey(true);
          break;
        case colon:
          this.#expectKey(false);
          break;
      }
      this.#keepByte(byte);
    }
    return chunk.length;
  }

  #openContainer(isObject: boolean): void {
    this.#countValue();
    if (this.#open.length >= this.#rules.maxDepth) throw new InvalidJson('nested too deeply');
    this.#open.push({ isObject, expectsKey: isObject, key: { from: 0, to: 0 } });
  }

  #expectKey(expectsKey: boolean): void {
    const container = this.#open.at(-1);
    if (container?.isObject) container.expectsKey = expectsKey;
  }

  #countValue(): void {
    if (++this.#values > this.#rules.maxValues) throw this.#rules.tooLarge();
  }

  #beginString(): void {
    this.#stringFrom = this.#length;
    this.#isKey = this.#open.at(-1)?.expectsKey ?? false;
    this.#stringLimit = this.#isKey ? Number.POSITIVE_INFINITY : this.#rules.longStringBytes;
    this.#keepByte(quote);
  }

  /** Keeps a string up to its closing quote, or until it is long. */
  #readString(chunk: Buffer, from: number): number {
    const left = this.#stringFrom! + 1 + this.#stringLimit - this.#length;
    const end = Math.min(chunk.length, from + left);
    for (let at = from; at < end; at++) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (chunk[at] === backslash) this.#isEscaped = true;
      else if (chunk[at] === quote) {
        this.#keep(chunk, from, at + 1);
        this.#endString();
        return at + 1;
      }
    }
    this.#keep(chunk, from, end);
    if (left <= chunk.length - from) this.#beginLongString();
    return end;
  }

  #endString(): void {
    if (this.#isKey) this.#open.at(-1)!.key = { from: this.#stringFrom!, to: this.#length };
    this.#stringFrom = undefined;
  }

  /** The start of the string has been kept. */
  #beginLongString(): void {
    const from = this.#stringFrom!;
    const kind = this.#rules.longString(this.#path());
    if (kind === 'whole') {
      this.#stringLimit = Number.POSITIVE_INFINITY;
      return;
    }
    const start = Buffer.from(this.#kept.subarray(from + 1, this.#length));
    const image = kind === 'start' ? undefined : this.#rules.openImage(fileKinds[kind]);
    this.#longString = new JsonStringDecoder(image?.sink ?? new DiscardedText());
    this.#longString.write(start, 0);
    this.#isEscaped = false;
    if (!image) {
      // Without half an escape at its end.
      this.#length -= this.#longString.pendingBytes;
      return;
    }
    this.#length = from;
    const name = Buffer.from(`"${image.name}`);
    this.#keep(name, 0, name.length);
  }

  #readLongString(chunk: Buffer, from: number): number {
    const at = this.#longString!.write(chunk, from);
    if (this.#longString!.isClosed) {
      this.#longString = undefined;
      this.#keepByte(quote);
      this.#endString();
    }
    return at;
  }

  /** Where the string that is being read stands. */
  #path(): string[] {
    try {
      return this.#open.map(({ isObject, key }) =>
        isObject ? (JSON.parse(this.#kept.toString('utf8', key.from, key.to)) as string) : '*',
      );
    } catch (cause) {
      throw new InvalidJson('a key that is no string', { cause });
    }
  }

  #keepByte(byte: number): void {
    if (this.#length === this.#kept.length) this.#grow(1);
    this.#kept[this.#length++] = byte;
  }

  #keep(chunk: Buffer, from: number, to: number): void {
    if (this.#length + to - from > this.#kept.length) this.#grow(to - from);
    chunk.copy(this.#kept, this.#length, from, to);
    this.#length += to - from;
  }

  #grow(bytes: number): void {
    const size = this.#length + bytes;
    if (size > this.#rules.maxBytes) throw this.#rules.tooLarge();
    const grown = Buffer.allocUnsafe(Math.min(Math.max(size, 2 * this.#kept.length), this.#rules.maxBytes));
    this.#kept.copy(grown, 0, 0, this.#length);
    this.#kept = grown;
  }
}

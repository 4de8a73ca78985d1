import type { Hash } from 'node:crypto';
import { InvalidForm } from './body-errors.ts';
import type { TextSink } from './json-string-decoder.ts';
import type { BodyScanner, OpenImage } from './received-body.ts';

export interface FormRules {
  /** As the content type says. */
  boundary: string;
  openImage: OpenImage;
  /** What one field that is no file may hold, and what all of them may. */
  maxFieldBytes: number;
  maxBytes: number;
  /** Fields and files. */
  maxParts: number;
  /** What is thrown when there is more. */
  tooLarge(): Error;
  /** Is given names and contents: boundaries differ each time that a client sends the same. */
  hash: Hash | null;
}

/** The fields of a form by their names, without the `[]` of lists; several of one name are a list. */
export type FormValue = Record<string, string | string[]>;

const maxHeadBytes = 8 * 1024;
const lineBreak = Buffer.from('\r\n');
const headEnd = Buffer.from('\r\n\r\n');
const [tab, space] = [0x09, 0x20];

/** What is being read: what stands before the first part, the end of a boundary's line, a part's head or its content. */
type State = 'start' | 'boundary' | 'head' | 'content' | 'end';

/** A field whose content is kept, or a file whose content goes to a sink. */
interface Part {
  name: string;
  kept: Buffer[];
  bytes: number;
  file: { name: string; sink: TextSink } | null;
}

/** Reads `multipart/form-data` (RFC 7578) that comes in parts. Files leave it on the way. */
export class FormScanner implements BodyScanner {
  readonly #rules: FormRules;
  readonly #delimiter: Buffer;
  readonly #value = new Map<string, string[]>();
  #state: State = 'start';
  /** What may be the start of a boundary, or of a head that is not complete. A boundary follows a line break. */
  #rest: Buffer = lineBreak;
  #part: Part | null = null;
  #parts = 0;
  #bytes = 0;

  constructor(rules: FormRules) {
    this.#rules = rules;
    this.#delimiter = Buffer.from(`\r\n--${rules.boundary}`);
  }

  write(chunk: Buffer): void {
    const data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    for (let next = this.#read(data, 0); next !== undefined; next = this.#read(data, at)) at = next;
    this.#rest = Buffer.from(
      data.subarray(this.#state === 'end' ? data.length : this.#keepContent(data, at)),
    );
  }

  end(): FormValue {
    if (this.#state !== 'end') throw new InvalidForm('the last boundary is missing');
    const fields = [...this.#value].map(([name, values]) => [name, values.length > 1 ? values : values[0]!]);
    return Object.fromEntries(fields) as FormValue;
  }

  /** Reads one step further and says where it ended; undefined when more has to come first. */
  #read(data: Buffer, at: number): number | undefined {
    switch (this.#state) {
      case 'start':
      case 'content':
        return this.#readToBoundary(data, at);
      case 'boundary':
        return this.#readBoundaryLine(data, at);
      case 'head':
        return this.#readHead(data, at);
      case 'end':
        return undefined;
    }
  }

  #readToBoundary(data: Buffer, from: number): number | undefined {
    const found = data.indexOf(this.#delimiter, from);
    if (found < 0) return undefined;
    this.#addContent(data, from, found);
    this.#endPart();
    this.#state = 'boundary';
    return found + this.#delimiter.length;
  }

  /** Takes what cannot be part of a boundary any more, and says from where on something may be. */
  #keepContent(data: Buffer, from: number): number {
    if (this.#state !== 'start' && this.#state !== 'content') return from;
    const to = Math.max(from, data.length - this.#delimiter.length + 1);
    this.#addContent(data, from, to);
    return to;
  }

  /** The rest of a boundary's line: two dashes after the last one. */
  #readBoundaryLine(data: Buffer, from: number): number | undefined {
    let at = from;
    while (data[at] === space || data[at] === tab) at++;
    if (data.length < at + 2) return undefined;
    const sign = data.toString('latin1', at, at + 2);
    if (sign === '--') this.#state = 'end';
    else if (sign === '\r\n') this.#state = 'head';
    else throw new InvalidForm('a boundary goes on');
    return at + 2;
  }

  #readHead(data: Buffer, from: number): number | undefined {
    const end = data.indexOf(headEnd, from);
    if (end > from + maxHeadBytes || (end < 0 && data.length > from + maxHeadBytes))
      throw new InvalidForm('the head of a part is too long');
    if (end < 0) return undefined;
    this.#beginPart(data.toString('utf8', from, end));
    this.#state = 'content';
    return end + headEnd.length;
  }

  #beginPart(head: string): void {
    if (++this.#parts > this.#rules.maxParts) throw this.#rules.tooLarge();
    const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? '';
    const [, quoted, bare] = /;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
    const name = (quoted?.replaceAll(/\\(.)/g, '$1') ?? bare)?.replace(/\[\]$/, '');
    if (name === undefined) throw new InvalidForm('a part without a name');
    const isFile = /;\s*filename\*?=/i.test(disposition) || /^content-type:\s*image\//im.test(head);
    this.#rules.hash?.update(`\n${isFile ? 'file' : 'field'} ${JSON.stringify(name)}\n`);
    this.#part = { name, kept: [], bytes: 0, file: isFile ? this.#rules.openImage() : null };
  }

  #addContent(data: Buffer, from: number, to: number): void {
    const part = this.#part;
    if (!part || to <= from) return;
    this.#rules.hash?.update(data.subarray(from, to));
    part.bytes += to - from;
    if (part.file) {
      part.file.sink.write(data, from, to);
      return;
    }
    this.#bytes += to - from;
    if (part.bytes > this.#rules.maxFieldBytes || this.#bytes > this.#rules.maxBytes)
      throw this.#rules.tooLarge();
    part.kept.push(Buffer.from(data.subarray(from, to)));
  }

  #endPart(): void {
    const part = this.#part;
    if (!part) return;
    this.#part = null;
    part.file?.sink.end();
    this.#rules.hash?.update(`\n${part.bytes}`);
    const value = part.file?.name ?? Buffer.concat(part.kept).toString();
    const values = this.#value.get(part.name);
    if (values) values.push(value);
    else this.#value.set(part.name, [value]);
  }
}

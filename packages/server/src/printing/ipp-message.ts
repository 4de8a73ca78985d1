/*
 * Messages of the Internet Printing Protocol (RFC 8010): an operation, groups of attributes, and the document after them.
 * Only the types of values that Guise sends or reads; the library on npm has not changed for years and has them all.
 */

export const operations = {
  createJob: 0x0005,
  sendDocument: 0x0006,
  cancelJob: 0x0008,
  getJobAttributes: 0x0009,
  getPrinterAttributes: 0x000b,
  /** Of CUPS servers: their queues. */
  cupsGetPrinters: 0x4002,
} as const;

const tags = {
  operationGroup: 0x01,
  jobGroup: 0x02,
  end: 0x03,
  printerGroup: 0x04,
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  range: 0x33,
  collectionBegin: 0x34,
  collectionEnd: 0x37,
  text: 0x41,
  name: 0x42,
  keyword: 0x44,
  uri: 0x45,
  charset: 0x47,
  language: 0x48,
  mimeType: 0x49,
} as const;

type ValueTag = 'integer' | 'boolean' | 'text' | 'name' | 'keyword' | 'uri' | 'mimeType';

/** An attribute to send: its name, the type of its values, and one or more of them. */
export type SentAttribute = [name: string, type: ValueTag, ...values: (string | number | boolean)[]];

export interface IppRequest {
  operation: number;
  /** What the request is to: a printer or one of its jobs, and more about the request itself. */
  attributes: SentAttribute[];
  /** How the job is printed. */
  jobAttributes?: SentAttribute[];
  document?: Buffer;
}

export type IppValue = string | number | boolean | { from: number; to: number };

/** The attributes of a group, by name. Collections are left out. */
export type IppGroup = ReadonlyMap<string, readonly IppValue[]>;

export interface IppAnswer {
  status: number;
  operation: IppGroup;
  jobs: IppGroup[];
  printers: IppGroup[];
}

const version = 0x0200;

export function encodeRequest({ operation, attributes, jobAttributes = [], document }: IppRequest): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(version, 0);
  head.writeUInt16BE(operation, 2);
  head.writeUInt32BE(1, 4);
  return Buffer.concat([
    head,
    Buffer.of(tags.operationGroup),
    encodeValue(tags.charset, 'attributes-charset', Buffer.from('utf-8')),
    encodeValue(tags.language, 'attributes-natural-language', Buffer.from('en')),
    ...attributes.map(encodeAttribute),
    ...(jobAttributes.length > 0 ? [Buffer.of(tags.jobGroup), ...jobAttributes.map(encodeAttribute)] : []),
    Buffer.of(tags.end),
    ...(document ? [document] : []),
  ]);
}

function encodeAttribute([name, type, ...values]: SentAttribute): Buffer {
  return Buffer.concat(
    // Further values of an attribute have no name.
    values.map((value, i) => encodeValue(tags[type], i === 0 ? name : '', bytesOf(value))),
  );
}

function bytesOf(value: string | number | boolean): Buffer {
  if (typeof value === 'string') return Buffer.from(value);
  if (typeof value === 'boolean') return Buffer.of(value ? 1 : 0);
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function encodeValue(tag: number, name: string, value: Buffer): Buffer {
  const named = Buffer.from(name);
  const bytes = Buffer.alloc(1 + 2 + named.length + 2 + value.length);
  bytes.writeUInt8(tag, 0);
  bytes.writeUInt16BE(named.length, 1);
  named.copy(bytes, 3);
  bytes.writeUInt16BE(value.length, 3 + named.length);
  value.copy(bytes, 5 + named.length);
  return bytes;
}

/** Throws a `RangeError` where the bytes end too soon. */
export function decodeAnswer(bytes: Buffer): IppAnswer {
  const answer: IppAnswer = { status: bytes.readUInt16BE(2), operation: new Map(), jobs: [], printers: [] };
  let group = new Map<string, IppValue[]>();
  let name = '';
  let depth = 0;
  for (let at = 8; ; ) {
    const tag = bytes.readUInt8(at++);
    if (tag === tags.end) return answer;
    if (tag < 0x10) {
      group = new Map();
      if (tag === tags.operationGroup) answer.operation = group;
      if (tag === tags.jobGroup) answer.jobs.push(group);
      if (tag === tags.printerGroup) answer.printers.push(group);
      continue;
    }
    const nameLength = bytes.readUInt16BE(at);
    if (nameLength > 0) name = readText(bytes, at + 2, nameLength);
    at += 2 + nameLength;
    const length = bytes.readUInt16BE(at);
    const start = at + 2;
    at = start + length;
    if (tag === tags.collectionBegin) depth++;
    const value = depth === 0 ? decodeValue(bytes, tag, start, length) : null;
    if (tag === tags.collectionEnd) depth--;
    if (value === null) continue;
    const values = group.get(name);
    if (values) values.push(value);
    else group.set(name, [value]);
  }
}

function readText(bytes: Buffer, start: number, length: number): string {
  if (start + length > bytes.length) throw new RangeError('The message ends within a value.');
  return bytes.toString('utf8', start, start + length);
}

/** Null for values that are unknown, unsupported or of types that are not read. */
function decodeValue(bytes: Buffer, tag: number, start: number, length: number): IppValue | null {
  switch (tag) {
    case tags.integer:
    case tags.enum:
      return bytes.readInt32BE(start);
    case tags.boolean:
      return bytes.readUInt8(start) === 1;
    case tags.range:
      return { from: bytes.readInt32BE(start), to: bytes.readInt32BE(start + 4) };
    default:
      return tag >= 0x40 && tag <= 0x49 ? readText(bytes, start, length) : null;
  }
}

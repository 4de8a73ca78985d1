import { hash, randomBytes } from 'node:crypto';

let lastMs = -1;
let count = 0;

/**
 * A UUID (version 7) that sorts by the time it was made, so that the newest rows are neighbours and a cursor is an id.
 * Those that a process makes in one millisecond are counted: jobs come in the order in which they were accepted.
 */
export function newId(now = Date.now()): string {
  const bytes = randomBytes(16);
  count = now === lastMs ? count + 1 : bytes.readUInt16BE(6) & 0x7ff;
  lastMs = now;
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(count & 0xfff, 6);
  return writeUuid(bytes, 7);
}

/** Sorts after every id: the cursor of a first page, newest first. */
export const afterEveryId = '~';

/** Not after any id that is made at a time or later, and after all that were made before it. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(0, Math.floor(ms)), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-`;
}

/** A UUID (version 8) made of a text: the same text always gives the same one. */
export function textId(text: string): string {
  return writeUuid(hash('sha256', text, 'buffer').subarray(0, 16), 8);
}

function writeUuid(bytes: Buffer, version: number): string {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Ids end at random: by so many of their last hexadecimal digits, one is in the same share for every process. */
export const shareDigits = 3;

/** The first end of an id that is not in a share from 0 to 1. */
export const endOfShare = (share: number): string =>
  Math.min(16 ** shareDigits - 1, Math.round(share * 16 ** shareDigits))
    .toString(16)
    .padStart(shareDigits, '0');

export const isInShare = (id: string, share: number): boolean => id.slice(-shareDigits) < endOfShare(share);

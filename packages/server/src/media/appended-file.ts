import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidImage } from './image-errors.ts';
import { sliceBytes } from './validated-image.ts';

/** The signatures of files that, appended to an image, let it pass for something else elsewhere. */
const archives = ['pk\x03\x04', 'pk\x05\x06', 'rar!', '7z\xbc\xaf', '\x1f\x8b'];
const programs = ['\x7felf', 'mz', '#!', '<?php', '<script'];
const documents = ['%pdf', '<html', '<!doctype', '<svg', 'gif8'];
const signatures = [...archives, ...programs, ...documents];

/**
 * Refuses an image that is followed by an archive, a program or a document. What phones append is accepted: zeros, a
 * smaller copy, a depth map, a short video, records of their own.
 */
export async function assertNoAppendedFile(bytes: Buffer, end: number): Promise<void> {
  let from = end;
  let at = afterBlanks(bytes, from);
  while (at === from + sliceBytes) {
    await nextTurn();
    from = at;
    at = afterBlanks(bytes, from);
  }
  const opening = bytes.toString('latin1', at, at + 16).toLowerCase();
  if (signatures.some((signature) => opening.startsWith(signature))) {
    throw invalidImage('The image has another file appended to it. Save the image again.');
  }
}

/** The index after the blanks of a slice. */
function afterBlanks(bytes: Buffer, from: number): number {
  const end = Math.min(from + sliceBytes, bytes.length);
  let at = from;
  while (at < end && isBlank(bytes[at]!)) at++;
  return at;
}

function isBlank(byte: number): boolean {
  return byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

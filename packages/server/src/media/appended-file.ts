import { invalidImage } from './image-errors.ts';

/** The signatures of files that, appended to an image, let it pass for something else elsewhere. */
const archives = ['pk\x03\x04', 'pk\x05\x06', 'rar!', '7z\xbc\xaf', '\x1f\x8b'];
const programs = ['\x7felf', 'mz', '#!', '<?php', '<script'];
const documents = ['%pdf', '<html', '<!doctype', '<svg', 'gif8'];
const signatures = [...archives, ...programs, ...documents];

/**
 * Refuses an image that is followed by an archive, a program or a document. What phones append is accepted: zeros, a
 * smaller copy, a depth map, a short video, records of their own.
 */
export function assertNoAppendedFile(bytes: Buffer, end: number): void {
  let at = end;
  while (at < bytes.length && isBlank(bytes[at]!)) at++;
  const opening = bytes.toString('latin1', at, at + 16).toLowerCase();
  if (signatures.some((signature) => opening.startsWith(signature))) {
    throw invalidImage('The image has another file appended to it. Save the image again.');
  }
}

function isBlank(byte: number): boolean {
  return byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

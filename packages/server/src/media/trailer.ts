import { invalidImage } from './refusal.ts';

/** How the files begin that make an image here pass for something else elsewhere. */
const archives = ['pk\x03\x04', 'pk\x05\x06', 'rar!', '7z\xbc\xaf', '\x1f\x8b'];
const programs = ['\x7felf', 'mz', '#!', '<?php', '<script'];
const documents = ['%pdf', '<html', '<!doctype', '<svg', 'gif8'];
const foreign = [...archives, ...programs, ...documents];

/**
 * Phones append much to a photo: zeros, a smaller copy, a depth map, a short video, their own records. That is
 * left alone; an archive, a program or a document is not.
 */
export function refuseForeignTrailer(bytes: Buffer, end: number): void {
  let at = end;
  while (at < bytes.length && isBlank(bytes[at]!)) at++;
  const opening = bytes.toString('latin1', at, at + 16).toLowerCase();
  if (foreign.some((signature) => opening.startsWith(signature))) {
    throw invalidImage('The image has another file appended to it.');
  }
}

function isBlank(byte: number): boolean {
  return byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

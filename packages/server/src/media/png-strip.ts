import { crc32 } from 'node:zlib';
import { walkPng } from './png.ts';

/** What a picture is drawn from; text, times, profiles and thumbnails are not. */
const kept = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const headerEnd = 8 + 25;

/** The PNG without its metadata and with this XMP instead. Nothing is decoded: the pixels' bytes stay as they are. */
export function withXmpAlone(png: Buffer, xmp: string): Buffer {
  const { end } = walkPng(png);
  const parts = [png.subarray(0, headerEnd), chunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${xmp}`)];
  for (let at = headerEnd; at < end; ) {
    const size = png.readUInt32BE(at) + 12;
    if (kept.has(png.toString('latin1', at + 4, at + 8))) parts.push(png.subarray(at, at + size));
    at += size;
  }
  return Buffer.concat(parts);
}

function chunk(type: string, text: string): Buffer {
  const body = Buffer.from(type + text);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(body.length - 4);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}

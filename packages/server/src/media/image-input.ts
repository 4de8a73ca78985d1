import { invalidImage } from './image-errors.ts';
import { type ImageInfo, imageLimits, inspectImage } from './inspect-image.ts';
import type { FetchUrl } from './safe-fetch.ts';
import { urlNotAllowed } from './url-not-allowed.ts';

export interface Image extends ImageInfo {
  bytes: Buffer;
}

/** Four characters for three bytes, and a tenth more for line breaks. */
const maxBase64Length = Math.ceil((imageLimits.bytes / 3) * 4 * 1.1);

/** Longer than any media type with its parameters. */
const maxDataHeader = 256;

/** Neither alphabet of base64 contains a colon. */
const scheme = /^([a-z][a-z0-9+.-]{0,31}):/i;

/** An image as callers send it: raw base64, a `data:` URI or an http(s) URL. */
export async function readImage(input: string, fetchUrl: FetchUrl, signal?: AbortSignal): Promise<Image> {
  const text = input.trim();
  if (text === '') throw invalidImage('The image is empty.');
  const bytes = await imageBytes(text, fetchUrl, signal);
  return { bytes, ...(await inspectImage(bytes)) };
}

async function imageBytes(text: string, fetchUrl: FetchUrl, signal?: AbortSignal) {
  switch (scheme.exec(text)?.[1]?.toLowerCase()) {
    case undefined:
      return decodeBase64(text);
    case 'data':
      return decodeBase64(dataPayload(text));
    case 'http':
    case 'https':
      return fetchUrl(text, signal);
    default:
      throw urlNotAllowed();
  }
}

function dataPayload(uri: string): string {
  const comma = uri.slice(0, maxDataHeader).indexOf(',');
  const [type = '', ...parameters] = uri.slice('data:'.length, Math.max(comma, 0)).toLowerCase().split(';');
  const isBase64 = parameters.at(-1)?.trim() === 'base64';
  // Browsers send a file of unknown type with one of the last two. Its content decides what it is.
  const isImage = type.startsWith('image/') || ['', 'application/octet-stream'].includes(type.trim());
  if (comma < 0 || !isBase64 || !isImage) {
    throw invalidImage('The data URI must contain a base64 image, such as "data:image/jpeg;base64,…".');
  }
  const payload = uri.slice(comma + 1);
  if (!payload.includes('%')) return payload;
  try {
    return decodeURIComponent(payload).trim();
  } catch {
    throw notBase64();
  }
}

/**
 * Node decodes both alphabets and skips what belongs to neither, so the decoded length tells whether anything was
 * skipped. This takes 0.8 ms for 1.5 MB; a regular expression over the text takes 9 ms.
 */
function decodeBase64(text: string): Buffer {
  if (text.length > maxBase64Length) throw invalidImage('The image is larger than 20 MB.');
  const bytes = Buffer.from(text, 'base64');
  const symbols = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  if (bytes.length === decodedLength(symbols)) return bytes;
  if (bytes.length === decodedLength(symbols - countBlanks(text, symbols))) return bytes;
  throw notBase64();
}

/** NaN for a number of symbols that no data is encoded to. */
function decodedLength(symbols: number): number {
  return symbols % 4 === 1 ? Number.NaN : Math.floor((symbols * 3) / 4);
}

function countBlanks(text: string, end: number): number {
  let blanks = 0;
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) blanks++;
  }
  return blanks;
}

function notBase64() {
  return invalidImage('The image must be base64, a data URI or an http(s) URL.');
}

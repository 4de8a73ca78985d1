import type { Blobs } from '../../store/blobs.ts';

/** The bytes of a picture or a video as files have them; undefined when there is no such blob. */
export async function openResult(blobs: Blobs, key: string): Promise<AsyncIterable<Buffer> | undefined> {
  const blob = await blobs.open(key);
  if (!blob) return undefined;
  const bytes = blob.stream() as AsyncIterable<Buffer>;
  return key.endsWith('.b64') ? decodeBase64(bytes) : bytes;
}

/** Pictures are stored as base64, because status answers send them so. */
async function* decodeBase64(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = '';
  for await (const chunk of text) {
    const whole = rest + chunk.toString('latin1');
    const usable = whole.length - (whole.length % 4);
    rest = whole.slice(usable);
    yield Buffer.from(whole.slice(0, usable), 'base64');
  }
  if (rest !== '') yield Buffer.from(rest, 'base64');
}

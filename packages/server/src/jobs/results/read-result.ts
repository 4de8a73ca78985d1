import { Readable } from 'node:stream';
import type { Blobs } from '../../store/blobs.ts';

/** The bytes of a picture or a video as files have them; undefined when there is no such blob. */
export async function openResult(blobs: Blobs, key: string): Promise<Readable | undefined> {
  const stored = (await blobs.open(key))?.stream();
  if (!stored || !key.endsWith('.b64')) return stored;
  // Closed with the stream and not by the generator, which may never begin.
  return Readable.from(decodeBase64(stored), { objectMode: false }).once('close', () => stored.destroy());
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

import { open } from 'node:fs/promises';
import { provenance } from '../runtime/provenance.ts';

/** The kinds of files that frames are encoded to. */
export type VideoFile = 'mp4' | 'gif' | 'webp';

const xmp = Buffer.from(provenance);

/** Adds the provenance that pictures carry to a finished file, where each kind has XMP. In place. */
export async function addProvenance(path: string, kind: VideoFile): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    if (kind === 'mp4') await file.write(provenanceBox(), 0, null, size);
    // In place of the byte that ends a GIF, which then ends what is added.
    if (kind === 'gif') await file.write(gifExtension(), 0, null, size - 1);
    if (kind === 'webp') {
      const chunk = webpChunk();
      const head = Buffer.alloc(21);
      await file.read(head, 0, head.length, 0);
      if (head.toString('latin1', 12, 16) !== 'VP8X')
        throw new Error('a WebP file without its extended header');
      head.writeUInt32LE(size + chunk.length - 8, 4);
      // The flag for XMP.
      head[20] = head[20]! | 4;
      await file.write(head, 0, null, 0);
      await file.write(chunk, 0, null, size);
    }
  } finally {
    await file.close();
  }
}

function provenanceBox(): Buffer {
  const id = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + id.length + xmp.length);
  head.write('uuid', 4, 'latin1');
  return Buffer.concat([head, id, xmp]);
}

/** The text is no sub-block; descending numbers after it lead every reader of sub-blocks to the end. */
function gifExtension(): Buffer {
  const head = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');
  const descending = Buffer.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0]);
  return Buffer.concat([head, xmp, descending, Buffer.of(0x3b)]);
}

function webpChunk(): Buffer {
  const head = Buffer.alloc(8);
  head.write('XMP ', 0, 'latin1');
  head.writeUInt32LE(xmp.length, 4);
  return Buffer.concat([head, xmp, Buffer.alloc(xmp.length % 2)]);
}

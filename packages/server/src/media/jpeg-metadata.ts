import { afterMarker, startOfScan, validateJpeg } from './validate-jpeg.ts';

const adobe = 0xee;
const jfif = 0xe0;

/** The segments that a decoder needs: frames, Huffman tables, quantization tables, restart interval, number of lines. */
const pictureSegments = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdc, 0xdd, startOfScan]);

/** A header of its own in place of the camera's, which may have a thumbnail: version 1.1, no density. */
const plainJfif = Buffer.from('ffe000104a46494600010100000100010000', 'hex');
/** Of Adobe's segment: its name, version, flags and how the colours are coded, which decoders must know. */
const adobeBytes = 14;

/** The JPEG without any metadata and without what follows the picture. Nothing is decoded: its pixels stay the same. */
export async function removeJpegMetadata(jpeg: Buffer): Promise<Buffer> {
  const { end } = await validateJpeg(jpeg);
  const parts = [jpeg.subarray(0, 2)];
  for (let at = 2; ; ) {
    const next = afterMarker(jpeg, at, jpeg.length)!;
    if (next >= end) break;
    const marker = jpeg[next - 1]!;
    const segmentEnd = next + jpeg.readUInt16BE(next);
    const name = jpeg.toString('latin1', next + 2, next + 7);
    at = segmentEnd;
    if (marker === jfif && name === 'JFIF\0') parts.push(plainJfif);
    if (marker === adobe && name === 'Adobe' && segmentEnd - next === adobeBytes)
      parts.push(jpeg.subarray(next - 2, segmentEnd));
    if (!pictureSegments.has(marker)) continue;
    // The coded data of a scan has no length of its own: it ends at the next marker.
    if (marker === startOfScan) at = afterMarker(jpeg, segmentEnd, jpeg.length)! - 2;
    parts.push(jpeg.subarray(next - 2, at));
  }
  return Buffer.concat([...parts, endMarker]);
}

const endMarker = Buffer.from([0xff, 0xd9]);

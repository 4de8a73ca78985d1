/** The size of a GIF whose blocks are whole and whose frames lie in it; null for anything else. Nothing of it is decoded. */
export function gifShape(bytes: Buffer): { width: number; height: number; frames: number } | null {
  if (bytes.length < 14 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null;
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let frames = 0;
  let at = 13 + tableBytes(bytes[10]!);
  while (at < bytes.length) {
    const block = bytes[at++];
    if (block === trailer) return frames > 0 && at === bytes.length ? { width, height, frames } : null;
    if (block === extension) at += 1;
    else if (block === frame) {
      if (at + 9 >= bytes.length) return null;
      const [left, top, across, down] = [0, 2, 4, 6].map((offset) => bytes.readUInt16LE(at + offset));
      if (left! + across! > width || top! + down! > height) return null;
      at += 9 + tableBytes(bytes[at + 8]!) + 1;
      frames++;
    } else return null;
    // The data of a block are parts of up to 255 bytes, each after its length; the last one has none.
    for (;;) {
      const length = bytes[at++];
      if (length === undefined) return null;
      if (length === 0) break;
      at += length;
    }
  }
  return null;
}

const trailer = 0x3b;
const extension = 0x21;
const frame = 0x2c;

/** How long the colour table is that these flags announce. */
const tableBytes = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

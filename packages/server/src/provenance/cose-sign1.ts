import { type KeyObject, sign } from 'node:crypto';
import type { CoseAlgorithm } from './cose-algorithms.ts';

/** Header labels of COSE (RFC 9052 and RFC 9360). */
const labelAlgorithm = 1;
const labelCertificates = 33;
const tagSign1 = 18;
const cborNull = Buffer.from([0xf6]);

export interface CoseSigner {
  algorithm: CoseAlgorithm;
  key: KeyObject;
  /** DER, the signer's first. */
  certificates: readonly Uint8Array[];
}

/** A COSE_Sign1 with its payload left out, as C2PA stores it. Its size depends on the signer alone. */
export function coseSign1({ algorithm, key, certificates }: CoseSigner, payload: Uint8Array): Buffer {
  const chain = certificates.map(cborBytes);
  const header = Buffer.concat([
    cborHead(5, 2),
    cborHead(0, labelAlgorithm),
    cborHead(1, -1 - algorithm.cose),
    cborHead(0, labelCertificates),
    // One certificate stands by itself, several in a list.
    ...(chain.length === 1 ? chain : [cborHead(4, chain.length), ...chain]),
  ]);
  const signed = Buffer.concat([
    cborHead(4, 4),
    cborText('Signature1'),
    cborBytes(header),
    cborBytes(Buffer.alloc(0)),
    cborBytes(payload),
  ]);
  const signature = sign(algorithm.hash, signed, { ...algorithm.options, key });
  const noUnprotectedHeader = cborHead(5, 0);
  const parts = [cborBytes(header), noUnprotectedHeader, cborNull, cborBytes(signature)];
  return Buffer.concat([cborHead(6, tagSign1), cborHead(4, parts.length), ...parts]);
}

const cborBytes = (bytes: Uint8Array) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);

/** The major type and number that every item of CBOR (RFC 8949) begins with. */
function cborHead(major: number, value: number): Buffer {
  const type = major << 5;
  if (value < 24) return Buffer.from([type | value]);
  if (value < 0x100) return Buffer.from([type | 24, value]);
  if (value < 0x10000) return Buffer.from([type | 25, value >> 8, value & 0xff]);
  const head = Buffer.from([type | 26, 0, 0, 0, 0]);
  head.writeUInt32BE(value, 1);
  return head;
}

/**
 * The parts of DER (ITU-T X.690) that a certificate is written in. @peculiar/x509 would write it with 20 packages and
 * 5 MB; Node itself reads certificates, and refuses one that is written wrongly.
 */

export const derSequence = (...parts: Uint8Array[]) => derElement(0x30, ...parts);
export const derSet = (...parts: Uint8Array[]) => derElement(0x31, ...parts);
export const derInteger = (bytes: Uint8Array) => derElement(0x02, bytes);
export const derOctets = (bytes: Uint8Array) => derElement(0x04, bytes);
export const derText = (text: string) => derElement(0x0c, Buffer.from(text));
export const derTrue = () => derElement(0x01, Buffer.from([0xff]));

/** A bit string whose last byte leaves `unused` bits out. */
export const derBits = (bytes: Uint8Array, unused = 0) => derElement(0x03, Buffer.from([unused]), bytes);

/** An element with a tag of its own, as extensions and versions have. */
export function derElement(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

/** An object identifier, given as `1.2.840.10045.4.3.2`. */
export function derObject(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return derElement(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

/** To the second, in UTC. Certificates write years from 2050 on with four digits, earlier ones with two. */
export function derTime(time: Date): Buffer {
  const digits = `${time.toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`;
  return time.getUTCFullYear() < 2050
    ? derElement(0x17, Buffer.from(digits.slice(2)))
    : derElement(0x18, Buffer.from(digits));
}

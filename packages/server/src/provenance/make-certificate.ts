import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import {
  derBits,
  derElement,
  derInteger,
  derObject,
  derOctets,
  derSequence,
  derSet,
  derText,
  derTime,
  derTrue,
} from './der.ts';
import type { SigningIdentity } from './signing-identity.ts';

const ecdsaWithSha256 = derSequence(derObject('1.2.840.10045.4.3.2'));
const organizationName = '2.5.4.10';
const commonName = '2.5.4.3';
/** Of the purposes in C2PA's certificate profile, the one that its reader accepts without being configured to. */
const emailProtection = '1.3.6.1.5.5.7.3.4';

const dayMs = 24 * 3600_000;
/** Without a timestamp authority a signature can be checked for as long as its certificate is valid. */
const validMs = 3653 * dayMs;

interface CertificateFields {
  subject: string;
  key: KeyObject;
  issuer: { name: string; keys: KeyPairKeyObjectResult };
  extensions: Buffer[];
}

/**
 * A fresh key with a certificate for it and that of its issuer. C2PA allows no self-signed certificate to sign
 * content, so there is an issuer, whose own key is forgotten here: nothing else can be issued in its name.
 */
export function makeIdentity(now: Date, signer = generateP256()): SigningIdentity {
  const issuer = generateP256();
  // Tells installations apart, and says nothing of who runs them.
  const name = `Guise installation ${keyIdOf(signer.publicKey).toString('hex').slice(0, 8)}`;
  const by = { name: `${name}, issuer`, keys: issuer };
  const authority = { subject: by.name, key: issuer.publicKey, issuer: by, extensions: issuerExtensions() };
  const leaf = { subject: name, key: signer.publicKey, issuer: by, extensions: signerExtensions(by.keys) };
  return {
    certificates: [leaf, authority].map((fields) => pemOf(encodeCertificate(fields, now))).join(''),
    key: signer.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const generateP256 = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const issuerExtensions = () => [
  extension('2.5.29.19', derSequence(derTrue(), derInteger(Buffer.from([0]))), 'critical'), // CA, no further ones
  extension('2.5.29.15', derBits(Buffer.from([0x04]), 2), 'critical'), // key usage: keyCertSign
];

const signerExtensions = (issuer: KeyPairKeyObjectResult) => [
  extension('2.5.29.19', derSequence(), 'critical'), // not a CA
  extension('2.5.29.15', derBits(Buffer.from([0x80]), 7), 'critical'), // key usage: digitalSignature
  extension('2.5.29.37', derSequence(derObject(emailProtection))),
  extension('2.5.29.35', derSequence(derElement(0x80, keyIdOf(issuer.publicKey)))), // the issuer's key
];

/** X.509 version 3, by RFC 5280. */
function encodeCertificate({ subject, key, issuer, extensions }: CertificateFields, now: Date): Buffer {
  const serial = randomBytes(16);
  // A positive number that is not padded.
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  const content = derSequence(
    derElement(0xa0, derInteger(Buffer.from([2]))),
    derInteger(serial),
    ecdsaWithSha256,
    nameOf(issuer.name),
    // From a day ago: the clocks of machines that check it differ.
    derSequence(derTime(new Date(+now - dayMs)), derTime(new Date(+now + validMs))),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    derElement(0xa3, derSequence(...extensions, extension('2.5.29.14', derOctets(keyIdOf(key))))),
  );
  return derSequence(content, ecdsaWithSha256, derBits(sign('sha256', content, issuer.keys.privateKey)));
}

function nameOf(name: string): Buffer {
  const attribute = (type: string, text: string) => derSet(derSequence(derObject(type), derText(text)));
  return derSequence(attribute(organizationName, 'Guise'), attribute(commonName, name));
}

function extension(type: string, value: Buffer, critical?: 'critical'): Buffer {
  return derSequence(derObject(type), ...(critical ? [derTrue()] : []), derOctets(value));
}

/** By RFC 5280, SHA-1 of the public key: of a P-256 key these are its last 65 bytes. */
function keyIdOf(key: KeyObject): Buffer {
  const point = key.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha1').update(point).digest();
}

const pemOf = (der: Buffer) => new X509Certificate(der).toString();

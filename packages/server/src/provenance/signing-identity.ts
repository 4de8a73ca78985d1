import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { C2paSettings } from '../config.ts';
import { AppError } from '../errors.ts';
import { findAlgorithm } from './cose-algorithms.ts';

/** What results are signed with, as PEM: the signer's certificate and those above it, and the signer's key. */
export const SigningIdentity = z.object({ certificates: z.string(), key: z.string() });
export type SigningIdentity = z.infer<typeof SigningIdentity>;

export interface IdentityDescription {
  signer: string;
  issuer: string;
  algorithm: string;
  validFrom: Date;
  validTo: Date;
  /** SHA-256 of the signer's certificate. */
  fingerprint: string;
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The signer's certificate first. */
export function certificateChain({ certificates }: SigningIdentity): X509Certificate[] {
  return [...certificates.matchAll(pemCertificate)].map(([pem]) => new X509Certificate(pem));
}

export function describeIdentity(identity: SigningIdentity): IdentityDescription {
  const signer = certificateChain(identity)[0]!;
  return {
    signer: nameIn(signer.subject),
    issuer: nameIn(signer.issuer),
    algorithm: findAlgorithm(signer.publicKey)!.name,
    validFrom: signer.validFromDate,
    validTo: signer.validToDate,
    fingerprint: signer.fingerprint256,
  };
}

/** The common name of `O=…\nCN=…`, or all of it where there is none. */
function nameIn(distinguished: string): string {
  return /^CN=(.*)$/m.exec(distinguished)?.[1] ?? distinguished.replaceAll('\n', ', ');
}

/** The operator's own certificate and key. What is wrong with them stops the start with a sentence. */
export function readOperatorIdentity(files: C2paSettings, now: Date): SigningIdentity {
  const { certificateFile, keyFile } = files;
  if (certificateFile === '' || keyFile === '')
    throw unusable('GUISE_C2PA_CERT and GUISE_C2PA_KEY belong together: set both or neither.');
  const identity = {
    certificates: readPem('GUISE_C2PA_CERT', certificateFile),
    key: readPem('GUISE_C2PA_KEY', keyFile),
  };
  assertMatching(identity, files);
  assertInForce(identity, certificateFile, now);
  return identity;
}

function assertMatching(identity: SigningIdentity, { certificateFile, keyFile }: C2paSettings): void {
  const [signer] = parseOf('GUISE_C2PA_CERT', certificateFile, () => certificateChain(identity));
  if (!signer) throw unusable(`GUISE_C2PA_CERT=${certificateFile} has no certificate in PEM.`);
  const key: KeyObject = parseOf('GUISE_C2PA_KEY', keyFile, () => createPrivateKey(identity.key));
  if (!signer.checkPrivateKey(key))
    throw unusable(
      `GUISE_C2PA_KEY=${keyFile} is not the key of the first certificate in ${certificateFile}.`,
    );
  if (signer.verify(signer.publicKey))
    throw unusable(`GUISE_C2PA_CERT=${certificateFile} is self-signed, which C2PA does not allow.`);
  if (!findAlgorithm(key))
    throw unusable(
      `GUISE_C2PA_KEY=${keyFile} is of a kind that C2PA does not allow: use P-256, P-384, P-521, Ed25519 or RSA.`,
    );
}

function assertInForce(identity: SigningIdentity, file: string, now: Date): void {
  const { validFrom, validTo } = describeIdentity(identity);
  if (now > validTo)
    throw unusable(`The certificate of GUISE_C2PA_CERT=${file} expired on ${validTo.toISOString()}.`);
  if (now < validFrom)
    throw unusable(
      `The certificate of GUISE_C2PA_CERT=${file} is valid only from ${validFrom.toISOString()}.`,
    );
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw unusable(`${name}=${file} cannot be read.`, cause);
  }
}

function parseOf<T>(name: string, file: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw unusable(`${name}=${file} cannot be used: it must be PEM without a passphrase.`, cause);
  }
}

/** A certificate that cannot sign results. */
export function unusable(sentence: string, cause?: unknown): AppError {
  return new AppError('BAD_SETTING', `${sentence} See docs/provenance.md.`, { cause });
}

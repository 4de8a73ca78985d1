import { constants, type KeyObject, type SignKeyObjectInput } from 'node:crypto';

/** A signature algorithm of C2PA, by its names in C2PA, COSE and Node. */
export interface CoseAlgorithm {
  name: string;
  /** As the library spells it. */
  c2pa: string;
  /** The negative number that COSE gives it. */
  cose: number;
  hash: string | null;
  options: Omit<SignKeyObjectInput, 'key'>;
}

const fixedSize = { dsaEncoding: 'ieee-p1363' } as const;
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

const algorithms: Record<string, CoseAlgorithm> = {
  prime256v1: { name: 'ES256', c2pa: 'es256', cose: -7, hash: 'sha256', options: fixedSize },
  secp384r1: { name: 'ES384', c2pa: 'es384', cose: -35, hash: 'sha384', options: fixedSize },
  secp521r1: { name: 'ES512', c2pa: 'es512', cose: -36, hash: 'sha512', options: fixedSize },
  ed25519: { name: 'EdDSA', c2pa: 'ed25519', cose: -8, hash: null, options: {} },
  rsa: { name: 'PS256', c2pa: 'ps256', cose: -37, hash: 'sha256', options: pss },
};

/** What a key of this kind signs with; undefined where C2PA allows none. */
export function findAlgorithm({
  asymmetricKeyType,
  asymmetricKeyDetails,
}: KeyObject): CoseAlgorithm | undefined {
  const kind = asymmetricKeyType === 'ec' ? asymmetricKeyDetails?.namedCurve : asymmetricKeyType;
  return Object.entries(algorithms).find(([name]) => name === kind)?.[1];
}

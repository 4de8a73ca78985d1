import { createPrivateKey } from 'node:crypto';
import { digitalSourceType } from '@guise/engine/runtime/provenance.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { type C2paLibrary, signingSettings, sourceOf } from './c2pa-library.ts';
import { findAlgorithm } from './cose-algorithms.ts';
import { type CoseSigner, coseSign1 } from './cose-sign1.ts';
import { certificateChain, type SigningIdentity } from './signing-identity.ts';

/**
 * The file with a C2PA manifest in it. The manifest says what made the file, when, and of what kind it is. Of the
 * guest, the account and the request it says nothing.
 */
export async function signContent(
  library: C2paLibrary,
  identity: SigningIdentity,
  type: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const signer = signerOf(identity);
  const builder = library.WasmBuilder.fromJson(JSON.stringify(manifestAt(new Date())), signingSettings);
  try {
    const definition = {
      alg: signer.algorithm.c2pa,
      // The place kept for the signature must have its size, which no claim changes.
      reserveSize: coseSign1(signer, new Uint8Array()).length,
      sign: async (claim: Uint8Array) => new Uint8Array(coseSign1(signer, claim)),
    };
    return await builder.sign(definition, [], type, sourceOf(bytes));
  } finally {
    builder.free();
  }
}

function signerOf(identity: SigningIdentity): CoseSigner {
  const key = createPrivateKey(identity.key);
  return {
    key,
    algorithm: findAlgorithm(key)!,
    certificates: certificateChain(identity).map(({ raw }) => raw),
  };
}

function manifestAt(now: Date) {
  const software = { name: 'Guise', version: packageJson.version };
  const created = {
    action: 'c2pa.created',
    when: `${now.toISOString().slice(0, 19)}Z`,
    digitalSourceType,
    softwareAgent: software,
  };
  return {
    title: 'Made with Guise',
    claim_generator_info: [software],
    assertions: [{ label: 'c2pa.actions.v2', data: { actions: [created] } }],
  };
}

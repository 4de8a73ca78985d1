import type { C2paSettings } from '../config.ts';
import { noSigner, type ResultSigner, resultSigner } from '../provenance/result-signer.ts';
import { readOperatorIdentity, type SigningIdentity } from '../provenance/signing-identity.ts';
import { installationIdentity } from '../provenance/stored-identity.ts';
import type { Db } from '../store/db.ts';
import type { ServiceNode } from './node.ts';

/** What signs the results of this process. A certificate of the operator's that cannot do so stops the start. */
export async function openSigner({ config: { c2pa }, db, log }: ServiceNode): Promise<ResultSigner> {
  if (!c2pa) return noSigner;
  const signer = resultSigner(await signingIdentity(c2pa, db), log);
  if (isOperators(c2pa)) {
    try {
      await signer.check();
    } catch (error) {
      await signer.stop();
      throw error;
    }
  }
  return signer;
}

/** The operator's certificate where the settings name one, or the installation's own. */
export async function signingIdentity(c2pa: C2paSettings, db: Db): Promise<SigningIdentity> {
  return isOperators(c2pa) ? readOperatorIdentity(c2pa, new Date()) : installationIdentity(db);
}

export const isOperators = ({ certificateFile, keyFile }: C2paSettings) =>
  certificateFile !== '' || keyFile !== '';

import type { C2paLibrary } from './c2pa-library.ts';
import { readProvenance } from './read-provenance.ts';
import { signContent } from './sign-content.ts';
import { type SigningIdentity, unusable } from './signing-identity.ts';

/** One white pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
);

/** Signs a picture of one pixel and reads it back: the library's own reader decides what a certificate is good for. */
export async function tryIdentity(library: C2paLibrary, identity: SigningIdentity): Promise<void> {
  const signed = await signContent(library, identity, 'image/png', new Uint8Array(pixel));
  const { state, problems } = await readProvenance(library, 'image/png', signed);
  if (state !== 'valid')
    throw unusable(`The certificate cannot sign results by the rules of C2PA: ${problems.join('; ')}.`);
}

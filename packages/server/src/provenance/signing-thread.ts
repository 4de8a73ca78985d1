import { readFile, rename, writeFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { loadC2pa } from './c2pa-library.ts';
import { signContent } from './sign-content.ts';
import type { SigningIdentity } from './signing-identity.ts';
import { tryIdentity } from './try-identity.ts';

export interface ToSigningThread {
  file: string;
  type: string;
}
export type FromSigningThread = { ok: true } | { ok: false; reason: string };

/** The thread that signs. It answers first when it is ready, then once for every file, in their order. */

const identity = workerData as SigningIdentity;
// The library can fetch what a file names. It is told not to, and here it could not.
Object.assign(globalThis, { fetch: () => Promise.reject(new Error('nothing is fetched here')) });
const answer = (message: FromSigningThread) => parentPort?.postMessage(message);

async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    answer({ ok: true });
  } catch (error) {
    answer({ ok: false, reason: error instanceof Error ? error.message : String(error) });
  }
}

const loading = loadC2pa();
parentPort?.on('message', ({ file, type }: ToSigningThread) =>
  attempt(async () => {
    const signed = await signContent(await loading, identity, type, new Uint8Array(await readFile(file)));
    await writeFile(`${file}.signed`, signed);
    await rename(`${file}.signed`, file);
  }),
);
// The trial also makes V8 compile what signing needs, while the first result is still being rendered.
await attempt(async () => tryIdentity(await loading, identity));

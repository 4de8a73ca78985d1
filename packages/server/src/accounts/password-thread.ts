import { scryptSync } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { KeyDerivation } from './password-hash.ts';

/** Derives one key after the other. See `PasswordHasher`. */
parentPort!.on('message', ({ password, salt, cost }: KeyDerivation) => {
  parentPort!.postMessage(scryptSync(password, salt, cost.keyBytes, cost));
});

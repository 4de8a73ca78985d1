import { lookup } from 'node:dns/promises';
import { createGate } from '../admission/admission.ts';

/** Whose call leads to a name, and until when it is wanted. */
export interface LookUpCaller {
  accountId: string;
  signal: AbortSignal;
}

/** The addresses of a host name; rejects when it has none. */
export type ResolveName = (host: string, asked: LookUpCaller) => Promise<string[]>;

/** A resolver that has not answered by then is not waited for any more. Its thread is held until it answers. */
const answerMs = 3000;
/** A name that was just not found is not looked up again for so long. */
const failedMs = 10_000;
/** Beyond this, the oldest are forgotten. */
const mostFailed = 1000;

/** Accounts take turns, so that one with names whose servers do not answer keeps no other waiting. */
export function createNameLookup({
  gate = createGate('name_lookups'),
  lookUp = systemAddresses,
} = {}): ResolveName {
  const failedUntil = new Map<string, number>();
  const remember = (host: string) => {
    failedUntil.delete(host);
    failedUntil.set(host, performance.now() + failedMs);
    for (const oldest of failedUntil.keys()) {
      if (failedUntil.size <= mostFailed) break;
      failedUntil.delete(oldest);
    }
  };
  return async (host, { accountId, signal }) => {
    if ((failedUntil.get(host) ?? 0) > performance.now()) throw new Error(`${host} was not found just now`);
    const place = await gate.enter(accountId, { signal });
    const found = lookUp(host).finally(() => place.release());
    try {
      return await answerInTime(found);
    } catch (error) {
      remember(host);
      throw error;
    }
  };
}

async function answerInTime(found: Promise<string[]>): Promise<string[]> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the resolver did not answer in time')), answerMs);
  try {
    return await Promise.race([found, promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function systemAddresses(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

import type { Db } from '../store/db.ts';
import { readJson } from '../store/json-column.ts';
import { findSetting, insertSetting, replaceSetting } from '../store/settings.ts';
import { makeIdentity } from './make-certificate.ts';
import { describeIdentity, SigningIdentity } from './signing-identity.ts';

const renewBeforeMs = 30 * 24 * 3600_000;

/**
 * The installation's own certificate. The first process makes it and all read the same; one that is about to expire
 * is renewed.
 */
export async function installationIdentity(db: Db): Promise<SigningIdentity> {
  const found = await readIdentity(db);
  if (!found) {
    await db.run(insertSetting, { name: 'c2pa_identity', value: JSON.stringify(makeIdentity(new Date())) });
    return (await readIdentity(db))!;
  }
  const leftMs = +describeIdentity(found).validTo - Date.now();
  return leftMs < renewBeforeMs ? replaceIdentity(db, found) : found;
}

/** A new key and certificate. What the old one has signed stays valid until the old one expires. */
export async function renewIdentity(db: Db): Promise<SigningIdentity> {
  return replaceIdentity(db, await installationIdentity(db));
}

/** Of several processes that renew the same certificate, the first decides. */
async function replaceIdentity(db: Db, old: SigningIdentity): Promise<SigningIdentity> {
  const value = JSON.stringify(makeIdentity(new Date()));
  await db.run(replaceSetting, { name: 'c2pa_identity', value, old: JSON.stringify(old) });
  return (await readIdentity(db))!;
}

async function readIdentity(db: Db): Promise<SigningIdentity | null> {
  const row = await db.one(findSetting, { name: 'c2pa_identity' });
  return row ? readJson(SigningIdentity, row.value) : null;
}

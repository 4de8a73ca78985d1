import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { accountOf } from '@guise/server/accounts/accounts.ts';
import { openStore, startApp } from '@guise/server/app/app.ts';
import { readConfig } from '@guise/server/config.ts';
import { grant } from '@guise/server/credits/ledger.ts';
import { testEngine, untilAborted } from '../packages/server/test/support/test-engine.ts';

/** A server process to measure: `guise`, or `bare`, which is node:http answering the same bytes. */
const [kind, argument, result] = process.argv.slice(2);

if (kind === 'guise') {
  const engine = testEngine();
  engine.before = async (request, context) => {
    if (request.prompt === 'for ever') await untilAborted(request, context);
  };
  engine.result = await readFile(result!);
  const config = {
    ...readConfig({ PORT: '0', GUISE_LOG_LEVEL: 'silent', GUISE_DATA_DIR: argument }),
    maxQueued: 10_000_000,
    concurrency: 1,
  };
  const app = await startApp(config, () => [engine]);
  const db = await openStore(config);
  const { id } = await accountOf(db, 'demo@guise.local');
  await db.transaction((tx) => grant(tx, id, 1_000_000));
  await db.close();
  process.send?.({ url: app.url, key: app.demoKey });
} else {
  const small = Buffer.from(argument ?? '');
  const server = createServer(async (request, response) => {
    if (request.url === '/parse') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      JSON.parse(Buffer.concat(chunks).toString());
    } else if (request.url?.startsWith('/file/')) {
      const path = decodeURIComponent(request.url.slice('/file/'.length));
      const { size } = await stat(path);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': size });
      createReadStream(path).pipe(response);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': small.length });
    response.end(small);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address && typeof address === 'object') process.send?.({ url: `http://127.0.0.1:${address.port}` });
  });
}

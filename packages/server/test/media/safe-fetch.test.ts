import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import net from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { AppError } from '../../src/errors.ts';
import { createNameLookup } from '../../src/media/name-lookup.ts';
import { type SafeFetchOptions, safeFetcher } from '../../src/media/safe-fetch.ts';
import { portOf } from './fake-internet.ts';

const options: SafeFetchOptions = {
  maxBytes: 1024 * 1024,
  timeoutMs: 5000,
  allowPrivate: true,
  resolve: createNameLookup(),
};

async function serve(t: TestContext, listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { server, port: portOf(server), url: `http://127.0.0.1:${portOf(server)}` };
}

/** An https URL whose server takes connections and never shakes hands. */
async function serveSilence(t: TestContext): Promise<string> {
  const server = net.createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `https://127.0.0.1:${portOf(server)}/`;
}

function invalid(sentence: RegExp) {
  return { name: 'AppError', code: 'INVALID_IMAGE', message: sentence };
}

async function takes(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

test('gets the bytes from a private address when the operator allows it', async (t) => {
  const photo = Buffer.alloc(300_000, 7);
  const { url } = await serve(t, (_request, response) => response.end(photo));
  assert.deepEqual(await safeFetcher(options)(`${url}/photo.jpg`), photo);
});

test('asks for the path and query as given, by its host name, uncompressed', async (t) => {
  const { port } = await serve(t, ({ url, method, headers }, response) => {
    response.end(
      JSON.stringify([method, url, headers.host, headers['accept-encoding'], headers.cookie ?? null]),
    );
  });
  const resolve = async () => ['127.0.0.1'];
  const answer = await safeFetcher({ ...options, resolve })(
    `http://photos.test:${port}/a%20b?x=1&y=%2F#part`,
  );
  assert.deepEqual(JSON.parse(`${answer}`), [
    'GET',
    '/a%20b?x=1&y=%2F',
    `photos.test:${port}`,
    'identity',
    null,
  ]);
});

test('goes on to the next address of a host when the first does not answer', async (t) => {
  const { port } = await serve(t, (_request, response) => response.end('photo'));
  const resolve = async () => ['127.0.0.9', '127.0.0.1'];
  assert.equal(`${await safeFetcher({ ...options, resolve })(`http://photos.test:${port}/`)}`, 'photo');
});

test('names the host to a TLS server although it connects by address', async (t) => {
  const hello = Promise.withResolvers<Buffer>();
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      hello.resolve(data);
      socket.destroy();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const fetched = safeFetcher({ ...options, resolve: async () => ['127.0.0.1'] })(
    `https://photos.test:${portOf(server)}/`,
  );
  await assert.rejects(fetched, invalid(/could not be fetched/));
  assert.ok((await hello.promise).includes('photos.test'));
});

test('follows three redirects, relative ones too, and no fourth', async (t) => {
  const asked: string[] = [];
  const { url } = await serve(t, (request, response) => {
    asked.push(request.url!);
    const left = Number(request.url!.slice(1));
    if (left === 0) response.end('photo');
    else response.writeHead(302, { location: left % 2 ? `/${left - 1}` : `${left - 1}` }).end('moved');
  });
  assert.equal(`${await safeFetcher(options)(`${url}/3`)}`, 'photo');
  assert.deepEqual(asked.splice(0), ['/3', '/2', '/1', '/0']);
  await assert.rejects(safeFetcher(options)(`${url}/4`), invalid(/redirects too often/));
  assert.deepEqual(asked, ['/4', '/3', '/2', '/1']);
});

test('a redirect loop ends', async (t) => {
  const { url } = await serve(t, (_request, response) => response.writeHead(301, { location: '/' }).end());
  await assert.rejects(safeFetcher(options)(url), invalid(/redirects too often/));
});

test('every answer other than 200 is refused', async (t) => {
  const { url } = await serve(t, (request, response) => {
    response
      .writeHead(Number(request.url!.slice(1)))
      .end(request.url === '/204' || request.url === '/304' ? undefined : 'no');
  });
  for (const status of [201, 204, 206, 300, 302, 304, 401, 404, 500, 503]) {
    await assert.rejects(safeFetcher(options)(`${url}/${status}`), invalid(new RegExp(`status ${status}`)));
  }
});

test('a compressed body is refused before it is expanded', async (t) => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  const { url } = await serve(t, (request, response) => {
    response.writeHead(200, { 'content-encoding': request.url!.slice(1) }).end(bomb);
  });
  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip,gzip', 'X-GZip', 'aws-chunked, gzip']) {
    await assert.rejects(safeFetcher(options)(`${url}/${encoding}`), invalid(/compressed/));
  }
});

test('an encoding that is no compression is ignored, as object stores send it', async (t) => {
  const { url } = await serve(t, (request, response) => {
    response.writeHead(200, { 'content-encoding': request.url!.slice(1) }).end('photo');
  });
  for (const encoding of ['', 'identity', 'Identity', 'aws-chunked', 'utf-8', 'binary'])
    assert.equal(`${await safeFetcher(options)(`${url}/${encoding}`)}`, 'photo', encoding);
});

test('a body declared too large is refused before it is read', async (t) => {
  const { url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 10 ** 12 });
    response.write('photo');
  });
  await assert.rejects(safeFetcher(options)(url), invalid(/larger than 1 MB/));
});

test('an endless body is cut off at the limit and its connection closed', async (t) => {
  let sent = 0;
  const closed = Promise.withResolvers<void>();
  const { url } = await serve(t, (_request, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    const more = () => {
      do sent += chunk.length;
      while (response.write(chunk));
    };
    response.on('drain', more).on('close', closed.resolve);
    more();
  });
  await assert.rejects(safeFetcher(options)(url), invalid(/larger than 1 MB/));
  await closed.promise;
  assert.ok(sent < 20 * 1024 * 1024, `${sent} bytes left the server`);
});

test('a body of exactly the limit is accepted', async (t) => {
  const { url } = await serve(t, (_request, response) => response.end(Buffer.alloc(options.maxBytes)));
  assert.equal((await safeFetcher(options)(url)).length, options.maxBytes);
});

test('a body that ends before its declared length is refused', async (t) => {
  const { url } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('photo', () => response.destroy());
  });
  await assert.rejects(safeFetcher(options)(url), invalid(/could not be fetched/));
});

test('the time limit covers headers, body, redirects, names and TLS handshakes', async (t) => {
  const { url, port } = await serve(t, (request, response) => {
    if (request.url === '/headers') return;
    if (request.url === '/redirects') {
      setTimeout(() => response.writeHead(302, { location: '/redirects' }).end(), 120).unref();
      return;
    }
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
  });
  const silent = await serveSilence(t);
  const short = { ...options, timeoutMs: 300 };
  const slow: [string, SafeFetchOptions][] = [
    [`${url}/headers`, short],
    [`${url}/body`, short],
    [`${url}/redirects`, short],
    [silent, short],
    [`http://photos.test:${port}/`, { ...short, resolve: () => new Promise(() => {}) }],
  ];
  for (const [address, limits] of slow) {
    const spent = await takes(() =>
      assert.rejects(safeFetcher(limits)(address), invalid(/too long/), address),
    );
    assert.ok(spent > 250 && spent < 5000, `${address} took ${spent} ms`);
  }
});

test('a caller who goes away ends the fetch, before it, while connecting and while waiting', async (t) => {
  const { url } = await serve(t, () => {});
  const silent = await serveSilence(t);
  await assert.rejects(
    safeFetcher(options)(url, { accountId: 'a', signal: AbortSignal.abort() }),
    invalid(/could not be fetched/),
  );
  for (const address of [url, silent]) {
    const fetched = () => safeFetcher(options)(address, { accountId: 'a', signal: AbortSignal.timeout(100) });
    const spent = await takes(() => assert.rejects(fetched(), invalid(/could not be fetched/)));
    assert.ok(spent < options.timeoutMs, `${address} took ${spent} ms`);
  }
});

test('refused connections and broken answers are no more than a failed fetch', async (t) => {
  const broken = net.createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.6\r\n'));
  await once(broken.listen(0, '127.0.0.1'), 'listening');
  const gone = net.createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const gonePort = portOf(gone);
  gone.close();
  t.after(() => broken.close());
  const failures: [string, SafeFetchOptions][] = [
    [`http://127.0.0.1:${portOf(broken)}/`, options],
    [`http://127.0.0.1:${gonePort}/`, options],
  ];
  for (const [url, limits] of failures) {
    await assert.rejects(safeFetcher(limits)(url), invalid(/^The image URL could not be fetched\.$/), url);
  }
});

test('names that do not exist are answered like names of the operator’s network, with what may be wrong', async () => {
  const answers = await Promise.all(
    [
      async () => ['10.0.0.7'],
      async () => [],
      async () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })),
    ].map((resolve) =>
      safeFetcher({ ...options, allowPrivate: false, resolve })('http://printer.internal/').catch(
        ({ code, message }: AppError) => ({ code, message }),
      ),
    ),
  );
  const { code, message } = answers[0] as AppError;
  assert.equal(code, 'URL_NOT_ALLOWED');
  assert.match(
    message,
    /^The host name printer\.internal was not found, or it does not lead to a public address\./,
  );
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);
});

/** A resolver whose answers come when they are told. */
function slowResolver() {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const resolveName = createNameLookup({
    lookUp: async (host) => {
      asked.push(host);
      await new Promise<void>((resolve) => answers.set(host, resolve));
      return ['203.0.113.1'];
    },
  });
  const find = (host: string, accountId: string, signal = new AbortController().signal) =>
    resolveName(host, { accountId, signal }).then(String, String);
  const answer = async (host: string) => {
    answers.get(host)!();
    await setImmediate();
  };
  return { asked, find, answer };
}

test('names are looked up two at a time, one of an account, so that slow ones leave threads to everything else', async () => {
  const { asked, find, answer } = slowResolver();
  const gone = new AbortController();
  const found = [
    find('one.test', 'a'),
    find('two.test', 'a'),
    find('gone.test', 'b', gone.signal),
    find('three.test', 'c'),
    find('four.test', 'a'),
  ];
  await setImmediate();
  assert.deepEqual(asked, ['one.test', 'gone.test']);
  gone.abort();
  await answer('one.test');
  assert.deepEqual(asked.slice(2), ['three.test'], 'accounts take turns');
  await answer('gone.test');
  assert.deepEqual(asked.slice(3), ['two.test']);
  await answer('three.test');
  await answer('two.test');
  await answer('four.test');
  assert.deepEqual(new Set(await Promise.all(found)), new Set(['203.0.113.1']));
});

test('a resolver that does not answer is waited for 3 s, and its name is not looked up again for a while', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { asked, find } = slowResolver();
  const first = find('silent.test', 'a');
  await setImmediate();
  t.mock.timers.tick(3000);
  assert.match(await first, /did not answer in time/);
  assert.match(await find('silent.test', 'b'), /was not found just now/);
  assert.deepEqual(asked, ['silent.test']);
});

test('no connection is left open after an answer, a refusal or a redirect', async (t) => {
  const { server, url } = await serve(t, (request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/photo' }).end(Buffer.alloc(5e6));
    else if (request.url === '/large') response.end(Buffer.alloc(2 * options.maxBytes));
    else response.end('photo');
  });
  const closed: Promise<void>[] = [];
  server.on('connection', (socket: net.Socket) => {
    closed.push(new Promise((resolve) => socket.on('close', () => resolve())));
  });
  await safeFetcher(options)(`${url}/photo`);
  await safeFetcher(options)(`${url}/moved`);
  await assert.rejects(safeFetcher(options)(`${url}/large`), invalid(/larger/));
  assert.equal(closed.length, 4);
  // Kept for another request they would close after 4 s.
  const spent = await takes(() => Promise.all(closed));
  assert.ok(spent < 3000, `${spent} ms`);
});

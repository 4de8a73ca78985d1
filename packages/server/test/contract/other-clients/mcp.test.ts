import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import sharp from 'sharp';
import { cannotMake } from '../../../src/engines/engine.ts';
import { photo, request, startTestServer, type TestAccount, type TestServer } from '../../support/harness.ts';
import { door, tinyMp4 } from '../../support/test-engine.ts';

// The Model Context Protocol by its own client, over HTTP and over the standard streams of `guise mcp`.

let server: TestServer;
let account: TestAccount;
let folder: string;
let picture: Buffer;
before(async () => {
  server = await startTestServer();
  account = await server.account();
  folder = mkdtempSync(join(tmpdir(), 'guise-mcp-'));
  writeFileSync(join(folder, 'guest.jpg'), Buffer.from(photo, 'base64'));
  picture = await sharp({ create: { width: 20, height: 30, channels: 3, background: '#468' } })
    .png()
    .toBuffer();
});
after(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});
beforeEach(() => {
  server.engine.before = async () => {};
  server.engine.result = null;
});

const main = new URL('../../../src/cli/main.ts', import.meta.url).pathname;

async function connect(over: 'http' | 'stdio', key = account.api_key): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport =
    over === 'http'
      ? new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${key}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: [main, 'mcp', '--url', server.url],
          env: { ...process.env, GUISE_API_KEY: key } as Record<string, string>,
        });
  await client.connect(transport);
  return client;
}

interface Told {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers is what the tests look into.
  data: any;
  image: { data: string; mimeType: string } | undefined;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const result = await client.callTool({ name, arguments: args });
  const content = result.content as { type: string; text?: string; data?: string; mimeType?: string }[];
  const text = content.find(({ type }) => type === 'text')?.text ?? '';
  const image = content.find(({ type }) => type === 'image') as Told['image'];
  const isError = result.isError === true;
  return { isError, text, data: text.startsWith('{') ? JSON.parse(text) : undefined, image };
}

for (const over of ['http', 'stdio'] as const)
  describe(`over ${over}`, () => {
    let client: Client;
    before(async () => {
      client = await connect(over);
    });
    after(() => client.close());
    const guest = () => (over === 'stdio' ? join(folder, 'guest.jpg') : photo);

    test('the tools are listed with what they take', async () => {
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name).toSorted();
      assert.deepEqual(names, [
        'list_filters',
        'make_filter',
        'make_picture',
        'make_video',
        'read_qa_run',
        'read_usage',
        'start_qa_run',
        'watch_job',
      ]);
      const picture = tools.find(({ name }) => name === 'make_picture')!;
      assert.equal('save_to' in picture.inputSchema.properties!, over === 'stdio');
    });

    test('a filter is found and makes a picture of a photo, with a small picture and a link', async () => {
      server.engine.result = picture;
      const { data } = await call(client, 'list_filters', { search: 'knight hall' });
      assert.deepEqual(
        data.filters.map(({ id, kind }: { id: string; kind: string }) => [id, kind]),
        [['12', 'face_swap']],
      );
      assert.equal((await fetch(data.filters[0].preview_url)).status, 200);
      const credits = await account.credits();
      const made = await call(client, 'make_picture', {
        photo: guest(),
        filter: data.filters[0].id,
        gender: 'female',
      });
      assert.equal(made.isError, false, made.text);
      assert.equal(made.data.status, 'COMPLETED');
      assert.deepEqual(Buffer.from(await (await fetch(made.data.url)).arrayBuffer()), picture);
      assert.equal(made.image?.mimeType, 'image/webp');
      assert.equal(await account.credits(), credits - 1);
      const { filterRef, params, images } = server.engine.requests.at(-1)!;
      assert.deepEqual([filterRef, (params as { gender: number }).gender, images.length], ['12', 1, 1]);
    });

    test('a job that takes longer is watched, and a video is made', async () => {
      const gate = door();
      server.engine.before = gate.work;
      const begun = await call(client, 'make_video', {
        photo: guest(),
        prompt: 'slow zoom',
        wait_seconds: 0,
      });
      assert.notEqual(begun.data.status, 'COMPLETED');
      const watching = call(client, 'watch_job', { job_id: begun.data.job_id });
      gate.open();
      const { data } = await watching;
      assert.deepEqual([data.status, data.media_type], ['COMPLETED', 'video/mp4']);
      assert.deepEqual(Buffer.from(await (await fetch(data.url)).arrayBuffer()), tinyMp4);
    });

    test('a filter is made, tried on photos, and usage is read', async () => {
      const filter = await call(client, 'make_filter', { name: 'Boat', prompt: 'on a boat' });
      const run = await call(client, 'start_qa_run', { filter_id: filter.data.id, most_photos: 2 });
      assert.equal(run.data.cells.length, 2, run.text);
      const read = await call(client, 'read_qa_run', { id: run.data.id });
      assert.equal(read.data.filter, 'Boat');
      const usage = await call(client, 'read_usage', { by: 'family' });
      assert.equal(usage.data.balance, await account.credits());
      assert.ok(usage.data.total.jobs > 0);
    });

    test('what the server refuses is told with its code', async () => {
      for (const [args, code] of [
        [{ photo: guest(), filter: 'nothing' }, 'FILTER_NOT_FOUND'],
        [{ filter: '12' }, 'VALIDATION_ERROR'],
        [{}, 'VALIDATION_ERROR'],
      ] as const) {
        const { isError, text } = await call(client, 'make_picture', args);
        assert.equal(isError, true);
        assert.ok(text.startsWith(code), text);
      }
      server.engine.before = async () => {
        throw cannotMake('No face was found in the photo.');
      };
      const failed = await call(client, 'make_picture', { photo: guest(), filter: '12' });
      assert.deepEqual([failed.isError, failed.data.error], [true, 'No face was found in the photo.']);
    });
  });

test('over stdio the picture is saved where it is asked for', async () => {
  server.engine.result = picture;
  const client = await connect('stdio');
  const save_to = join(folder, 'out.png');
  await call(client, 'make_picture', { prompt: 'a castle', save_to });
  await client.close();
  assert.deepEqual(readFileSync(save_to), picture);
});

test('over stdio a path that cannot be read is told in a sentence', async () => {
  const client = await connect('stdio');
  const missing = join(folder, 'missing.jpg');
  const { isError, text } = await call(client, 'make_picture', { photo: missing, filter: '12' });
  await client.close();
  assert.deepEqual(
    [isError, text],
    [true, `INVALID_IMAGE: The photo ${missing} cannot be read: there is no such file on this machine.`],
  );
});

test('scopes and budgets hold', async () => {
  const keyWith = async (fields: object) =>
    (await account.call('POST', '/v1/keys', { name: 'model', ...fields })).body.secret as string;
  const reader = await connect('http', await keyWith({ scopes: ['read'] }));
  const refused = await call(reader, 'make_picture', { prompt: 'a castle' });
  assert.ok(refused.isError && refused.text.startsWith('SCOPE_MISSING'), refused.text);
  const limited = await connect('http', await keyWith({ budget: 3 }));
  assert.equal((await call(limited, 'make_picture', { prompt: 'a castle' })).isError, false);
  const spent = await call(limited, 'make_picture', { prompt: 'a castle' });
  assert.ok(spent.isError && spent.text.startsWith('INSUFFICIENT_CREDITS'), spent.text);
  await Promise.all([reader.close(), limited.close()]);
});

test('a stranger reaches no job, filter, alias or QA run of another account', async () => {
  const ours = await connect('http');
  const { job_id } = (await call(ours, 'make_picture', { prompt: 'a castle' })).data;
  const filter = (await call(ours, 'make_filter', { name: 'Ours alone', prompt: 'on a boat' })).data.id;
  const alias = await account.call('POST', '/api/alias/', { ai_filter: filter, project: 'Our stage' });
  const run = (await call(ours, 'start_qa_run', { filter_id: filter, most_photos: 1 })).data.id;
  const stranger = await server.account();
  const credits = await stranger.credits();
  const theirs = await connect('http', stranger.api_key);
  const shot = `data:image/jpeg;base64,${photo}`;
  for (const [tool, args, code] of [
    ['watch_job', { job_id }, 'JOB_NOT_FOUND'],
    ['read_qa_run', { id: run }, 'QA_RUN_NOT_FOUND'],
    ['start_qa_run', { filter_id: filter, most_photos: 1 }, 'FILTER_NOT_FOUND'],
    ['make_picture', { photo: shot, filter }, 'FILTER_NOT_FOUND'],
    ['make_picture', { photo: shot, filter: alias.body.id }, 'FILTER_NOT_FOUND'],
    ['make_picture', { photo: shot, filter: 'Our stage' }, 'FILTER_NOT_FOUND'],
  ] as const) {
    const { isError, text } = await call(theirs, tool, args);
    assert.ok(isError && text.startsWith(code), `${tool} ${JSON.stringify(args).slice(-60)}: ${text}`);
  }
  const found = await call(theirs, 'list_filters', { search: 'Ours alone' });
  assert.ok(!found.text.includes(filter), found.text);
  assert.equal(await stranger.credits(), credits);
  await Promise.all([ours.close(), theirs.close()]);
});

test('over HTTP no file of the server is read, and a key is needed', async () => {
  const client = await connect('http');
  for (const path of [join(folder, 'guest.jpg'), 'file:///etc/hosts', '/etc/hosts', 'etc/hosts']) {
    const { isError, text } = await call(client, 'make_picture', { photo: path, filter: '12' });
    assert.ok(isError && text.startsWith('INVALID_IMAGE'), text);
  }
  await client.close();
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  assert.equal((await request(server.url, 'POST', '/mcp', message)).status, 401);
  assert.equal((await account.call('GET', '/mcp')).status, 405);
  await assert.rejects(connect('http', 'wrong'));
});

test('a large photo arrives as it was sent', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const create = { width: 1500, height: 1500, channels: 3, background: '#000', noise } as const;
  const large = await sharp({ create }).jpeg({ quality: 95 }).toBuffer();
  let received: Buffer | undefined;
  server.engine.before = async ({ images }) => {
    received = readFileSync(images[0]!);
  };
  const client = await connect('http');
  const made = await call(client, 'make_picture', { photo: large.toString('base64'), filter: '12' });
  await client.close();
  assert.equal(made.isError, false, made.text);
  assert.ok(received?.equals(large));
});

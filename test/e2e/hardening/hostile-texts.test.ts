import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { moveStore } from '@guise/server/app/move-store.ts';
import { openStorage } from '@guise/server/app/storage.ts';
import { listAliases, listCustomFilters } from '@guise/server/store/filter-records.ts';
import { findJobById } from '@guise/server/store/job-records.ts';
import Database from 'better-sqlite3';
import {
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  temporaryConfig,
} from '../../../packages/server/test/support/harness.ts';
import { startPostgres, type TestPostgres } from '../../../packages/server/test/support/postgres-server.ts';

const filters = '/v1/users/me/my-custom-filters';
const snow = {
  name: 'Snow',
  filter_type: 'face_swap',
  definition: { kind: 'prompt', prompt: 'in the snow' },
};
const missing = '01890000-0000-7000-8000-000000000000';

let postgres: TestPostgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());

for (const [name, place] of [
  ['SQLite', async () => ({})],
  ['PostgreSQL', async () => ({ databaseUrl: await postgres.database(), demo: false })],
] as const)
  describe(`texts from outside, on ${name}`, () => {
    let server: TestServer;
    let account: TestAccount;
    let filterId: string;
    before(async () => {
      server = await startTestServer(await place());
      account = await server.account();
      filterId = (await account.call('POST', filters, snow)).body.id;
    });
    after(() => server.stop());

    const workflow = (inputs: object, bindings: object) => ({
      ...snow,
      definition: { kind: 'workflow', workflow: { a: { class_type: 'Save', inputs } }, bindings },
    });

    for (const [where, method, path, body, field] of [
      [
        'a webhook_url',
        'POST',
        '/v2/run/self-prompt',
        { prompt: 'x', webhook_url: 'http://example.com/\0' },
        'webhook_url',
      ],
      ['a prompt', 'POST', '/v2/run/self-prompt', { prompt: 'x\0' }, 'prompt'],
      ['a filter’s name', 'POST', filters, { ...snow, name: 'a\0b' }, 'name'],
      [
        'a filter’s prompt',
        'POST',
        filters,
        { ...snow, definition: { kind: 'prompt', prompt: 'x\0' } },
        'definition.prompt',
      ],
      [
        'a workflow’s value',
        'POST',
        filters,
        workflow({ seed: [['\0']] }, { output: 'a' }),
        'definition.workflow.a.inputs.seed.0.0',
      ],
      [
        'a workflow’s key',
        'POST',
        filters,
        workflow({ seed: { 'a\0': 1 } }, { output: 'a' }),
        'definition.workflow.a.inputs.seed',
      ],
      ['a binding', 'POST', filters, workflow({}, { output: 'a\0' }), 'definition.bindings.output'],
      ['an alias’s project', 'POST', '/api/alias/', { ai_filter: missing, project: '\0' }, 'project'],
      ['a cursor of jobs', 'GET', '/v1/jobs?cursor=%00', undefined, 'cursor'],
      ['a cursor of credits', 'GET', '/v1/users/me/credits?cursor=%00', undefined, 'cursor'],
    ] as const)
      test(`U+0000 in ${where} is answered 422 and names the field`, async () => {
        const answer = await account.call(method, path, body);
        assert.deepEqual([answer.status, answer.body.error_code], [422, 'VALIDATION_ERROR']);
        assert.deepEqual(
          answer.body.fields.map((problem: { path: string }) => problem.path),
          [field],
        );
      });

    for (const [method, path, body] of [
      ['GET', '/v1/jobs/ID/events'],
      ['POST', '/v1/jobs/ID/cancel'],
      ['DELETE', '/v1/jobs/ID'],
      ['POST', '/v6/status/ID'],
      ['GET', '/api/alias/ID/'],
      ['PATCH', '/api/alias/ID/', { project: 'x' }],
      ['DELETE', '/api/alias/ID/'],
      ['PATCH', `${filters}/ID`, { name: 'x' }],
      ['POST', `${filters}/ID/test`],
      ['DELETE', `${filters}/ID`],
    ] as const)
      test(`${method} ${path} with U+0000 in the id is answered as a missing id`, async () => {
        const answers = await Promise.all(
          ['%00', `${missing}%00`, missing].map((id) => account.call(method, path.replace('ID', id), body)),
        );
        const seen = answers.map(({ status, body: { request_id: _, ...rest } }) => ({ status, rest }));
        assert.equal(seen[2]?.status, 404);
        assert.deepEqual(seen[0], seen[2]);
        assert.deepEqual(seen[1], seen[2]);
      });

    test('a login with U+0000 in the user name is answered 401', async () => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const { status, body } = await request(server.url, 'POST', '/token', 'username=a%00b&password=x', form);
      assert.deepEqual([status, body.error_code], [401, 'UNAUTHORIZED']);
    });

    test('texts are stored in the composed form, and a webhook URL as it was parsed', async () => {
      const made = await account.call('POST', filters, { ...snow, name: 'Cafe\u0301' });
      assert.equal(made.body.name, 'Caf\u00e9');
      const run = await account.call('POST', '/v2/run/self-prompt', {
        prompt: 'Cafe\u0301',
        webhook_url: '  HTTP://EXAMPLE.com:80/a b\t?q=\u00e9 ',
      });
      const { params } = (await server.db.one(findJobById, { id: run.body.id }))!;
      const { prompt, webhook_url } = JSON.parse(params);
      assert.deepEqual(
        { prompt, webhook_url },
        { prompt: 'Caf\u00e9', webhook_url: 'http://example.com/a%20b?q=%C3%A9' },
      );
    });

    test('a webhook URL that is too long once it is parsed is refused', async () => {
      const webhook_url = `http://example.com/${'\u00e9'.repeat(1000)}`;
      const answer = await account.call('POST', '/v2/run/self-prompt', { prompt: 'x', webhook_url });
      assert.deepEqual([answer.status, answer.body.fields[0].path], [422, 'webhook_url']);
    });

    const objectKeys = ['__proto__', 'constructor', 'toString', 'valueOf'];
    for (const key of objectKeys)
      test(`“${key}” names nothing, wherever a name is looked up`, async () => {
        for (const path of [`/docs/${key}`, `/previews/${key}/1.webp`, `/previews/face_swap/${key}`])
          assert.equal((await account.call('GET', path)).status, 404, path);
        const video = { prompt_image: photo, prompt: 'x', model: 'performance', duration: '4s' };
        for (const [run, body] of [
          ['/v1/run/single_frame_video', { ...video, model: key }],
          ['/v1/run/single_frame_video', { ...video, aspect_ratio: key }],
          ['/v1/run/single_frame_video', { ...video, duration: key }],
          ['/v6/run/face_swap', { base64: photo, gender: 1, filter_id: filterId, quality_mode: key }],
          ['/v6/run/face_swap', { base64: photo, gender: key, filter_id: key, ratio: key }],
          [filters, { ...snow, definition: { kind: 'scene', scene: key } }],
          [filters, { ...snow, definition: { kind: 'scene', scene: 'great-hall', look: key, costume: key } }],
          [filters, workflow({ x: 1 }, { photos: { node: key, input: 'x' }, output: 'a' })],
          [filters, workflow({ x: 1 }, { photos: { node: 'a', input: key }, output: 'a' })],
          [filters, workflow({ x: 1 }, { photos: { node: 'a', input: 'x' }, output: key })],
          [filters, workflow({ x: [key, 0] }, { photos: { node: 'a', input: 'x' }, output: 'a' })],
        ] as const) {
          const { status } = await account.call('POST', run, body);
          assert.equal(status, 422, `${run} ${JSON.stringify(body).slice(-120)}`);
        }
      });
  });

test('an old SQLite file with U+0000 in names, ids and URLs moves to PostgreSQL', async (t) => {
  const config = temporaryConfig({ demo: false });
  t.after(() => rmSync(config.dataDir, { recursive: true, force: true }));
  const embedded = await openStorage(config);
  const { id } = await createAccount(embedded.db, { email: 'old@example.com', credits: 10 });
  await embedded.close();
  const file = new Database(join(config.dataDir, 'guise.db'));
  file.exec(`
    insert into custom_filters (id, account_id, name, filter_type, definition, origin, previews, created_at, updated_at)
      values ('f', '${id}', 'a' || char(0) || 'b', 'face_swap', '{"kind":"prompt","prompt":"x"}', 'self_created', '[]', 1, 1);
    insert into aliases (id, account_id, ai_filter, ai_filter_name, project, history, created_at, updated_at)
      values ('a', '${id}', 'f', char(0), char(0), '[]', 1, 1);
    insert into webhooks (job_id, account_id, url, body, attempts, due_at)
      values ('j', '${id}', 'http://example.com/' || char(0), '{}', 0, 1)`);
  file.close();
  const target = { ...config, databaseUrl: await postgres.database() };
  await moveStore(config, target, () => {});
  const moved = await openStorage(target);
  t.after(() => moved.close());
  const [filter] = await moved.db.all(listCustomFilters, { account_id: id });
  const [alias] = await moved.db.all(listAliases, { account_id: id });
  assert.deepEqual([filter?.name, alias?.project], ['a\ufffdb', '\ufffd']);
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, beforeEach, describe, test } from 'node:test';
import { findCustomFilterById } from '@guise/server/store/filter-records.ts';
import { findJobById } from '@guise/server/store/job-records.ts';
import sharp from 'sharp';
import {
  photo,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../../../packages/server/test/support/harness.ts';
import { startPostgres } from '../../../packages/server/test/support/postgres-server.ts';
import { door } from '../../../packages/server/test/support/test-engine.ts';

const filters = '/v1/users/me/my-custom-filters';
const templateOf = (background: string) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer();
const [red, green, blue] = await Promise.all(['#ff0000', '#00ff00', '#0000ff'].map(templateOf));

for (const [name, place] of [
  ['SQLite', async () => ({ settings: {}, stop: async () => {} })],
  [
    'PostgreSQL',
    async () => {
      const postgres = await startPostgres();
      return { settings: { databaseUrl: await postgres.database(), demo: false }, stop: postgres.stop };
    },
  ],
] as const)
  describe(`versions of custom filters, on ${name}`, () => {
    let server: TestServer;
    let account: TestAccount;
    let stop: () => Promise<void>;
    let gate: ReturnType<typeof door>;
    /** The template that each job was made with. */
    const used = new Map<string, Buffer>();
    before(async () => {
      const { settings, stop: stopPlace } = await place();
      server = await startTestServer({ ...settings, concurrency: 1 });
      account = await server.account(10_000);
      stop = async () => {
        await server.stop();
        await stopPlace();
      };
    });
    beforeEach(() => {
      gate = door();
      server.engine.before = async (request, context) => {
        if (request.filter?.kind !== 'template' || request.jobId.startsWith('preview')) return;
        used.set(request.jobId, await readFile(request.filter.image));
        await gate.work(request, context);
      };
    });
    after(() => stop());

    const definition = (template: Buffer) => ({ kind: 'template', image: template.toString('base64') });
    const create = async (template: Buffer): Promise<string> => {
      const filter = { name: 'Poster', filter_type: 'face_swap', definition: definition(template) };
      const made = await account.call('POST', filters, filter);
      assert.equal(made.status, 201);
      return made.body.id;
    };
    const edit = async (id: string, template: Buffer) => {
      const edited = await account.call('PATCH', `${filters}/${id}`, { definition: definition(template) });
      assert.deepEqual([edited.status, edited.body.id], [200, id]);
    };
    const submit = async (filter_id: string): Promise<string> => {
      const run = await account.call('POST', '/v1/run/faceswap', { image: photo, filter_id });
      assert.equal(run.status, 200);
      return run.body.id;
    };
    const endOf = async (id: string): Promise<string> => {
      const status = `/v2/status/${id}`;
      return (await account.call('POST', status, undefined, { prefer: 'wait=20' })).body.status;
    };
    const templates = async (filterId: string) =>
      (await server.blobKeys()).filter((key) => key.startsWith(`templates/${filterId}`));
    const version = async (id: string) => (await server.db.one(findCustomFilterById, { id }))?.version;

    test('queued jobs of a template filter keep the photo they were submitted with when it is edited and deleted', async () => {
      const id = await create(red!);
      const alias = await account.call('POST', '/api/alias/', { ai_filter: id });
      const first = [await submit(id), await submit(id)];
      await gate.reached;
      await edit(id, green!);
      const second = await submit(alias.body.id);
      await edit(id, blue!);
      assert.equal(await version(id), 3);
      assert.equal((await server.db.one(findJobById, { id: second }))?.filter_version, 2);
      assert.equal((await templates(id)).length, 3);
      assert.equal((await account.call('DELETE', `${filters}/${id}?force=true`)).status, 204);
      assert.equal((await templates(id)).length, 2);
      gate.open();
      for (const job of [...first, second]) assert.equal(await endOf(job), 'COMPLETED');
      assert.deepEqual(
        [...first, second].map((job) => used.get(job)),
        [red, red, green],
      );
      await until(async () => (await templates(id)).length === 0);
    });

    test('the template of a deleted filter is removed when the last job that needs it is cancelled or deleted', async () => {
      const id = await create(red!);
      const [running, cancelled, deleted] = [await submit(id), await submit(id), await submit(id)];
      await gate.reached;
      await edit(id, green!);
      await account.call('POST', `/v1/jobs/${cancelled}/cancel`);
      await account.call('DELETE', `/v1/jobs/${deleted}`);
      assert.equal((await account.call('DELETE', `${filters}/${id}`)).status, 204);
      assert.equal((await templates(id)).length, 1);
      await account.call('POST', `/v1/jobs/${running}/cancel`);
      await until(async () => (await templates(id)).length === 0);
    });

    test('the templates of a filter stay when its jobs have ended, as long as a version has them', async () => {
      const id = await create(red!);
      gate.open();
      assert.equal(await endOf(await submit(id)), 'COMPLETED');
      assert.equal((await templates(id)).length, 1);
      await edit(id, green!);
      assert.equal(await endOf(await submit(id)), 'COMPLETED');
      await account.call('PATCH', `${filters}/${id}`, { definition: { kind: 'prompt', prompt: 'x' } });
      assert.equal((await templates(id)).length, 2);
      assert.equal((await account.call('DELETE', `${filters}/${id}`)).status, 204);
      assert.deepEqual(await templates(id), []);
    });

    test('submits and edits at the same time leave no job without its template, and no template without need', async () => {
      const id = await create(red!);
      gate.open();
      const jobs: string[] = [];
      const submitMany = async () => {
        for (let n = 0; n < 8; n++) jobs.push(await submit(id));
      };
      const editMany = async () => {
        for (let n = 0; n < 8; n++) await edit(id, [green!, blue!][n % 2]!);
      };
      await Promise.all([submitMany(), submitMany(), editMany(), editMany()]);
      for (const job of jobs) assert.equal(await endOf(job), 'COMPLETED');
      assert.equal(await version(id), 17);
      assert.equal((await templates(id)).length, 17);
      assert.equal((await account.call('DELETE', `${filters}/${id}`)).status, 204);
      await until(async () => (await templates(id)).length === 0);
    });
  });

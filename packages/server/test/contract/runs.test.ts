import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { cannotMake } from '../../src/engines/engine.ts';
import { familyCases } from '../support/contract-cases.ts';
import {
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../support/harness.ts';
import { door, tinyMp4, tinyPng } from '../support/test-engine.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
  account = await server.account(100_000);
});
after(() => server.stop());
beforeEach(() => {
  server.engine.before = async () => {};
});

const wait = { prefer: 'wait=20' };

/** One image, or as many as a list has. */
const inPlaceOfPhotos = (photos: unknown, image: string) =>
  Array.isArray(photos) ? photos.map(() => image) : image;

for (const entry of familyCases) {
  const { run, status, body } = entry;

  describe(`${entry.family}: POST ${run}`, () => {
    test(`answers 200 with id and ${entry.queued}, and costs ${entry.price} credits`, async () => {
      const credits = await account.credits();
      const answer = await account.call('POST', run, body);
      assert.equal(answer.status, 200);
      assert.deepEqual(Object.keys(answer.body), ['id', 'status']);
      assert.equal(answer.body.status, entry.queued);
      assert.equal(await account.credits(), credits - entry.price);
      await account.call('POST', status + answer.body.id, undefined, wait);
    });

    test(`is ${entry.queued}, then ${entry.running}, then COMPLETED with its output`, async () => {
      const gate = door();
      const mine = Promise.withResolvers<string>();
      server.engine.before = async (request, context) => {
        if (request.jobId !== (await mine.promise)) return;
        context.progress(0.5);
        await gate.work(request, context);
      };
      const { id } = (await account.call('POST', run, body)).body;
      mine.resolve(id);
      await gate.reached;
      const running = await account.call('POST', status + id);
      assert.equal(running.status, 200);
      assert.equal(running.body.id, id);
      assert.equal(running.body.status, entry.running);
      assert.deepEqual(running.body.output, {});
      assert.ok(running.body.progress >= 0 && running.body.progress < 1);
      gate.open();
      const done = await account.call('POST', status + id, undefined, wait);
      assert.equal(done.body.status, 'COMPLETED');
      assert.deepEqual(Object.keys(done.body).slice(0, 3), ['id', 'status', 'output']);
      assert.equal(done.body.progress, 1);
      assert.deepEqual(done.body.applied, ['a thing']);
      assert.deepEqual(done.body.ignored, ['another']);
      const reasons = ['Something that belongs to nobody is in the picture.'];
      const quality = entry.output === 'image' ? { grade: 'fair', reasons } : undefined;
      assert.deepEqual(done.body.quality, quality);
      assert.ok(Date.parse(done.body.expires_at) > Date.parse(done.body.created_at));
      if (entry.output === 'image') {
        assert.deepEqual(done.body.output, { images: [tinyPng.toString('base64')] });
      } else {
        assert.equal(done.body.output.video_status, 'completed');
        const video = await fetch(done.body.output.video_url);
        assert.deepEqual(Buffer.from(await video.arrayBuffer()), tinyMp4);
      }
    });

    test('ends FAILED with a sentence and gives the credits back when the engine refuses', async () => {
      const mine = Promise.withResolvers<string>();
      server.engine.before = async ({ jobId }) => {
        if (jobId === (await mine.promise)) throw cannotMake('No face was found in the photo.');
      };
      const credits = await account.credits();
      const { id } = (await account.call('POST', run, body)).body;
      mine.resolve(id);
      const failed = await account.call('POST', status + id, undefined, wait);
      assert.equal(failed.status, 200);
      assert.equal(failed.body.status, 'FAILED');
      if (entry.output === 'image') {
        assert.deepEqual(failed.body.output, {});
        assert.equal(failed.body.error, 'No face was found in the photo.');
      } else {
        assert.deepEqual(failed.body.output, {
          video_status: 'failed',
          video_error: 'No face was found in the photo.',
        });
        assert.deepEqual(Object.keys(failed.body).slice(0, 4), ['id', 'status', 'output', 'progress']);
        assert.equal(failed.body.error, undefined);
      }
      assert.equal(await account.credits(), credits);
    });

    for (const field of entry.required) {
      test(`refuses a body without ${field} with VALIDATION_ERROR`, async () => {
        const { [field]: _, ...rest } = body;
        const answer = await account.call('POST', run, rest);
        assert.equal(answer.status, 422);
        assert.equal(answer.body.error_code, 'VALIDATION_ERROR');
        assert.deepEqual(answer.body.fields, [{ path: field, message: 'is required' }]);
      });

      test(`refuses a ${field} of the wrong type with VALIDATION_ERROR`, async () => {
        const answer = await account.call('POST', run, { ...body, [field]: { no: 'way' } });
        assert.equal(answer.status, 422);
        assert.equal(answer.body.error_code, 'VALIDATION_ERROR');
        assert.equal(answer.body.fields[0].path, field);
      });
    }

    test('ignores unknown fields and answers with and without a trailing slash', async () => {
      const other = run.endsWith('/') ? run.slice(0, -1) : `${run}/`;
      const answer = await account.call('POST', other, { ...body, unknown_field: [1, { a: 2 }] });
      assert.equal(answer.status, 200);
      const done = await account.call('POST', `${status}${answer.body.id}/`, undefined, wait);
      assert.equal(done.body.status, 'COMPLETED');
    });

    for (const [name, image] of [
      ['an empty image', ''],
      ['text that is no image', 'bm90IGFuIGltYWdl'],
      ['a truncated image', photo.slice(0, photo.length / 2)],
    ] as const) {
      test(`refuses ${name} with 400 INVALID_IMAGE, uncharged`, async () => {
        const credits = await account.credits();
        const value = Array.isArray(body[entry.imageField]) ? [photo, image] : image;
        const answer = await account.call('POST', run, { ...body, [entry.imageField]: value });
        assert.equal(answer.status, 400);
        assert.equal(answer.body.error_code, 'INVALID_IMAGE');
        assert.equal(await account.credits(), credits);
      });
    }

    test('takes an image as a data URI', async () => {
      const uri = `data:image/jpeg;base64,${photo}`;
      const value = inPlaceOfPhotos(body[entry.imageField], uri);
      const answer = await account.call('POST', run, { ...body, [entry.imageField]: value });
      assert.equal(answer.status, 200);
    });

    test('refuses an image URL into the server’s own network with URL_NOT_ALLOWED', async () => {
      const value = 'http://127.0.0.1:1/photo.jpg';
      const answer = await account.call('POST', run, {
        ...body,
        [entry.imageField]: inPlaceOfPhotos(body[entry.imageField], value),
      });
      assert.equal(answer.status, 422);
      assert.equal(answer.body.error_code, 'URL_NOT_ALLOWED');
    });

    test('is found on no other family’s status path', async () => {
      const { id } = (await account.call('POST', run, body)).body;
      const others = new Set(familyCases.map((other) => other.status).filter((path) => path !== status));
      for (const path of others) {
        const answer = await account.call('POST', path + id);
        assert.equal(answer.status, 404, path);
        assert.equal(answer.body.error_code, 'JOB_NOT_FOUND');
      }
    });

    test('answers a caller without credits with 402 INSUFFICIENT_CREDITS and makes no job', async () => {
      const poor = await server.account(0);
      const answer = await poor.call('POST', run, body);
      assert.equal(answer.status, 402);
      assert.equal(answer.body.error_code, 'INSUFFICIENT_CREDITS');
      assert.deepEqual((await poor.call('GET', '/v1/jobs')).body.jobs, []);
    });

    test('takes a key or a token, as X-API-Key or as Bearer', async () => {
      for (const secret of [account.api_key, account.access_token]) {
        for (const headers of [{ 'x-api-key': secret }, { authorization: `Bearer ${secret}` }]) {
          const answer = await request(server.url, 'POST', run, body, headers as Record<string, string>);
          assert.equal(answer.status, 200);
        }
      }
    });

    const { filterField } = entry;
    if (filterField) {
      test(`takes ${filterField} as a string of digits`, async () => {
        const answer = await account.call('POST', run, { ...body, [filterField]: '1' });
        assert.equal(answer.status, 200);
      });

      test('takes a second name of a filter that no number can hold, and uses the first', async () => {
        const second = filterField === 'style_id' ? 'filter_id' : 'style_id';
        const answer = await account.call('POST', run, { ...body, [second]: '99999999999999999999' });
        assert.equal(answer.status, 200);
      });

      const beyond = entry.filterType === 'face_swap' ? [] : [26];
      for (const id of [0, -1, ...beyond, 999_999, '99999999999999999999']) {
        test(`refuses the unknown ${filterField} ${id} with 422 FILTER_NOT_FOUND`, async () => {
          const answer = await account.call('POST', run, { ...body, [filterField]: id });
          assert.equal(answer.status, 422);
          assert.equal(answer.body.error_code, 'FILTER_NOT_FOUND');
        });
      }
    }

    if (filterField && entry.filterType) {
      const otherType = entry.filterType === 'face_swap' ? 'multi_swap' : 'face_swap';
      const makeFilter = async (filter_type: string) =>
        (
          await account.call('POST', '/v1/users/me/my-custom-filters', {
            name: 'mine',
            filter_type,
            definition: { kind: 'prompt', prompt: 'a quiet place' },
          })
        ).body.id as string;

      test('takes the caller’s custom filter, and hands its definition to the engine', async () => {
        const filter = await makeFilter(entry.filterType!);
        const answer = await account.call('POST', run, { ...body, [filterField]: filter.toUpperCase() });
        assert.equal(answer.status, 200);
        await account.call('POST', status + answer.body.id, undefined, wait);
        const made = server.engine.requests.find((made) => made.jobId === answer.body.id);
        assert.deepEqual(made?.filter, { kind: 'prompt', prompt: 'a quiet place' });
      });

      test('takes the caller’s alias and marks it as used', async () => {
        const alias = (
          await account.call('POST', '/api/alias/', { ai_filter: await makeFilter(entry.filterType!) })
        ).body;
        assert.equal(alias.last_used, null);
        assert.equal((await account.call('POST', run, { ...body, [filterField]: alias.id })).status, 200);
        const used = (await account.call('GET', `/api/alias/${alias.id}/`)).body;
        assert.ok(Date.parse(used.last_used) >= Date.parse(alias.created_at));
      });

      test(`refuses a filter made for ${otherType} with 422 FILTER_TYPE_MISMATCH, by UUID and by alias`, async () => {
        const filter = await makeFilter(otherType);
        const alias = (await account.call('POST', '/api/alias/', { ai_filter: filter })).body;
        for (const id of [filter, alias.id]) {
          const answer = await account.call('POST', run, { ...body, [filterField]: id });
          assert.equal(answer.status, 422);
          assert.equal(answer.body.error_code, 'FILTER_TYPE_MISMATCH');
        }
      });

      test('refuses an unknown, a deleted and another account’s UUID with 422 WORKFLOW_FETCH_FAILED', async () => {
        const deleted = await makeFilter(entry.filterType!);
        assert.equal((await account.call('DELETE', `/v1/users/me/my-custom-filters/${deleted}`)).status, 204);
        const foreign = await makeFilter(entry.filterType!);
        const stranger = await server.account();
        for (const [caller, id] of [
          [account, '7b0e8f9e-3a55-4c1c-9d65-2f8d0a3a1b11'],
          [account, deleted],
          [stranger, foreign],
        ] as const) {
          const answer = await caller.call('POST', run, { ...body, [filterField]: id });
          assert.equal(answer.status, 422);
          assert.equal(answer.body.error_code, 'WORKFLOW_FETCH_FAILED');
        }
      });
    }

    test('deletes the photos when the job ends', async () => {
      const gate = door();
      server.engine.before = gate.work;
      const { id } = (await account.call('POST', run, body)).body;
      const photosOf = async () =>
        (await server.blobKeys()).filter((key) => key.startsWith('inputs/') && key.includes(id));
      assert.notDeepEqual(await photosOf(), []);
      gate.open();
      await account.call('POST', status + id, undefined, wait);
      await until(async () => (await photosOf()).length === 0);
    });
  });
}

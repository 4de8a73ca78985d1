import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { families, imagesOf } from '@guise/contract/families/families.ts';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import sharp from 'sharp';
import { prepareRun } from '../../src/http/endpoints/prepare-run.ts';
import { type FamilyCase, familyCases } from '../support/contract-cases.ts';
import { photo, startTestServer, type TestAccount, type TestServer } from '../support/harness.ts';

// A photo never vanishes silently, whatever the client calls it.

const names = [
  'image',
  'base64',
  'input_image',
  'input_images',
  'images',
  'photo',
  'url',
  'prompt_image',
  'first_frame',
];
const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
const noisyPhoto = async (width: number) =>
  (
    await sharp({ create: { width, height: 120, channels: 3, background: '#888', noise } })
      .jpeg({ quality: 95 })
      .toBuffer()
  ).toString('base64');
/** Long enough to be taken out of the body on the way, where the small one stays in it. */
const [large, larger] = [await noisyPhoto(160), await noisyPhoto(168)];
assert.ok(photo.length < 16_000 && large.length > 17_000);

let server: TestServer;
let account: TestAccount;
/** The first photo that the engine got for each job. */
const seen = new Map<string, string>();
before(async () => {
  server = await startTestServer({ runsPerMinute: 0 });
  account = await server.account(1_000_000);
  server.engine.before = async ({ jobId, images }) => {
    seen.set(jobId, images[0] === undefined ? 'none' : (await readFile(images[0])).toString('base64'));
  };
});
after(() => server.stop());

const photoValue = (name: string, text: string, ...more: string[]) =>
  name.endsWith('images') ? [text, ...more] : text;

/** The body of a family without its photo, and with other fields in its place. */
function bodyWith({ body, imageField }: FamilyCase, fields: Record<string, unknown>, at: 'first' | 'last') {
  const { [imageField]: _, ...rest } = body;
  return at === 'first' ? { ...fields, ...rest } : { ...rest, ...fields };
}

async function ended({ run, status }: FamilyCase, body: object) {
  const answer = await account.call('POST', run, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { id } = answer.body;
  const done = await account.call('POST', status + id, undefined, { prefer: 'wait=20' });
  assert.equal(done.body.status, 'COMPLETED');
  return { photo: seen.get(id), ignored: done.body.ignored as string[] };
}

/** Those that are made of one photo: a burst has two at least. */
const ofOnePhoto = familyCases.filter(({ output }) => output !== 'loop');

for (const [number, entry] of ofOnePhoto.entries()) {
  describe(`POST ${entry.run}`, () => {
    test('takes its photo under every name, wherever that stands, and ignores nothing', async () => {
      await Promise.all(
        names.map(async (name, i) => {
          // Among the families, every name comes small and large, first and last.
          const at = (number + i) % 2 ? 'first' : 'last';
          const text = (number + i) & 2 ? photo : large;
          const made = await ended(entry, bodyWith(entry, { [name]: photoValue(name, text) }, at));
          assert.equal(made.photo, text, name);
          assert.deepEqual(made.ignored, ['another'], name);
        }),
      );
    });

    test('takes the same photo under several names, in any spelling', async () => {
      const several = {
        image: large,
        base64: `data:image/jpeg;base64,${large}`,
        photo: null,
        url: '',
        input_images: [],
      };
      const made = await ended(entry, {
        ...entry.body,
        ...bodyWith(entry, several, 'last'),
        [entry.imageField]: null,
      });
      assert.equal(made.photo, large);
    });

    test('refuses photos that differ, naming the fields, and charges nothing', async () => {
      const credits = await account.credits();
      const pairs = fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 2 });
      const texts = fc.constantFrom([photo, large], [large, larger], [large, 'https://example.com/a.jpg']);
      await fc.assert(
        fc.asyncProperty(pairs, texts, fc.constantFrom('first', 'last'), async ([a, b], [x, y], at) => {
          const fields = { [a!]: photoValue(a!, x!), [b!]: photoValue(b!, y!) };
          const { status, body } = await account.call('POST', entry.run, bodyWith(entry, fields, at));
          assert.deepEqual([status, body.error_code], [422, 'VALIDATION_ERROR'], `${a} and ${b}`);
          const [{ path, message }] = body.fields;
          const [, other] = /^holds another photo than (\w+)$/.exec(message)!;
          assert.deepEqual([path, other].sort(), [a, b].sort());
        }),
        { numRuns: 5 },
      );
      assert.equal(await account.credits(), credits);
    });
  });
}

const selfPrompt = familyCases.find(({ family }) => family === 'self_prompt_v2')!;
const faceSwap = familyCases.find(({ family }) => family === 'face_swap_v6')!;
const firstLast = familyCases.find(({ family }) => family === 'first_last_frame_video')!;

test('one photo of a burst is told from none under every name', async () => {
  const burst = familyCases.find(({ output }) => output === 'loop')!;
  for (const name of names) {
    const body = bodyWith(burst, { [name]: photoValue(name, photo) }, 'last');
    const answer = await account.call('POST', burst.run, body);
    const own = name === 'input_images' ? name : 'images';
    const message = 'needs at least 2 photos of a burst: one photo alone does not move';
    assert.deepEqual([answer.status, answer.body.fields], [422, [{ path: own, message }]], name);
  }
});

test('a photo of another type is refused by its own name', async () => {
  for (const value of [5, true, {}, [{}]]) {
    const body = { prompt: 'a lake', photo: value };
    const answer = await account.call('POST', selfPrompt.run, body);
    const message = 'must be a base64 image, a data URI or a URL';
    assert.deepEqual([answer.status, answer.body.fields], [422, [{ path: 'photo', message }]]);
  }
});

test('an empty photo is an image that is empty, and a self-prompt without one has none', async () => {
  const empty = await account.call('POST', selfPrompt.run, { prompt: 'a lake', url: '' });
  assert.deepEqual([empty.status, empty.body.error_code], [400, 'INVALID_IMAGE']);
  assert.equal((await ended(selfPrompt, { prompt: 'a lake', photo: null, input_images: [] })).photo, 'none');
});

test('a video between two frames still needs its last one', async () => {
  const { last_frame: _, ...body } = bodyWith(firstLast, { input_images: [photo, large] }, 'last');
  const answer = await account.call('POST', firstLast.run, body);
  assert.deepEqual(answer.body.fields, [{ path: 'last_frame', message: 'is required' }]);
});

test('fields that other endpoints use, and photos beyond the first, stand in ignored', async () => {
  const why = 'this endpoint does not use it';
  const { ignored } = await ended(selfPrompt, {
    ...bodyWith(selfPrompt, { input_images: [photo, large] }, 'last'),
    outpaint: true,
    quality_mode: 'v6',
    last_frame: large,
    overlay: false,
    filter_id: null,
    somebody_elses: 1,
  });
  assert.deepEqual(ignored, [
    'another',
    `outpaint: ${why}`,
    `quality_mode: ${why}`,
    `last_frame: ${why}`,
    'input_images: only its first photo is used',
  ]);
});

test('a field that is ignored does not change what the engine is asked for', async () => {
  const requests = [];
  for (const more of [{}, { outpaint: true, ignored_fields: ['x'] }]) {
    await ended(faceSwap, { ...faceSwap.body, ...more });
    requests.push(server.engine.requests.at(-1)!.params);
  }
  assert.deepEqual(requests[1], requests[0]);
});

test('whatever a photo is called and wherever it stands, it is where its family looks for it', async () => {
  const otherNames = ['prompt', 'gender', 'ratio', 'filter_id', 'outpaint', 'last_frame', 'unknown'];
  const others = fc
    .uniqueArray(fc.constantFrom(...otherNames))
    .map((list) => list.map((name) => [name, 'x']));
  const [family, name] = [fc.constantFrom(...families), fc.constantFrom(...names)];
  await fc.assert(
    fc.asyncProperty(family, name, others, fc.nat(), async (ofFamily, as, fields, at) => {
      const entries = fields.toSpliced(at % (fields.length + 1), 0, [as, photoValue(as, large)] as string[]);
      const body = Object.fromEntries(entries) as Record<string, unknown>;
      const received = { use: (work: () => Promise<void>) => work(), uploads: new Map() };
      const request = { body, received } as unknown as FastifyRequest;
      await prepareRun(ofFamily, request);
      assert.deepEqual(imagesOf({ ...ofFamily, images: [ofFamily.images[0]!] }, body), [large]);
      assert.ok(!request.unusedFields?.includes(as), 'a photo is no field that nobody uses');
    }),
    { numRuns: 500 },
  );
});

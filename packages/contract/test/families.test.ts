import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canvasSizes, videoSizes } from '../src/families/canvas.ts';
import {
  families,
  familyNames,
  familyOf,
  filterRefOf,
  imagesOf,
  modeOf,
  wordOf,
} from '../src/families/families.ts';
import { parseRequest } from '../src/families/requests.ts';

const hook = 'https://example.com/hook';

/**
 * What is stored of a run with every field given in an order of its own. The default seed is a hash of this text:
 * another order of its fields would change every picture.
 */
const stored: Record<string, [body: object, text: string]> = {
  face_swap_v6: [
    {
      quality_mode: 'v6',
      ratio: 'square',
      filter_id: 7,
      gender: 1,
      base64: 'A',
      webhook_url: hook,
      seed: 3,
    },
    `{"seed":3,"webhook_url":"${hook}","gender":1,"filter_id":7,"ratio":"square","quality_mode":"v6"}`,
  ],
  face_swap_v5: [
    { filter_id: 7, gender: 4, base64: 'A', quality_mode: 'v6' },
    '{"gender":4,"filter_id":7,"ratio":"portrait"}',
  ],
  face_swap_v1: [
    { ratio: 'landscape', gender: 0, filter_id: 7, image: 'A', base64: 'B' },
    '{"filter_id":7,"gender":0,"ratio":"landscape"}',
  ],
  face_swap_capture_v1: [
    { capture_mode: 1, gender: 0, filter_id: 7, base64: 'A' },
    '{"filter_id":7,"gender":0,"ratio":"portrait"}',
  ],
  face_swap_capture_v2: [
    { ratio: 'square', capture_mode: 1, filter_id: 7, base64: 'A' },
    '{"filter_id":7,"gender":4,"ratio":"square"}',
  ],
  self_prompt_v2: [
    { gender: 2, prompt: ' a hill ', image: 'A' },
    '{"prompt":"a hill","gender":2,"ratio":"portrait"}',
  ],
  multi_swap_v5: [
    { outpaint: true, filter_id: 2, style_id: 1, input_image: 'A' },
    '{"style_id":1,"filter_id":2,"outpaint":true}',
  ],
  multi_swap_self_prompt_v5: [
    { input_images: ['A', 'B'], prompt: 'a hill' },
    '{"prompt":"a hill","outpaint":false}',
  ],
  stylized_multi_swap_v1: [{ style_id: 3, input_image: 'A' }, '{"style_id":3,"outpaint":false}'],
  stylized_multi_swap_self_prompt_v1: [
    { outpaint: true, input_image: 'A', prompt: 'a hill' },
    '{"prompt":"a hill","outpaint":true}',
  ],
  multi_swap_v3: [
    { overlay: 'https://example.com/frame.png', style_id: 3, input_image: 'A' },
    '{"style_id":3,"outpaint":false,"overlay":true}',
  ],
  multi_swap_v4: [{ input_images: ['A'], filter_id: 5, seed: 1 }, '{"seed":1,"filter_id":5}'],
  single_frame_video: [
    { duration: '6s', model: 'advanced', prompt: 'zoom in', prompt_image: 'A' },
    '{"prompt":"zoom in","model":"advanced","duration":"6s","aspect_ratio":"auto"}',
  ],
  first_last_frame_video: [
    { duration: '8s', model: 'advanced', prompt: 'morph', last_frame: 'B', first_frame: 'A' },
    '{"prompt":"morph","model":"advanced","duration":"8s"}',
  ],
  living_portrait: [
    { format: 'webp', seconds: 4, filter_id: 7, images: ['A', 'B'], seed: 2 },
    '{"seed":2,"filter_id":7,"stylized":false,"seconds":4,"loop":"ping_pong","format":"webp"}',
  ],
};

describe('the parameters of', () => {
  for (const name of familyNames) {
    test(`${name} are stored without photos, in one order, and read back as they are`, () => {
      const family = familyOf(name);
      const [given, text] = stored[name]!;
      const body = family.schema.parse(given);
      assert.equal(family.check?.(body) ?? null, null);
      assert.ok(imagesOf(family, body).length > 0);
      assert.equal(JSON.stringify(family.params.parse(body)), text);
      assert.equal(JSON.stringify(parseRequest(name, JSON.parse(text), null).params), text);
    });
  }
});

test('the first field that is given names the filter and holds the photo', () => {
  const multi = familyOf('multi_swap_v5');
  assert.equal(filterRefOf(multi, { style_id: 4, filter_id: 5 }), 4);
  assert.equal(filterRefOf(multi, { filter_id: 5 }), 5);
  assert.deepEqual(imagesOf(familyOf('face_swap_v1'), { base64: 'B' }), ['B']);
  assert.deepEqual(imagesOf(familyOf('first_last_frame_video'), { first_frame: 'A', last_frame: 'B' }), [
    'A',
    'B',
  ]);
});

test('a group is told by its gender, or by its family', () => {
  assert.equal(modeOf(familyOf('face_swap_v6'), { gender: 4 }), 'group');
  assert.equal(modeOf(familyOf('face_swap_v6'), { gender: 3 }), 'single');
  assert.equal(modeOf(familyOf('multi_swap_v5'), {}), 'group');
  assert.equal(modeOf(familyOf('living_portrait'), { filter_id: 1 }), 'single');
  assert.equal(modeOf(familyOf('living_portrait'), { filter_id: 1, gender: 4 }), 'group');
  assert.equal(modeOf(familyOf('living_portrait'), { style_id: 1 }), 'group');
});

test('a capture mode of 1 is a group where no gender is given, and any other is one person', () => {
  const family = familyOf('face_swap_capture_v1');
  const run = { base64: 'A', filter_id: 7 };
  const modeFor = (fields: object) => modeOf(family, family.schema.parse({ ...run, ...fields }));
  assert.equal(modeFor({ capture_mode: 1 }), 'group');
  assert.equal(modeFor({ capture_mode: 1, gender: undefined }), 'group');
  assert.equal(modeFor({ capture_mode: 0, gender: 4 }), 'group');
  for (const fields of [{}, { capture_mode: 0 }, { capture_mode: 30 }, { capture_mode: 1, gender: 1 }])
    assert.equal(modeFor(fields), 'single', JSON.stringify(fields));
});

test('the words for a job in work are those that clients of its family know', () => {
  const wordsOf = (family: (typeof families)[number]) =>
    `${wordOf(family, 'queued')} ${wordOf(family, 'running')}`;
  const byWords = Map.groupBy(families, wordsOf);
  const names = [...byWords].map(([words, those]) => [words, those.map(({ name }) => name).join(' ')]);
  assert.deepEqual(Object.fromEntries(names), {
    'IN_QUEUE IN_QUEUE': 'face_swap_v6 face_swap_v5',
    'QUEUED RUNNING':
      'face_swap_v1 face_swap_capture_v1 face_swap_capture_v2 self_prompt_v2 stylized_multi_swap_v1 ' +
      'stylized_multi_swap_self_prompt_v1 multi_swap_v4',
    'IN_QUEUE PROCESSING': 'multi_swap_v5 multi_swap_self_prompt_v5 multi_swap_v3',
    'IN_QUEUE IN_PROGRESS': 'single_frame_video first_last_frame_video living_portrait',
  });
});

test('families that share a status path wait alike', () => {
  for (const sharing of Map.groupBy(families, ({ status }) => status).values())
    assert.equal(new Set(sharing.map(({ statusWaits }) => statusWaits)).size, 1, sharing[0]!.status);
});

test('a request has its size where it names one, and its words wherever they come from', () => {
  const face = parseRequest(
    'face_swap_v5',
    { gender: 1, ratio: 'square' },
    { kind: 'prompt', prompt: 'snow' },
  );
  assert.deepEqual([face.output, face.size, face.prompt], ['image', { width: 1280, height: 1280 }, 'snow']);
  const video = { prompt: 'zoom', model: 'performance', duration: '4s' };
  const tall = parseRequest('single_frame_video', { ...video, aspect_ratio: '9:16' }, null);
  assert.deepEqual([tall.output, tall.size, tall.prompt], ['video', { width: 720, height: 1280 }, 'zoom']);
  assert.equal(parseRequest('single_frame_video', video, null).size, null);
  assert.equal(parseRequest('multi_swap_v5', { outpaint: true }, null).size, null);
});

test('a ratio and a video format have the pixels that booths print and players show', () => {
  const { portrait, landscape, square } = canvasSizes;
  assert.deepEqual(portrait, { width: 1200, height: 1800 });
  assert.deepEqual(landscape, { width: 1800, height: 1200 });
  assert.deepEqual(square, { width: 1280, height: 1280 });
  assert.deepEqual(
    Object.entries(videoSizes).map(([format, { width, height }]) => [format, width, height]),
    [
      ['16:9', 1280, 720],
      ['9:16', 720, 1280],
      ['3:2', 1152, 768],
      ['2:3', 768, 1152],
    ],
  );
});

test('what is not a request of its family is refused', () => {
  assert.throws(() => parseRequest('no_such_family', {}, null), /no job family/);
  assert.throws(() => parseRequest('face_swap_v6', { ratio: 'portrait' }, null), /gender/);
  assert.throws(() => parseRequest('multi_swap_v5', { outpaint: true }, { kind: 'magic' }), /kind/);
});

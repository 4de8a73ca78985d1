import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { caseOf } from '../support/contract-cases.ts';
import { photo, request, startTestServer, type TestAccount, type TestServer } from '../support/harness.ts';

/** The rows of the interface's error table and of its decisions, and the order in which they answer. */

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
  account = await server.account(100_000);
});
after(() => server.stop());

const v6 = caseOf('face_swap_v6');
const single = caseOf('single_frame_video');
const firstLast = caseOf('first_last_frame_video');

interface Row {
  title: string;
  path: string;
  body: Record<string, unknown>;
  status: number;
  code: string;
}
const row = (
  title: string,
  on: { run: string; body: object },
  change: object,
  status: number,
  code: string,
): Row => ({
  title,
  path: on.run,
  body: { ...on.body, ...change },
  status,
  code,
});

const ratio = 'INVALID_ASPECT_RATIO_FOR_MODEL';
const model = 'INVALID_VIDEO_MODEL';
const duration = 'INVALID_DURATION_FOR_MODEL';

const rows: Row[] = [
  ...['16:9', '9:16', '3:2', '2:3'].flatMap((aspect_ratio) => [
    row(`aspect_ratio ${aspect_ratio} with advanced`, single, { aspect_ratio }, 422, ratio),
    row(
      `aspect_ratio ${aspect_ratio} with simple`,
      single,
      { aspect_ratio, model: 'simple', duration: '4s' },
      422,
      ratio,
    ),
  ]),
  row(
    'an unknown aspect_ratio with performance',
    single,
    { aspect_ratio: '4:3', model: 'performance' },
    422,
    ratio,
  ),
  row('an unknown model for one frame', single, { model: 'turbo' }, 422, model),
  row('an empty model for one frame', single, { model: '' }, 422, model),
  row('an unknown model for two frames', firstLast, { model: 'turbo' }, 422, model),
  row('simple for two frames', firstLast, { model: 'simple' }, 422, model),
  row('performance for two frames', firstLast, { model: 'performance' }, 422, model),
  row('6s with simple', single, { model: 'simple', duration: '6s' }, 422, duration),
  row('8s with simple', single, { model: 'simple', duration: '8s' }, 422, duration),
  row('an unknown duration for one frame', single, { duration: '5s' }, 422, duration),
  row('an unknown duration for two frames', firstLast, { duration: '60s' }, 422, duration),
  row(
    'a filter that is for single persons, with gender 4',
    v6,
    { gender: 4, filter_id: 7 },
    422,
    'FILTER_BLOCKED',
  ),
  row('a filter that is for groups, with gender 0', v6, { gender: 0, filter_id: 10 }, 422, 'FILTER_BLOCKED'),
  row('a UUID with gender 4', v6, { gender: 4, filter_id: crypto.randomUUID() }, 422, 'FILTER_BLOCKED'),
  row('an integer that is no filter', v6, { filter_id: 4242 }, 422, 'FILTER_NOT_FOUND'),
  row('a UUID that is no filter', v6, { filter_id: crypto.randomUUID() }, 422, 'WORKFLOW_FETCH_FAILED'),
  row('quality_mode v7', v6, { quality_mode: 'v7' }, 422, 'INVALID_QUALITY_MODE'),
  row('an empty quality_mode', v6, { quality_mode: '' }, 422, 'INVALID_QUALITY_MODE'),
  row('an empty image', v6, { base64: '' }, 400, 'INVALID_IMAGE'),
  row('an image that is none', v6, { base64: 'aGVsbG8=' }, 400, 'INVALID_IMAGE'),
  row('gender 5', v6, { gender: 5 }, 422, 'VALIDATION_ERROR'),
  row('gender -1', v6, { gender: -1 }, 422, 'VALIDATION_ERROR'),
  row('gender 1.5', v6, { gender: 1.5 }, 422, 'VALIDATION_ERROR'),
  row('an unknown ratio', v6, { ratio: 'wide' }, 422, 'VALIDATION_ERROR'),
  row('a filter_id that is neither an integer nor a UUID', v6, { filter_id: 'hat' }, 422, 'VALIDATION_ERROR'),
  row('a quality_mode that is no text', v6, { quality_mode: 6 }, 422, 'VALIDATION_ERROR'),
  row('an empty prompt', caseOf('self_prompt_v2'), { prompt: '   ' }, 422, 'VALIDATION_ERROR'),
  row(
    'a prompt of 2,001 characters',
    caseOf('self_prompt_v2'),
    { prompt: 'x'.repeat(2001) },
    422,
    'VALIDATION_ERROR',
  ),
  row(
    'a prompt with a control character',
    caseOf('self_prompt_v2'),
    { prompt: 'a\u0007b' },
    422,
    'VALIDATION_ERROR',
  ),
  row('no photo among input_images', caseOf('multi_swap_v4'), { input_images: [] }, 422, 'VALIDATION_ERROR'),
  row(
    'six photos among input_images',
    caseOf('multi_swap_v4'),
    { input_images: Array(6).fill(photo) },
    422,
    'VALIDATION_ERROR',
  ),
  row('a UUID on v4', caseOf('multi_swap_v4'), { filter_id: crypto.randomUUID() }, 422, 'VALIDATION_ERROR'),
  row(
    'an outpaint that is no boolean',
    caseOf('multi_swap_v5'),
    { outpaint: 'yes' },
    422,
    'VALIDATION_ERROR',
  ),
  row('style_id 26', caseOf('multi_swap_v5'), { style_id: 26 }, 422, 'FILTER_NOT_FOUND'),
  row('a file URL as the image', v6, { base64: 'file:///etc/passwd' }, 422, 'URL_NOT_ALLOWED'),
];

for (const { title, path, body, status, code } of rows) {
  test(`POST ${path} answers ${title} with ${status} ${code}, uncharged`, async () => {
    const credits = await account.credits();
    const answer = await account.call('POST', path, body);
    assert.equal(answer.status, status);
    assert.equal(answer.body.error_code, code);
    assert.equal(answer.body.error, answer.body.detail);
    assert.ok(answer.body.error.length > 10);
    assert.equal(answer.body.request_id, answer.headers.get('x-request-id'));
    assert.equal(await account.credits(), credits);
  });
}

const accepted: [string, { run: string; body: object }, object][] = [
  ['quality_mode v6', v6, { quality_mode: 'v6' }],
  ['quality_mode v6.1', v6, { quality_mode: 'v6.1' }],
  ...['portrait', 'landscape', 'square'].map(
    (name) => [`ratio ${name}`, v6, { ratio: name }] as [string, typeof v6, object],
  ),
  ...[0, 1, 2, 3, 4, '4'].map(
    (gender) => [`gender ${JSON.stringify(gender)}`, v6, { gender }] as [string, typeof v6, object],
  ),
  ['v5 with a quality_mode, which it ignores', caseOf('face_swap_v5'), { quality_mode: 'v99' }],
  ['v1 with base64 for image', { ...caseOf('face_swap_v1'), body: { base64: photo, filter_id: 1 } }, {}],
  ['a self-prompt without a photo', { ...caseOf('self_prompt_v2'), body: { prompt: 'a lake' } }, {}],
  [
    'filter_id for style_id',
    { ...caseOf('multi_swap_v5'), body: { input_image: photo, filter_id: 2, outpaint: true } },
    {},
  ],
  [
    'input_images for a group self-prompt',
    { ...caseOf('multi_swap_self_prompt_v5'), body: { prompt: 'a lake', input_images: [photo, photo] } },
    {},
  ],
  ['performance with 16:9', single, { model: 'performance', aspect_ratio: '16:9' }],
  ['simple with 4s', single, { model: 'simple', duration: '4s' }],
  ['a prompt with a line break', caseOf('self_prompt_v2'), { prompt: 'one\ntwo' }],
  ['a seed', v6, { seed: 7 }],
];

for (const [title, on, change] of accepted) {
  test(`POST ${on.run} accepts ${title}`, async () => {
    const answer = await account.call('POST', on.run, { ...on.body, ...change });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  });
}

for (const [modelName, perSecond] of [
  ['simple', 1],
  ['advanced', 2],
  ['performance', 3],
] as const) {
  for (const seconds of modelName === 'simple' ? [4] : [4, 6, 8]) {
    test(`a video of ${seconds}s by ${modelName} costs ${perSecond * seconds} credits`, async () => {
      const credits = await account.credits();
      const body = { ...single.body, model: modelName, duration: `${seconds}s` };
      assert.equal((await account.call('POST', single.run, body)).status, 200);
      assert.equal(await account.credits(), credits - perSecond * seconds);
    });
  }
}

test('of several errors the first of the order answers: credentials, JSON, shape, choices, filter, image, credits', async () => {
  const poor = await server.account(0);
  const wrong = { base64: '', gender: 9, filter_id: 4242, quality_mode: 'v7' };
  const key = { 'x-api-key': poor.api_key };
  const steps: [Record<string, string>, unknown, string][] = [
    [{}, '{', 'UNAUTHORIZED'],
    [key, '{', 'INVALID_JSON'],
    [key, wrong, 'VALIDATION_ERROR'],
    [key, { ...wrong, gender: 0 }, 'INVALID_QUALITY_MODE'],
    [key, { ...wrong, gender: 0, quality_mode: 'v6' }, 'FILTER_NOT_FOUND'],
    [key, { ...wrong, gender: 0, quality_mode: 'v6', filter_id: 1 }, 'INVALID_IMAGE'],
    [key, { ...v6.body }, 'INSUFFICIENT_CREDITS'],
  ];
  for (const [headers, body, code] of steps) {
    assert.equal((await request(server.url, 'POST', v6.run, body, headers)).body.error_code, code);
  }
});

test('of several video errors the first answers: model, aspect ratio, duration, image', async () => {
  const wrong = { ...single.body, prompt_image: '', model: 'x', aspect_ratio: '16:9', duration: '9s' };
  const steps: [object, string][] = [
    [wrong, model],
    [{ ...wrong, model: 'simple' }, ratio],
    [{ ...wrong, model: 'performance' }, duration],
    [{ ...wrong, model: 'performance', duration: '8s' }, 'INVALID_IMAGE'],
  ];
  for (const [body, code] of steps) {
    assert.equal((await account.call('POST', single.run, body)).body.error_code, code);
  }
});

test('no credentials and bad ones of every kind get the same 401 with WWW-Authenticate', async () => {
  const wrongs: Record<string, string>[] = [
    {},
    { 'x-api-key': 'nonsense' },
    { 'x-api-key': account.api_key.slice(0, -1) },
    { authorization: 'Bearer gt_00000000000000000000000000000000000000' },
    { authorization: 'Basic dXNlcjpwYXNz' },
  ];
  const bodies = new Set<string>();
  for (const headers of wrongs) {
    const answer = await request(server.url, 'POST', v6.run, v6.body, headers);
    assert.equal(answer.status, 401);
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
    bodies.add(JSON.stringify({ ...answer.body, request_id: '' }));
  }
  assert.equal(bodies.size, 1);
});

test('a body larger than the endpoint takes is 413 PAYLOAD_TOO_LARGE', async () => {
  const answer = await account.call('POST', '/api/alias/', { project: 'x'.repeat(100_000) });
  assert.equal(answer.status, 413);
  assert.equal(answer.body.error_code, 'PAYLOAD_TOO_LARGE');
});

test('an unknown path is 404 NOT_FOUND and a known path with a wrong method 405 with Allow', async () => {
  const unknown = await account.call('GET', '/v9/nothing');
  assert.equal(unknown.status, 404);
  assert.equal(unknown.body.error_code, 'NOT_FOUND');
  for (const [method, path, allow] of [
    ['GET', '/v6/run/face_swap', 'POST'],
    ['PUT', '/v6/run/face_swap/', 'POST'],
    ['DELETE', '/v6/filters', 'GET, HEAD'],
    ['GET', '/v6/status/abc', 'POST'],
    ['PUT', '/api/alias/abc/', 'GET, HEAD, PATCH, DELETE'],
    ['DELETE', '/v4/multi_swap_styles', 'POST, GET, HEAD'],
  ] as const) {
    const answer = await account.call(method, path);
    assert.equal(answer.status, 405, `${method} ${path}`);
    assert.equal(answer.body.error_code, 'METHOD_NOT_ALLOWED');
    assert.equal(answer.headers.get('allow'), allow);
  }
});

test('a status call takes any body, even one that is not JSON', async () => {
  const { id } = (await account.call('POST', v6.run, v6.body)).body;
  for (const body of [undefined, '', '{', 'x'.repeat(1000), {}]) {
    assert.equal((await account.call('POST', v6.status + id, body)).status, 200);
  }
});

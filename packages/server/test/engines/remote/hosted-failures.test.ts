import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import type { EngineAttempt } from '../../../src/engines/engine.ts';
import type { EnginesPlan } from '../../../src/engines/engines-file.ts';
import { engineFor } from '../../../src/engines/routing.ts';
import { AppError } from '../../../src/errors.ts';
import { type FalServer, falServer } from '../../support/fal-server.ts';
import { falPlan, openaiImagesPlan } from '../../support/hosted.ts';
import {
  type OpenaiImagesServer,
  openaiError,
  openaiImagesServer,
  type PlannedAnswer,
} from '../../support/openai-images-server.ts';
import { directRun, remoteEngines } from '../../support/remote.ts';

const photo = await sharp({ create: { width: 90, height: 120, channels: 3, background: '#c08060' } })
  .jpeg()
  .toBuffer();

let openai: OpenaiImagesServer;
let fal: FalServer;
before(async () => {
  openai = await openaiImagesServer();
  fal = await falServer();
});
after(async () => {
  await Promise.all([openai.stop(), fal.stop()]);
});

type Whose = 'photo' | 'engine' | 'try again' | 'made';
interface Row {
  sign: string;
  openai: PlannedAnswer | Buffer;
  fal: { at: 'submit' | 'result'; answer: PlannedAnswer | Buffer };
  whose: Whose;
  /** What the operator reads. */
  cause: RegExp;
  /** What the guest reads. */
  sentence: RegExp;
}

const detail = (type: string, msg: string, loc: (string | number)[] = ['body']) => ({
  detail: [{ loc, msg, type, url: 'https://docs.fal.ai/errors', input: 'SECRET-PROMPT' }],
});
const at = (status: number, body: unknown, where: 'submit' | 'result' = 'result') => ({
  at: where,
  answer: { status, body },
});
const black = await sharp({ create: { width: 64, height: 96, channels: 3, background: '#000' } })
  .png()
  .toBuffer();
const jpeg = await sharp({ create: { width: 640, height: 640, channels: 3, background: '#468' } })
  .jpeg()
  .toBuffer();
const unavailable = /^The picture service of this installation cannot be used right now\.$/;
const broke = /^The picture service did not answer as it should\.$/;
const refused = /^The picture service refused this photo or these words\./;

const rows: Row[] = [
  {
    sign: 'content is refused',
    openai: openaiError(400, 'moderation_blocked', 'rejected by the safety system', {
      type: 'image_generation_user_error',
    }),
    fal: at(422, detail('content_policy_violation', 'flagged by a content checker', ['body', 'prompt'])),
    whose: 'photo',
    cause: /refused the photo or the words/,
    sentence: refused,
  },
  {
    sign: 'the likeness of a real person is refused',
    openai: openaiError(400, 'content_policy_violation', 'may contain likenesses of real people'),
    fal: at(422, detail('content_policy_violation', 'The images may contain likenesses of real people')),
    whose: 'photo',
    cause: /likenesses of real people/,
    sentence: refused,
  },
  {
    sign: 'the photo is refused by its size or format',
    openai: openaiError(400, 'invalid_value', 'Invalid image file', { param: 'image[0]' }),
    fal: at(422, detail('image_too_small', 'Image too small', ['body', 'image_urls', 0])),
    whose: 'engine',
    cause: /does not take the photo/,
    sentence: /could not use this photo/,
  },
  {
    sign: 'the body is too large',
    openai: { status: 413, body: {} },
    fal: at(413, {}, 'submit'),
    whose: 'engine',
    cause: /does not take the photo/,
    sentence: /could not use this photo/,
  },
  {
    sign: 'the key is revoked',
    openai: openaiError(401, 'invalid_api_key', 'Incorrect API key provided'),
    fal: at(401, { detail: 'No user found for Key ID and Secret' }, 'submit'),
    whose: 'engine',
    cause: /refuses the key \(401/,
    sentence: unavailable,
  },
  {
    sign: 'the key may not use it',
    openai: openaiError(403, 'unsupported_country', 'not supported'),
    fal: at(403, { detail: 'Cannot access application' }, 'submit'),
    whose: 'engine',
    cause: /refuses the key \(403/,
    sentence: unavailable,
  },
  {
    sign: 'the organization must be verified',
    openai: openaiError(403, null, 'Your organization must be verified to use this model'),
    fal: at(403, { detail: 'Please verify your account' }, 'submit'),
    whose: 'engine',
    cause: /wants the organization to be verified/,
    sentence: unavailable,
  },
  {
    sign: 'there is no credit left',
    openai: openaiError(429, 'insufficient_quota', 'You exceeded your current quota'),
    fal: at(403, { detail: 'User is locked. Reason: Exhausted balance.' }, 'submit'),
    whose: 'engine',
    cause: /no credit left/,
    sentence: unavailable,
  },
  {
    sign: 'payment is required',
    openai: openaiError(402, null, 'Payment required'),
    fal: at(402, { detail: 'Payment required' }, 'submit'),
    whose: 'engine',
    cause: /no credit left/,
    sentence: unavailable,
  },
  {
    sign: 'the limit of spending is reached',
    openai: openaiError(400, 'billing_hard_limit_reached', 'Billing hard limit has been reached'),
    fal: at(403, { detail: 'Exhausted balance' }, 'result'),
    whose: 'engine',
    cause: /limit of spending/,
    sentence: unavailable,
  },
  {
    sign: 'the model is gone',
    openai: openaiError(404, 'model_not_found', 'The model does not exist'),
    fal: at(404, { detail: 'Application not found' }, 'submit'),
    whose: 'engine',
    cause: /no such model/,
    sentence: unavailable,
  },
  {
    sign: 'a field is unknown',
    openai: openaiError(400, 'invalid_input_fidelity_model', 'does not support it', {
      param: 'input_fidelity',
    }),
    fal: at(422, detail('extra_forbidden', 'not permitted', ['body', 'steps'])),
    whose: 'engine',
    cause: /check the settings of the engine/,
    sentence: unavailable,
  },
  {
    sign: 'the service fails',
    openai: openaiError(500, null, 'The server had an error'),
    fal: at(500, { detail: 'boom', error_type: 'runner_server_error' }),
    whose: 'try again',
    cause: /answered with an error \(500/,
    sentence: broke,
  },
  {
    sign: 'the service is overloaded',
    openai: { status: 503, body: null },
    fal: at(503, { detail: 'no runner', error_type: 'runner_scheduling_failure' }),
    whose: 'try again',
    cause: /answered with an error \(503/,
    sentence: broke,
  },
  {
    sign: 'the service gives up waiting',
    openai: { status: 504, body: '<html>' },
    fal: at(504, { detail: 'timeout', error_type: 'startup_timeout' }),
    whose: 'try again',
    cause: /answered with an error \(504/,
    sentence: broke,
  },
  {
    sign: 'the request timed out there',
    openai: openaiError(408, null, 'timeout'),
    fal: at(408, { detail: 'timeout' }),
    whose: 'try again',
    cause: /answered with an error \(408/,
    sentence: broke,
  },
  {
    sign: 'the connection is lost',
    openai: 'drop',
    fal: { at: 'submit', answer: 'drop' },
    whose: 'try again',
    cause: /may be charged all the same/,
    sentence: broke,
  },
  {
    sign: 'it never answers',
    openai: 'hang',
    fal: { at: 'submit', answer: 'hang' },
    whose: 'try again',
    cause: /may be charged all the same/,
    sentence: broke,
  },
  {
    sign: 'the answer is no JSON',
    openai: 'garbage',
    fal: { at: 'result', answer: 'garbage' },
    whose: 'try again',
    cause: /not what its documentation says/,
    sentence: broke,
  },
  {
    sign: 'the answer has another shape',
    openai: { status: 200, body: { data: 'x' } },
    fal: at(200, { images: 'x' }),
    whose: 'try again',
    cause: /not what its documentation says/,
    sentence: broke,
  },
  {
    sign: 'the answer has no picture',
    openai: { status: 200, body: { created: 1, data: [] } },
    fal: at(200, { images: [] }),
    whose: 'try again',
    cause: /without a picture/,
    sentence: broke,
  },
  {
    sign: 'the picture cannot be read',
    openai: Buffer.from('no picture'),
    fal: { at: 'result', answer: Buffer.from('no picture') },
    whose: 'try again',
    cause: /./,
    sentence: /a picture that cannot be read/,
  },
  {
    sign: 'the picture is black',
    openai: black,
    fal: { at: 'result', answer: black },
    whose: 'try again',
    cause: /./,
    sentence: /a black picture/,
  },
  {
    sign: 'the picture has another size and format',
    openai: jpeg,
    fal: { at: 'result', answer: jpeg },
    whose: 'made',
    cause: /./,
    sentence: /./,
  },
];

const codes: Record<Exclude<Whose, 'made'>, [string, boolean]> = {
  photo: ['ENGINE_REFUSED', false],
  engine: ['ENGINE_BROKE', false],
  'try again': ['ENGINE_BROKE', true],
};

/** How a run ends, and what the operator is told. */
async function endOf(
  plan: EnginesPlan,
): Promise<{ error: unknown; attempts: EngineAttempt[]; applied?: unknown[] }> {
  const engines = remoteEngines(plan);
  const { request, context, clean } = await directRun(photo);
  const attempts: EngineAttempt[] = [];
  const told = { ...context, attempted: (attempt: EngineAttempt) => void attempts.push(attempt) };
  try {
    const { applied } = await engineFor(engines, request).run(request, told);
    return { error: null, attempts, applied };
  } catch (error) {
    return { error, attempts };
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
    await clean();
  }
}

/** A second for the answer, where the service never gives one. */
const limits = { running_seconds: 1 };

const kinds = {
  openai_images(row: Row) {
    openai.planned = Buffer.isBuffer(row.openai) ? [] : [row.openai];
    openai.picture = Buffer.isBuffer(row.openai) ? row.openai : null;
    return openaiImagesPlan(openai, {}, row.openai === 'hang' ? limits : {});
  },
  fal({ fal: { at: where, answer } }: Row) {
    fal.planned = { submit: [], status: [], result: [], file: [] };
    fal.output = Buffer.isBuffer(answer) ? answer : null;
    if (!Buffer.isBuffer(answer)) fal.planned[where].push(answer);
    return falPlan(fal, answer === 'hang' ? { callMs: 1000 } : {});
  },
};

for (const [kind, planFor] of Object.entries(kinds))
  describe(`${kind}: whose failure it is`, () => {
    for (const row of rows)
      test(`${row.sign}: ${row.whose}`, async () => {
        const { error, attempts, applied } = await endOf(planFor(row));
        if (row.whose === 'made') {
          assert.equal(error, null);
          assert.ok(JSON.stringify(applied).includes('crop'));
          return;
        }
        assert.ok(error instanceof AppError, String(error));
        assert.deepEqual([error.code, error.retryable], codes[row.whose], error.message);
        assert.match(error.message, row.sentence);
        assert.match(attempts.at(-1)!.cause!, row.cause);
        // What was sent is never repeated to anybody.
        assert.doesNotMatch(`${error.message} ${attempts.at(-1)!.cause}`, /SECRET|NEVER-LEAVES/);
      });
  });

describe('content that is refused', () => {
  const blocked = openaiError(400, 'moderation_blocked', 'rejected', { moderation_stage: 'output' });

  test('in the result is worth one more try', async () => {
    openai.picture = null;
    openai.planned = [blocked];
    const { error } = await endOf(openaiImagesPlan(openai));
    assert.equal((error as AppError).retryable, true);
  });

  test('may be made by the fallback where the operator says so', async () => {
    openai.planned = [openaiError(400, 'moderation_blocked', 'rejected')];
    const { error } = await endOf(openaiImagesPlan(openai, { refused: 'fallback' }));
    assert.deepEqual([(error as AppError).code, (error as AppError).retryable], ['ENGINE_BROKE', false]);
  });
});

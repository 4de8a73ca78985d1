import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type {
  GeneratedPicture,
  GuestPhotos,
  IdentityCheck,
  PhotoPeople,
} from '@guise/engine/identity-check.ts';
import sharp from 'sharp';
import { type EngineAttempt, type EngineResult, engineBroke } from '../../../src/engines/engine.ts';
import type { EnginesPlan, RoutePlan } from '../../../src/engines/engines-file.ts';
import { engineFor } from '../../../src/engines/routing.ts';
import { type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import { openaiImagesPlan } from '../../support/hosted.ts';
import { type OpenaiImagesServer, openaiImagesServer } from '../../support/openai-images-server.ts';
import {
  comfyuiPlan,
  directRun,
  pictureWorkflow,
  type RunFields,
  remoteEngines,
} from '../../support/remote.ts';
import { testEngine } from '../../support/test-engine.ts';

const photo = await sharp({ create: { width: 90, height: 120, channels: 3, background: '#c08060' } })
  .jpeg()
  .toBuffer();

let openai: OpenaiImagesServer;
let gpu: ComfyuiServer;
before(async () => {
  openai = await openaiImagesServer();
  gpu = await comfyuiServer();
});
after(() => Promise.all([openai.stop(), gpu.stop()]));
beforeEach(() => {
  openai.requests.length = 0;
  openai.planned.length = 0;
});

const alike: IdentityCheck = { likeness: [0.71], strangers: 0 };
const unlike: IdentityCheck = { likeness: [0.31], strangers: 0 };
const likeness = 0.5;

interface Checked {
  result: EngineResult;
  attempts: EngineAttempt[];
  handles: string[];
  /** The pictures that were compared with the photo. */
  pictures: string[];
  /** Whom each of them was compared with, where the photos were looked at before. */
  people: (PhotoPeople | undefined)[];
}

interface Circumstances {
  fields?: RunFields;
  handle?: string;
  local?: ReturnType<typeof testEngine>;
  /** Looks at the photos before there is a picture. */
  findGuests?: (photos: GuestPhotos) => Promise<PhotoPeople>;
}

/** Runs a job of a guest whose pictures come out as is said of them, one after the other. */
async function makeChecked(
  plan: EnginesPlan,
  found: (IdentityCheck | Error)[],
  { fields, handle, local = testEngine(), findGuests }: Circumstances = {},
): Promise<Checked> {
  const pictures: string[] = [];
  const people: Checked['people'] = [];
  const createLocal = () => ({
    ...local,
    ...(findGuests && { findGuests }),
    async checkIdentity(made: GeneratedPicture) {
      pictures.push(made.picture);
      people.push(made.people);
      const next = found.shift() ?? assert.fail('nothing more was to be compared');
      if (next instanceof Error) throw next;
      return next;
    },
  });
  const engines = remoteEngines({ ...plan, local: true }, { createLocal });
  const run = await directRun(photo, fields, handle);
  const attempts: EngineAttempt[] = [];
  try {
    const context = { ...run.context, attempted: (attempt: EngineAttempt) => void attempts.push(attempt) };
    const result = await engineFor(engines, run.request).run(run.request, context);
    return { result, attempts, handles: run.handles, pictures, people };
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
    await run.clean();
  }
}

const hosted = (route: Partial<RoutePlan> = {}) =>
  openaiImagesPlan(openai, { seed_field: 'seed', dollars_per_picture: 0.02 }, { likeness, ...route });
const seeds = () => openai.requests.map(({ fields }) => fields.seed);

test('a picture in which the guest is known again is good, and says how like', async () => {
  const { result, attempts } = await makeChecked(hosted(), [alike]);
  assert.deepEqual(result.quality, { grade: 'good', reasons: [] });
  assert.deepEqual(attempts, [{ server: 'hosted', cause: null, cost: 0.02, likeness: 0.71 }]);
  assert.equal(openai.requests.length, 1);
});

test('one of somebody else is made once more with another seed, and the job says so', async () => {
  const { result, attempts, pictures } = await makeChecked(hosted(), [unlike, alike]);
  assert.equal(new Set(seeds()).size, 2);
  assert.equal(new Set(pictures).size, 2);
  assert.equal(result.file, pictures[1]);
  assert.deepEqual(result.quality, { grade: 'good', reasons: [] });
  assert.deepEqual(
    attempts.map((attempt) => [attempt.cause, attempt.likeness, attempt.cost]),
    [
      ['the picture does not show the guests as they are', 0.31, 0.02],
      [null, 0.71, 0.02],
    ],
  );
  assert.ok(result.applied.some(({ kind }) => kind === 'mended'));
});

test('where both are of somebody else and nobody else makes it, the better one is delivered as fair', async () => {
  const missing: IdentityCheck = { likeness: [null], strangers: 1 };
  const first = await makeChecked(hosted(), [unlike, missing]);
  assert.equal(first.result.file, first.pictures[0]);
  assert.deepEqual(first.result.quality, {
    grade: 'fair',
    reasons: [{ check: 'unlike guest', measure: 0.31, regions: [] }],
  });
  const second = await makeChecked(hosted(), [missing, unlike]);
  assert.equal(second.result.file, second.pictures[1]);
  assert.equal(second.attempts.at(-1)?.cause, null);
});

test('the photos are looked at once, while the service works, and a picture is compared with who was in them', async () => {
  const looked = Promise.withResolvers<void>();
  // It answers when they were looked at.
  const waiting = await openaiImagesServer({ beforeAnswer: () => looked.promise });
  const plan = openaiImagesPlan(waiting, { seed_field: 'seed' }, { likeness });
  const seen: PhotoPeople = { guests: [], faces: 1 };
  const asked: GuestPhotos[] = [];
  const findGuests = async (photos: GuestPhotos) => {
    asked.push(photos);
    looked.resolve();
    return seen;
  };
  const { people } = await makeChecked(plan, [unlike, alike], { findGuests });
  await waiting.stop();
  assert.deepEqual(people, [seen, seen]);
  assert.deepEqual(
    asked.map(({ guest, photos }) => [guest, photos.length]),
    [[{ gender: 1 }, 1]],
  );
  const broken = () => Promise.reject(new Error('it crashed'));
  const { people: unknown } = await makeChecked(hosted(), [alike], { findGuests: broken });
  assert.deepEqual(unknown, [undefined]);
});

test('somebody who is missing, and somebody who came along, are reasons of their own', async () => {
  const group: IdentityCheck = { likeness: [0.8, 0.4, null], strangers: 1 };
  const { result } = await makeChecked(hosted(), [group, group], {
    fields: { params: { gender: 4, ratio: 'portrait', quality_mode: 'v6' } },
  });
  const checks = result.quality!.reasons.map((reason) => 'check' in reason && reason.check);
  assert.deepEqual(checks, ['missing guest', 'unlike guest', 'stranger']);
});

test('the next engine of the route makes what came out as somebody else twice', async () => {
  const route = { fallback: 'local' } as const;
  const { result, attempts } = await makeChecked(hosted(route), [unlike, unlike]);
  assert.deepEqual(result.applied.at(-1), {
    kind: 'engine',
    value: 'test',
    reason: 'the picture of hosted did not show the guests as they are',
  });
  assert.ok(attempts.every(({ cause }) => cause !== null));
  const local = testEngine();
  local.before = () => Promise.reject(engineBroke('It is out of order.'));
  const { result: kept } = await makeChecked(hosted(route), [unlike, unlike], { local });
  assert.equal(kept.quality?.grade, 'fair');
});

test('a second take that fails leaves the first', async () => {
  openai.planned.push(undefined as never, { status: 500, body: {} });
  const { result, attempts } = await makeChecked(hosted(), [unlike]);
  assert.equal(result.quality?.grade, 'fair');
  assert.equal(attempts.length, 2);
});

test('a process that goes on with a second take makes no third', async () => {
  const { handles } = await makeChecked(hosted(), [unlike, unlike]);
  assert.match(handles.at(-1)!, /^\{"kind":"second-take"/);
  openai.requests.length = 0;
  const { result } = await makeChecked(hosted(), [unlike], { handle: handles.at(-1)! });
  assert.equal(openai.requests.length, 1);
  assert.equal(result.quality?.grade, 'fair');
});

test('a caller who asks for a seed gets the picture of that seed', async () => {
  const params = { gender: 1, ratio: 'portrait', prompt: 'on a beach', seed: 7 };
  const fields = { family: 'self_prompt_v2', params, filter: null } as const;
  const { result } = await makeChecked(hosted(), [unlike], { fields });
  assert.deepEqual(seeds(), ['7']);
  assert.equal(result.quality?.grade, 'fair');
});

test('drawings, videos and routes that want no comparison are left alone, and what cannot be compared is delivered', async () => {
  const look = { kind: 'look', look: 'ink' } as const;
  assert.equal((await makeChecked(hosted(), [], { fields: { filter: look } })).result.quality, undefined);
  assert.equal((await makeChecked(hosted({ likeness: 0 }), [])).result.quality, undefined);
  assert.equal((await makeChecked(hosted(), [new Error('it crashed')])).result.quality, undefined);
  const noFace: IdentityCheck = { likeness: [], strangers: 0 };
  assert.equal((await makeChecked(hosted(), [noFace])).result.quality, undefined);
});

test('a workflow is run again with another seed, and not where it has no place for one', async () => {
  const before = gpu.accepted.length;
  await makeChecked(comfyuiPlan([gpu], { likeness }), [unlike, alike]);
  const graphs = gpu.accepted.slice(before).map((id) => gpu.graphs.get(id)!);
  assert.equal(new Set(graphs.map((graph) => graph['7']!.inputs!.seed)).size, 2);
  const { seed: _, ...bindings } = pictureWorkflow().bindings;
  const workflows = [{ ...pictureWorkflow(), bindings }];
  const { attempts } = await makeChecked(comfyuiPlan([gpu], { likeness, workflows }), [unlike]);
  assert.deepEqual(
    attempts.map(({ cause, likeness: measured }) => [cause, measured]),
    [[null, 0.31]],
  );
});

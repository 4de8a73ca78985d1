import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ratioOf } from '@guise/contract/families/canvas.ts';
import { parseRequest } from '@guise/contract/families/requests.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { sentencesOf } from '@guise/contract/notes.ts';
import sharp from 'sharp';
import { createEngine } from '../src/engine.ts';
import { chooseFace } from '../src/faces/choose-face.ts';
import type { Face } from '../src/faces/face.ts';
import { familyRules } from '../src/family-rules.ts';
import { ratioFor } from '../src/render.ts';
import { RenderError } from '../src/runtime/render-error.ts';
import { onePerson } from './support/sample-photos.ts';

const engine = createEngine();

async function make(
  family: string,
  params: object,
  images: string[],
  filter: FilterDefinition | null = null,
  signal = new AbortController().signal,
) {
  const scratch = await mkdtemp(join(tmpdir(), 'guise-run-'));
  const progress: number[] = [];
  const result = await engine.render(
    { ...parseRequest(family, { gender: 1, ...params }, filter), images, scratch },
    { signal, progress: (done) => progress.push(done) },
  );
  assert.equal(dirname(result.file), scratch);
  const { width, height, format } = await sharp(result.file).metadata();
  return { ...result, ...sentencesOf(result), size: `${width}×${height}`, format, progress };
}

const aurora = { kind: 'scene', scene: 'aurora' } as const;

test('face swap follows its ratio, reports progress upwards, and says what it applied', async () => {
  const params = { ratio: 'square', quality_mode: 'v6', seed: 3 };
  const made = await make('face_swap_v6', params, [await onePerson(450)], aurora);
  assert.equal(made.size, '1280×1280');
  assert.equal(made.format, 'png');
  assert.ok(made.progress.length >= 3, `${made.progress}`);
  assert.deepEqual(
    made.progress,
    [...new Set(made.progress)].sort((a, b) => a - b),
  );
  assert.match(made.applied.join(), /scene: Northern lights/);
  assert.deepEqual(made.ignored, []);
  assert.deepEqual(made.quality, { grade: 'good', reasons: [] });
});

test('face swap takes the ratio that is asked for, multi swap the orientation of its photo', () => {
  const photo = (width: number, height: number) => ({ photo: { width, height } });
  const ratioIn = (family: keyof typeof familyRules, ...photos: ReturnType<typeof photo>[]) =>
    ratioFor(photos, { rule: familyRules[family], params: { ratio: 'square' } });
  const [lying, standing] = [photo(630, 450), photo(450, 630)];
  assert.equal(ratioIn('face_swap_v6', lying), 'square');
  assert.equal(ratioIn('self_prompt_v2'), 'square');
  assert.equal(ratioIn('multi_swap_v5', lying), 'landscape');
  assert.equal(ratioIn('multi_swap_v5', standing), 'portrait');
  assert.equal(ratioIn('multi_swap_v5', standing, standing), 'landscape', 'people stand side by side');
  assert.equal(ratioFor([], { rule: familyRules.multi_swap_self_prompt_v5, params: {} }), 'portrait');
});

test('a look without outpainting keeps the frame of the photo exactly', async () => {
  const photo = await onePerson(450);
  const made = await make('stylized_multi_swap_v1', { outpaint: false }, [photo], {
    kind: 'look',
    look: 'duotone',
  });
  const { width, height } = await sharp(photo).metadata();
  const [w, h] = made.size.split('×').map(Number) as [number, number];
  assert.equal(Math.max(w, h), 1800);
  assert.ok(Math.abs(w / h - width / height) < 0.002);
});

test('a prompt without a photo makes the scene alone: the same file for the same request, another for another seed', async () => {
  const prompt = { prompt: 'northern lights, no trombones', ratio: 'landscape' };
  const one = await make('self_prompt_v2', prompt, []);
  assert.equal(one.size, '1800×1200');
  assert.match(one.applied.join(), /Northern lights/);
  assert.deepEqual(one.ignored, ['trombones']);
  const again = await make('self_prompt_v2', prompt, []);
  const other = await make('self_prompt_v2', { ...prompt, seed: 9 }, []);
  assert.deepEqual(await readFile(one.file), await readFile(again.file));
  assert.notDeepEqual(await readFile(one.file), await readFile(other.file));
});

const refusedWith = (words: RegExp) => (error: unknown) =>
  error instanceof RenderError && words.test(error.message);

test('what cannot be made is refused in words', async () => {
  const photo = await onePerson(450);
  await assert.rejects(
    make('face_swap_v6', {}, [photo], { kind: 'scene', scene: 'no-such' }),
    refusedWith(/no scene called/),
  );
  await assert.rejects(
    make('face_swap_v6', {}, [photo], { kind: 'look', look: 'no-such' }),
    refusedWith(/no look called/),
  );
  await assert.rejects(
    make('face_swap_v6', {}, [photo], {
      kind: 'workflow',
      workflow: { '9': { class_type: 'SaveImage', inputs: {} } },
      bindings: { photos: [], output: '9' },
    }),
    refusedWith(/remote engine/),
  );
});

test('a cancelled run stops', async () => {
  const stop = new AbortController();
  stop.abort(new Error('cancelled'));
  await assert.rejects(make('face_swap_v6', {}, [await onePerson(450)], aurora, stop.signal), /cancelled/);
});

test('the canvas is the one nearest to the photo', () => {
  assert.equal(ratioOf(1920, 1280), 'landscape');
  assert.equal(ratioOf(1280, 1920), 'portrait');
  assert.equal(ratioOf(1000, 1000), 'square');
  assert.equal(ratioOf(4000, 3000), 'landscape');
});

test('gender chooses between guests and never refuses the only one', () => {
  const face = (gender: Face['gender'], ageGroup: Face['ageGroup'], height: number) =>
    ({ gender, ageGroup, height }) as Face;
  const man = face('male', 'adult', 100);
  const woman = face('female', 'adult', 110);
  const girl = face('female', 'child', 90);
  assert.equal(chooseFace([man, woman, girl], 0), man);
  assert.equal(chooseFace([man, woman, girl], 1), woman);
  assert.equal(chooseFace([man, woman, girl], 3), girl);
  assert.equal(chooseFace([man], 3), man);
  assert.equal(chooseFace([man, woman], undefined), woman);
});

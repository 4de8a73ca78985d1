import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseRequest } from '@guise/contract/families/requests.ts';
import { sentencesOf } from '@guise/contract/notes.ts';
import sharp from 'sharp';
import { createEngine } from '../src/engine.ts';
import { findFaces } from '../src/faces/faces.ts';
import { readPhoto } from '../src/pixels/photo.ts';
import { onePerson, peopleInSample, sample } from '../test/support/sample-photos.ts';

const engine = createEngine();
const aurora = { kind: 'scene', scene: 'aurora' } as const;
const knights = { ...aurora, costume: 'knight' };

async function make(
  family: string,
  params: object,
  images: string[],
  filter: typeof aurora | typeof knights,
) {
  const scratch = await mkdtemp(join(tmpdir(), 'guise-run-'));
  const result = await engine.render(
    { ...parseRequest(family, { gender: 1, ...params }, filter), images, scratch },
    { signal: new AbortController().signal, progress() {} },
  );
  return { file: result.file, ...sentencesOf(result) };
}

test('everybody of a photo wears the costume', async () => {
  const params = { gender: 4, ratio: 'square', quality_mode: 'v6' };
  const group = await make('face_swap_v6', params, [sample(3)], knights);
  assert.match(group.applied.join(), /costume: Knight/);
  assert.deepEqual(group.ignored, []);
  assert.equal((await findFaces(await readPhoto(group.file))).length, peopleInSample[3]);
});

test('a group that is too large for costumes is shown without them, and told so', async () => {
  const made = await make('multi_swap_v5', { outpaint: false }, [sample(5), sample(3)], knights);
  assert.match(made.ignored.join(), /costume: Knight \(it is for up to 7 people, and there are 8\)/);
  assert.doesNotMatch(made.applied.join(), /costume/);
});

test('v5 looks unlike v6', async () => {
  const pixelsOf = async (family: string) => {
    const made = await make(family, { ratio: 'square', seed: 3 }, [await onePerson()], aurora);
    return sharp(made.file).raw().toBuffer();
  };
  const [five, six] = [await pixelsOf('face_swap_v5'), await pixelsOf('face_swap_v6')];
  let difference = 0;
  for (let i = 0; i < five.length; i++) difference += Math.abs(five[i]! - six[i]!);
  assert.ok(difference / five.length > 2);
});

test('multi swap takes the orientation of its photo', async () => {
  const made = await make('multi_swap_v5', { outpaint: true }, [await onePerson(450)], aurora);
  const { width, height } = await sharp(made.file).metadata();
  assert.deepEqual([width, height], [1800, 1200]);
});

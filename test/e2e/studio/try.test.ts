import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { cannotMake } from '../../../packages/server/src/engines/engine.ts';
import { until } from '../../../packages/server/test/support/harness.ts';
import { door, testEngine, tinyMp4, tinyPng } from '../../../packages/server/test/support/test-engine.ts';
import { codeSamples, type Language } from '../../../packages/studio/src/screens/try/code-samples.ts';
import type { PlannedRun } from '../../../packages/studio/src/screens/try/run-choice.ts';
import { transitionExample, videoModels } from '../../../packages/studio/src/screens/try/video-models.ts';
import { checkAccessibility, checkWidth, widths } from '../support/page-checks.ts';
import { forAllTests } from '../support/start-pages.ts';
import { startStudio } from './open-studio.ts';

const photo = new URL('../../../catalog/samples/astronaut.jpg', import.meta.url).pathname;
const run = promisify(execFile);

// By its name, whose prompts are read by words.
const studio = forAllTests(() => startStudio({}, Object.assign(testEngine(), { name: 'local' })));

const makeButton = (page: Page) => page.getByRole('button', { name: /^Make it/ }).filter({ visible: true });
const madePicture = (page: Page) => page.getByRole('img', { name: 'Result', exact: true });
const choosePhoto = (page: Page, file = photo) =>
  page.locator('input[type=file]').first().setInputFiles(file);
const chooseFilter = (page: Page) =>
  page.getByRole('region', { name: 'Scenes and costumes' }).getByRole('button').first().click();

for (const width of widths) {
  test(`a photo and a filter become a picture that can be compared and downloaded, at ${width} px`, async () => {
    const { page, close } = await studio.open('/', { width });
    await choosePhoto(page);
    await chooseFilter(page);
    await checkWidth(page);
    await makeButton(page).click();
    await madePicture(page).waitFor();
    const slider = page.getByRole('slider', { name: 'Compare before and after' });
    assert.equal(await slider.count(), 0, 'the result is shown whole first');
    await page.getByRole('button', { name: 'Compare' }).click();
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await slider.inputValue(), '51');
    const before = page.getByRole('img', { name: 'Before' });
    assert.equal(await before.evaluate((image) => getComputedStyle(image).objectFit), 'contain');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^guise-.*\.png$/);
    assert.deepEqual(readFileSync(await download.path()).subarray(0, 8), tinyPng.subarray(0, 8));
    await page.getByText('a thing').waitFor();
    await checkWidth(page);
    await close();
  });
}

/** A black picture, nearly twice as high as wide. */
async function tallPng(page: Page): Promise<Buffer> {
  const uri = await page.evaluate<string>(`
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 500, height: 900 }).getContext('2d').fillRect(0, 0, 500, 900);
    canvas.toDataURL('image/png');
  `);
  return Buffer.from(uri.split(',')[1]!, 'base64');
}

/** Each of the parts ends above the next one. */
async function checkOrder(parts: Locator[]): Promise<void> {
  let above = { y: 0, height: 0 };
  for (const part of parts) {
    const box = (await part.boundingBox())!;
    assert.ok(above.y + above.height <= box.y, `${part} starts at ${box.y}, in ${JSON.stringify(above)}`);
    above = box;
  }
}

test('a tall photo on a tablet leaves its buttons, the choices and the start button where they can be pressed', async () => {
  const { page, close } = await studio.open('/', { width: 820 });
  const file = page.locator('input[type=file]').first();
  await file.setInputFiles({ name: 'tall.png', mimeType: 'image/png', buffer: await tallPng(page) });
  await sizeOf(page, 'tall.png');
  await chooseFilter(page);
  for (const [width, height] of [
    [820, 1100],
    [820, 1180],
    [1024, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    await checkOrder([
      page.getByRole('img', { name: 'Photo: tall.png' }),
      page.getByRole('button', { name: 'Crop the photo' }),
      page.getByRole('group', { name: 'Who is in the photo' }),
      page.getByRole('group', { name: 'Shape of the picture' }),
      makeButton(page),
    ]);
  }
  await page.getByRole('button', { name: 'Man', exact: true }).click();
  await close();
});

test('below a tall result are the notes, and the strip of what was made is in the window', async () => {
  const { page, close } = await studio.open('/');
  studio.server.engine.result = await tallPng(page);
  // Too low for all of it.
  await page.setViewportSize({ width: 1440, height: 700 });
  await page.getByRole('button', { name: 'Words', exact: true }).click();
  await page.getByLabel('Describe the picture').fill('under the sea');
  await makeButton(page).click();
  await madePicture(page).waitFor();
  await madePicture(page).evaluate((image: HTMLImageElement) => image.decode());
  await checkOrder([madePicture(page), page.getByText('Ignored', { exact: true })]);
  const { y, height } = (await page.getByRole('region', { name: 'Made before' }).boundingBox())!;
  assert.ok(y + height <= 700);
  studio.server.engine.result = null;
  await close();
});

const strip = (page: Page) => page.getByRole('region', { name: 'Made before' });

test('a reload keeps photo, filter and the paid run that is under way; the balance and the price are seen before', async () => {
  const account = await studio.server.account(9);
  const { work, open, reached } = door();
  studio.server.engine.before = work;
  const { page, close } = await studio.open('/', { account });
  await page.getByText('You have 9 credits.').filter({ visible: true }).waitFor();
  await choosePhoto(page);
  await chooseFilter(page);
  await page.getByRole('button', { name: 'Make it, 2 credits' }).filter({ visible: true }).click();
  await reached;
  await page.getByText('You have 7 credits.').filter({ visible: true }).waitFor();
  await strip(page).getByRole('button').first().waitFor();
  await page.reload();
  await page.getByRole('img', { name: 'Photo: astronaut.jpg' }).waitFor();
  await page.getByRole('progressbar').waitFor();
  open();
  studio.server.engine.before = async () => {};
  await madePicture(page).waitFor();
  await page.getByRole('button', { name: 'Compare' }).waitFor();
  await page.getByRole('button', { name: 'Make it, 2 credits' }).filter({ visible: true }).waitFor();
  await page.getByRole('button', { name: 'Video', exact: true }).click();
  await page.getByLabel('Describe what moves').fill('the camera moves in');
  await page.getByRole('radio', { name: 'Advanced' }).check();
  await page.getByText('Not enough credits: you have 7.').filter({ visible: true }).waitFor();
  await close();

  // Another device: results, and no photo.
  const { page: other, close: closeOther } = await studio.open('/', { account, width: 390 });
  await other.getByRole('button', { name: '3 Result' }).click();
  await strip(other).getByRole('button').first().click();
  await madePicture(other).waitFor();
  assert.equal(await other.getByRole('img', { name: /^Photo:/ }).count(), 0);
  await other.getByRole('button', { name: 'Again with…' }).click();
  await other.getByText(/^Chosen as for/).waitFor();
  await checkWidth(other);
  await closeOther();
});

for (const width of widths)
  test(`one photo in several filters, side by side, each of which can be looked at alone, at ${width} px`, async () => {
    const { page, close } = await studio.open('/', { width });
    await choosePhoto(page);
    await page.getByRole('button', { name: 'Several at once' }).click();
    const filters = page.getByRole('region', { name: 'Scenes and costumes' }).getByRole('button');
    for (const at of [0, 1, 2]) await filters.nth(at).click();
    await filters.nth(2).click();
    await page.getByText(/^2 of 6 chosen/).waitFor();
    await checkAccessibility(page);
    await page.getByRole('button', { name: 'Make 2 pictures, 4 credits' }).filter({ visible: true }).click();
    const result = page.getByRole('region', { name: 'Result' });
    const looks = result.getByRole('button', { name: /^Look at/ });
    await until(async () => (await looks.count()) === 2);
    await checkWidth(page);
    await checkAccessibility(page);
    await looks.last().click();
    await madePicture(page).waitFor();
    await page.getByRole('button', { name: 'All 2' }).click();
    await looks.first().waitFor();
    await close();
  });

test('from the page of a job its settings are chosen again, and its picture can be the next photo', async () => {
  const { body } = await studio.account.call('POST', '/v1/run/stylized_multi_swap_self_prompt', {
    prompt: 'a choir in the snow',
    input_image: readFileSync(photo).toString('base64'),
    outpaint: true,
  });
  const { page, close } = await studio.open(`/studio/jobs/${body.id}`);
  await page.getByRole('link', { name: 'Again with…' }).click();
  await until(
    async () => (await page.getByLabel('Describe the picture').inputValue()) === 'a choir in the snow',
  );
  assert.ok(await page.getByLabel('Extend the photo').isChecked());
  await choosePhoto(page);
  await makeButton(page).click();
  await madePicture(page).waitFor();
  await page.getByRole('button', { name: 'Use as photo' }).click();
  await page.getByRole('img', { name: /^Photo: / }).waitFor();
  await close();
});

const slowly = (names: string) => `
  const decode = createImageBitmap;
  globalThis.createImageBitmap = async (file, ...rest) => {
    if (${names}.includes(file.name)) await new Promise((resolve) => setTimeout(resolve, 800));
    return decode(file, ...rest);
  };`;

test('of two files the one that was chosen last is the photo, however long the first takes to read', async () => {
  const { page, close } = await studio.open('/', { account: await studio.server.account(9) });
  await page.evaluate(slowly("['first.jpg']"));
  const file = (name: string) => ({ name, mimeType: 'image/jpeg', buffer: readFileSync(photo) });
  const input = page.locator('input[type=file]').first();
  await input.setInputFiles(file('first.jpg'));
  await input.setInputFiles(file('last.jpg'));
  await page.getByRole('img', { name: 'Photo: last.jpg' }).waitFor();
  await page.waitForTimeout(1200);
  await page.getByRole('img', { name: 'Photo: last.jpg' }).waitFor();

  // Shots that are added while others are read join them.
  await page.getByRole('button', { name: 'Living portrait', exact: true }).click();
  const burst = page.getByLabel('Photos of a burst, or a video');
  await burst.setInputFiles([file('first.jpg'), file('second.jpg')]);
  await burst.setInputFiles([file('third.jpg')]);
  await until(async () => (await page.getByRole('img', { name: /^Shot/ }).count()) === 3);
  await close();
});

test('a run goes on while the server cannot be asked for it, and is found after other jobs', async () => {
  const account = await studio.server.account(9);
  const { page, close } = await studio.open('/', { account });
  let asked = 0;
  await page.route(/\/v1\/jobs\/[^/]+$/, (route) => (asked++ < 3 ? route.abort() : route.continue()));
  await page.getByRole('button', { name: 'Words', exact: true }).click();
  await page.getByLabel('Describe the picture').fill('under the sea');
  await makeButton(page).click();
  await madePicture(page).waitFor();
  assert.ok(asked > 3);
  // The newest jobs are of booths.
  await page.route(/\/v1\/jobs\?/, (route) =>
    route.request().url().includes('cursor=')
      ? route.continue()
      : route.fulfill({ json: { jobs: [], next_cursor: '~' } }),
  );
  await page.reload();
  await strip(page).getByRole('button').first().waitFor();
  await page.unrouteAll();
  await close(/ERR_FAILED/);
});

test('the copied curl works as it is, with a key made on the spot', async () => {
  const { page, close } = await studio.open('/');
  await choosePhoto(page);
  await chooseFilter(page);
  await page.getByRole('button', { name: 'Copy as code' }).click();
  await page.getByRole('button', { name: 'Insert a new key' }).click();
  await page.getByText('It is shown only now').waitFor();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  const code = await page.evaluate<string>('navigator.clipboard.readText()');
  const folder = mkdtempSync(join(tmpdir(), 'guise-code-'));
  copyFileSync(photo, join(folder, 'photo.jpg'));
  await run('bash', ['-c', code], { cwd: folder, timeout: 60_000 });
  assert.deepEqual(readFileSync(join(folder, 'picture.png')).subarray(0, 8), tinyPng.subarray(0, 8));
  rmSync(folder, { recursive: true });
  await close();
});

const languages: Record<Language, { program: string; file: string }> = {
  curl: { program: 'bash', file: 'run.sh' },
  typescript: { program: process.execPath, file: 'run.mts' },
  python: { program: 'python3', file: 'run.py' },
};
const pictureRun: PlannedRun = {
  family: 'face_swap_v6',
  body: { filter_id: 1, gender: 1, ratio: 'portrait' },
  photos: { first: 'base64' },
};
const videoRun: PlannedRun = {
  family: 'single_frame_video',
  body: { prompt: "It's 100% still", model: 'simple', duration: '4s', aspect_ratio: 'auto' },
  photos: { first: 'prompt_image' },
};

const portraitRun: PlannedRun = {
  family: 'living_portrait',
  body: { filter_id: 1, seconds: 3, loop: 'ping_pong' },
  photos: {},
  burst: 2,
};

/** Runs a copied program in a folder with a photo: its exit code, what it complains of, and the result it leaves. */
async function runSample(language: Language, planned: PlannedRun, key: string) {
  const { program, file } = languages[language];
  const folder = mkdtempSync(join(tmpdir(), 'guise-sample-'));
  for (const name of ['photo.jpg', 'shot-1.jpg', 'shot-2.jpg']) copyFileSync(photo, join(folder, name));
  writeFileSync(join(folder, file), codeSamples[language](planned, { url: studio.server.url, key }));
  const ended = run(program, [file], { cwd: folder, timeout: 20_000 });
  const { code, stderr } = await ended.then(
    (out) => ({ code: 0, ...out }),
    (error: { code: number; stderr: string }) => error,
  );
  const result = join(folder, planned === pictureRun ? 'picture.png' : 'video.mp4');
  const made = existsSync(result) ? readFileSync(result) : null;
  rmSync(folder, { recursive: true });
  return { code, stderr, made };
}
const runSamples = (planned: PlannedRun, key: string) =>
  Promise.all(Object.keys(languages).map((language) => runSample(language as Language, planned, key)));

test('copied programs make pictures and videos', async () => {
  for (const { code, stderr, made } of await runSamples(pictureRun, studio.account.api_key)) {
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(made, tinyPng);
  }
  for (const planned of [videoRun, portraitRun])
    for (const { code, stderr, made } of await runSamples(planned, studio.account.api_key)) {
      assert.deepEqual([code, stderr], [0, '']);
      assert.deepEqual(made, tinyMp4);
    }
});

test('a copied program stops with 1 and the reason when the key is wrong or the job fails', async () => {
  for (const { code, stderr, made } of await runSamples(pictureRun, 'YOUR_KEY')) {
    assert.deepEqual([code, made], [1, null], stderr);
    assert.match(stderr, /Valid credentials are required/);
  }
  studio.server.engine.before = async () => {
    throw cannotMake('Two people are in the photo.');
  };
  for (const planned of [pictureRun, videoRun])
    for (const { code, stderr, made } of await runSamples(planned, studio.account.api_key)) {
      assert.deepEqual([code, made], [1, null], stderr);
      assert.match(stderr, /Two people are in the photo\./);
    }
  studio.server.engine.before = async () => {};
});

test('a run shows that it waits and can be cancelled, and its credits come back', async () => {
  const { work, open, reached } = door();
  studio.server.engine.before = work;
  const before = await studio.account.credits();
  const { page, close } = await studio.open('/');
  await choosePhoto(page);
  await chooseFilter(page);
  await makeButton(page).click();
  await reached;
  await page.getByRole('progressbar').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Your picture appears here.').waitFor();
  open();
  studio.server.engine.before = async () => {};
  await until(async () => (await studio.account.credits()) === before);
  await close();
});

test('a file that is no photo is refused with a sentence where it was dropped', async () => {
  const { page, close } = await studio.open('/');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') });
  const refusal = page.getByRole('alert').getByText('This file is not a photo that can be read.');
  await refusal.waitFor();
  await page
    .getByRole('button', { name: /^Use the sample/ })
    .first()
    .click();
  await refusal.waitFor({ state: 'detached' });
  await close();
});

test('a job that fails shows the sentence for the guest, and what was chosen stays', async () => {
  studio.server.engine.before = async () => {
    throw Object.assign(new Error('no face'), {});
  };
  const { page, close } = await studio.open('/');
  await choosePhoto(page);
  await chooseFilter(page);
  await makeButton(page).click();
  const reason = page.getByRole('alert').filter({ hasText: 'Something went wrong' });
  await reason.waitFor();
  await page.getByRole('button', { name: 'Video', exact: true }).click();
  await reason.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  studio.server.engine.before = async () => {};
  await makeButton(page).click();
  await madePicture(page).waitFor();
  await close();
});

test('the camera takes a photo, which can be cropped', async () => {
  const { page, close } = await studio.open('/');
  await page.getByRole('button', { name: 'Camera' }).click();
  await page.getByRole('button', { name: 'Take the photo' }).click();
  const shown = page.getByRole('img', { name: 'Photo: camera' });
  await shown.waitFor();
  await page.getByRole('button', { name: 'Crop the photo' }).click();
  await page.getByRole('button', { name: '1:1' }).click();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Use this part' }).click();
  await until(async () => {
    const [width, height] = await sizeOf(page, 'camera');
    return width === height;
  });
  await close();
});

test('a picture is made from words, and a video from a photo', async () => {
  const { page, close } = await studio.open('/', { account: await studio.server.account() });
  await page.getByRole('button', { name: 'Words', exact: true }).click();
  await page.getByLabel('Describe the picture').fill('under the sea');
  await makeButton(page).click();
  await page.getByRole('img', { name: 'Result', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Video', exact: true }).click();
  await choosePhoto(page);
  await page.getByLabel('Describe what moves').fill('the camera moves in');
  await makeButton(page).click();
  await page.locator('video[controls]').waitFor();
  // The engine of the tests makes no real videos, of which no thumbnail can be made.
  await close(/status of 404/);
});

test('a burst becomes a living portrait that plays in a loop and can be downloaded in every format', async () => {
  const { page, close } = await studio.open('/', { width: 820 });
  await page.getByRole('button', { name: 'Living portrait' }).click();
  const input = page.getByLabel('Photos of a burst, or a video');
  await input.setInputFiles(photo);
  await page.getByText('Add at least one more photo').waitFor();
  await page.getByRole('button', { name: 'Choose 2 to 8 photos' }).filter({ visible: true }).waitFor();
  await input.setInputFiles([photo, photo]);
  await page.getByRole('img', { name: /^Shot 3/ }).waitFor();
  await page.getByRole('button', { name: 'Remove shot 3' }).click();
  await chooseFilter(page);
  await page.getByRole('button', { name: '4 s' }).click();
  await checkWidth(page);
  await checkAccessibility(page);
  await makeButton(page).click();
  await page.locator('video[loop]').waitFor();
  const names = await page.locator('a[download]').allInnerTexts();
  assert.deepEqual(names, ['MP4', 'GIF', 'WebP', 'Still']);
  const { params, images } = studio.server.engine.requests.at(-1)!;
  assert.deepEqual([images.length, 'seconds' in params && params.seconds], [2, 4]);
  // The engine of the tests makes no real loops, of which no thumbnail can be made.
  await close(/status of 404/);
});

test('words that a video model ignores are marked before the charge, and its own example has none', async () => {
  const { page, close } = await studio.open('/', { width: 390 });
  await choosePhoto(page);
  await page.getByRole('button', { name: 'Video', exact: true }).click();
  const prompt = page.getByLabel('Describe what moves');
  const ignored = page.getByText('Will be ignored:');
  await page.getByText('1 credit a second').waitFor();
  await prompt.fill('zoom in, confetti falls');
  await ignored.waitFor();
  await page.getByText('confetti falls (not with the model simple)').waitFor();
  await checkWidth(page);
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Use the advanced model' }).click();
  await ignored.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Make it, 8 credits' }).waitFor();
  await close();
  const { call } = studio.account;
  const examples = videoModels.map(({ value, example }) => [value, example, 'single_frame_video']);
  for (const [model, example, family] of [
    ...examples,
    ['advanced', transitionExample, 'first_last_frame_video'],
  ]) {
    const { body } = await call('POST', '/v1/prompt_checks', { family, model, prompt: example });
    assert.deepEqual([body.read_by_words, body.ignored], [true, []], example);
    assert.ok(body.applied.length > 0);
  }
});

const sizeOf = (page: Page, name: string) =>
  page.getByRole('img', { name: `Photo: ${name}` }).evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });

test('photos of phones are read: HEIC, and turned by their EXIF orientation', async () => {
  const { page, close } = await studio.open('/');
  const folder = new URL('photos/', import.meta.url).pathname;
  await choosePhoto(page, join(folder, 'phone.heic'));
  const [width, height] = await sizeOf(page, 'phone.heic');
  await page.getByRole('button', { name: 'Remove the photo' }).click();
  // The same photo on its side, with the orientation that says so.
  await choosePhoto(page, join(folder, 'turned.jpg'));
  assert.deepEqual(await sizeOf(page, 'turned.jpg'), [width, height]);
  // The engine of the tests makes no real loops, of which no thumbnail can be made.
  await close(/status of 404/);
});

test('a large photo is pasted, and sent with at most 2,048 pixels on its longer side', async () => {
  const { page, close } = await studio.open('/');
  await page.getByRole('region', { name: 'Photo' }).waitFor();
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(6000, 4000);
    canvas.getContext('2d')!.fillRect(0, 0, 6000, 4000);
    const files = new DataTransfer();
    files.items.add(new File([await canvas.convertToBlob()], 'pasted.png', { type: 'image/png' }));
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true }));
  });
  assert.deepEqual(await sizeOf(page, 'pasted.png'), [2048, 1365]);
  // The engine of the tests makes no real loops, of which no thumbnail can be made.
  await close(/status of 404/);
});

/**
 * Makes videos of the sample photos, one for each kind of motion, and lays frames of each out on a row, for people to
 * look at.
 *
 *   npm run tool -- tools/video-sheet.ts [--only words] [photo …]
 *
 * Without photos it takes the samples; `--only` takes the motions whose prompt has these words. Everything lands in
 * `out/`, the frames at full size too.
 */
import { execFile } from 'node:child_process';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { requestFor } from '@guise/contract/families/requests.ts';
import type { VideoModel } from '@guise/contract/families/video.ts';
import { sentencesOf } from '@guise/contract/notes.ts';
import { createEngine } from '@guise/engine/engine.ts';
import { findFfmpeg } from '@guise/engine/runtime/ffmpeg.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import sharp, { type OverlayOptions } from 'sharp';

const out = 'out';
const shown = [0, 20, 40, 60, 80, 95];
const tile = { width: 420, height: 320 };

const clips: { model: VideoModel; prompt: string }[] = [
  { model: 'simple', prompt: 'slow zoom in' },
  { model: 'advanced', prompt: 'dolly in, dust in the light' },
  { model: 'advanced', prompt: 'orbit right, snow is falling' },
  { model: 'performance', prompt: 'pan left, a breeze in the hair, light sweep' },
  { model: 'performance', prompt: 'zoom out, sparks and bokeh' },
  { model: 'advanced', prompt: 'confetti is falling' },
  { model: 'advanced', prompt: 'orbit left, cherry blossom petals' },
  { model: 'advanced', prompt: 'static, rose petals' },
  { model: 'advanced', prompt: 'soap bubbles float' },
  { model: 'advanced', prompt: 'tilt up, balloons rise' },
  { model: 'advanced', prompt: 'static, fireflies' },
  { model: 'advanced', prompt: 'static, smile' },
  { model: 'advanced', prompt: 'static, nod' },
  { model: 'performance', prompt: 'static, turn the head to the left' },
];

await mkdir(out, { recursive: true });
const engine = createEngine();
await engine.warmUp();
const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const photos = positionals.length > 0 ? positionals : Object.values(samplePhotos);
const chosen = clips.filter(({ prompt }) => prompt.includes(values.only ?? ''));
const rows: { title: string; frames: Buffer[] }[] = [];
for (const photo of photos) {
  for (const { model, prompt } of chosen) {
    const name = `${basename(photo, extname(photo))}-${model}-${prompt.replaceAll(/[^a-z]+/g, '-')}`;
    const file = join(out, `${name}.mp4`);
    const started = performance.now();
    const { applied, ignored } = sentencesOf(await make(photo, model, prompt, file));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${file}  ${seconds} s  applied: ${applied.join('; ')}  ignored: ${ignored.join('; ') || 'nothing'}`,
    );
    rows.push({ title: `${model}: ${prompt}`, frames: await framesOf(file, name) });
  }
}
await layOut(rows);

async function make(photo: string, model: VideoModel, prompt: string, file: string) {
  const scratch = join(out, 'scratch');
  await mkdir(scratch, { recursive: true });
  const params = { model, prompt, duration: '4s', aspect_ratio: 'auto' } as const;
  const request = { ...requestFor('single_frame_video', params, null), images: [photo], scratch };
  const signal = new AbortController().signal;
  const result = await engine.render(request, { signal, progress: () => {} });
  await rename(result.file, file);
  await rm(scratch, { recursive: true, force: true });
  return result;
}

async function framesOf(file: string, name: string): Promise<Buffer[]> {
  const { command } = await findFfmpeg();
  const folder = join(out, name);
  await mkdir(folder, { recursive: true });
  const chosen = shown.map((frame) => `eq(n\\,${frame})`).join('+');
  const filter = ['-vf', `select='${chosen}'`, '-vsync', '0'];
  await promisify(execFile)(command, [
    '-loglevel',
    'error',
    '-y',
    '-i',
    file,
    ...filter,
    join(folder, '%d.png'),
  ]);
  return Promise.all(
    shown.map((_, i) =>
      sharp(join(folder, `${i + 1}.png`))
        .resize({ ...tile, fit: 'contain', background: '#111' })
        .png()
        .toBuffer(),
    ),
  );
}

async function layOut(all: typeof rows): Promise<void> {
  const head = 28;
  const row = tile.height + head;
  const parts: OverlayOptions[] = all.flatMap(({ title, frames }, y) => [
    { input: titleOf(title, shown.length * tile.width, head), left: 0, top: y * row },
    ...frames.map((input, x) => ({ input, left: x * tile.width, top: y * row + head })),
  ]);
  const size = { width: shown.length * tile.width, height: all.length * row };
  await sharp({ create: { ...size, channels: 3, background: '#111' } })
    .composite(parts)
    .webp({ quality: 82 })
    .toFile(join(out, 'video-sheet.webp'));
  console.log(join(out, 'video-sheet.webp'));
}

function titleOf(text: string, width: number, height: number): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <text x="8" y="20" font-family="sans-serif" font-size="16" fill="#ddd">${text}</text></svg>`);
}

/**
 * Hashes what a server makes of a fixed set of requests, over HTTP, so that two versions of the code can be compared.
 *
 *   npm run tool -- tools/picture-hashes.ts [--checkout DIR] [--out FILE] [--against FILE] [--only PART]
 *
 * Starts `npm start` of the checkout (by default this one) on an empty data folder, without signing, submits every request and prints
 * one line each: the SHA-256 of the decoded pixels, or of a video's decoded frames. With --against it compares the
 * lines with those of an earlier run and exits with 1 when one differs.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { lookNames } from '@guise/engine/looks/look-names.ts';
import { findFfmpeg } from '@guise/engine/runtime/ffmpeg.ts';
import sharp from 'sharp';
import { createFilter, runJob, startCheckout } from './checkout-server.ts';

interface Case {
  name: string;
  run: string;
  status: string;
  body: object;
}

const root = join(import.meta.dirname, '..');
const { values: flags } = parseArgs({
  options: {
    checkout: { type: 'string', default: root },
    out: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});

const demoPhotos = join(root, 'node_modules/@vladmandic/face-api/demo');
const file = (number: number) => join(demoPhotos, `sample${number}.jpg`);
const base64 = (bytes: Buffer) => bytes.toString('base64');
const whole = (number: number) => base64(readFileSync(file(number)));
const part = async (number: number, left: number, top: number, width: number, height: number) =>
  base64(await sharp(file(number)).extract({ left, top, width, height }).png().toBuffer());

const one = await part(6, 20, 300, 640, 1237);
const upright = await part(6, 900, 60, 1020, 1477);
const three = whole(1);
const four = whole(6);

/** Filters that are made for the run: their ids. */
interface OwnFilters {
  face: string;
  group: string;
}

/** Every family, every look, every costume, a third of the scenes, each prompt path, each video model. */
function casesFor(own: OwnFilters): Case[] {
  return [...faceSwapCases(own), ...multiSwapCases(own), ...lookAndPromptCases(), ...videoCases()];
}

function faceSwapCases(own: OwnFilters): Case[] {
  const v6 = (name: string, body: object) => ({
    name,
    run: '/v6/run/face_swap',
    status: '/v6/status/',
    body: { base64: one, gender: 1, ...body },
  });
  return [
    v6('v6 neon street', { filter_id: 1 }),
    v6('v6 fast, landscape', { filter_id: 5, quality_mode: 'v6', ratio: 'landscape' }),
    v6('v6 square', { filter_id: 17, ratio: 'square' }),
    v6('v6 one guest of a group', { filter_id: 4, base64: four }),
    v6('v6 group', { filter_id: 39, gender: 4, base64: four }),
    v6('v6 monochrome', { filter_id: 15 }),
    v6('v6 scene and look', { filter_id: 7 }),
    v6('v6 underwater', { filter_id: 3 }),
    v6('v6 template', { filter_id: own.face }),
    ...[12, 20, 21, 22, 23, 24, 25, 26].map((id) =>
      v6(`v6 costume filter ${id}`, { filter_id: id, base64: upright }),
    ),
    {
      name: 'v5 space station',
      run: '/v5/run/face_swap',
      status: '/v5/status/',
      body: { base64: upright, gender: 0, filter_id: 6 },
    },
    {
      name: 'v1 lanterns',
      run: '/v1/run/faceswap',
      status: '/v2/status/',
      body: { image: three, filter_id: 8 },
    },
  ];
}

function multiSwapCases(own: OwnFilters): Case[] {
  const multi = (name: string, body: object) => ({
    name,
    run: '/v5/run/multi_swap',
    status: '/v5/status_multi_swap/',
    body: { input_image: four, outpaint: false, ...body },
  });
  const prompted = (name: string, body: object) => ({
    name,
    run: '/v5/run/multi_swap_self_prompt',
    status: '/v5/status_multi_swap/',
    body,
  });
  return [
    multi('multi swap keeps the frame', { style_id: 2 }),
    multi('multi swap outpaint', { style_id: 11, outpaint: true }),
    multi('multi swap three people', { style_id: 23, input_image: three }),
    // The default seed is of the parameters, and the filter's id is a new one in every run.
    multi('multi swap of a custom filter', { style_id: own.group, seed: 1 }),
    {
      name: 'multi swap v4 of three photos',
      run: '/v4/multi_swap_styles/',
      status: '/v1/status_multi_swap/',
      body: { filter_id: 14, input_images: [one, upright, whole(3)] },
    },
    prompted('multi swap self-prompt', {
      prompt: 'all of us at the harbour, at night, in the rain',
      input_image: four,
    }),
    prompted('multi swap self-prompt outpaint', {
      prompt: 'our photo in warm light',
      input_image: three,
      outpaint: true,
    }),
  ];
}

function lookAndPromptCases(): Case[] {
  const stylized = (id: number) => ({
    name: `stylized style ${id}`,
    run: '/v1/run/stylized_multi_swap',
    status: '/v1/status_stylized_multi_swap/',
    body: { input_image: id % 2 ? three : four, style_id: id },
  });
  const selfPrompt = (name: string, body: object) => ({
    name: `self-prompt ${name}`,
    run: '/v2/run/self-prompt',
    status: '/v2/status/',
    body,
  });
  return [
    {
      name: 'stylized self-prompt',
      run: '/v1/run/stylized_multi_swap_self_prompt',
      status: '/v1/status_stylized_multi_swap/',
      body: { prompt: 'as a woodcut in a library', input_images: [one, upright] },
    },
    ...lookNames.map((_, i) => stylized(i + 1)),
    selfPrompt('scene alone', { prompt: 'a snowy cabin at dusk' }),
    selfPrompt('costume', { prompt: 'a wizard in the library by candlelight', image: upright }),
    selfPrompt('snow and sepia', { prompt: 'by a lake in falling snow, sepia', image: one, ratio: 'square' }),
    selfPrompt('seed', { prompt: 'on stage with confetti', image: one, seed: 7 }),
  ];
}

function videoCases(): Case[] {
  const single = (name: string, body: object) => ({
    name: `video ${name}`,
    run: '/v1/run/single_frame_video',
    status: '/v1/status/single_frame_video/',
    body: { prompt_image: upright, duration: '4s', ...body },
  });
  const between = (name: string, body: object) => ({
    name: `video ${name}`,
    run: '/v1/run/first_last_frame_video',
    status: '/v1/status/single_frame_video/',
    body: { model: 'advanced', duration: '4s', ...body },
  });
  return [
    single('simple', { prompt: 'slow zoom in', model: 'simple' }),
    single('advanced snow', { prompt: 'snow falls, the camera pans left', model: 'advanced' }),
    single('performance 9:16', {
      prompt: 'she blinks, rays of light',
      model: 'performance',
      aspect_ratio: '9:16',
    }),
    between('first to last', { prompt: 'a smooth change', first_frame: one, last_frame: upright }),
    between('dolly between', { prompt: 'zoom', first_frame: four, last_frame: upright }),
  ];
}

const dataDir = mkdtempSync(join(tmpdir(), 'guise-hashes-'));
const server = await startCheckout(flags.checkout, dataDir, { env: { GUISE_C2PA: 'false' } });
try {
  const own = {
    face: await createFilter(server, 'face_swap', { kind: 'template', image: upright }),
    group: await createFilter(server, 'multi_swap', { kind: 'scene', scene: 'winter-cabin', look: 'pastel' }),
  };
  const cases = casesFor(own).filter(({ name }) => name.includes(flags.only));
  const lines: string[] = [];
  for (const entry of cases) {
    const line = `${await hashOf(entry)}  ${entry.name}`;
    lines.push(line);
    console.log(line);
  }
  if (flags.out) writeFileSync(flags.out, `${lines.join('\n')}\n`);
  if (flags.against) compare(lines, readFileSync(flags.against, 'utf8').trimEnd().split('\n'));
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function compare(now: readonly string[], before: readonly string[]): void {
  const different = now.filter((line) => !before.includes(line));
  console.log(`\n${now.length - different.length} of ${now.length} as before`);
  for (const line of different) console.log(`differs: ${line}`);
  if (different.length > 0) process.exitCode = 1;
}

async function hashOf(entry: Case): Promise<string> {
  const job = await runJob(server, entry);
  if (job.status === 'FAILED') return digest(Buffer.from(job.error ?? job.output.video_error ?? ''));
  const { images, video_url: link } = job.output;
  if (images) return digest(await sharp(Buffer.from(images[0]!, 'base64')).raw().toBuffer());
  return hashOfFrames(Buffer.from(await (await fetch(link!)).arrayBuffer()));
}

async function hashOfFrames(video: Buffer): Promise<string> {
  const path = join(dataDir, 'video.mp4');
  writeFileSync(path, video);
  const { stdout } = await promisify(execFile)((await findFfmpeg()).command, [
    '-loglevel',
    'error',
    '-i',
    path,
    '-f',
    'hash',
    '-hash',
    'sha256',
    '-',
  ]);
  return stdout.trim().split('=')[1]!;
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

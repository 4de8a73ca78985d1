/**
 * Makes living portraits of a burst, one for each filter, and lays frames of each out on a row, for people to look at.
 *
 *   npm run tool -- tools/living-sheet.ts [--only words] [--format mp4|gif|webp] SHOT SHOT …
 *
 * `--only` takes the filters whose name has these words. Everything lands in `out/living/`, the frames at full size too.
 */
import { execFile } from 'node:child_process';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { sentencesOf } from '@guise/contract/notes.ts';
import { createEngine } from '@guise/engine/engine.ts';
import { findFfmpeg } from '@guise/engine/runtime/ffmpeg.ts';
import sharp, { type OverlayOptions } from 'sharp';

const out = join('out', 'living');
/** Of two seconds there and back: the frames from the first shot to the last. */
const shown = [0, 4, 8, 10, 12, 14, 16, 20, 24];
const tile = { width: 300, height: 450 };

const filters: Record<string, FilterDefinition> = {
  ocean: { kind: 'scene', scene: 'ocean-golden' },
  studio: { kind: 'scene', scene: 'vintage-studio' },
  'street in snow': { kind: 'scene', scene: 'neon-street', weather: 'snow' },
  'wizard in the library': { kind: 'scene', scene: 'library', costume: 'wizard' },
  'comic on the red carpet': { kind: 'scene', scene: 'red-carpet', look: 'comic' },
  oil: { kind: 'look', look: 'oil' },
};

const { values, positionals: shots } = parseArgs({
  options: { only: { type: 'string' }, format: { type: 'string', default: 'mp4' } },
  allowPositionals: true,
});
const format = (['mp4', 'gif', 'webp'] as const).find((one) => one === values.format);
if (shots.length < 2 || !format) {
  throw new Error(
    'Usage: npm run tool -- tools/living-sheet.ts [--only words] [--format mp4|gif|webp] SHOT SHOT …',
  );
}

const engine = createEngine();
const rows: { title: string; frames: Buffer[] }[] = [];
for (const [name, filter] of Object.entries(filters)) {
  if (!name.includes(values.only ?? '')) continue;
  const folder = join(out, name.replaceAll(' ', '-'));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const started = performance.now();
  const made = await engine.renderLiving(
    {
      family: 'living_portrait',
      shots,
      filter,
      prompt: null,
      params: { ratio: 'portrait' },
      seconds: 2,
      format,
      scratch: folder,
    },
    { signal: new AbortController().signal, progress() {} },
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const file = `${folder}.${format}`;
  await rename(made.file, file);
  const { applied, ignored } = sentencesOf(made);
  console.log(
    `${file}  ${seconds} s  applied: ${applied.join('; ')}  ignored: ${ignored.join('; ') || 'nothing'}`,
  );
  rows.push({ title: name, frames: await framesOf(file, folder) });
}
await layOut();

async function framesOf(file: string, folder: string): Promise<Buffer[]> {
  const { command } = await findFfmpeg();
  await promisify(execFile)(command, [
    '-loglevel',
    'error',
    '-y',
    '-i',
    file,
    '-vsync',
    '0',
    join(folder, '%d.png'),
  ]);
  return Promise.all(
    shown.map((frame) =>
      sharp(join(folder, `${frame + 1}.png`))
        .resize({ ...tile, fit: 'contain', background: '#111' })
        .png()
        .toBuffer(),
    ),
  );
}

async function layOut(): Promise<void> {
  const parts: OverlayOptions[] = rows.flatMap(({ frames }, y) =>
    frames.map((input, x) => ({ input, left: x * tile.width, top: y * tile.height })),
  );
  const size = { width: shown.length * tile.width, height: Math.max(1, rows.length) * tile.height };
  const sheet = join(out, 'living-sheet.webp');
  await sharp({ create: { ...size, channels: 3, background: '#111' } })
    .composite(parts)
    .webp({ quality: 82 })
    .toFile(sheet);
  console.log(sheet);
}

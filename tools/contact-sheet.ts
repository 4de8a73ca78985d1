/**
 * Makes pictures of many photos with many filters and lays them out on one sheet, for people to look at.
 *
 *   npm run tool -- tools/contact-sheet.ts [folder with photos] [part of a row's name]
 *
 * Without a folder, or with an empty one, it takes the sample photos. BENCH_MODELS names a folder with fetched models.
 * Everything lands in `out/`.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type GenerationRequest, requestFor } from '@guise/contract/families/requests.ts';
import { readCostumes } from '@guise/engine/costume/costumes.ts';
import { createEngine } from '@guise/engine/engine.ts';
import { lookNames } from '@guise/engine/looks/look-names.ts';
import { packageFolder } from '@guise/engine/models/model-files.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import { readScenes } from '@guise/engine/scenes/scenes.ts';
import sharp, { type OverlayOptions } from 'sharp';

interface Row {
  name: string;
  request: GenerationRequest;
}

const out = 'out';
const tile = { width: 360, height: 360 };

const [, , folder = '', part = ''] = process.argv;
await mkdir(out, { recursive: true });
const photos = await photosOf(folder);
const rows = (await rowsOfCatalog()).filter(({ name }) => name.includes(part));
const engine = createEngine({ modelsDir: process.env.BENCH_MODELS ?? null });
await engine.warmUp();
const tiles: OverlayOptions[] = [];
for (const [y, row] of rows.entries()) {
  for (const [x, photo] of photos.entries()) {
    const file = join(out, `${row.name}--${basename(photo, extname(photo))}.png`);
    const said = await make(row, photo, file);
    console.log(`${file}  ${said}`);
    tiles.push({ input: await tileOf(file, said), left: x * tile.width, top: y * tile.height });
  }
}
await sharp({
  create: {
    width: photos.length * tile.width,
    height: rows.length * tile.height,
    channels: 3,
    background: '#111',
  },
})
  .composite(tiles)
  .png()
  .toFile(join(out, 'sheet.png'));
console.log(join(out, 'sheet.png'));

async function photosOf(folder: string): Promise<string[]> {
  const from = folder || join(packageFolder('@vladmandic/face-api')!, 'demo');
  const files = (await readdir(from)).filter((name) => /^(?!.*preview).*\.(jpe?g|png|webp)$/i.test(name));
  return files.filter((name) => folder || name.startsWith('sample')).map((name) => join(from, name));
}

async function rowsOfCatalog(): Promise<Row[]> {
  const scenes = [...(await readScenes()).keys()];
  const costumes = [...(await readCostumes()).values()];
  const street = { kind: 'scene', scene: 'neon-street' } as const;
  const single = { gender: 1, ratio: 'portrait' } as const;
  return [
    ...scenes.map((scene) => ({
      name: `scene-${scene}`,
      request: requestFor('multi_swap_v5', { outpaint: true }, { kind: 'scene', scene }),
    })),
    ...costumes.map(({ name, scenes: [scene] }) => ({
      name: `costume-${name}`,
      request: requestFor('face_swap_v6', single, { kind: 'scene', scene: scene!, costume: name }),
    })),
    ...costumes.map(({ name, scenes: [scene] }) => ({
      name: `group-costume-${name}`,
      request: requestFor(
        'multi_swap_v5',
        { outpaint: true },
        { kind: 'scene', scene: scene!, costume: name },
      ),
    })),
    ...lookNames.map((look) => ({
      name: `look-${look}`,
      request: requestFor('stylized_multi_swap_v1', { outpaint: false }, { kind: 'look', look }),
    })),
    {
      name: 'outpaint',
      request: requestFor('multi_swap_v5', { outpaint: true }, { kind: 'look', look: 'oil' }),
    },
    { name: 'frame-kept', request: requestFor('multi_swap_v5', { outpaint: false }, street) },
    { name: 'one-guest', request: requestFor('face_swap_v6', single, street) },
    { name: 'one-guest-v5', request: requestFor('face_swap_v5', single, street) },
    {
      name: 'swap',
      request: requestFor('face_swap_v6', single, { kind: 'template', image: samplePhotos.head }),
    },
    {
      name: 'prompt',
      request: requestFor(
        'self_prompt_v2',
        { prompt: 'on a misty alpine lake at golden hour, as a pastel drawing', ratio: 'landscape' },
        null,
      ),
    },
  ];
}

/** Makes one picture; what is refused is said on its tile. */
async function make(row: Row, photo: string, file: string): Promise<string> {
  const scratch = join(out, 'scratch');
  await mkdir(scratch, { recursive: true });
  const started = performance.now();
  try {
    const result = await engine.render(
      { ...row.request, images: [photo], scratch },
      { signal: new AbortController().signal, progress: () => {} },
    );
    await rename(result.file, file);
    return `${((performance.now() - started) / 1000).toFixed(1)} s`;
  } catch (error) {
    await rm(file, { force: true });
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function tileOf(file: string, said: string): Promise<Buffer> {
  const inside = { ...tile, fit: 'contain', background: '#111' } as const;
  return sharp(file)
    .resize(inside)
    .png()
    .toBuffer()
    .catch(() => {
      const words = said.replaceAll(/[<&>]/g, ' ');
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${tile.width}" height="${tile.height}">
        <text x="12" y="40" font-family="sans-serif" font-size="11" fill="#ddd">${words}</text></svg>`;
      return sharp(Buffer.from(svg)).png().toBuffer();
    });
}

/**
 * Swaps the faces of all photos into one another, as guests and as templates: how many pairs are accepted, why others
 * are refused, how much each result is like its guest, and one sheet of results for each template.
 *
 *   npm run tool -- tools/swap/swap-sheet.ts [folder with photos …] [--faces N] [--only part of a pair] [--against FILE] [--crops]
 *
 * Takes the sample photos and those of the folders, of each photo its N largest faces (2 unless told). `--against` takes
 * an earlier run's `figures.json` and lists the pairs that came out worse. `--crops` writes every result by itself, at
 * full size; `tools/swap/compare-swaps.ts` lays those of two runs side by side. With BENCH_MODELS, a folder with realesrgan, small faces are drawn larger by it. Everything lands in `out/swap/`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findOptionalModel, realEsrgan } from '@guise/engine/models/optional-models.ts';
import type { Picture } from '@guise/engine/pixels/picture.ts';
import { RenderError } from '@guise/engine/runtime/render-error.ts';
import { swapFace } from '@guise/engine/swap/mesh/mesh-swap.ts';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import { median, percent, printTable } from '../../bench/goals.ts';
import { likeness } from '../../packages/engine/quality/likeness.ts';
import { cropName, cropOf, readSwapPeople, type SwapFigures, type SwapPerson } from './swap-people.ts';

const out = 'out/swap';
const tile = 300;
const columns = 6;

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    faces: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    against: { type: 'string' },
    crops: { type: 'boolean', default: false },
  },
});
const upscale = await findOptionalModel(process.env.BENCH_MODELS ?? null, realEsrgan);
await mkdir(out, { recursive: true });
const people = await readSwapPeople(folders, Number(options.faces));
const figures: Record<string, SwapFigures> = {};
for (const template of people) {
  const tiles = [await labelled(cropOf(template.picture, template.face), `template ${template.name}`)];
  for (const guest of people) {
    const pair = `${guest.name}>${template.name}`;
    if (guest.photo === template.photo || !pair.includes(options.only)) continue;
    const { result, ...said } = await swap(guest, template);
    figures[pair] = said;
    if (!result) continue;
    const made = cropOf(result, template.face);
    if (options.crops)
      await made
        .clone()
        .png()
        .toFile(join(out, cropName(pair)));
    tiles.push(await besideGuest(made, guest, `${guest.name} ${said.likeness!.toFixed(2)}`));
  }
  if (tiles.length > 1) await writeSheet(tiles, join(out, `sheet-${template.name}.png`));
}
await writeFile(join(out, 'figures.json'), JSON.stringify(figures, null, 1));
report();
if (options.against)
  compare(JSON.parse(await readFile(options.against, 'utf8')) as Record<string, SwapFigures>);

async function swap(guest: SwapPerson, template: SwapPerson): Promise<SwapFigures & { result?: Picture }> {
  const started = performance.now();
  try {
    const result = await swapFace(template.picture, template.face, guest.picture, guest.face, {
      upscale,
    });
    const ms = Math.round(performance.now() - started);
    return { result, ms, likeness: await likeness(guest.picture, guest.face, result, template.face) };
  } catch (error) {
    if (error instanceof RenderError) return { refused: error.message };
    throw error;
  }
}

function report(): void {
  const all = Object.values(figures);
  const made = all.filter((said) => said.refused === undefined);
  const alike = made.map((said) => said.likeness!).sort((a, b) => a - b);
  const refusals = new Map<string, number>();
  for (const { refused } of all) if (refused) refusals.set(refused, (refusals.get(refused) ?? 0) + 1);
  console.log(
    `${people.length} faces, ${all.length} pairs, ${made.length} accepted (${percent(made.length / all.length)})`,
  );
  console.log(
    `likeness: median ${median(alike).toFixed(3)}, a tenth below ${alike[Math.floor(alike.length / 10)]?.toFixed(3)}, least ${alike[0]?.toFixed(3)}; ${median(made.map((said) => said.ms!)).toFixed(0)} ms a swap\n`,
  );
  const rows = [...refusals].sort((a, b) => b[1] - a[1]).map(([why, count]) => [String(count), why]);
  printTable(['pairs', 'refused with'], rows);
}

function compare(before: Record<string, SwapFigures>): void {
  const both = Object.entries(figures).filter(
    ([pair, { refused }]) => !refused && before[pair]?.likeness !== undefined,
  );
  const change = ([pair, { likeness: now }]: [string, SwapFigures]) => now! - before[pair]!.likeness!;
  const worse = both.filter((entry) => change(entry) < -0.01).sort((a, b) => change(a) - change(b));
  const lost = Object.keys(before).filter((pair) => !before[pair]!.refused && figures[pair]?.refused);
  const means = both.map(change);
  console.log(
    `\nof ${both.length} pairs accepted before: likeness ${(means.reduce((sum, value) => sum + value, 0) / means.length).toFixed(4)} in the mean, ${worse.length} worse by more than .01, ${lost.length} refused now`,
  );
  for (const entry of worse.slice(0, 40)) {
    console.log(`${entry[0]}  ${before[entry[0]]!.likeness!.toFixed(3)} → ${entry[1].likeness!.toFixed(3)}`);
  }
  for (const pair of lost) console.log(`${pair}  refused now: ${figures[pair]!.refused}`);
}

async function besideGuest(made: Sharp, guest: SwapPerson, label: string): Promise<Buffer> {
  const inset = await cropOf(guest.picture, guest.face)
    .resize({ width: tile / 3, height: tile / 3, fit: 'inside' })
    .png()
    .toBuffer();
  return labelled(made, label, [{ input: inset, left: 0, top: 0 }]);
}

async function labelled(crop: Sharp, label: string, over: readonly OverlayOptions[] = []): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${tile}" height="${tile}">
    <rect y="${tile - 18}" width="${tile}" height="18" fill="#111"/>
    <text x="4" y="${tile - 5}" font-family="sans-serif" font-size="12" fill="#eee">${label}</text></svg>`;
  const shown = await crop.resize({ width: tile, height: tile, fit: 'contain' }).png().toBuffer();
  return sharp(shown)
    .composite([...over, { input: Buffer.from(svg), left: 0, top: 0 }])
    .png()
    .toBuffer();
}

async function writeSheet(tiles: readonly Buffer[], file: string): Promise<void> {
  const rows = Math.ceil(tiles.length / columns);
  const width = Math.min(columns, tiles.length) * tile;
  await sharp({ create: { width, height: rows * tile, channels: 3, background: '#111' } })
    .composite(
      tiles.map((input, i) => ({ input, left: (i % columns) * tile, top: Math.floor(i / columns) * tile })),
    )
    .png()
    .toFile(file);
}

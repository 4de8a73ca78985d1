/**
 * Composes pictures, marks on each what the engine's judge found, and lays them out on one sheet.
 *
 *   npm run tool -- tools/judge-sheet.ts --out FOLDER [--filter ID] [--group] [--outpaint] [--ratio RATIO] PHOTO …
 *
 * The folder gets every picture, a sheet of them with the marks, and measurements.json. Without --group each picture is
 * of one guest, with it of everybody. BENCH_MODELS names a folder with sam2.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Ratio } from '@guise/contract/common.ts';
import { findReasons, type Measurement } from '@guise/engine/judge/judge.ts';
import { findOptionalModel, sam2 } from '@guise/engine/models/optional-models.ts';
import type { Picture } from '@guise/engine/pixels/picture.ts';
import { bytesFromPicture } from '@guise/engine/pixels/png.ts';
import sharp, { type OverlayOptions } from 'sharp';
import { measureCases, type PictureCase } from '../packages/engine/quality/judged-pictures.ts';

const { values: flags, positionals: photos } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'out/judge' },
    filter: { type: 'string', default: '5' },
    ratio: { type: 'string', default: 'portrait' },
    group: { type: 'boolean', default: false },
    outpaint: { type: 'boolean', default: false },
  },
});
const height = 720;
const across = 2400;
const colours: Partial<Record<Measurement['check'], string>> = {
  'loose part': '#ff3b30',
  'foreign part': '#ff9500',
  'cut through people': '#ff2d95',
  'between neighbours': '#af52de',
  'missing limb': '#32ade6',
  'missing part': '#34c759',
  'unsure outline': '#ffd60a',
  'face seam': '#ff3b30',
  'patched face': '#ff9500',
  'moved features': '#32ade6',
  'cut hair': '#ff9500',
  'part beside head': '#ff2d95',
};
const colourOf = (check: Measurement['check']) => colours[check] ?? '#ffcc00';

mkdirSync(flags.out, { recursive: true });
const outlineModel = await findOptionalModel(process.env.BENCH_MODELS ?? null, sam2);
const cases = photos.map(caseOf);
const tiles: { input: Buffer; width: number }[] = [];
const report: Record<string, object> = {};
for await (const made of measureCases(
  cases,
  [...new Set(photos.map((photo) => dirname(photo)))],
  outlineModel,
)) {
  const { name } = made;
  if ('refused' in made) {
    report[name] = { refused: made.refused };
    console.log(`${name}: refused, ${made.refused}`);
    continue;
  }
  const reasons = findReasons(made.measurements);
  const quality = reasons.length === 0 ? 'good' : 'fair';
  report[name] = { quality, measurements: made.measurements };
  console.log(`${name}: ${quality} ${reasons.map(({ check, measure }) => `${check} ${measure.toFixed(2)}`)}`);
  tiles.push(await tileOf(made.picture, `${name}: ${quality}`, reasons));
}
writeFileSync(join(flags.out, 'measurements.json'), JSON.stringify(report, null, 1));
await writeSheet();

function caseOf(file: string): PictureCase {
  const photo = basename(file, extname(file));
  const filter = Number(flags.filter);
  if (flags.group) return { photo, family: 'multi_swap_v5', filter, outpaint: flags.outpaint };
  return { photo, family: 'face_swap_v6', filter, gender: 1, ratio: Ratio.parse(flags.ratio) };
}

async function tileOf({ width, height: rows, ...picture }: Picture, title: string, reasons: Measurement[]) {
  const bytes = bytesFromPicture({ width, height: rows, ...picture });
  const image = sharp(bytes, { raw: { width, height: rows, channels: 3 } });
  await image
    .clone()
    .png({ compressionLevel: 1 })
    .toFile(join(flags.out, `${title.split(':')[0]}.png`));
  const boxes = reasons.flatMap(({ check, regions }) =>
    regions.map(
      ({ x, y, width: w, height: h }) =>
        `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="none" stroke="${colourOf(check)}" stroke-width="6"/>`,
    ),
  );
  const found = reasons.map(
    ({ check, measure }, i) =>
      `<text x="16" y="${100 + 44 * i}" font-size="36" fill="${colourOf(check)}">${check} ${measure.toFixed(2)}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${rows}" font-family="sans-serif">
    ${boxes.join('')}<text x="16" y="48" font-size="36" fill="#fff" stroke="#000" paint-order="stroke">${title}</text>${found.join('')}</svg>`;
  const marked = await image
    .composite([{ input: Buffer.from(svg) }])
    .png({ compressionLevel: 1 })
    .toBuffer();
  const scaled = Math.round((width * height) / rows);
  return { input: await sharp(marked).resize(scaled, height).png().toBuffer(), width: scaled };
}

async function writeSheet(): Promise<void> {
  const pieces: OverlayOptions[] = [];
  let x = 0;
  let y = 0;
  for (const { input, width } of tiles) {
    if (x > 0 && x + width > across) {
      x = 0;
      y += height + 6;
    }
    pieces.push({ input, left: x, top: y });
    x += width + 6;
  }
  await sharp({ create: { width: across, height: y + height, channels: 3, background: '#141414' } })
    .composite(pieces)
    .png()
    .toFile(join(flags.out, 'sheet.png'));
}

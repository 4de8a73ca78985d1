import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { canvasSizes, ratioOf } from '@guise/contract/families/canvas.ts';
import { layOverlay, prepareOverlay } from '@guise/engine/picture-tasks/overlay.ts';
import { type PicturePrint, printPicture } from '@guise/engine/picture-tasks/print.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import sharp, { type OverlayOptions } from 'sharp';

/**
 * Every print layout of some pictures, with and without an overlay, as files and on one sheet:
 * `npm run tool -- tools/print-sheet.ts FOLDER [picture …]`. Pictures are results, or photos that stand for them;
 * without any, the sample photos are cropped to the three shapes.
 */

const [folder, ...files] = process.argv.slice(2);
if (!folder) throw new Error('usage: npm run tool -- tools/print-sheet.ts FOLDER [picture …]');
mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'guise-prints-'));

const branding = { background: '#14213d', text: '#ffffff', accent: '#fca311' };
const event = { title: 'Sommerfest der Bäckerei Müller', date: '5. Dezember 2026' };
const layouts = ['4x6', '2x6', 'two_strips', 'square', 'a6', 'a5'] as const;
const code = `https://guise.example.com/g/${'x'.repeat(43)}`;
const cell = 420;

/** A frame with a name at its foot, as operators draw them. */
async function drawOverlay(ratio: keyof typeof canvasSizes): Promise<string> {
  const { width, height } = canvasSizes[ratio];
  const foot = Math.round(0.1 * height);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <path fill-rule="evenodd" fill="#fca311" d="M0 0H${width}V${height}H0ZM30 30V${height - foot}H${width - 30}V30Z"/>
    <circle cx="${width / 2}" cy="${height - foot / 2}" r="${0.35 * foot}" fill="#14213d"/></svg>`;
  const [file, output] = [join(scratch, `${ratio}.svg.png`), join(scratch, `${ratio}.png`)];
  await sharp(Buffer.from(svg)).png().toFile(file);
  await prepareOverlay({ file, ratio, output });
  return output;
}

/** Photos in the shape of results. */
async function samplePictures(): Promise<string[]> {
  const made: string[] = [];
  for (const photo of [samplePhotos.onePerson, samplePhotos.twoPeople]) {
    for (const [ratio, size] of Object.entries(canvasSizes)) {
      const file = join(scratch, `${basename(photo, '.jpg')}-${ratio}.png`);
      await sharp(photo)
        .resize({ ...size, position: 'top' })
        .png()
        .toFile(file);
      made.push(file);
    }
  }
  return made;
}

const pictures = files.length > 0 ? files : await samplePictures();
const overlays = {
  portrait: await drawOverlay('portrait'),
  landscape: await drawOverlay('landscape'),
  square: await drawOverlay('square'),
};
const composite: OverlayOptions[] = [];
let row = 0;
for (const [i, file] of pictures.entries()) {
  const { width, height } = await sharp(file).metadata();
  const withOverlay = join(scratch, `laid-${i}.png`);
  const { refused } = await layOverlay({ file, overlays, offered: [], output: withOverlay });
  const overlay = overlays[ratioOf(width, height)];
  const variants: PicturePrint['pictures'][] = [
    [{ file, overlay: null, written: [] }],
    ...(refused ? [] : [[{ file: withOverlay, overlay, written: [] }]]),
  ];
  if (refused) console.log(`${basename(file)}: no overlay, ${refused}`);
  for (const [v, shown] of variants.entries()) {
    for (const [column, layout] of layouts.entries()) {
      const name = `${i}-${v === 0 ? 'plain' : 'overlay'}-${layout}`;
      const print = {
        pictures: shown,
        layout,
        branding: v === 0 ? {} : branding,
        code,
        template: null,
        ...event,
      };
      const png = join(folder, `${name}.png`);
      await printPicture({ ...print, format: 'png', output: png });
      if (i === 0) await printPicture({ ...print, format: 'pdf', output: join(folder, `${name}.pdf`) });
      const small = await sharp(png)
        .resize({ width: cell - 20, height: cell - 20, fit: 'inside' })
        .toBuffer();
      composite.push({ input: small, left: column * cell + 10, top: row * cell + 10 });
    }
    row++;
  }
}
await sharp({ create: { width: layouts.length * cell, height: row * cell, channels: 3, background: '#999' } })
  .composite(composite)
  .webp({ quality: 85 })
  .toFile(join(folder, 'sheet.webp'));
rmSync(scratch, { recursive: true, force: true });

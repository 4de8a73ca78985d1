import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { cropAroundHeads, headsBox } from '../../src/picture-tasks/crop-around-heads.ts';
import { drawableText, drawText, readLetters } from '../../src/picture-tasks/lettering.ts';
import { locatePeople } from '../../src/picture-tasks/locate-people.ts';
import { type PicturePrint, printPicture } from '../../src/picture-tasks/print.ts';
import { lettersInOrder } from '../../src/picture-tasks/shape-arabic.ts';
import { samplePhotos } from '../../src/samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-print-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function print(name: string, wanted: Partial<PicturePrint>): Promise<Buffer> {
  const output = join(folder, name);
  await printPicture({
    pictures: [{ file: samplePhotos.onePerson, overlay: null, written: [] }],
    layout: '4x6',
    template: null,
    format: 'png',
    branding: { background: '#102030' },
    title: 'Sommerfest der Bäckerei Müller',
    date: '5. Dezember 2026',
    code: null,
    output,
    ...wanted,
  });
  return readFileSync(output);
}

const sizeOf = async (png: Buffer) => {
  const { width, height, density, xmp } = await sharp(png).metadata();
  assert.equal(Math.round(density!), 300);
  assert.match(String(xmp), /compositeWithTrainedAlgorithmicMedia/);
  return [width, height];
};

test('a print has the pixels of its paper at 300 dpi, lying or standing as the picture is', async () => {
  const pictures = async (width: number, height: number) => {
    const file = join(folder, `${width}.png`);
    await sharp(samplePhotos.onePerson).resize({ width, height }).png().toFile(file);
    return [{ file, overlay: null, written: [] }];
  };
  assert.deepEqual(await sizeOf(await print('a', { pictures: await pictures(1800, 1200) })), [1800, 1200]);
  assert.deepEqual(await sizeOf(await print('b', { pictures: await pictures(1280, 1280) })), [1200, 1800]);
  assert.deepEqual(await sizeOf(await print('c', { layout: 'square' })), [1200, 1200]);
  const strip = await print('d', { layout: '2x6' });
  assert.deepEqual(await sizeOf(strip), [600, 1800]);
  // The paper has the colour of the branding, and the same picture stands in all three panels.
  const { data, info } = await sharp(strip).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
  ];
  assert.deepEqual(at(5, 5), [0x10, 0x20, 0x30]);
  assert.deepEqual(at(300, 100), at(300, 100 + 2 * (472 + 24)));
});

test('a strip and the code leave texts of the event whole, and what cannot be cropped is shown in two tall panels', async () => {
  const file = join(folder, 'written.png');
  const person = await sharp(samplePhotos.onePerson).resize({ width: 1200 }).toBuffer();
  await sharp({ create: { width: 1200, height: 1800, channels: 3, background: '#556677' } })
    .composite([{ input: person, left: 0, top: 200 }])
    .png({ compressionLevel: 1 })
    .toFile(file);
  const low = { x: 0.1, y: 0.84, width: 0.8, height: 0.12 };
  const red = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1800"><rect x="120" y="1512" width="960" height="216" fill="#f00"/></svg>',
  );
  const written = join(folder, 'with-text.png');
  await sharp(file)
    .composite([{ input: red }])
    .png()
    .toFile(written);
  const picture = { file: written, overlay: null, written: [low] };
  const redOf = async (png: Buffer) => {
    const { data } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    let pixels = 0;
    for (let i = 0; i < data.length; i += 3) if (data[i]! > 250 && data[i + 1]! < 5) pixels++;
    return pixels;
  };
  assert.equal(await redOf(await print('strip.png', { layout: '2x6', pictures: [picture] })), 0);
  const code = 'https://example.com/g/x';
  const card = await print('card.png', { pictures: [picture], code });
  assert.equal(await redOf(card), 960 * 216, 'the code is beside it');
  // A text above and one below: nothing can be cut off between them.
  const around = { ...picture, written: [low, { ...low, y: 0.02 }] };
  const tall = await print('tall.png', { layout: '2x6', pictures: [around] });
  const pixel = async (top: number) => [
    ...(await sharp(tall).removeAlpha().extract({ left: 300, top, width: 1, height: 1 }).raw().toBuffer()),
  ];
  assert.deepEqual(await pixel(Math.round(42 + 0.9 * 734)), [255, 0, 0]);
  assert.deepEqual(await pixel(Math.round(42 + 734 + 24 + 0.9 * 734)), [255, 0, 0], 'the second of two');
});

test('a PDF has one page of exactly the size of the paper, with the picture as a JPEG', async () => {
  const pdf = (await print('e', { layout: '2x6', format: 'pdf' })).toString('latin1');
  assert.match(pdf, /^%PDF-1\.4/);
  assert.match(pdf, /\/MediaBox \[0 0 144 432\]/);
  assert.match(pdf, /\/Width 600 \/Height 1800 .*\/Filter \/DCTDecode/);
  const table = Number(/startxref\n(\d+)/.exec(pdf)![1]);
  assert.ok(pdf.startsWith('xref', table));
  for (const [i, [, offset]] of [...pdf.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].entries())
    assert.ok(pdf.startsWith(`${i + 1} 0 obj`, Number(offset)));
});

test('a crop keeps all heads and leaves an overlay out, and there is none where that cannot be', async () => {
  const { picture, people } = await locatePeople(samplePhotos.twoPeople);
  const shape = picture.width / picture.height;
  const keep = headsBox(people, picture);
  const holds = (box: { x: number; y: number; width: number; height: number }) =>
    box.x <= keep.x + 1e-6 &&
    box.y <= keep.y + 1e-6 &&
    box.x + box.width >= keep.x + keep.width - 1e-6 &&
    box.y + box.height >= keep.y + keep.height - 1e-6;
  const crop = cropAroundHeads({ shape, cropShape: 1.25, keep, overlay: null });
  assert.ok(crop && holds(crop));
  assert.equal(cropAroundHeads({ shape, cropShape: 0.2, keep, overlay: null }), null);

  const coverage = { width: 100, height: 100, alpha: new Uint8Array(10_000) };
  coverage.alpha.fill(255, 9600);
  const small = { x: 0.4, y: 0.3, width: 0.2, height: 0.3 };
  const clear = cropAroundHeads({ shape: 2 / 3, cropShape: 0.7, keep: small, overlay: coverage });
  assert.ok(clear && clear.y + clear.height <= 0.96);
  coverage.alpha.fill(255);
  assert.equal(cropAroundHeads({ shape: 2 / 3, cropShape: 1, keep: small, overlay: coverage }), null);
});

test('text is never wider or higher than its area, however long it is', async () => {
  const font = readLetters('');
  const area = { x: 300, y: 0, width: 516, height: 120 };
  const titles = ['Gala', 'Ž'.repeat(120), 'W '.repeat(60).trim(), 'Über uns – „Fête“ & Łódź 2026'];
  for (const title of titles) {
    const { svg, bottom } = drawText(font, title, area, { colour: '#000', largest: 100, lines: 3 });
    assert.ok(bottom <= area.height + 0.01, title);
    const drawn = sharp(
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200">${svg}</svg>`),
    );
    const { info } = await drawn.trim().toBuffer({ resolveWithObject: true });
    // Half a pixel of every edge may be grey.
    assert.ok(info.width <= area.width + 2 && info.height <= area.height + 2, title);
    assert.ok(-info.trimOffsetLeft! >= 300 - area.width / 2 - 1, title);
  }
  const drawn = (text: string) => drawableText(readLetters(text), text);
  for (const text of ['Café', '祝 佐藤さくら・ジョン、髙橋', 'أحمد ٢٠٢٦', 'Anna ❤ Tom', '100 % ©'])
    assert.equal(drawn(text), text);
  assert.deepEqual(['🎉', '한국', 'Anna ❤️ Tom 👩🏽‍🚀🇩🇪'].map(drawn), ['', '', 'Anna ❤ Tom']);
});

test('Arabic letters have the forms of their places, and stand from the right, digits and names from the left', () => {
  const { forms = {} } = readLetters('أ');
  const inOrder = (text: string) => lettersInOrder(text, forms).join('');
  for (const [text, order] of [
    ['سلام', 'ﻡﻼﺳ'],
    ['محمد', 'ﺪﻤﺤﻣ'],
    ['دار', 'ﺭﺍﺩ'],
    ['پچ', 'ﭻﭘ'],
    ['مُحَمَّد', 'ﺪﻤﺤﻣ'],
    ['أحمد (2026)', '(2026) ﺪﻤﺣﺃ'],
    ['٥ مايو ٢٠٢٦', '٢٠٢٦ ﻮﻳﺎﻣ ٥'],
    ['Ann و Zoë Kay', 'Ann ﻭ Zoë Kay'],
    ['Ann و ليلى', 'Ann ﻰﻠﻴﻟ ﻭ'],
    ['Zoë', 'Zoë'],
  ] as const)
    assert.equal(inOrder(text), order, text);
});

test('a template says where pictures, texts and the code are, once more on the second of two strips', async () => {
  const items = [
    { kind: 'picture', number: 1, x: 0.1, y: 0.1, width: 0.8, height: 0.3 },
    { kind: 'picture', number: 2, x: 0.1, y: 0.5, width: 0.8, height: 0.3 },
    { kind: 'text', text: '{name}', x: 0.1, y: 0.85, width: 0.5, height: 0.1, colour: '#ff0000' },
    { kind: 'code', x: 0.65, y: 0.85, width: 0.3, height: 0.1 },
  ] as const;
  const colours = ['#00ff00', '#0000ff'];
  const pictures = await Promise.all(
    colours.map(async (background, i) => {
      const file = join(folder, `plain-${i}.png`);
      await sharp({ create: { width: 480, height: 540, channels: 3, background } })
        .png()
        .toFile(file);
      return { file, overlay: null, written: [] };
    }),
  );
  const png = await print('template.png', {
    pictures,
    layout: 'two_strips',
    template: { paper: 'two_strips', lies: false, items: [...items] },
    branding: { background: '#ffffff' },
    code: 'https://example.com/g/x',
  });
  assert.deepEqual(await sizeOf(png), [1200, 1800]);
  const pixels = await sharp(png).removeAlpha().raw().toBuffer();
  const at = (x: number, y: number) => [...pixels.subarray((y * 1200 + x) * 3, (y * 1200 + x) * 3 + 3)];
  for (const left of [0, 600]) {
    assert.deepEqual(at(left + 300, 450), [0, 255, 0]);
    assert.deepEqual(at(left + 300, 1170), [0, 0, 255]);
    const text = await sharp(
      await sharp(png)
        .extract({ left: left + 60, top: 1530, width: 300, height: 180 })
        .toBuffer(),
    ).stats();
    assert.ok(text.channels[0]!.mean > text.channels[1]!.mean + 5, 'red letters');
    const code = await sharp(
      await sharp(png)
        .extract({ left: left + 390, top: 1530, width: 180, height: 180 })
        .toBuffer(),
    ).stats();
    assert.ok(code.channels[0]!.mean > 60 && code.channels[0]!.mean < 220);
  }
});

import sharp from 'sharp';

/** Makes the pictures of docs/booth.md of those that `npm run screens:booth` has taken. */
const root = new URL('..', import.meta.url).pathname;
const gap = 16;

/** Screens side by side, on the ground of the page. */
async function placeSideBySide(name: string, screens: readonly string[], height: number): Promise<void> {
  const pictures = await Promise.all(
    screens.map((screen) =>
      sharp(`${root}out/booth/${screen}.png`).resize({ height }).toBuffer({ resolveWithObject: true }),
    ),
  );
  const lefts = pictures.map((_, at) =>
    pictures.slice(0, at).reduce((left, { info }) => left + info.width + gap, 0),
  );
  const width = lefts.at(-1)! + pictures.at(-1)!.info.width;
  const { size } = await sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .composite(pictures.map(({ data }, at) => ({ input: data, left: lefts[at]!, top: 0 })))
    .webp({ quality: 82 })
    .toFile(`${root}docs/images/${name}.webp`);
  console.log(`${name}.webp ${Math.round(size / 1000)} kB`);
}

const upright = ['01-attract', '04-style', '06-countdown', '08-hand-over', '10-compare'];
await placeSideBySide(
  'booth-steps',
  upright.map((step) => `${step}-portrait-en`),
  560,
);
await placeSideBySide('booth-result', ['08-hand-over-landscape-en', '09-result-landscape-en'], 520);

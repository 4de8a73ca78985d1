import sharp from 'sharp';

/** Makes the pictures of docs/studio.md and the README of those that `npm run screens` has taken. */
const images = {
  'studio-try': 'try-result-1440-light',
  'studio-creator': 'filter-new-scene-1440-light',
  'studio-qa': 'qa-board-1440-light',
  'studio-jobs': 'jobs-gallery-1440-light',
};
const root = new URL('..', import.meta.url).pathname;
for (const [name, screen] of Object.entries(images)) {
  const file = `${root}docs/images/${name}.webp`;
  const { size } = await sharp(`${root}out/screens/${screen}.png`).webp({ quality: 82 }).toFile(file);
  console.log(`${name}.webp ${Math.round(size / 1000)} kB`);
}

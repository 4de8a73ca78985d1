import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { thumbnailSize } from '@guise/server/media/decoder.ts';
import sharp from 'sharp';

/** Makes the thumbnails of the sample photos anew: `npm run tool -- tools/sample-thumbnails.ts`. */

const samples = join(import.meta.dirname, '../catalog/samples');
const thumbnails = join(samples, 'thumbnails');
mkdirSync(thumbnails, { recursive: true });
for (const file of readdirSync(samples).filter((name) => name.endsWith('.jpg'))) {
  await sharp(join(samples, file))
    .resize({ ...thumbnailSize.within, fit: 'inside' })
    .webp({ quality: 80 })
    .toFile(join(thumbnails, file.replace('.jpg', '.webp')));
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalogNames } from '@guise/contract/catalogs.ts';
import { loadCatalog } from '@guise/server/catalog/catalog.ts';
import sharp, { type OverlayOptions } from 'sharp';

/** All previews of the catalog on one sheet, in the order of their ids: `docs/images/catalog.webp`. */

const root = join(import.meta.dirname, '..');
const catalog = loadCatalog(new URL('../catalog/filters.json', import.meta.url));
const sheetWidth = 1600;
const gap = 6;
const tiles = {
  face_swap: { across: 8, ratio: 3 / 2 },
  realistic: { across: 7, ratio: 2 / 3 },
  stylized: { across: 5, ratio: 2 / 3 },
};

const composite: OverlayOptions[] = [];
let top = 0;
for (const name of catalogNames) {
  const { across, ratio } = tiles[name];
  const width = Math.floor((sheetWidth - gap * (across - 1)) / across);
  const height = Math.round(width * ratio);
  const list = catalog.list(name);
  for (const [i, filter] of list.entries()) {
    const file = join(root, 'catalog/previews', name, `${filter.id}.webp`);
    composite.push({
      input: await sharp(file).resize(width, height, { fit: 'cover', position: 'centre' }).toBuffer(),
      left: (i % across) * (width + gap),
      top: top + Math.floor(i / across) * (height + gap),
    });
  }
  top += Math.ceil(list.length / across) * (height + gap) + 3 * gap;
}
mkdirSync(join(root, 'docs/images'), { recursive: true });
await sharp({ create: { width: sheetWidth, height: top - 4 * gap, channels: 3, background: '#141414' } })
  .composite(composite)
  .webp({ quality: 72 })
  .toFile(join(root, 'docs/images/catalog.webp'));

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import sharp, { type Sharp } from 'sharp';

/** Packs of the tests, in a folder that is gone when they have ended. */
export const packsFolder = await mkdtemp(join(tmpdir(), 'guise-packs-'));
after(() => rm(packsFolder, { recursive: true, force: true }));

const sizes = { portrait: [1200, 1800], landscape: [1800, 1200], square: [1280, 1280] } as const;
const light = { key: 0.3, direction: [-1, 1, 1], color: [1, 1, 1], fill: [1, 1, 1] };
export const scene = {
  title: 'Beach bar',
  tags: ['beach bar', 'cocktail'],
  plates: { portrait: 'portrait.webp', landscape: 'landscape.webp', square: 'square.webp' },
  foreground: { portrait: 'front.webp' },
  depth: { portrait: 'depth.webp' },
  light,
};
const costume = {
  title: 'Bartender',
  tags: ['bartender'],
  layers: { back: 'back.webp', front: 'front.webp' },
  head: { chin: [400, 600], faceHeight: 200 },
  opening: { left: 300, right: 500, rim: 620 },
  light,
  scenes: ['beach-bar'],
};
export const filters = {
  face_swap: [
    {
      id: 5001,
      name: 'Beach bar',
      modes: ['single', 'group'],
      definition: { kind: 'scene', scene: 'beach-bar' },
    },
    {
      id: 5002,
      name: 'Bartender',
      modes: ['single'],
      definition: { kind: 'scene', scene: 'beach-bar', costume: 'bartender' },
    },
  ],
  realistic: [
    {
      id: 3,
      name: 'Beach bar',
      modes: ['single', 'group'],
      definition: { kind: 'scene', scene: 'beach-bar' },
      replaces: true,
    },
  ],
};

export const flatPicture = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 90, g: 120, b: 150, alpha } } });
export const toWebp = (picture: Sharp) => picture.webp({ quality: 40, effort: 0 }).toBuffer();
export const pictures = {
  plates: Object.fromEntries(
    await Promise.all(
      Object.entries(sizes).map(async ([name, [width, height]]) => [
        name,
        await toWebp(flatPicture(width, height).removeAlpha()),
      ]),
    ),
  ) as Record<keyof typeof sizes, Buffer>,
  front: await toWebp(flatPicture(1200, 1800, 0.5)),
  depth: await toWebp(flatPicture(600, 900).removeAlpha().greyscale()),
  layer: await toWebp(flatPicture(800, 1200, 0.6)),
};

/** A whole pack that is right, in a folder of its own. */
export async function goodPack(name = 'beach-pack'): Promise<string> {
  const pack = join(await mkdtemp(join(packsFolder, 'p-')), name);
  const [place, wear] = [join(pack, 'scenes/beach-bar'), join(pack, 'costumes/bartender')];
  await mkdir(place, { recursive: true });
  await mkdir(wear, { recursive: true });
  await writeFile(join(pack, 'filters.json'), JSON.stringify(filters));
  await writeFile(join(place, 'scene.json'), JSON.stringify(scene));
  for (const [shape, bytes] of Object.entries(pictures.plates))
    await writeFile(join(place, `${shape}.webp`), bytes);
  await writeFile(join(place, 'front.webp'), pictures.front);
  await writeFile(join(place, 'depth.webp'), pictures.depth);
  await writeFile(join(wear, 'costume.json'), JSON.stringify(costume));
  for (const layer of ['back', 'front']) await writeFile(join(wear, `${layer}.webp`), pictures.layer);
  return pack;
}

/** What of a pack is there: every picture is read, which takes most of the time. */
export type Part = 'costume' | 'filters';

/** A pack that is right and has only a costume, or only filters, for a scene of the catalog. */
export async function smallPack(part: Part): Promise<string> {
  const pack = await goodPack();
  await rm(join(pack, 'scenes'), { recursive: true });
  if (part === 'costume') {
    await writeCostume(pack, {});
    await rm(join(pack, 'filters.json'));
  } else {
    await rm(join(pack, 'costumes'), { recursive: true });
    await writeFilter(pack, {});
  }
  return pack;
}

export const ownScene = { kind: 'scene', scene: 'great-hall' };

export async function writeCostume(pack: string, change: object): Promise<void> {
  const file = join(pack, 'costumes/bartender/costume.json');
  await writeFile(file, JSON.stringify({ ...costume, scenes: [ownScene.scene], ...change }));
}

export async function writeFilter(pack: string, change: object): Promise<void> {
  const [first, second] = filters.face_swap.map((filter) => ({ ...filter, definition: ownScene }));
  await writeFile(
    join(pack, 'filters.json'),
    JSON.stringify({ face_swap: [{ ...first, ...change }, second] }),
  );
}

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Face } from '../src/faces/face.ts';
import { packageFolder } from '../src/models/model-files.ts';
import type { Size } from '../src/pixels/plane.ts';
import type { Window } from '../src/pixels/resample.ts';
import { samplePhotos } from '../src/samples.ts';

/** Photos with masks that were made by hand: packages/engine/quality/masks/README.md says how. */

const demo = join(packageFolder('@vladmandic/face-api')!, 'demo');
const own = join(import.meta.dirname, 'photos');

export const maskFolder = join(import.meta.dirname, 'masks');

/** The photos that have a mask of their own. */
export const maskedPhotos: Readonly<Record<string, string>> = {
  sample1: join(demo, 'sample1.jpg'),
  sample2: join(demo, 'sample2.jpg'),
  sample3: join(demo, 'sample3.jpg'),
  sample4: join(demo, 'sample4.jpg'),
  sample5: join(demo, 'sample5.jpg'),
  sample6: join(demo, 'sample6.jpg'),
  'two-people': samplePhotos.twoPeople,
  astronaut: samplePhotos.onePerson,
  'astronaut-head': samplePhotos.head,
  'grace-hopper': join(own, 'grace-hopper.jpg'),
};

interface Crop {
  name: string;
  of: keyof typeof maskedPhotos;
  /** In shares of the photo's width, over its whole height. */
  from: number;
  to: number;
  /** The label of the person it shows. A neighbour whose face is not in it may stay or go. */
  label: number;
}

/** One person out of a group, as somebody would crop the photo: a part of a neighbour is in some of them. */
const crops: readonly Crop[] = [
  { name: 'sample1, left', of: 'sample1', from: 0, to: 0.38, label: 1 },
  { name: 'sample1, right', of: 'sample1', from: 0.672, to: 1, label: 3 },
  { name: 'sample2, left', of: 'sample2', from: 0, to: 0.42, label: 1 },
  { name: 'sample3, left', of: 'sample3', from: 0, to: 0.475, label: 1 },
  { name: 'sample4, right', of: 'sample4', from: 0.66, to: 1, label: 4 },
  { name: 'sample6, left', of: 'sample6', from: 0, to: 0.335, label: 1 },
];

/** Where nobody is, and where either answer is right: a glass before somebody, a phone in a hand. */
export const nobody = 0;
export const either = 255;

/** Who each pixel of a photo is: 1, 2, … from left to right, `nobody` or `either`. */
export interface LabelMap extends Size {
  labels: Uint8Array;
  /** How many photo pixels one of its pixels is wide. */
  factor: number;
}

export interface ReferencePhoto {
  name: string;
  file: string;
  mask: LabelMap;
}

/** A label is stored as this many levels of grey, so that a mask can be looked at. */
export const greyPerLabel = 30;

/** All reference photos, or those whose names begin with one of these. */
export async function readReferences(names: readonly string[] = []): Promise<ReferencePhoto[]> {
  const isWanted = (name: string) => names.length === 0 || names.some((start) => name.startsWith(start));
  const whole = Object.entries(maskedPhotos)
    .filter(([name]) => isWanted(name))
    .map(async ([name, file]) => ({ name, file, mask: await readMask(name, file) }));
  const cropped = crops.filter(({ name }) => isWanted(name)).map(cropReference);
  return Promise.all([...whole, ...cropped]);
}

async function readMask(name: string, photo: string): Promise<LabelMap> {
  const { width: photoWidth } = await sharp(photo).metadata();
  const { data, info } = await sharp(join(maskFolder, `${name}.png`))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const labels = new Uint8Array(width * height);
  for (let i = 0; i < labels.length; i++) {
    const grey = data[i * channels]!;
    labels[i] = grey === either ? either : Math.round(grey / greyPerLabel);
  }
  return { width, height, labels, factor: photoWidth / width };
}

async function cropReference({ name, of, from, to, label }: Crop): Promise<ReferencePhoto> {
  const file = maskedPhotos[of]!;
  const { width, height } = await sharp(file).metadata();
  const left = Math.round(from * width);
  const area = { left, top: 0, width: Math.round(to * width) - left, height };
  const cropped = join(await mkdtemp(join(tmpdir(), 'guise-reference-')), 'photo.png');
  await sharp(file).extract(area).png({ compressionLevel: 1 }).toFile(cropped);
  const window = { x: area.left, y: 0, width: area.width, height };
  return { name, file: cropped, mask: cropMask(await readMask(of, file), window, label) };
}

function cropMask(mask: LabelMap, window: Window, kept: number): LabelMap {
  const left = Math.round(window.x / mask.factor);
  const width = Math.min(mask.width - left, Math.round(window.width / mask.factor));
  const labels = new Uint8Array(width * mask.height);
  for (let y = 0, i = 0; y < mask.height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const label = mask.labels[y * mask.width + left + x]!;
      labels[i] = label === kept || label === nobody ? label : either;
    }
  }
  return { width, height: mask.height, labels, factor: mask.factor };
}

/** Who has this face. */
export function labelOf({ labels, width, height, factor }: LabelMap, { center }: Face): number {
  const x = Math.min(width - 1, Math.max(0, Math.floor(center.x / factor)));
  const y = Math.min(height - 1, Math.max(0, Math.floor(center.y / factor)));
  return labels[y * width + x]!;
}

import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Face } from '@guise/engine/faces/face.ts';
import { findPeople } from '@guise/engine/faces/faces.ts';
import { clearRedEyes } from '@guise/engine/faces/red-eye.ts';
import { packageFolder } from '@guise/engine/models/model-files.ts';
import { readPhoto } from '@guise/engine/pixels/photo.ts';
import type { Picture } from '@guise/engine/pixels/picture.ts';
import sharp, { type Sharp } from 'sharp';

/** A face of a photo, as a guest or as a template. */
export interface SwapPerson {
  name: string;
  photo: string;
  picture: Picture;
  face: Face;
}

/** What became of one pair. */
export interface SwapFigures {
  refused?: string;
  likeness?: number;
  ms?: number;
}

/** The people of the sample photos and of those in the folders, of each photo those with the largest faces. */
export async function readSwapPeople(folders: readonly string[], facesOfEach: number): Promise<SwapPerson[]> {
  const files = await photoFiles(folders);
  return (await Promise.all(files.map((file) => readPersons(file, facesOfEach)))).flat();
}

async function photoFiles(folders: readonly string[]): Promise<string[]> {
  const demo = join(packageFolder('@vladmandic/face-api')!, 'demo');
  const files: string[] = [];
  for (const folder of ['catalog/samples', demo, ...folders]) {
    const names = (await readdir(folder)).filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).sort();
    const photos = folder === demo ? names.filter((name) => name.startsWith('sample')) : names;
    files.push(...photos.map((name) => join(folder, name)));
  }
  return files;
}

/** The people a photo is of, the largest faces first; none where it is refused. */
async function readPersons(photo: string, count: number): Promise<SwapPerson[]> {
  const picture = await readPhoto(photo);
  const faces = await findPeople(picture, { traits: false }).catch(() => []);
  clearRedEyes(picture, faces);
  const name = basename(photo, extname(photo));
  return faces
    .toSorted((one, other) => other.height - one.height)
    .slice(0, count)
    .map((face, i) => ({ name: `${name}.${i}`, photo, picture, face }));
}

export const cropName = (pair: string) => `${pair.replace('>', '--')}.png`;

/** Where a picture is cropped: the face with its hair and its neck. */
export function cropBounds({ width, height }: Picture, face: Face) {
  const left = Math.max(0, Math.round(face.center.x - 0.85 * face.height));
  const top = Math.max(0, Math.round(face.center.y - 0.95 * face.height));
  return {
    left,
    top,
    width: Math.min(width, Math.round(face.center.x + 0.85 * face.height)) - left,
    height: Math.min(height, Math.round(face.center.y + 0.85 * face.height)) - top,
  };
}

export function cropOf(picture: Picture, face: Face): Sharp {
  const { left, top, ...size } = cropBounds(picture, face);
  const bytes = new Uint8Array(size.width * size.height * 3);
  for (let y = 0, at = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const i = (top + y) * picture.width + left + x;
      for (const plane of picture.planes) bytes[at++] = Math.round(255 * Math.min(1, Math.max(0, plane[i]!)));
    }
  }
  return sharp(bytes, { raw: { ...size, channels: 3 } });
}

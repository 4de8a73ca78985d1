import { say } from '../words/say.ts';
import { PhotoRefused } from './photo-refused.ts';

/** A photo that a person chose, ready to be sent: upright, at most 2,048 pixels on its longer side. */
export interface Photo {
  name: string;
  blob: Blob;
  /** For `<img>`; revoked when the photo is replaced. */
  url: string;
  width: number;
  height: number;
}

/** What the engines work with; more only makes the upload slow. */
const longestSide = 2048;
const largestFile = 60 * 1024 * 1024;

/** Reads a file as cameras and phones make them: HEIC too, with its rotation applied. */
export async function readPhoto(file: Blob, name = 'photo'): Promise<Photo> {
  if (file.size > largestFile)
    throw new PhotoRefused(say('This file has more than 60 MB. Choose a smaller photo.'));
  return drawPhoto(await decode(file), name);
}

/** The part of a photo inside a rectangle, in its pixels. */
export async function cropPhoto(
  photo: Photo,
  area: { x: number; y: number; width: number; height: number },
): Promise<Photo> {
  const bitmap = await createImageBitmap(photo.blob, area.x, area.y, area.width, area.height);
  return drawPhoto(bitmap, photo.name);
}

/** The picture that a video shows now. */
export async function photoOfVideo(video: HTMLVideoElement): Promise<Photo> {
  return drawPhoto(await createImageBitmap(video), say('camera'));
}

async function drawPhoto(bitmap: ImageBitmap, name: string): Promise<Photo> {
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92));
  if (!blob) throw new PhotoRefused(say('This photo is too large for this browser. Choose a smaller one.'));
  return { name, blob, url: URL.createObjectURL(blob), width: canvas.width, height: canvas.height };
}

async function decode(file: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    if (await isHeic(file)) {
      const { decodeHeic } = await import('./decode-heic.ts');
      return decodeHeic(file);
    }
    throw new PhotoRefused(
      say('This file is not a photo that can be read. Use JPEG, PNG, WebP, AVIF or HEIC.'),
    );
  }
}

async function isHeic(file: Blob): Promise<boolean> {
  const start = new TextDecoder('latin1').decode(await file.slice(4, 12).arrayBuffer());
  return /^ftyp(heic|heix|hevc|heim|heis|mif1|msf1)/.test(start);
}

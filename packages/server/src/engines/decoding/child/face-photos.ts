import type { Size } from '@guise/contract/families/canvas.ts';
import sharp, { type OutputInfo, type Sharp } from 'sharp';
import type { JobTasks } from '../../../media/decoder.ts';

/** Sides of the square, in heights of the face: hair and neck are in it, and what detectors want around a face. */
const squareHeights = 2.2;
/** What models of identity read is 112 to 336 pixels a side; more only takes time. */
const mostSquare = 768;
/** As much of the picture's height as the face of a portrait takes; smaller ones lose their likeness. */
const faceShare = { least: 0.16, most: 0.3 };
/** Where the middle of the face is, as shares of the picture: with room above for hair, and below for clothes. */
const facePlace = { left: 0.35, right: 0.65, top: 0.28, bottom: 0.44 };

const grey = { r: 128, g: 128, b: 128 };

export const cutFace: JobTasks['cutFace'] = async ({ file, face: { x, y, width, height, lean } }) => {
  const side = Math.round(squareHeights * height);
  // Before it is turned, the square needs its corners.
  const reach = Math.ceil(side * Math.SQRT2);
  const around = await cutOut(file, 1, {
    left: Math.round(x + width / 2 - reach / 2),
    top: Math.round(y + height / 2 - reach / 2),
    width: reach,
    height: reach,
  });
  const turned = await open(around)
    .rotate(-lean, { background: grey })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const out = Math.min(side, mostSquare);
  const bytes = await open(turned)
    .extract({
      left: Math.floor((turned.info.width - side) / 2),
      top: Math.floor((turned.info.height - side) / 2),
      width: side,
      height: side,
    })
    .resize({ width: out, height: out })
    .jpeg({ quality: 94, chromaSubsampling: '4:4:4' })
    .toBuffer();
  return { bytes, width: out, height: out, extension: 'jpg' };
};

export const layIntoFrame: JobTasks['layIntoFrame'] = async ({ file, face, frame }) => {
  const { x, y, width, height } = face;
  const { autoOrient: photo } = await sharp(file).metadata();
  const cover = Math.max(frame.width / photo.width, frame.height / photo.height);
  const share = clamp((height * cover) / frame.height, faceShare.least, faceShare.most);
  const scale = (share * frame.height) / height;
  const middle = { x: (x + width / 2) * scale, y: (y + height / 2) * scale };
  // As in the photo, as far as a portrait has it there.
  const left = clamp(middle.x / (photo.width * scale), facePlace.left, facePlace.right);
  const top = clamp(middle.y / (photo.height * scale), facePlace.top, facePlace.bottom);
  const pixels = await cutOut(file, scale, {
    left: Math.round(middle.x - left * frame.width),
    top: Math.round(middle.y - top * frame.height),
    ...frame,
  });
  const bytes = await open(pixels).jpeg({ quality: 94, chromaSubsampling: '4:4:4' }).toBuffer();
  return { bytes, ...frame, extension: 'jpg' };
};

interface Window extends Size {
  left: number;
  top: number;
}

/** Samples of eight bits. */
interface Pixels {
  data: Buffer;
  info: OutputInfo;
}

function open({ data, info: { width, height, channels } }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

/** A part of the photo, upright and scaled; the window may reach beyond it. */
async function cutOut(file: string, scale: number, window: Window): Promise<Pixels> {
  const { autoOrient: photo } = await sharp(file).metadata();
  const [width, height] = [photo.width, photo.height].map((side) => Math.max(1, Math.round(side * scale)));
  const inside = {
    left: clamp(window.left, 0, width! - 1),
    top: clamp(window.top, 0, height! - 1),
    right: clamp(window.left + window.width, 1, width!),
    bottom: clamp(window.top + window.height, 1, height!),
  };
  const part = await sharp(file, { pages: 1 })
    .autoOrient()
    .resize({ width: width!, height: height!, fit: 'fill' })
    .extract({
      left: inside.left,
      top: inside.top,
      width: inside.right - inside.left,
      height: inside.bottom - inside.top,
    })
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  // In one pipeline, sharp would extend the picture before it takes the part.
  return open(part)
    .extend({
      left: inside.left - window.left,
      top: inside.top - window.top,
      right: window.left + window.width - inside.right,
      bottom: window.top + window.height - inside.bottom,
      background: grey,
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

import type { Size } from '@guise/contract/families/canvas.ts';
import sharp, { type Sharp } from 'sharp';
import { guidedFilter } from '../pixels/guided-filter.ts';
import { readPhoto } from '../pixels/photo.ts';
import { mapToBytes, mapToFloats, planeOf } from '../pixels/plane.ts';
import { smoothstep } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';

/** A part of a picture, in shares of it. */
export interface ShareBox extends Size {
  x: number;
  y: number;
}

/** The same in whole pixels, inside the picture. */
export function pixelsOf(box: ShareBox, { width, height }: Size) {
  const [left, top] = [Math.round(box.x * width), Math.round(box.y * height)];
  return {
    left: Math.min(left, width - 1),
    top: Math.min(top, height - 1),
    width: Math.max(1, Math.min(Math.round(box.width * width), width - left)),
    height: Math.max(1, Math.min(Math.round(box.height * height), height - top)),
  };
}

/** A picture of what is in front, or the corners of polygons around it as shares of the backdrop. */
export type ForegroundSource =
  | { kind: 'mask'; file: string }
  | { kind: 'outlines'; outlines: readonly (readonly (readonly [number, number])[])[] };

/** What of a backdrop is in front: 255 there, 0 elsewhere. */
export interface ForegroundMask {
  samples: Buffer;
  size: Size;
}

/** The longest side of a mask: a brush is no finer. */
const maskSide = 1600;

export async function readMask(source: ForegroundSource, backdrop: Size): Promise<ForegroundMask> {
  const scale = Math.min(1, maskSide / Math.max(backdrop.width, backdrop.height));
  const size = { width: Math.round(backdrop.width * scale), height: Math.round(backdrop.height * scale) };
  const picture =
    source.kind === 'mask' ? await maskPicture(source.file) : outlinePicture(source.outlines, size);
  const samples = await picture
    .resize({ ...size, fit: 'fill' })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer();
  return { samples, size };
}

/** A mask with transparent parts is opaque in front; one without is white there. */
async function maskPicture(file: string): Promise<Sharp> {
  const { hasAlpha } = await sharp(file).metadata();
  const isTransparent = hasAlpha && !(await sharp(file).stats()).isOpaque;
  return isTransparent ? sharp(file).extractChannel('alpha') : sharp(file).removeAlpha().greyscale();
}

function outlinePicture(
  outlines: Extract<ForegroundSource, { kind: 'outlines' }>['outlines'],
  { width, height }: Size,
): Sharp {
  const polygons = outlines.map((outline) => {
    const corners = outline.map(([x, y]) => `${(x * width).toFixed(1)},${(y * height).toFixed(1)}`);
    return `<polygon points="${corners.join(' ')}" fill="#fff"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#000"/>${polygons.join('')}</svg>`;
  return sharp(Buffer.from(drawing)).removeAlpha().greyscale();
}

/** A picture of what stands before people, on the canvas. */
export interface CutForeground {
  webp: Buffer;
  /** Whether it covers the lower border, so that it hides where bodies end. */
  hidesBodies: boolean;
}

/** How far the edge of a mask may be moved to the nearest edge of the backdrop, as a share of the canvas' height. */
const reach = 0.006;

/** Cuts what is in front out of a plate, with an edge that follows the plate's; null where nothing is. */
export async function cutForeground(
  plate: string,
  { samples, size }: ForegroundMask,
  crop: ShareBox,
  canvas: Size,
): Promise<CutForeground | null> {
  const mask = await sharp(samples, { raw: { ...size, channels: 1 } })
    .extract(pixelsOf(crop, size))
    .resize({ ...canvas, fit: 'fill' })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer();
  if (mask.every((value) => value < 128)) return null;
  const guide = await readPhoto(plate);
  const alpha = withArena(() => {
    const plane = planeOf(
      mapToFloats(mask, (value) => value / 255),
      canvas,
    );
    const soft = guidedFilter({ guide, plane, radius: Math.round(reach * canvas.height), epsilon: 1e-4 });
    return mapToBytes(soft.data, (value) => Math.round(255 * smoothstep(0.2, 0.8, value)));
  });
  const data = await sharp(plate).removeAlpha().raw({ depth: 'uchar' }).toBuffer();
  const webp = await sharp(data, { raw: { ...canvas, channels: 3 } })
    .joinChannel(Buffer.from(alpha), { raw: { ...canvas, channels: 1 } })
    .webp({ quality: 92, alphaQuality: 100 })
    .toBuffer();
  return { webp, hidesBodies: coversBorder(alpha, canvas) };
}

/** How high at least, and along which share of the border, so that bodies can end behind it. */
const leastBarrier = { height: 0.1, width: 0.98 };

function coversBorder(alpha: Uint8Array, { width, height }: Size): boolean {
  const from = Math.round((1 - leastBarrier.height) * height);
  let columns = 0;
  for (let x = 0; x < width; x++) {
    let y = height - 1;
    while (y >= from && alpha[y * width + x]! >= 250) y--;
    if (y < from) columns++;
  }
  return columns >= leastBarrier.width * width;
}

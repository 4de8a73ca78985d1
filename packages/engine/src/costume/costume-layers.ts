import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { Layer } from '../pixels/layer.ts';
import type { Size } from '../pixels/plane.ts';
import type { Costume } from './costumes.ts';

/** Where the costume's canvas lies on the picture's. */
export interface Fit {
  scale: number;
  x: number;
  y: number;
}

/** A costume's front as its file has it. */
interface Front extends Size {
  samples: Buffer;
}

export interface Layers {
  fit: Fit;
  back: Layer;
  liner: Layer | null;
  front: Layer;
}

/** Reads a costume's layers as they lie on a canvas. The front says where that is, so it comes first. */
export async function readLayers(costume: Costume, canvas: Size): Promise<Layers> {
  const { back, liner, front } = costume.layers;
  const file = (name: string) => sharp(join(costume.folder, name)).toColourspace('srgb').ensureAlpha();
  const whole = await readFront(file(front));
  const fit = fitCostume(costume, whole, canvas);
  const { width, height, samples } = whole;
  const place = (layer: Sharp) => placeLayer(layer, costume.canvas, fit, canvas);
  const [placedBack, placedLiner, placedFront] = await Promise.all([
    place(file(back)),
    liner ? place(file(liner)) : null,
    place(sharp(samples, { raw: { width, height, channels: 4 } })),
  ]);
  return { fit, back: placedBack, liner: placedLiner, front: placedFront };
}

async function readFront(layer: Sharp): Promise<Front> {
  const { data, info } = await layer.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, samples: data };
}

/**
 * How large the costume is on this canvas: a face a sixth of the height (more on wider canvases), the lower border
 * reached, and no place where the costume's own canvas cut a sleeve off inside the picture.
 */
function fitCostume(costume: Costume, front: Front, canvas: Size): Fit {
  const { head } = costume;
  const wide = canvas.width > canvas.height ? 1.5 : canvas.width === canvas.height ? 1.25 : 1;
  const wanted = (0.17 * wide * canvas.height) / head.faceHeight;
  const widest = Math.max(wanted, canvas.width / costume.canvas.width);
  const cutRow = firstRowAtSide(front);
  for (let scale = wanted; ; scale = Math.min(widest, scale * 1.03)) {
    // Hair takes about 0.45 of a face above the forehead.
    const hair = head.chin[1] - 1.45 * head.faceHeight;
    const y = Math.max(0.1 * canvas.height - hair * scale, canvas.height - costume.canvas.height * scale);
    const lastShown = (canvas.height - y) / scale;
    if (scale >= widest || lastShown <= cutRow || costume.canvas.width * scale >= canvas.width) {
      return { scale, x: canvas.width / 2 - head.chin[0] * scale, y };
    }
  }
}

function firstRowAtSide({ width, height, samples }: Front): number {
  const alpha = (x: number, y: number) => samples[(y * width + x) * 4 + 3]! / 255;
  for (let y = 0; y < height; y++) {
    if (alpha(1, y) > 0.3 || alpha(width - 2, y) > 0.3) return y;
  }
  return height;
}

/** Scaled where it is decoded, and only what the canvas shows is kept: planes of three whole layers took 0.4 GB. */
async function placeLayer(layer: Sharp, own: Size, fit: Fit, canvas: Size): Promise<Layer> {
  const left = Math.round(fit.x);
  const top = Math.floor(fit.y);
  const width = Math.round(own.width * fit.scale);
  const height = Math.ceil(own.height * fit.scale);
  const x = Math.max(0, left);
  const y = Math.max(0, top);
  const shown = {
    left: x - left,
    top: y - top,
    width: Math.min(canvas.width, left + width) - x,
    height: Math.min(canvas.height, top + height) - y,
  };
  const samples = await layer
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .extract(shown)
    .raw({ depth: 'uchar' })
    .toBuffer();
  return { x, y, width: shown.width, height: shown.height, samples };
}

import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { Layer } from '../pixels/layer.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import type { Costume } from './costumes.ts';

/** Where the head and the collar's opening are on the canvas, in its pixels. */
export interface CostumeMeasures {
  chinX: number;
  chinY: number;
  faceHeight: number;
  /** Middle and half width of the collar's opening, and the row of its rim. */
  centerX: number;
  halfWidth: number;
  rim: number;
  /** How far the front of the rim hangs below its sides. */
  sag: number;
}

export interface CostumeLayers {
  measures: CostumeMeasures;
  back: Layer;
  liner: Layer | null;
  front: Layer;
}

/** Reads a costume's layers, scaled and cropped to a canvas. The front is decoded first: the placement depends on it. */
export async function readCostumeLayers(costume: Costume, canvas: Size): Promise<CostumeLayers> {
  const { back, liner, front } = costume.layers;
  const file = (name: string) => sharp(join(costume.folder, name)).toColourspace('srgb').ensureAlpha();
  const decodedFront = await decodeFront(file(front));
  const placement = placeCostume(costume, decodedFront, canvas);
  const { width, height, samples } = decodedFront;
  const place = (layer: Sharp) => placeLayer(layer, costume.canvas, placement, canvas);
  const [placedBack, placedLiner, placedFront] = await Promise.all([
    place(file(back)),
    liner ? place(file(liner)) : null,
    place(sharp(samples, { raw: { width, height, channels: 4 } })),
  ]);
  const measures = measuresOn(placement, costume);
  return { measures, back: placedBack, liner: placedLiner, front: placedFront };
}

/** A costume's front layer at the size of its file. */
interface DecodedFront extends Size {
  samples: Buffer;
}

async function decodeFront(layer: Sharp): Promise<DecodedFront> {
  const { data, info } = await layer.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, samples: data };
}

/**
 * Where the costume goes on the canvas: a face takes a sixth of the height (more on wider canvases), the costume reaches
 * the lower border, and a sleeve that the costume's own canvas cuts off ends outside of the picture.
 */
function placeCostume(costume: Costume, front: DecodedFront, canvas: Size): Placement {
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

/** The first row where the costume touches a side border of its own canvas. */
function firstRowAtSide({ width, height, samples }: DecodedFront): number {
  const alpha = (x: number, y: number) => samples[(y * width + x) * 4 + 3]! / 255;
  for (let y = 0; y < height; y++) {
    if (alpha(1, y) > 0.3 || alpha(width - 2, y) > 0.3) return y;
  }
  return height;
}

/** The costume's measures, brought to the canvas. */
function measuresOn({ scale, x, y }: Placement, { head, opening }: Costume): CostumeMeasures {
  const halfWidth = ((opening.right - opening.left) / 2) * scale;
  return {
    chinX: head.chin[0] * scale + x,
    chinY: head.chin[1] * scale + y,
    faceHeight: head.faceHeight * scale,
    centerX: ((opening.left + opening.right) / 2) * scale + x,
    halfWidth,
    rim: opening.rim * scale + y,
    sag: 0.2 * halfWidth,
  };
}

/** Scales a layer while decoding and keeps only what the canvas shows: planes of three whole layers took 0.4 GB. */
async function placeLayer(layer: Sharp, own: Size, placement: Placement, canvas: Size): Promise<Layer> {
  const left = Math.round(placement.x);
  const top = Math.floor(placement.y);
  const width = Math.round(own.width * placement.scale);
  const height = Math.ceil(own.height * placement.scale);
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

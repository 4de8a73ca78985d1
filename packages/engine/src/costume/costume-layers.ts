import { join } from 'node:path';
import sharp from 'sharp';
import type { Layer } from '../pixels/layer.ts';
import type { Size } from '../pixels/plane.ts';
import type { CostumePlacement } from './arrange-costumes.ts';
import { stretchedFrom } from './arrange-costumes.ts';
import type { Costume } from './costumes.ts';
import { roundCutSides } from './cut-sides.ts';

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
  /** Whether the head is in a hood, which frames it upright. */
  isHooded: boolean;
}

export interface CostumeLayers {
  measures: CostumeMeasures;
  back: Layer;
  liner: Layer | null;
  front: Layer;
}

/** A layer's picture at the size of its file: interleaved 8-bit sRGB and alpha. */
export interface DecodedLayer extends Size {
  samples: Buffer;
}

/** A costume's layers as they are in its files. */
export interface DecodedCostume {
  costume: Costume;
  back: DecodedLayer;
  liner: DecodedLayer | null;
  front: DecodedLayer;
}

/** Decodes the layers of costumes; a file that several of them name is decoded once. */
export async function decodeCostumes(costumes: readonly Costume[]): Promise<DecodedCostume[]> {
  const files = new Map<string, Promise<DecodedLayer>>();
  const decode = (file: string) => {
    const decoded = files.get(file) ?? decodeLayer(file);
    files.set(file, decoded);
    return decoded;
  };
  return Promise.all(
    costumes.map(async (costume) => {
      const { back, liner, front } = costume.layers;
      const layer = (name: string) => decode(join(costume.folder, name));
      const decoded = await Promise.all([layer(back), liner ? layer(liner) : null, layer(front)]);
      return { costume, back: decoded[0], liner: decoded[1], front: decoded[2] };
    }),
  );
}

async function decodeLayer(file: string): Promise<DecodedLayer> {
  const { data, info } = await sharp(file)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, samples: data };
}

/** A costume's layers, scaled and cropped to a canvas. */
export async function placeLayers(
  { costume, back, liner, front }: DecodedCostume,
  placement: CostumePlacement,
  canvas: Size,
): Promise<CostumeLayers> {
  const own = {
    ...costume.canvas,
    stretchedFrom: costume.head.chin[1] + stretchedFrom * costume.head.faceHeight,
  };
  const place = (layer: DecodedLayer) => placeLayer(layer, own, placement, canvas);
  const [placedBack, placedLiner, placedFront] = await Promise.all([
    place(back),
    liner ? place(liner) : null,
    place(front),
  ]);
  const measures = measuresOn(placement, costume);
  for (const layer of [placedBack, placedFront]) roundCutSides(layer, measures.faceHeight, canvas);
  return { measures, back: placedBack, liner: placedLiner, front: placedFront };
}

/**
 * Where the costume of somebody alone goes on the canvas: a face takes a sixth of the height (more on wider canvases),
 * the costume reaches the lower border, and a sleeve that the costume's own canvas cuts off ends outside of the picture.
 */
export function placeOneCostume({ costume, front }: DecodedCostume, canvas: Size): CostumePlacement {
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
      return { scale, x: canvas.width / 2 - head.chin[0] * scale, y, stretch: 1 };
    }
  }
}

/** The first row where the costume touches a side border of its own canvas. */
function firstRowAtSide({ width, height, samples }: DecodedLayer): number {
  const alpha = (x: number, y: number) => samples[(y * width + x) * 4 + 3]! / 255;
  for (let y = 0; y < height; y++) {
    if (alpha(1, y) > 0.3 || alpha(width - 2, y) > 0.3) return y;
  }
  return height;
}

/** How far heads are lifted out of a collar, in face heights, so that a neck is seen; a hood has its place for them. */
const shownNeck = 0.15;

/** The costume's measures, brought to the canvas. */
function measuresOn({ scale, x, y }: CostumePlacement, { head, opening, hooded }: Costume): CostumeMeasures {
  const neck = hooded ? 0 : shownNeck * head.faceHeight;
  const halfWidth = ((opening.right - opening.left) / 2) * scale;
  return {
    chinX: head.chin[0] * scale + x,
    chinY: (head.chin[1] - neck) * scale + y,
    faceHeight: head.faceHeight * scale,
    centerX: ((opening.left + opening.right) / 2) * scale + x,
    halfWidth,
    rim: opening.rim * scale + y,
    sag: 0.2 * halfWidth,
    isHooded: hooded ?? false,
  };
}

/** Scales a layer, its lower part by more where it is stretched, and keeps only what the canvas shows. */
async function placeLayer(
  layer: DecodedLayer,
  own: Size & { stretchedFrom: number },
  { scale, x: placedX, y: placedY, stretch }: CostumePlacement,
  canvas: Size,
): Promise<Layer> {
  const left = Math.round(placedX);
  const top = Math.floor(placedY);
  const width = Math.round(own.width * scale);
  const split = stretch > 1 ? Math.round((own.stretchedFrom * layer.height) / own.height) : layer.height;
  const upper = Math.ceil((split / layer.height) * own.height * scale);
  const lower = Math.ceil((1 - split / layer.height) * own.height * scale * stretch);
  const x = Math.max(0, left);
  const y = Math.max(0, top);
  const shownWidth = Math.min(canvas.width, left + width) - x;
  const scalePart = async (from: number, rows: number, height: number, partTop: number) => {
    const first = Math.max(0, -partTop);
    const shown = Math.min(canvas.height - partTop, height) - first;
    if (rows === 0 || shown <= 0) return Buffer.alloc(0);
    const bytes = 4 * layer.width;
    return sharp(layer.samples.subarray(from * bytes, (from + rows) * bytes), {
      raw: { width: layer.width, height: rows, channels: 4 },
    })
      .resize(width, height, { fit: 'fill', kernel: 'cubic' })
      .extract({ left: x - left, top: first, width: shownWidth, height: shown })
      .raw({ depth: 'uchar' })
      .toBuffer();
  };
  const samples = Buffer.concat([
    await scalePart(0, split, upper, top),
    await scalePart(split, layer.height - split, lower, top + upper),
  ]);
  return { x, y, width: shownWidth, height: samples.length / 4 / shownWidth, samples };
}

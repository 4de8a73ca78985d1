/**
 * Makes the reference masks of packages/engine/quality/masks anew from the files beside them, which name the points,
 * polygons and strokes that each was drawn with. MODELS is a folder with sam2, as "guise models get sam2" leaves it.
 * out/masks/ gets pictures of the masks over their photos, to look at.
 *
 *   npm run tool -- tools/reference-masks.ts MODELS [photo …]
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  maskSide,
  type OutlineCandidate,
  type OutlineModel,
  type Prompt,
  withOutlineDecoder,
} from '@guise/engine/matting/segment-anything.ts';
import { findOptionalModel, sam2 } from '@guise/engine/models/optional-models.ts';
import { gaussianBlur } from '@guise/engine/pixels/gaussian-blur.ts';
import { readPhoto } from '@guise/engine/pixels/photo.ts';
import type { Picture } from '@guise/engine/pixels/picture.ts';
import type { Plane } from '@guise/engine/pixels/plane.ts';
import { resample, resamplePicture, type Window } from '@guise/engine/pixels/resample.ts';
import sharp from 'sharp';
import {
  either,
  greyPerLabel,
  maskedPhotos,
  maskFolder,
} from '../packages/engine/quality/reference-photos.ts';

type Point = readonly [x: number, y: number];

/** A region that is drawn over those before it: around points, or as a polygon, or along a stroke. */
interface Region {
  /** 1, 2, … for people from left to right, 0 for nobody, "either" where both are right. */
  label: number | 'either';
  /** SAM 2 draws it: from a box, points that are in it and points that are not. */
  box?: readonly [left: number, top: number, right: number, bottom: number];
  on?: readonly Point[];
  off?: readonly Point[];
  polygon?: readonly Point[];
  stroke?: readonly Point[];
  /** Half of the stroke's width. */
  radius?: number;
  /** Only over these labels. */
  over?: readonly (number | 'either')[];
}

interface Drawing {
  /** The photo's width that all numbers are told in. */
  width: number;
  regions: readonly Region[];
}

const maskWidth = 960;
const margin = 0.12;

const [folder, ...names] = process.argv.slice(2);
const model = await findOptionalModel(folder ?? null, sam2);
if (!model) throw new Error('Name a folder with sam2: guise models get sam2.');
await mkdir('out/masks', { recursive: true });
for (const name of names.length > 0 ? names : Object.keys(maskedPhotos)) {
  const photo = await readPhoto(maskedPhotos[name]!);
  const drawing = JSON.parse(await readFile(join(maskFolder, `${name}.json`), 'utf8')) as Drawing;
  const mask = await drawMask(photo, drawing, model);
  const raw = { raw: { width: mask.width, height: mask.height, channels: 1 } } as const;
  const greys = mask.labels.map((label) => (label === either ? either : label * greyPerLabel));
  await sharp(greys, raw)
    .png({ compressionLevel: 9 })
    .toFile(join(maskFolder, `${name}.png`));
  await showMask(maskedPhotos[name]!, mask, `out/masks/${name}.png`);
  console.log(name);
}

interface Mask {
  width: number;
  height: number;
  labels: Uint8Array;
}

async function drawMask(photo: Picture, { width, regions }: Drawing, model: OutlineModel): Promise<Mask> {
  const scale = photo.width / width;
  const size = { width: maskWidth, height: Math.round((maskWidth * photo.height) / photo.width) };
  const labels = new Uint8Array(size.width * size.height);
  const toPhoto = ([x, y]: Point): Point => [x * scale, y * scale];
  const toMask = ([x, y]: Point): Point => [(x * maskWidth) / width, (y * maskWidth) / width];
  for (const region of regions) {
    const inside = region.box
      ? await outline(photo, region, toPhoto, size, model)
      : region.polygon
        ? polygonIn(region.polygon.map(toMask))
        : strokeIn((region.stroke ?? []).map(toMask), ((region.radius ?? 3) * maskWidth) / width);
    const over = region.over?.map((label) => (label === 'either' ? either : label));
    const label = region.label === 'either' ? either : region.label;
    for (let y = 0, i = 0; y < size.height; y++) {
      for (let x = 0; x < size.width; x++, i++) {
        if (over && !over.includes(labels[i]!)) continue;
        if (inside(x + 0.5, y + 0.5)) labels[i] = label;
      }
    }
  }
  return { ...size, labels };
}

type Inside = (x: number, y: number) => boolean;

/** The window around the box is all that the network sees: an outline is as much finer as the window is smaller. */
async function outline(
  photo: Picture,
  { box, on = [], off = [] }: Region,
  toPhoto: (point: Point) => Point,
  size: { width: number; height: number },
  model: OutlineModel,
): Promise<Inside> {
  const [left, top] = toPhoto([box![0], box![1]]);
  const [right, bottom] = toPhoto([box![2], box![3]]);
  const [dx, dy] = [margin * (right - left), margin * (bottom - top)];
  const x = Math.max(0, Math.floor(left - dx));
  const y = Math.max(0, Math.floor(top - dy));
  const window: Window = {
    x,
    y,
    width: Math.min(photo.width, Math.ceil(right + dx)) - x,
    height: Math.min(photo.height, Math.ceil(bottom + dy)) - y,
  };
  const prompt = (point: Point, label: Prompt['label']): Prompt => {
    const [px, py] = toPhoto(point);
    return { x: (px - window.x) / window.width, y: (py - window.y) / window.height, label };
  };
  const prompts = [
    prompt([box![0], box![1]], 'upperLeft'),
    prompt([box![2], box![3]], 'lowerRight'),
    ...on.map((point) => prompt(point, 'on')),
    ...off.map((point) => prompt(point, 'off')),
  ];
  const best = await remember([photo.width, photo.height, window, prompts], () =>
    withOutlineDecoder(model, resamplePicture(photo, window, window), async (decoder) => {
      const first = chooseByPoints(await decoder.decode(prompts), prompts);
      return chooseByPoints(await decoder.decode(prompts, first), prompts);
    }),
  );
  const maskScale = size.width / photo.width;
  const area = {
    x: Math.round(window.x * maskScale),
    y: Math.round(window.y * maskScale),
    width: Math.round(window.width * maskScale),
    height: Math.round(window.height * maskScale),
  };
  const enlarged = resample(best, { x: 0, y: 0, width: best.width, height: best.height }, area);
  // Cloth and skin with logits near 0 are full of holes of a pixel or two.
  const { data } = gaussianBlur(enlarged, 2.5);
  return (px, py) => {
    const column = Math.floor(px) - area.x;
    const row = Math.floor(py) - area.y;
    if (column < 0 || row < 0 || column >= area.width || row >= area.height) return false;
    return data[row * area.width + column]! > 0;
  };
}

/** What the network drew is kept in out/masks/, so that a polygon can be changed without waiting for it. */
async function remember(key: unknown, draw: () => Promise<OutlineCandidate>): Promise<Plane> {
  const hash = createHash('sha256').update(JSON.stringify(key)).digest('hex');
  const file = `out/masks/${hash.slice(0, 16)}.bin`;
  const kept = await readFile(file).catch(() => null);
  if (kept) {
    return { width: maskSide, height: maskSide, data: new Float32Array(new Uint8Array(kept).buffer) };
  }
  const drawn = await draw();
  await writeFile(file, new Uint8Array(drawn.data.buffer));
  return drawn;
}

/** The candidate with most of the points right. */
function chooseByPoints(
  candidates: readonly OutlineCandidate[],
  prompts: readonly Prompt[],
): OutlineCandidate {
  const rate = (candidate: OutlineCandidate) => {
    let right = 0;
    for (const { x, y, label } of prompts) {
      if (label !== 'on' && label !== 'off') continue;
      const column = Math.min(candidate.width - 1, Math.max(0, Math.floor(x * candidate.width)));
      const row = Math.min(candidate.height - 1, Math.max(0, Math.floor(y * candidate.height)));
      if (candidate.data[row * candidate.width + column]! > 0 === (label === 'on')) right++;
    }
    return right + candidate.score;
  };
  return candidates.reduce((best, candidate) => (rate(candidate) > rate(best) ? candidate : best));
}

function polygonIn(points: readonly Point[]): Inside {
  return (x, y) => {
    let inside = false;
    for (const [i, [x1, y1]] of points.entries()) {
      const [x2, y2] = points[(i + 1) % points.length]!;
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
    }
    return inside;
  };
}

function strokeIn(points: readonly Point[], radius: number): Inside {
  return (x, y) =>
    points.some(([x1, y1], i) => {
      const [x2, y2] = points[i + 1] ?? [x1, y1];
      const length = Math.hypot(x2 - x1, y2 - y1) ** 2;
      const along = length === 0 ? 0 : ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length;
      const at = Math.max(0, Math.min(1, along));
      return Math.hypot(x - x1 - at * (x2 - x1), y - y1 - at * (y2 - y1)) <= radius;
    });
}

/** The photo with nobody darkened, each person's contour in a colour of their own, and "either" in white stripes. */
async function showMask(photo: string, { width, height, labels }: Mask, file: string): Promise<void> {
  const scale = 2;
  const size = { width: scale * width, height: scale * height };
  const pixels = await sharp(photo)
    .resize(size.width, size.height, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();
  const colours = [
    [255, 60, 60],
    [60, 255, 60],
    [80, 140, 255],
    [255, 220, 0],
    [255, 80, 255],
    [0, 255, 255],
  ] as const;
  const at = (x: number, y: number) =>
    labels[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))]!;
  for (let y = 0, i = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, i += 3) {
      const [mx, my] = [x >> 1, y >> 1];
      const label = at(mx, my);
      const isContour = [at(mx - 1, my), at(mx + 1, my), at(mx, my - 1), at(mx, my + 1)].some(
        (near) => near !== label,
      );
      for (let c = 0; c < 3; c++) {
        if (isContour && label !== 0) {
          pixels[i + c] = label === either ? 255 : colours[(label - 1) % colours.length]![c]!;
        } else if (label === 0) pixels[i + c] = 0.45 * pixels[i + c]! + (c === 2 ? 60 : 0);
        else if (label === either && (x + y) % 8 < 2) pixels[i + c] = 255;
      }
    }
  }
  await sharp(pixels, { raw: { ...size, channels: 3 } })
    .png({ compressionLevel: 3 })
    .toFile(file);
}

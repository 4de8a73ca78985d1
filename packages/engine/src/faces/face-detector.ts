import { blazeFace } from '../models/models.ts';
import type { Picture } from '../pixels/picture.ts';
import { reducePicture } from '../pixels/reduce.ts';
import { samplePictureThrough } from '../pixels/sample-through.ts';
import { modelInput, runFaceModel } from './face-models.ts';

/** Where a face is, before its points are known. In picture pixels. */
export interface Detection {
  center: { x: number; y: number };
  size: number;
  /** Radians that the line of the eyes leans; positive is clockwise. */
  roll: number;
  score: number;
}

interface Tile {
  x: number;
  y: number;
  side: number;
}

/** Tiles of one size at most. The finest ones of a photo of 4:1 are as many; a longer photo gets larger ones. */
const mostTiles = 64;
/** Detections at most, the largest ones: each costs a run of the mesh, and of a crowd hardly anybody is a guest. */
const mostDetections = 40;

const inputSide = 256;
const leastScore = 0.45;

export interface DetectOptions {
  /**
   * How thoroughly to look. `every` finds faces down to 1/40 of the short side; `near` down to 1/22, which saves 24 of 33
   * runs of the model.
   */
  search?: 'every' | 'near';
}

/**
 * Finds faces of every size. The model detects faces from about 1/12 of its input on, so after a pass over the whole
 * picture come overlapping tiles: of the short side, and smaller ones as long as no face is large.
 */
export async function detectFaces(
  photo: Picture,
  { search = 'every' }: DetectOptions = {},
): Promise<Detection[]> {
  // The finest tile is 0.3 of the short side, so more than about 1000 pixels of that side are never needed.
  const factor = Math.max(1, Math.floor(Math.min(photo.width, photo.height) / 600));
  const picture = reducePicture(photo, factor);
  const { width, height } = picture;
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  const found = await detectInTiles(picture, long);
  if (long > 1.2 * short) found.push(...(await detectInTiles(picture, short)));
  // With a large face in front, smaller ones are bystanders; they need not be found.
  const largest = Math.max(0, ...found.map((face) => face.size));
  if (largest < short / 5) found.push(...(await detectInTiles(picture, short * 0.55)));
  if (search === 'every' && largest < short / 12) found.push(...(await detectInTiles(picture, short * 0.3)));
  return mergeDetections(found).map((face) => scaleDetection(face, factor));
}

/** Each face of overlapping tiles once, and no more faces than are worth measuring. */
export function mergeDetections(found: Detection[]): Detection[] {
  return largestOf(suppressOverlaps(found));
}

/** In the order they came in. */
function largestOf(found: Detection[]): Detection[] {
  if (found.length <= mostDetections) return found;
  const largest = new Set(found.toSorted((a, b) => b.size - a.size).slice(0, mostDetections));
  return found.filter((face) => largest.has(face));
}

/** Detects faces in overlapping tiles of one size that cover the picture. */
export async function detectInTiles(whole: Picture, wantedSide: number): Promise<Detection[]> {
  const wholeSide = enlargeTiles(whole, wantedSide);
  // In a reduced picture an input pixel is sampled at one place instead of nine.
  const factor = Math.max(1, Math.floor(wholeSide / inputSide));
  const picture = reducePicture(whole, factor);
  const side = wholeSide / factor;
  const starts = (length: number) => {
    const count = tilesAlong(length, side);
    return Array.from({ length: count }, (_, i) =>
      count === 1 ? (length - side) / 2 : ((length - side) * i) / (count - 1),
    );
  };
  const found: Detection[] = [];
  for (const y of starts(picture.height)) {
    for (const x of starts(picture.width)) found.push(...(await detectInTile(picture, { x, y, side })));
  }
  return found.map((face) => scaleDetection(face, factor));
}

function tilesAlong(length: number, side: number): number {
  return Math.max(1, Math.ceil((length - side) / (side * 0.85)) + 1);
}

/** The side of tiles that cover the picture and are not too many. */
function enlargeTiles({ width, height }: Picture, side: number): number {
  while (tilesAlong(width, side) * tilesAlong(height, side) > mostTiles) side *= 1.2;
  return side;
}

async function detectInTile(picture: Picture, tile: Tile): Promise<Detection[]> {
  const outputs = await runFaceModel(blazeFace, modelInput(cropTile(picture, tile), blazeFace));
  const output = (shape: string) => outputs.find((o) => o.shape.join() === shape)!.data;
  const scale = tile.side / inputSide;
  const found: Detection[] = [];
  for (const [cells, perCell] of [
    [16, 2],
    [8, 6],
  ] as const) {
    const count = cells * cells * perCell;
    const scores = output(`1,${count},1`);
    const boxes = output(`1,${count},16`);
    for (let i = 0; i < count; i++) {
      const score = 1 / (1 + Math.exp(-scores[i]!));
      // Not a number where a picture has no pixels left after it was reduced.
      if (!(score >= leastScore)) continue;
      const cell = Math.floor(i / perCell);
      const anchorX = ((cell % cells) + 0.5) * (inputSide / cells);
      const anchorY = (Math.floor(cell / cells) + 0.5) * (inputSide / cells);
      const value = (k: number) => boxes[i * 16 + k]!;
      found.push({
        center: { x: tile.x + (anchorX + value(0)) * scale, y: tile.y + (anchorY + value(1)) * scale },
        size: Math.max(value(2), value(3)) * scale,
        roll: Math.atan2(value(7) - value(5), value(6) - value(4)),
        score,
      });
    }
  }
  return suppressOverlaps(found);
}

function cropTile(picture: Picture, tile: Tile): Picture {
  const scale = tile.side / inputSide;
  const through = { a: scale, b: 0, x0: tile.x + scale / 2 - 0.5, y0: tile.y + scale / 2 - 0.5 };
  return samplePictureThrough(picture, through, { width: inputSide, height: inputSide }, 0);
}

function scaleDetection(face: Detection, factor: number): Detection {
  return {
    ...face,
    center: { x: face.center.x * factor, y: face.center.y * factor },
    size: face.size * factor,
  };
}

/** Non-maximum suppression: of detections that overlap, keeps the one with the highest score. */
function suppressOverlaps(found: Detection[]): Detection[] {
  const kept: Detection[] = [];
  for (const face of found.toSorted((a, b) => b.score - a.score)) {
    const overlaps = kept.some((other) => {
      const distance = Math.hypot(face.center.x - other.center.x, face.center.y - other.center.y);
      return distance < 0.5 * Math.max(face.size, other.size);
    });
    if (!overlaps) kept.push(face);
  }
  return kept;
}

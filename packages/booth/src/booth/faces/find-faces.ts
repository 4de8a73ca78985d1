import { type FaceNet, inputSide } from './face-net.ts';

/** A face in shares of the width and the height of what was looked at. */
export interface FoundFace {
  x: number;
  y: number;
  /** From the brows to the chin, about: shares of the width and of the height. */
  width: number;
  height: number;
  score: number;
}

/** A square part of a picture, in its pixels. It may reach beyond the border. */
export interface Tile {
  x: number;
  y: number;
  side: number;
}

/** Draws a part of the picture at the size of the network's input. */
export type ReadTile = (tile: Tile) => Uint8ClampedArray;

interface Size {
  width: number;
  height: number;
}

/** As the engine's: faces.ts of the server and this page find the same ones. */
const leastScore = 0.45;

/** Faces from 1/12 of the longer side on: one run of the network. */
export function findNearFaces(net: FaceNet, size: Size, read: ReadTile): FoundFace[] {
  return asShares(findInTiles(net, size, { read, side: Math.max(size.width, size.height) }), size);
}

/** Faces from 1/22 of the shorter side on, as the server looks for them: up to a dozen runs. */
export function findAllFaces(net: FaceNet, size: Size, read: ReadTile): FoundFace[] {
  const [long, short] = [Math.max(size.width, size.height), Math.min(size.width, size.height)];
  const found = findInTiles(net, size, { read, side: long });
  if (long > 1.2 * short) found.push(...findInTiles(net, size, { read, side: short }));
  const largest = Math.max(0, ...found.map((face) => face.side));
  if (largest < short / 5) found.push(...findInTiles(net, size, { read, side: short * 0.55 }));
  return asShares(found, size);
}

/** In pixels. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  side: number;
  score: number;
}

function findInTiles(
  net: FaceNet,
  { width, height }: Size,
  { read, side }: { read: ReadTile; side: number },
): Box[] {
  const starts = (length: number) => {
    const count = Math.max(1, Math.ceil((length - side) / (side * 0.85)) + 1);
    return Array.from({ length: count }, (_, at) =>
      count === 1 ? (length - side) / 2 : ((length - side) * at) / (count - 1),
    );
  };
  return starts(height).flatMap((y) =>
    starts(width).flatMap((x) => findInTile(net, { x, y, side }, read({ x, y, side }))),
  );
}

function findInTile(net: FaceNet, tile: Tile, photo: Uint8ClampedArray): Box[] {
  const scale = tile.side / inputSide;
  const found: Box[] = [];
  for (const { cells, perCell, scores, boxes } of net.run(photo))
    for (const [at, value] of scores.entries()) {
      const score = 1 / (1 + Math.exp(-value));
      if (score < leastScore) continue;
      const cell = Math.floor(at / perCell);
      const cellSide = inputSide / cells;
      const [dx, dy, width, height] = boxes.subarray(at * 16, at * 16 + 4) as unknown as Numbers4;
      found.push({
        x: tile.x + (((cell % cells) + 0.5) * cellSide + dx) * scale,
        y: tile.y + ((Math.floor(cell / cells) + 0.5) * cellSide + dy) * scale,
        width: width * scale,
        height: height * scale,
        side: Math.max(width, height) * scale,
        score,
      });
    }
  return found;
}

type Numbers4 = readonly [number, number, number, number];

/** Each face once, the surest first. */
function asShares(found: readonly Box[], { width, height }: Size): FoundFace[] {
  const kept: Box[] = [];
  for (const face of found.toSorted((a, b) => b.score - a.score))
    if (kept.every((other) => Math.hypot(face.x - other.x, face.y - other.y) >= overlap(face, other)))
      kept.push(face);
  return kept.map((face) => ({
    x: face.x / width,
    y: face.y / height,
    width: face.width / width,
    height: face.height / height,
    score: face.score,
  }));
}

const overlap = (a: Box, b: Box) => 0.5 * Math.max(a.side, b.side);

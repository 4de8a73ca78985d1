import type { Face } from '../faces/face.ts';
import { pointOf } from '../faces/face-outline.ts';
import type { Plane, Size } from '../pixels/plane.ts';
import { maskSide, type Prompt } from './segment-anything.ts';

/** The box that a segmentation network is prompted with, in photo pixels. */
export interface PromptBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Where in a photo somebody can be, in face heights from the face. */
interface Reach {
  beside: number;
  above: number;
  below: number;
}

/** What of a person is surely in a photo, and how far one reaches at most. */
const least: Reach = { beside: 1.2, above: 0.5, below: 3 };
const most: Reach = { beside: 4, above: 1.2, below: 9 };

/** The box that a person is looked for in: what the matte has of them, and at least head and chest. */
export function firstBox(face: Face, region: Uint8Array, photo: Size): PromptBox {
  return limitBox(unite(boxOfRegion(region, photo), reachOf(face, photo, least)), face, photo);
}

/**
 * The prompts for one person. Points from the inside of the matte pull furniture in, and chests of neighbours as points
 * that are off make the network choose a part, such as the skin alone; without a box dark clothes are lost.
 */
export function promptsFor(face: Face, faces: readonly Face[], box: PromptBox, photo: Size): Prompt[] {
  const { width, height } = photo;
  const chin = pointOf(face, 152);
  const brow = pointOf(face, 10);
  const at = (x: number, y: number, label: Prompt['label']): Prompt => ({
    x: x / width,
    y: y / height,
    label,
  });
  const neighbours = faces.filter(
    ({ center }) =>
      Math.hypot(center.x - face.center.x, center.y - face.center.y) >= 0.3 * face.height &&
      center.x >= box.left &&
      center.x <= box.right &&
      center.y >= box.top &&
      center.y <= box.bottom,
  );
  return [
    at(box.left, box.top, 'upperLeft'),
    at(box.right, box.bottom, 'lowerRight'),
    at(face.center.x, face.center.y, 'on'),
    at(brow.x + 0.12 * (brow.x - chin.x), brow.y + 0.12 * (brow.y - chin.y), 'on'),
    at(chin.x, chin.y + 0.9 * face.height, 'on'),
    ...neighbours.map(({ center }) => at(center.x, center.y, 'off')),
  ].filter(({ x, y }) => x >= 0 && y >= 0 && x <= 1 && y <= 1);
}

/** A box that cuts through the person is moved out on the sides where it does. */
export function widenBox(box: PromptBox, outline: Plane, face: Face, photo: Size): PromptBox {
  const x = photo.width / maskSide;
  const y = photo.height / maskSide;
  const margin = 2;
  const touching = { left: 0, right: 0, top: 0, bottom: 0 };
  for (let i = 0; i < outline.data.length; i++) {
    if (outline.data[i]! <= 0) continue;
    const column = i % maskSide;
    const row = Math.floor(i / maskSide);
    if (column <= box.left / x + margin) touching.left++;
    if (column >= box.right / x - 1 - margin) touching.right++;
    if (row <= box.top / y + margin) touching.top++;
    if (row >= box.bottom / y - 1 - margin) touching.bottom++;
  }
  const across = (0.15 * face.height * margin) / x;
  const down = (0.15 * face.height * margin) / y;
  const wider = {
    left: touching.left > down ? box.left - 0.8 * face.height : box.left,
    right: touching.right > down ? box.right + 0.8 * face.height : box.right,
    top: touching.top > across ? box.top - 0.4 * face.height : box.top,
    bottom: touching.bottom > across ? box.bottom + 2.5 * face.height : box.bottom,
  };
  return limitBox(wider, face, photo);
}

export function isSameBox(a: PromptBox, b: PromptBox): boolean {
  return a.left === b.left && a.right === b.right && a.top === b.top && a.bottom === b.bottom;
}

function limitBox(box: PromptBox, face: Face, photo: Size): PromptBox {
  const limit = reachOf(face, photo, most);
  return {
    left: Math.max(box.left, limit.left),
    right: Math.min(box.right, limit.right),
    top: Math.max(box.top, limit.top),
    bottom: Math.min(box.bottom, limit.bottom),
  };
}

function reachOf(face: Face, photo: Size, { beside, above, below }: Reach): PromptBox {
  const { center, height } = face;
  const ends = [pointOf(face, 10).y, pointOf(face, 152).y];
  return {
    left: Math.max(0, center.x - beside * height),
    right: Math.min(photo.width, center.x + beside * height),
    top: Math.max(0, Math.min(...ends) - above * height),
    bottom: Math.min(photo.height, Math.max(...ends) + below * height),
  };
}

/** The region's box without the outermost hundredth on each side; null where the region is empty. */
function boxOfRegion(region: Uint8Array, photo: Size): PromptBox | null {
  const columns = new Uint32Array(maskSide);
  const rows = new Uint32Array(maskSide);
  let all = 0;
  for (let i = 0; i < region.length; i++) {
    if (!region[i]) continue;
    columns[i % maskSide]!++;
    rows[Math.floor(i / maskSide)]!++;
    all++;
  }
  if (all === 0) return null;
  const first = (counts: Uint32Array) => {
    let index = 0;
    for (let sum = counts[0]!; sum <= 0.01 * all; sum += counts[index]!) index++;
    return index;
  };
  const x = photo.width / maskSide;
  const y = photo.height / maskSide;
  return {
    left: first(columns) * x,
    right: (maskSide - first(columns.toReversed())) * x,
    top: first(rows) * y,
    bottom: (maskSide - first(rows.toReversed())) * y,
  };
}

function unite(a: PromptBox | null, b: PromptBox): PromptBox {
  if (!a) return b;
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

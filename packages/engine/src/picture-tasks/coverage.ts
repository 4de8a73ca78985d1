import sharp from 'sharp';
import type { ShareBox } from './locate-people.ts';

/** How much each place of an overlay hides, 0 to 255, at a size at which single letters still show. */
export interface OverlayCoverage {
  width: number;
  height: number;
  alpha: Uint8Array;
}

const side = 300;
/** Less than this is a tint through which a face is seen. */
const leastHiding = 26;

export async function readCoverage(overlay: string): Promise<OverlayCoverage> {
  const { data, info } = await sharp(overlay)
    .ensureAlpha()
    .extractChannel('alpha')
    .resize({ width: side, height: side, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, alpha: data };
}

/** The same with these parts hidden as well; null for no overlay. */
export function coverageWithBoxes(laid: OverlayCoverage | null, boxes: readonly ShareBox[]): OverlayCoverage {
  const { width, height, alpha } = laid ?? { width: side, height: side, alpha: new Uint8Array(side * side) };
  const hidden = Uint8Array.from(alpha);
  for (const box of boxes) {
    const [fromX, toX] = pixelsOf(box.x, box.width, width);
    const [fromY, toY] = pixelsOf(box.y, box.height, height);
    for (let y = fromY; y < toY; y++) hidden.fill(255, y * width + fromX, y * width + toX);
  }
  return { width, height, alpha: hidden };
}

/** What share of a rectangle is hidden, or of the ellipse in it. */
export function hiddenShare(
  coverage: OverlayCoverage,
  box: ShareBox,
  shape: 'rectangle' | 'ellipse',
): number {
  const { width, height, alpha } = coverage;
  const [fromX, toX] = pixelsOf(box.x, box.width, width);
  const [fromY, toY] = pixelsOf(box.y, box.height, height);
  const [middleX, middleY] = [(box.x + box.width / 2) * width, (box.y + box.height / 2) * height];
  let inside = 0;
  let hidden = 0;
  for (let y = fromY; y < toY; y++) {
    for (let x = fromX; x < toX; x++) {
      const dx = (2 * (x + 0.5 - middleX)) / (box.width * width);
      const dy = (2 * (y + 0.5 - middleY)) / (box.height * height);
      if (shape === 'ellipse' && dx * dx + dy * dy > 1) continue;
      inside++;
      if (alpha[y * width + x]! >= leastHiding) hidden++;
    }
  }
  return inside === 0 ? 0 : hidden / inside;
}

/** The pixels from and to which a share of a side reaches, those that it touches included. */
function pixelsOf(from: number, length: number, pixels: number): [number, number] {
  const clamp = (value: number) => Math.min(pixels, Math.max(0, value));
  return [clamp(Math.floor(from * pixels)), clamp(Math.ceil((from + length) * pixels))];
}

/** Whether two parts of a picture share any of it. */
export const overlaps = (one: ShareBox, other: ShareBox): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

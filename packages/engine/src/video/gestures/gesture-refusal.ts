import type { Face } from '../../faces/face.ts';
import { pointOf } from '../../faces/face-outline.ts';
import { luminance } from '../../pixels/colour.ts';
import type { Picture } from '../../pixels/picture.ts';
import type { PhotoBorders } from '../effects/idle-motion.ts';
import type { FaceMotion } from './gesture-course.ts';

/** More people than this who all nod at once look like a machine, and their heads hide each other. */
export const mostPeople = 5;

/** The smallest face that a motion is seen in, in the frame's pixels: below it the warp is coarser than a mouth. */
const leastHeight: Record<FaceMotion, number> = { smile: 100, nod: 80, 'head turn': 80 };

/** Radians off the camera's direction at which half of the mouth, and what a head hides, is not in the photo. */
const mostYaw = 0.5;
const mostPitch = 0.5;

/** How near heads may be, in face heights between their middles, before one drags the other's hair along. */
const nearestHead = 1.3;

/** How far apart the lips may be, in face heights: further, a smile would show teeth that the photo does not have. */
const mostParted = 0.075;

/** Where somebody's face is looked at: in the frame, and on the picture of the layer. */
export interface JudgedFace {
  face: Face;
  onLayer: Face;
  others: readonly Face[];
}

/** Why a face cannot do a motion without looking wrong, or null. */
export function refusalOf(
  { face, onLayer, others }: JudgedFace,
  motion: FaceMotion,
  side: number,
  bounds: PhotoBorders,
  layer: Picture,
): string | null {
  if (face.height < leastHeight[motion]) return 'the face is too small';
  const yaw = Math.abs(face.yaw);
  const farthest = motion === 'head turn' && side !== 0 && side * face.yaw > 0 ? yaw + 0.13 : yaw;
  if (farthest > mostYaw || Math.abs(face.pitch) > mostPitch) return 'the head is turned away';
  if (motion === 'smile') return mouthRefusal(onLayer, layer);
  if (isCut(face, bounds)) return 'the head is cut by the picture’s border';
  const touches = others.some(
    ({ center, height }) =>
      Math.hypot(center.x - face.center.x, center.y - face.center.y) <
      (nearestHead * (height + face.height)) / 2,
  );
  return touches ? 'heads touch' : null;
}

function isCut({ center, height }: Face, { left, top, right, bottom }: PhotoBorders): boolean {
  return (
    center.y - 0.85 * height < top ||
    center.y + 0.7 * height > bottom ||
    center.x - 0.65 * height < left ||
    center.x + 0.65 * height > right
  );
}

/** How far the lips are apart, in face heights. */
export function lipGap(face: Face): number {
  const [upper, lower] = [pointOf(face, 13), pointOf(face, 14)];
  return Math.hypot(lower.x - upper.x, lower.y - upper.y) / face.height;
}

/** Mesh points of the outer and the inner edge of the lips, above and below each other. */
const lips = [
  [37, 82],
  [0, 13],
  [267, 312],
  [84, 87],
  [17, 14],
  [314, 317],
] as const;

/** Lips are at least about as red as cheeks, and not far brighter or darker: masks, microphones and cups are. */
const leastRedness = -0.02;
const brightness = [0.22, 1.35] as const;

function mouthRefusal(face: Face, layer: Picture): string | null {
  if (lipGap(face) > mostParted) return 'the mouth is open, and teeth would have to be invented';
  const mouth = toneAt(
    layer,
    lips.map(([outer, inner]) => {
      const [a, b] = [pointOf(face, outer), pointOf(face, inner)];
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    }),
    0.008 * face.height,
  );
  const cheeks = toneAt(layer, [pointOf(face, 50), pointOf(face, 280)], 0.03 * face.height);
  const share = mouth.luma / Math.max(0.01, cheeks.luma);
  const covered =
    mouth.redness - cheeks.redness < leastRedness || share < brightness[0] || share > brightness[1];
  return covered ? 'the mouth is covered' : null;
}

function toneAt(
  { width, height, planes: [red, green, blue] }: Picture,
  points: readonly { x: number; y: number }[],
  radius: number,
): { luma: number; redness: number } {
  let [r, g, b, count] = [0, 0, 0, 0];
  for (const { x, y } of points) {
    for (let row = Math.round(y - radius); row <= y + radius; row++) {
      for (let column = Math.round(x - radius); column <= x + radius; column++) {
        if (row < 0 || column < 0 || row >= height || column >= width) continue;
        const i = row * width + column;
        r += red[i]!;
        g += green[i]!;
        b += blue[i]!;
        count++;
      }
    }
  }
  const all = Math.max(1e-3, r + g + b);
  return { luma: count === 0 ? 0 : luminance(r, g, b) / count, redness: r / all };
}

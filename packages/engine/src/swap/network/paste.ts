import { mapPlanes, type Picture } from '../../pixels/picture.ts';
import { planeOf } from '../../pixels/plane.ts';
import { type Similarity, samplePictureThrough, sampleThrough } from '../../pixels/sample-through.ts';

/**
 * A copy of the picture with a square crop laid back where the similarity took it from, by its mask; `visible`, one
 * value per pixel of the picture, keeps what is in front of the face.
 */
export function pasteCrop(
  picture: Picture,
  crop: Picture,
  mask: Float32Array,
  through: Similarity,
  visible: Float32Array | null,
): Picture {
  const { width: side } = crop;
  const corners = [0, side - 1].flatMap((u) =>
    [0, side - 1].map((v) => ({
      x: through.a * u - through.b * v + through.x0,
      y: through.b * u + through.a * v + through.y0,
    })),
  );
  const left = Math.max(0, Math.floor(Math.min(...corners.map(({ x }) => x))));
  const top = Math.max(0, Math.floor(Math.min(...corners.map(({ y }) => y))));
  const right = Math.min(picture.width, Math.ceil(Math.max(...corners.map(({ x }) => x))) + 1);
  const bottom = Math.min(picture.height, Math.ceil(Math.max(...corners.map(({ y }) => y))) + 1);
  const planes = mapPlanes(picture.planes, (plane) => plane.slice());
  if (right <= left || bottom <= top) return { ...picture, planes };
  const width = right - left;
  const back = moved(inverse(through), left, top);
  const size = { width, height: bottom - top };
  const colour = samplePictureThrough(crop, back, size).planes;
  const alpha = sampleThrough(planeOf(mask, crop), back, size, 0).data;
  colour.forEach((values, p) => {
    const plane = planes[p]!;
    for (let i = 0; i < values.length; i++) {
      const at = (top + Math.floor(i / width)) * picture.width + left + (i % width);
      const share = visible ? Math.min(alpha[i]!, visible[at]!) : alpha[i]!;
      if (share > 0) plane[at]! += share * (values[i]! - plane[at]!);
    }
  });
  return { ...picture, planes };
}

function inverse({ a, b, x0, y0 }: Similarity): Similarity {
  const size = a * a + b * b;
  return { a: a / size, b: -b / size, x0: -(a * x0 + b * y0) / size, y0: (b * x0 - a * y0) / size };
}

/** The same similarity for pixels that are told from another corner. */
function moved({ a, b, x0, y0 }: Similarity, left: number, top: number): Similarity {
  return { a, b, x0: a * left - b * top + x0, y0: b * left + a * top + y0 };
}

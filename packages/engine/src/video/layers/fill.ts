import type { Face } from '../../faces/face.ts';
import { medianHeight } from '../../faces/face-outline.ts';
import { miGan } from '../../models/models.ts';
import { Tensor } from '../../models/onnxruntime.ts';
import { withSession } from '../../models/sessions.ts';
import { boxMean } from '../../pixels/box-mean.ts';
import { mapPlanes, type Picture, type Planes } from '../../pixels/picture.ts';
import { mapToBytes, mapToFloats, type Size } from '../../pixels/plane.ts';
import { resample, resamplePicture } from '../../pixels/resample.ts';
import { clamp, smoothstep } from '../../pixels/scalar.ts';
import { allocateBytes, withArena } from '../../runtime/arena.ts';
import { mirrorFill, mixFilled } from './mirror-fill.ts';

/** The network sees 512 pixels: at this longest side it takes in the whole picture and still paints edges. */
const longestSide = 720;

/** What goes on with the picture behind people: a mirror image of what is beside them, or a network. */
export type FillMethod = 'mirror' | 'network';

/** The picture without its people, of which only a strip along their contour is ever seen. Faces are in its pixels. */
export async function fillBehind(
  picture: Picture,
  people: Float32Array,
  faces: readonly Face[],
  method: FillMethod,
): Promise<Picture> {
  const painted =
    method === 'network' ? await paintWith(picture, people, 3 + 0.03 * medianHeight(faces)) : null;
  return withArena(() => {
    const share = paintedShare(people, picture);
    const unknown = allocateBytes(share.length);
    for (let i = 0; i < share.length; i++) unknown[i] = share[i]! > 0.02 ? 1 : 0;
    return mixFilled(picture, painted ?? mirrorFill(picture, unknown), share);
  });
}

/** The network sees the whole picture, reduced: the strip has to be painted as part of a whole. */
async function paintWith(picture: Picture, people: Float32Array, reach: number): Promise<Planes> {
  const { width, height } = picture;
  const shrink = Math.min(1, longestSide / Math.max(width, height));
  const small = { width: Math.round(width * shrink), height: Math.round(height * shrink) };
  const whole = { x: 0, y: 0, width, height };
  const planes = resamplePicture(picture, whole, small).planes;
  const coarse = resample({ width, height, data: people }, whole, small).data;
  const hole = widened(coarse, small, Math.max(2, Math.round(reach * shrink)));
  const painted = await paint(planes, hole, small);
  return resamplePicture({ ...small, planes: painted }, { x: 0, y: 0, ...small }, picture).planes;
}

/**
 * How much of the painting is used: all of it behind people, less where they are thin, and a rim of two pixels beside
 * them that is still of their colours. Anywhere else the photo is better than anything painted, in frame 0 above all.
 */
function paintedShare(people: Float32Array, { width, height }: Size): Float32Array {
  const share = boxMean({ width, height, data: people }, 2).data;
  for (let i = 0; i < share.length; i++) share[i] = smoothstep(0.05, 0.5, share[i]!);
  return share;
}

/** 1 wherever there is something of people within reach. */
function widened(people: Float32Array, { width, height }: Size, reach: number): Float32Array {
  const any = new Float32Array(people.length);
  for (let i = 0; i < any.length; i++) any[i] = people[i]! > 0.03 ? 1 : 0;
  const near = boxMean({ width, height, data: any }, reach).data;
  for (let i = 0; i < near.length; i++) near[i] = near[i]! > 1e-4 ? 1 : 0;
  return near;
}

async function paint(planes: Planes, hole: Float32Array, { width, height }: Size): Promise<Planes> {
  const count = width * height;
  const image = new Uint8Array(3 * count);
  planes.forEach((plane, c) => {
    for (let i = 0; i < count; i++) image[c * count + i] = clamp(Math.round(plane[i]! * 255), 0, 255);
  });
  // 255 is known to the network, 0 is to be painted.
  const mask = mapToBytes(hole, (value) => (value > 0 ? 0 : 255));
  const result = await withSession(miGan, (network) =>
    network.run({
      image: new Tensor('uint8', image, [1, 3, height, width]),
      mask: new Tensor('uint8', mask, [1, 1, height, width]),
    }),
  );
  const answer = result.result!.data as Uint8Array;
  return mapPlanes(planes, (_, c) =>
    mapToFloats(answer.subarray(c * count, (c + 1) * count), (value) => value / 255),
  );
}

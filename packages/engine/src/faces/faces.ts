import { luminance, srgbToLinear } from '../pixels/colour.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import { cannotMake } from '../runtime/render-error.ts';
import type { Face } from './face.ts';
import { type Detection, detectFaces } from './face-detector.ts';
import { meshFace, rollOf } from './face-mesh.ts';
import { readTraits, type Traits } from './face-traits.ts';

/** Pictures look best with up to this many people. */
export const mostPeople = 5;

/** A picture of a group takes most of a second for each person, and a larger group fits no canvas. */
const largestGroup = 30;

/** A face less high than this, in pixels of the photo, has too little detail at canvas size. */
const leastHeight = 64;

/** A face smaller than this share of the largest belongs to somebody in the background. */
const bystanderShare = 0.42;

/** Least product of the detector's and the mesh's score: patches of cloth or wall get about a half from both. */
const leastScore = 0.42;

export interface FindOptions {
  /** Whether to read age group and gender, which takes 20 ms a face; else they are left at defaults. */
  traits?: boolean;
}

const defaultTraits: Traits = { ageGroup: 'adult', gender: 'female' };

/** Every face in the picture, from left to right. */
export async function findFaces(picture: Picture, { traits = true }: FindOptions = {}): Promise<Face[]> {
  const faces: Face[] = [];
  const detections = await detectFaces(picture);
  const meshed = await Promise.all(detections.map((detection) => meshDetection(picture, detection)));
  for (const face of meshed) {
    if (face && !faces.some((other) => isSameFace(face, other))) faces.push(face);
  }
  faces.sort((a, b) => a.center.x - b.center.x);
  if (!traits) return faces;
  return Promise.all(faces.map(async (face) => ({ ...face, ...(await readTraits(picture, face.points)) })));
}

async function meshDetection(
  picture: Picture,
  { center, size, roll, score }: Detection,
): Promise<Face | null> {
  const mesh = await meshFace(picture, { ...center, side: size * 1.5, roll });
  if (score * mesh.score < leastScore) return null;
  return { ...measureFace(mesh.points), ...defaultTraits, score: score * mesh.score };
}

/** The faces that a photo is of, left to right, without bystanders. Refuses a photo in words for the guest. */
export async function findPeople(picture: Picture, options: FindOptions = {}): Promise<Face[]> {
  const faces = await findFaces(picture, options);
  const largest = Math.max(0, ...faces.map((face) => face.height));
  const people = faces.filter((face) => face.height >= bystanderShare * largest);
  if (people.length === 0) {
    if (medianLuminance(picture) < 0.004) {
      throw cannotMake('The photo is too dark. Turn on a light and try again.');
    }
    throw cannotMake('No face was found in the photo. Face the camera and try again.');
  }
  if (largest < leastHeight) {
    throw cannotMake('The face in the photo is too small. Come closer to the camera and try again.');
  }
  const dark = people.filter((face) => faceLuminance(picture, face) < 0.006);
  if (dark.length > 0) {
    throw cannotMake('The face in the photo is too dark. Turn on a light and try again.');
  }
  assertGroupSize(people.length);
  return people;
}

/** Refuses more people than one picture is made of, in words for the guests. */
export function assertGroupSize(people: number): void {
  if (people <= largestGroup) return;
  throw cannotMake(
    `There are more than ${largestGroup} people in the photo. Take one of a smaller group and try again.`,
  );
}

/** Size and pose of a face from its points. Yaw is positive towards the picture's right, pitch upwards. */
export function measureFace(points: Float32Array): Omit<Face, 'score' | 'ageGroup' | 'gender'> {
  const at = (index: number) => [points[index * 3]!, points[index * 3 + 1]!, points[index * 3 + 2]!] as const;
  const [topX, topY, topZ] = at(10);
  const [chinX, chinY, chinZ] = at(152);
  const [leftX, leftY, leftZ] = at(234);
  const [rightX, rightY, rightZ] = at(454);
  const down = [chinX - topX, chinY - topY, chinZ - topZ] as const;
  const across = [rightX - leftX, rightY - leftY, rightZ - leftZ] as const;
  // The face's normal, away from the camera.
  const away = [
    across[1] * down[2] - across[2] * down[1],
    across[2] * down[0] - across[0] * down[2],
    across[0] * down[1] - across[1] * down[0],
  ] as const;
  return {
    points,
    center: { x: (topX + chinX) / 2, y: (topY + chinY) / 2 },
    height: Math.hypot(down[0], down[1]),
    width: Math.hypot(across[0], across[1]),
    roll: rollOf(points),
    yaw: Math.atan2(-away[0], away[2]),
    pitch: Math.atan2(away[1], Math.hypot(away[0], away[2])),
  };
}

function isSameFace(a: Face, b: Face): boolean {
  const distance = Math.hypot(a.center.x - b.center.x, a.center.y - b.center.y);
  return distance < 0.4 * Math.max(a.height, b.height);
}

function medianLuminance({ planes }: Picture): number {
  const samples: number[] = [];
  const step = Math.max(1, Math.floor(planes[0].length / 4000));
  for (let i = 0; i < planes[0].length; i += step) samples.push(luminanceAt(planes, i));
  samples.sort((a, b) => a - b);
  return samples[samples.length >> 1] ?? 0;
}

/** Mean linear luminance of the middle of the face. */
export function faceLuminance({ width, height, planes }: Picture, face: Face): number {
  let sum = 0;
  let count = 0;
  const step = Math.max(1, face.height / 40);
  for (let dy = -0.2; dy <= 0.35; dy += step / face.height) {
    for (let dx = -0.3; dx <= 0.3; dx += step / face.width) {
      const x = Math.round(face.center.x + dx * face.width);
      const y = Math.round(face.center.y + dy * face.height);
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      sum += luminanceAt(planes, y * width + x);
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
}

function luminanceAt(planes: Planes, i: number): number {
  return luminance(srgbToLinear(planes[0][i]!), srgbToLinear(planes[1][i]!), srgbToLinear(planes[2][i]!));
}

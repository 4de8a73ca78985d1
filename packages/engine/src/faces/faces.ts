import type { Picture } from '../pixels/picture.ts';
import { cannotMake } from '../runtime/render-error.ts';
import type { Face } from './face.ts';
import { type Detection, type DetectOptions, detectFaces } from './face-detector.ts';
import { meshFace, rollOf } from './face-mesh.ts';
import { readTraits, type Traits } from './face-traits.ts';
import { crowdProblem, findProblems } from './photo-problems.ts';

/** Pictures look best with up to this many people. */
export const mostPeople = 5;

/** A face smaller than this share of the largest belongs to somebody in the background. */
export const bystanderShare = 0.42;

/** Least product of the detector's and the mesh's score: patches of cloth or wall get about a half from both. */
const leastScore = 0.42;

export interface FindOptions extends DetectOptions {
  /** Whether to read age group and gender, which takes 20 ms a face; else they are left at defaults. */
  traits?: boolean;
  /** Whether to find the irises, which takes 5 ms a face; else their points are 0. */
  irises?: boolean;
}

const defaultTraits: Traits = { ageGroup: 'adult', gender: 'female' };

/** Every face in the picture, from left to right. */
export async function findFaces(
  picture: Picture,
  { traits = true, irises = true, ...options }: FindOptions = {},
): Promise<Face[]> {
  const faces = await meshDetections(picture, await detectFaces(picture, options), irises);
  if (!traits) return faces;
  return Promise.all(faces.map(async (face) => ({ ...face, ...(await readTraits(picture, face.points)) })));
}

/** What of the detections are faces, each once and from left to right, without traits. */
export async function meshDetections(
  picture: Picture,
  detections: readonly Detection[],
  irises: boolean,
): Promise<Face[]> {
  const faces: Face[] = [];
  const meshed = await Promise.all(detections.map((detection) => meshDetection(picture, detection, irises)));
  for (const face of meshed) {
    if (face && !faces.some((other) => isSameFace(face, other))) faces.push(face);
  }
  return faces.sort((a, b) => a.center.x - b.center.x);
}

async function meshDetection(
  picture: Picture,
  { center, size, roll, score }: Detection,
  irises: boolean,
): Promise<Face | null> {
  const mesh = await meshFace(picture, { ...center, side: size * 1.5, roll }, irises);
  if (score * mesh.score < leastScore) return null;
  return { ...measureFace(mesh.points), ...defaultTraits, score: score * mesh.score };
}

/** The faces that a photo is of, left to right, without bystanders. Refuses a photo in words for the guest. */
export async function findPeople(picture: Picture, options: FindOptions = {}): Promise<Face[]> {
  const people = withoutBystanders(await findFaces(picture, options));
  const [problem] = findProblems(picture, people);
  if (problem) throw cannotMake(problem.sentence);
  return people;
}

/** The faces of those who are meant. */
export function withoutBystanders(faces: readonly Face[]): Face[] {
  const largest = Math.max(0, ...faces.map((face) => face.height));
  return faces.filter((face) => face.height >= bystanderShare * largest);
}

/** Refuses more people than one picture is made of, in words for the guests. */
export function assertGroupSize(people: number): void {
  const problem = crowdProblem(people);
  if (problem) throw cannotMake(problem.sentence);
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

/** Of small faces at the border of two tiles the second is found up to half a face beside the first. */
function isSameFace(a: Face, b: Face): boolean {
  const distance = Math.hypot(a.center.x - b.center.x, a.center.y - b.center.y);
  return distance < 0.55 * Math.max(a.height, b.height);
}

import type { Barrier } from '../compose/barrier.ts';
import type { PlacedPeople } from '../compose/place-people.ts';
import type { Face } from '../faces/face.ts';
import { medianHeight, moveFace } from '../faces/face-outline.ts';
import { findHair } from '../matting/hair.ts';
import { backgroundOf } from '../matting/loose-things.ts';
import { type LabPicture, toLab } from '../pixels/lab.ts';
import { type Placement, type Plane, planeOf, type Size } from '../pixels/plane.ts';
import { type ReducedPlane, reduce } from '../pixels/reduce.ts';
import { resample, resamplePicture, type Window } from '../pixels/resample.ts';
import { clamp, mix } from '../pixels/scalar.ts';
import { withArena } from '../runtime/arena.ts';
import type { Joint } from './joints.ts';
import { type Limb, limbsOf } from './limbs.ts';
import { findOutline, type OutlinePoint } from './outline.ts';

/** What the engine knows of a picture when its people have been put into the scene. */
export interface Composition {
  /** Everybody in their place, from back to front. */
  placed: readonly PlacedPeople[];
  /** How much of each pixel is people, without what the barrier hides. */
  people: Plane;
  barrier: Pick<Barrier, 'tops' | 'hidesFrom'> | null;
}

/** A composition as the checks see it, a quarter of its size: what they look for is larger than a strand of hair. */
export interface JudgedPicture extends Size {
  /** How many pixels of the picture one of its pixels is wide. */
  factor: number;
  /** A face height, in its pixels: the unit of every length. */
  unit: number;
  faces: Face[];
  /** How much of each pixel is people in the picture. */
  people: Plane;
  /** How much of each pixel of the photos is a person, by the body classes and by the matting network. */
  byClasses: Float32Array;
  byNetwork: Float32Array;
  /** How near hair is, from 0 to 1. */
  hair: Float32Array;
  /** 1 where a photo lies. */
  inPhoto: Float32Array;
  /** The colours of the photos, where they lie. */
  photo: LabPicture;
  /** How much larger than in their photo people are at most. */
  enlargement: number;
  /** The first row that a barrier hides, column by column; the height where it hides none. */
  barrierTops: Float32Array;
  /** The rows at which photos end that lie above the picture's lower border. */
  photoEnds: number[];
  /** Arms and sides of everybody in the picture, as the photo shows them. */
  limbs: Limb[];
  /** Where people end. */
  outline: readonly OutlinePoint[];
  /** Whether the picture is of one guest of a photo with others. */
  isOneOfGroup: boolean;
  /** Whether everybody whom the photo shows is in the picture as the photo shows them. */
  hasEverybody: boolean;
  /** Whether a trusted outline of each person had a say: it parts people who touch. */
  hasOutlines: boolean;
}

const factor = 4;

/** The joints of people, by their faces. */
export type JointsOfFaces = ReadonlyMap<Face, readonly Joint[]>;

export function prepareJudging(
  { placed, people, barrier }: Composition,
  joints: JointsOfFaces,
): JudgedPicture {
  return withArena(() => {
    const small = reduce(people, factor);
    const size = { width: small.width, height: small.height };
    const pixels = size.width * size.height;
    const judged: JudgedPicture = {
      ...size,
      factor,
      unit: 0,
      faces: [],
      people: planeOf(new Float32Array(small.data), size),
      byClasses: new Float32Array(pixels),
      byNetwork: new Float32Array(pixels),
      hair: new Float32Array(pixels),
      inPhoto: new Float32Array(pixels),
      photo: {
        ...size,
        lightness: new Float32Array(pixels),
        a: new Float32Array(pixels),
        b: new Float32Array(pixels),
      },
      enlargement: Math.max(0, ...placed.map(({ placement }) => placement.scale)),
      barrierTops: new Float32Array(size.width).fill(size.height),
      hasOutlines: placed.every(({ people }) => people.hasOutlines),
      hasEverybody: placed.length === 1 && placed[0]!.people.others.length === 0,
      isOneOfGroup: placed.length === 1 && placed[0]!.people.others.length > 0,
      photoEnds: [],
      limbs: [],
      outline: [],
    };
    for (const one of placed) addPeople(judged, one, joints);
    judged.unit = medianHeight(judged.faces);
    if (barrier) {
      for (let x = 0; x < size.width; x++) judged.barrierTops[x] = barrier.tops[x * factor]! / factor;
    }
    judged.outline = findOutline(judged);
    return judged;
  });
}

/** Whether the picture shows this pixel of a photo. */
export function isSeen({ width, inPhoto, barrierTops }: JudgedPicture, i: number): boolean {
  return inPhoto[i] === 1 && Math.floor(i / width) <= barrierTops[i % width]! - 2;
}

function addPeople(judged: JudgedPicture, { people, placement }: PlacedPeople, joints: JointsOfFaces): void {
  const { faces, matte, classes, silhouette } = people;
  const onPicture = { scale: placement.scale / factor, x: placement.x / factor, y: placement.y / factor };
  judged.faces.push(...faces.map((face) => moveFace(face, onPicture)));
  judged.limbs.push(...faces.flatMap((face) => limbsOf(joints.get(face) ?? [], face, onPicture)));
  const end = Math.round(silhouette.height * onPicture.scale + onPicture.y);
  if (end < judged.height) judged.photoEnds.push(end);
  const onClasses = faces.map((face) => moveFace(face, { scale: 1 / classes.factor, x: 0, y: 0 }));
  const place = (plane: ReducedPlane) => placePlane(plane, onPicture, judged);
  const ofClasses = (data: Float32Array) => place({ ...planeOf(data, classes), factor: classes.factor });
  const background = ofClasses(backgroundOf(classes, onClasses));
  const worth = ofClasses(classes.worth);
  const network = place(matte.byNetwork);
  const hair = place(findHair(classes, faces));
  const colours = toLab(resamplePicture(people.photo, windowOf(onPicture, judged), judged));
  const left = Math.max(0, Math.ceil(onPicture.x));
  const right = Math.min(judged.width, Math.floor(silhouette.width * onPicture.scale + onPicture.x));
  const top = Math.max(0, Math.ceil(onPicture.y));
  const bottom = Math.min(judged.height, Math.floor(silhouette.height * onPicture.scale + onPicture.y));
  for (let y = top; y < bottom; y++) {
    for (let x = left, i = y * judged.width + left; x < right; x++, i++) {
      judged.inPhoto[i] = 1;
      const found = clamp(network[i]!, 0, 1);
      // Of two photos that overlap, that of whoever is seen there.
      if (found >= judged.byNetwork[i]!) {
        judged.photo.lightness[i] = colours.lightness[i]!;
        judged.photo.a[i] = colours.a[i]!;
        judged.photo.b[i] = colours.b[i]!;
      }
      const person = mix(found, clamp(1 - background[i]!, 0, 1), clamp(worth[i]!, 0, 1));
      judged.byClasses[i] = Math.max(judged.byClasses[i]!, person);
      judged.byNetwork[i] = Math.max(judged.byNetwork[i]!, found);
      judged.hair[i] = Math.max(judged.hair[i]!, clamp(hair[i]!, 0, 1));
    }
  }
}

/** A plane of a photo where the photo lies in the picture; beyond its borders they repeat. */
function placePlane(plane: ReducedPlane, { scale, x, y }: Placement, size: Size): Float32Array {
  return resample(plane, windowOf({ scale: scale * plane.factor, x, y }, size), size).data;
}

/** The part of a photo, or of a plane of it, that fills a picture in which it is placed like this. */
const windowOf = ({ scale, x, y }: Placement, { width, height }: Size): Window => ({
  x: -x / scale,
  y: -y / scale,
  width: width / scale,
  height: height / scale,
});

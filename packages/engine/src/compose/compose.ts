import type { Note } from '@guise/contract/notes.ts';
import type { Face } from '../faces/face.ts';
import { medianHeight } from '../faces/face-outline.ts';
import { cutOut } from '../matting/cutout.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { findBodyEnds } from '../matting/silhouette.ts';
import type { Canvas, Layer } from '../pixels/layer.ts';
import type { Picture } from '../pixels/picture.ts';
import { allocateZeroPlane, type Plane } from '../pixels/plane.ts';
import type { ReducedPlane } from '../pixels/reduce.ts';
import { withArena } from '../runtime/arena.ts';
import { beginStage } from '../runtime/stages.ts';
import { readForeground, type Scene } from '../scenes/scenes.ts';
import { reduceBacklightRims } from './backlight-rim.ts';
import { drawBarrier, readBarrier } from './barrier.ts';
import { drawForeground } from './foreground.ts';
import { type Harmony, harmonise, photoIlluminant } from './harmonise.ts';
import { addHaze } from './haze.ts';
import { wrapLight } from './light-wrap.ts';
import { leaveOut, placeCutout } from './place-cutout.ts';
import { type Arrangement, type PlacedPeople, placePeople } from './place-people.ts';
import {
  type ComposeOptions,
  canvasOf,
  finishPicture,
  type PreparedScene,
  prepareScene,
} from './prepared-scene.ts';
import { relight } from './relight.ts';
import { shadeFloor, shadePeopleBehind } from './shadow.ts';

export interface Composite {
  picture: Picture;
  /** The faces on the canvas, photo by photo, in the photos' order. */
  faces: Face[];
  /** How much of each pixel is people. */
  people: Plane;
  /** What was done so that these people fit into the scene. */
  applied: Note[];
  /** Whether people are shown from closer than the scene would, because the rest of them is doubtful. */
  closer?: boolean;
}

/** People in a scene as they were photographed, with where each cutout was placed. */
export interface SceneComposite extends Composite, Pick<Arrangement, 'placed' | 'barrier'> {
  closer: boolean;
}

/** Everybody's place in a scene, the scene, and what of it is before them. */
export interface SceneArrangement extends Arrangement {
  prepared: PreparedScene;
  foreground: Layer | null;
  closer: boolean;
}

/** People on the canvas, before anything is drawn in front of them. */
export interface DrawnPeople {
  canvas: Canvas;
  /** How much of each pixel is people. */
  people: Plane;
  /** Photo by photo, in the photos' order. */
  faces: Face[];
  /** How each cutout was brought into the scene's light, in the order of the arrangement. */
  harmonies: Harmony[];
}

/** Puts the people of one or several photos into a scene. */
export async function compose(
  photos: readonly PeoplePhoto[],
  scene: Scene,
  options: ComposeOptions,
): Promise<SceneComposite> {
  const { signal, progress } = options;
  const arrangement = await arrangeInScene(photos, scene, options);
  const { placed, barrier, applied, closer, prepared } = arrangement;
  return withArena(() => {
    const { canvas, people, faces } = drawEverybody(photos, arrangement, options);
    beginStage('finish');
    drawInFront(canvas, people, faces, arrangement);
    signal?.throwIfAborted();
    const picture = finishPicture(canvas, people, prepared, options);
    progress?.(1);
    return { picture, faces, people, applied, closer, placed, barrier };
  });
}

/** Reads a scene and finds everybody's place in it. */
export async function arrangeInScene(
  photos: readonly PeoplePhoto[],
  scene: Scene,
  options: ComposeOptions,
): Promise<SceneArrangement> {
  const { signal } = options;
  beginStage('plate');
  const [prepared, foreground] = await Promise.all([
    options.preparedScene ?? prepareScene(scene, options),
    readForeground(scene, options.ratio),
  ]);
  signal?.throwIfAborted();
  const place = (people: readonly PeoplePhoto[]) =>
    placePeople(people, scene, prepared.plate, {
      ...(options.keepFrame === undefined ? {} : { keepFrame: options.keepFrame }),
      barrier: () => readBarrier(scene, options.ratio),
    });
  const { placed, barrier, applied } = await place(photos);
  // Behind a barrier people are no closer than was meant.
  const isDoubtful = !barrier && photos.some(({ silhouette }) => silhouette.sureTo !== undefined);
  const closer = isDoubtful && isCloser(placed, (await place(photos.map(asIfSure))).placed);
  signal?.throwIfAborted();
  return { placed, barrier, applied, prepared, foreground, closer };
}

/** Draws everybody over the scene. To be called inside of `withArena`. */
export function drawEverybody(
  photos: readonly PeoplePhoto[],
  { placed, prepared }: Pick<SceneArrangement, 'placed' | 'prepared'>,
  { signal, progress, without }: Pick<ComposeOptions, 'signal' | 'progress' | 'without'>,
): DrawnPeople {
  const canvas = canvasOf(prepared);
  const people = allocateZeroPlane(canvas);
  const onCanvas = new Map<Face, Face>();
  const harmonies: Harmony[] = [];
  for (const [drawn, one] of placed.entries()) {
    signal?.throwIfAborted();
    const drawing = { canvas, people, hasPeople: drawn > 0, without, signal };
    const { faces, harmony } = drawPeople(one, prepared, drawing);
    for (const [i, face] of one.people.faces.entries()) onCanvas.set(face, faces[i]!);
    harmonies.push(harmony);
    progress?.((drawn + 1) / (placed.length + 1));
  }
  const faces = photos.flatMap((photo) => photo.faces.map((face) => onCanvas.get(face)!));
  return { canvas, people, faces, harmonies };
}

/** Draws what stands before people, in place. */
export function drawInFront(
  canvas: Canvas,
  people: Plane,
  faces: readonly Face[],
  { barrier, foreground, prepared }: Pick<SceneArrangement, 'barrier' | 'foreground' | 'prepared'>,
): void {
  if (barrier) drawBarrier(canvas, people, barrier, { gain: prepared.gain, faceHeight: medianHeight(faces) });
  if (foreground) drawForeground(canvas, foreground, faces);
}

const asIfSure = (photo: PeoplePhoto): PeoplePhoto => ({
  ...photo,
  silhouette: { ...photo.silhouette, sureTo: Infinity },
});

const isCloser = (placed: readonly PlacedPeople[], others: readonly PlacedPeople[]) =>
  placed.length !== others.length ||
  placed.some(({ placement: { scale, y } }, i) => {
    const other = others[i]!.placement;
    return scale !== other.scale || y !== other.y;
  });

interface Drawing {
  canvas: Canvas;
  /** How much of each canvas pixel is people so far. */
  people: Plane;
  hasPeople: boolean;
  without: ReducedPlane | undefined;
  signal: AbortSignal | undefined;
}

/** Cuts the people of one photo out, brings them into the scene's light and draws them. */
function drawPeople(
  { people: photo, placement, harmony: known }: PlacedPeople,
  { scene, plate, light, plateLight }: PreparedScene,
  { canvas, people, hasPeople, without, signal }: Drawing,
): { faces: Face[]; harmony: Harmony } {
  return withArena(() => {
    beginStage('cut out');
    const cutout = cutOut(photo, placement, plate);
    if (without) leaveOut(cutout, without);
    signal?.throwIfAborted();
    beginStage('light');
    const harmony = harmonise(cutout, plateLight, light, known ?? photoIlluminant(photo.photo));
    relight(cutout, plate, light);
    const feet = findBodyEnds(photo.matte, photo.faces).filter(({ standing }) => standing);
    shadeFloor(
      canvas,
      cutout,
      feet.map(({ row }) => row * placement.scale + placement.y).filter((row) => row < canvas.height),
    );
    if (hasPeople) shadePeopleBehind(canvas, people, cutout);
    wrapLight(cutout, canvas);
    reduceBacklightRims(cutout, canvas);
    if (scene.haze) addHaze(cutout, scene.haze);
    placeCutout(canvas, people, cutout);
    return { faces: cutout.faces, harmony };
  });
}

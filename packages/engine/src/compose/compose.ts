import type { Face } from '../faces/face.ts';
import { cutOut } from '../matting/cutout.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import type { Canvas } from '../pixels/layer.ts';
import type { Picture } from '../pixels/picture.ts';
import { allocateZeroPlane, type Placement, type Plane } from '../pixels/plane.ts';
import { withArena } from '../runtime/arena.ts';
import { beginStage } from '../runtime/stages.ts';
import { readForeground, type Scene } from '../scenes/scenes.ts';
import { reduceBacklightRims } from './backlight-rim.ts';
import { drawForeground } from './foreground.ts';
import { harmonise, photoIlluminant } from './harmonise.ts';
import { addHaze } from './haze.ts';
import { wrapLight } from './light-wrap.ts';
import { placeCutout } from './place-cutout.ts';
import { drawingOrder, placePeople } from './place-people.ts';
import {
  type ComposeOptions,
  canvasOf,
  finishPicture,
  type PreparedScene,
  prepareScene,
} from './prepared-scene.ts';
import { relight } from './relight.ts';
import { shadePeopleBehind } from './shadow.ts';

export interface Composite {
  picture: Picture;
  /** The faces on the canvas, photo by photo, in the photos' order. */
  faces: Face[];
  /** How much of each pixel is people. */
  people: Plane;
  /** Whether people are shown from closer than the scene would, because the rest of them is doubtful. */
  closer?: boolean;
}

/** Puts the people of one or several photos into a scene. */
export async function compose(
  photos: readonly PeoplePhoto[],
  scene: Scene,
  options: ComposeOptions,
): Promise<Composite> {
  const { signal, progress } = options;
  beginStage('plate');
  const [prepared, foreground] = await Promise.all([
    options.preparedScene ?? prepareScene(scene, options),
    readForeground(scene, options.ratio),
  ]);
  signal?.throwIfAborted();
  const placements = placePeople(photos, scene, prepared.plate, options);
  const closer = isCloser(placements, placePeople(photos.map(asIfSure), scene, prepared.plate, options));
  return withArena(() => {
    const canvas = canvasOf(prepared);
    const people = allocateZeroPlane(canvas);
    const facesByPhoto: Face[][] = photos.map(() => []);
    for (const [drawn, index] of drawingOrder(photos.length).entries()) {
      signal?.throwIfAborted();
      facesByPhoto[index] = drawPeople(photos[index]!, placements[index]!, prepared, {
        canvas,
        people,
        hasPeople: drawn > 0,
        signal,
      });
      progress?.((drawn + 1) / (photos.length + 1));
    }
    const faces = facesByPhoto.flat();
    beginStage('finish');
    if (foreground) drawForeground(canvas, foreground, faces);
    signal?.throwIfAborted();
    const picture = finishPicture(canvas, people, prepared, options);
    progress?.(1);
    return { picture, faces, people, closer };
  });
}

const asIfSure = (photo: PeoplePhoto): PeoplePhoto => ({
  ...photo,
  silhouette: { ...photo.silhouette, sureTo: Infinity },
});

const isCloser = (placements: readonly Placement[], others: readonly Placement[]) =>
  placements.some(({ scale, y }, i) => scale !== others[i]!.scale || y !== others[i]!.y);

interface Drawing {
  canvas: Canvas;
  /** How much of each canvas pixel is people so far. */
  people: Plane;
  hasPeople: boolean;
  signal: AbortSignal | undefined;
}

/** Cuts the people of one photo out, brings them into the scene's light and draws them. Returns their faces. */
function drawPeople(
  photo: PeoplePhoto,
  placement: Placement,
  { scene, plate, light, plateLight }: PreparedScene,
  { canvas, people, hasPeople, signal }: Drawing,
): Face[] {
  return withArena(() => {
    beginStage('cut out');
    const cutout = cutOut(photo, placement, plate);
    signal?.throwIfAborted();
    beginStage('light');
    harmonise(cutout, plateLight, light, photoIlluminant(photo.photo));
    relight(cutout, plate, light);
    if (hasPeople) shadePeopleBehind(canvas, people, cutout);
    wrapLight(cutout, canvas);
    reduceBacklightRims(cutout, canvas);
    if (scene.haze) addHaze(cutout, scene.haze);
    placeCutout(canvas, people, cutout);
    return cutout.faces;
  });
}

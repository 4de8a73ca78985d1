import type { Face } from '../faces/face.ts';
import { distanceToFace } from '../faces/face-outline.ts';
import { type Cutout, cutOut } from '../matting/cutout.ts';
import type { PeoplePhoto } from '../matting/people.ts';
import { linearOfByte } from '../pixels/colour.ts';
import type { Layer } from '../pixels/layer.ts';
import type { Picture, Planes } from '../pixels/picture.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import { smoothstep } from '../pixels/scalar.ts';
import { allocateZeros, withArena } from '../runtime/arena.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { beginStage } from '../runtime/stages.ts';
import { readForeground, type Scene } from '../scenes/scenes.ts';
import { calmRims } from './backlight-rim.ts';
import { coverCanvas, framePeople, type Slot } from './framing.ts';
import { frameTogether } from './framing-together.ts';
import { harmonise, photoIlluminant } from './harmonise.ts';
import { wrapLight } from './light-wrap.ts';
import { layCutout } from './place-cutout.ts';
import { relight } from './relight.ts';
import { type ComposeOptions, canvasOf, finishScenery, openScenery, type Scenery } from './scenery.ts';
import { shadeBehind } from './shadow.ts';

export interface Composed {
  picture: Picture;
  /** The faces on the canvas, photo by photo, in the photos' order. */
  faces: Face[];
  /** How much of each pixel is people. */
  people: Float32Array;
}

/** Puts the people of one or several photos into a scene. */
export async function compose(
  photos: readonly PeoplePhoto[],
  scene: Scene,
  options: ComposeOptions,
): Promise<Composed> {
  beginStage('plate');
  const [scenery, front] = await Promise.all([
    options.scenery ?? openScenery(scene, options),
    readForeground(scene, options.ratio),
  ]);
  options.signal?.throwIfAborted();
  const placements = placePeople(photos, scene, scenery.backdrop, options);
  return withArena(() => paint(photos, placements, scene, scenery, front, options));
}

function paint(
  photos: readonly PeoplePhoto[],
  placements: readonly Placement[],
  scene: Scene,
  scenery: Scenery,
  front: Layer | null,
  options: ComposeOptions,
): Composed {
  const { signal, progress } = options;
  const { backdrop, light } = scenery;
  const { width, height } = backdrop;
  const canvas = canvasOf(scenery);
  const people = allocateZeros(width * height);
  const faces: Face[][] = photos.map(() => []);
  for (const [done, index] of drawingOrder(photos.length).entries()) {
    signal?.throwIfAborted();
    const { photo, matte, faces: found } = photos[index]!;
    withArena(() => {
      beginStage('cut out');
      const cutout = cutOut({ photo, matte, faces: found }, placements[index]!, backdrop);
      signal?.throwIfAborted();
      beginStage('light');
      harmonise(cutout, scenery.plateLight, light, photoIlluminant(photo));
      relight(cutout, backdrop, light);
      if (photos.length > 1) shadeBehind(canvas, width, height, people, cutout);
      wrapLight(cutout, canvas, width, height);
      calmRims(cutout, canvas, width);
      if (scene.haze) veil(cutout, scene.haze.color, scene.haze.amount);
      layCutout(canvas, people, width, cutout);
      faces[index] = cutout.faces;
    });
    progress?.((done + 1) / (photos.length + 1));
  }
  beginStage('finish');
  if (front) layForeground(canvas, front, faces.flat());
  signal?.throwIfAborted();
  const picture = finishScenery(canvas, scenery, scene, people, options);
  progress?.(1);
  return { picture, faces: faces.flat(), people };
}

function placePeople(
  photos: readonly PeoplePhoto[],
  scene: Scene,
  canvas: Size,
  options: ComposeOptions,
): Placement[] {
  const count = photos.reduce((sum, photo) => sum + photo.faces.length, 0);
  if (photos.length === 1) {
    const [{ silhouette, faces }] = photos as [PeoplePhoto];
    if (options.keepFrame) return [coverCanvas(silhouette, faces, canvas)];
    return [framePeople(silhouette, faces, canvas, slotFor(scene, count))];
  }
  if (count > 8) throw cannotMake('There are too many people in the photos. Send at most five.');
  return frameTogether(photos, canvas, slotFor(scene, count));
}

const usualSlots: Record<'one' | 'few' | 'many', Slot> = {
  one: { face: 0.165, top: 0.13, lowest: 0.34 },
  few: { face: 0.135, top: 0.18, lowest: 0.44 },
  many: { face: 0.115, top: 0.2, lowest: 0.46 },
};

function slotFor(scene: Scene, people: number): Slot {
  const size = people === 1 ? 'one' : people <= 3 ? 'few' : 'many';
  return { ...usualSlots[size], ...scene.slots?.[size] };
}

/** The outer photos first, so that the middle ones stand in front. */
function drawingOrder(count: number): number[] {
  const middle = (count - 1) / 2;
  return Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => Math.abs(b - middle) - Math.abs(a - middle),
  );
}

/** Haze between the lens and people; thinner over faces, where all of it cost 0.04 to 0.08 of likeness (SFace). */
function veil(cutout: Cutout, colour: readonly number[], amount: number): void {
  const { width, height, faces } = cutout;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (cutout.alpha[i]! <= 0) continue;
      const near = distanceToFace(faces, x + cutout.x, y + cutout.y);
      const share = amount * (1 - 0.65 * smoothstep(1.3, 0.5, near));
      for (let c = 0; c < 3; c++) {
        const plane = cutout.colour[c]!;
        plane[i] = plane[i]! + (colour[c]! - plane[i]!) * share;
      }
    }
  }
}

/** What is in front of people, but hardly over their faces: a bubble there hides who somebody is. */
function layForeground(canvas: Planes, front: Layer, faces: readonly Face[]): void {
  const { width, height } = front;
  const { samples } = front;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const a = samples[4 * i + 3]!;
      if (a === 0) continue;
      const share = (a / 255) * (1 - 0.95 * smoothstep(1.1, 0.8, distanceToFace(faces, x, y)));
      for (let c = 0; c < 3; c++) {
        const plane = canvas[c]!;
        plane[i] = plane[i]! + (linearOfByte[samples[4 * i + c]!]! - plane[i]!) * share;
      }
    }
  }
}

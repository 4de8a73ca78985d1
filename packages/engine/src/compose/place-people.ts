import type { PeoplePhoto } from '../matting/people.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import { cannotMake } from '../runtime/render-error.ts';
import type { Scene } from '../scenes/scenes.ts';
import { coverCanvas, framePeople, type Slot } from './framing.ts';
import { frameTogether } from './framing-together.ts';

/** Where the people of each photo go on the canvas, and how large they become. */
export function placePeople(
  photos: readonly PeoplePhoto[],
  scene: Scene,
  canvas: Size,
  { keepFrame = false }: { keepFrame?: boolean },
): Placement[] {
  const count = photos.reduce((sum, photo) => sum + photo.faces.length, 0);
  const slot = slotFor(scene, count);
  if (photos.length === 1) {
    const [{ silhouette, faces }] = photos as [PeoplePhoto];
    if (keepFrame) return [coverCanvas(silhouette, faces, canvas)];
    return [framePeople(silhouette, faces, canvas, slot)];
  }
  if (count > 8) throw cannotMake('There are too many people in the photos. Send at most five.');
  return frameTogether(photos, canvas, slot);
}

/** The photos in the order they are drawn: the outer ones first, so that the middle ones stand in front. */
export function drawingOrder(count: number): number[] {
  const middle = (count - 1) / 2;
  return Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => Math.abs(b - middle) - Math.abs(a - middle),
  );
}

const defaultSlots: Record<'one' | 'few' | 'many', Slot> = {
  one: { face: 0.165, top: 0.13, lowest: 0.34 },
  few: { face: 0.135, top: 0.18, lowest: 0.44 },
  many: { face: 0.115, top: 0.2, lowest: 0.46 },
};

function slotFor(scene: Scene, people: number): Slot {
  const size = people === 1 ? 'one' : people <= 3 ? 'few' : 'many';
  return { ...defaultSlots[size], ...scene.slots?.[size] };
}

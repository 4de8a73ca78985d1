import type { Face } from '../faces/face.ts';
import { layerAlpha } from '../pixels/layer.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import { type ReducedPlane, reduce } from '../pixels/reduce.ts';
import type { Window } from '../pixels/resample.ts';
import type { CutHead } from './costume-head.ts';
import type { CostumeLayers } from './costume-layers.ts';

/** A head as a picture shows it in a costume, and what the guest's photo has around it, a quarter of the canvas's size. */
export interface ShownHead {
  /** The part of the canvas. */
  area: Window;
  /** On the canvas. */
  face: Face;
  /** How much of each pixel is the head, where nothing is drawn over it. */
  shown: ReducedPlane;
  /** How much of each pixel the costume covers. */
  before: ReducedPlane;
  /** How much of each pixel is the guest in the photo, and what of them. */
  guest: ReducedPlane;
  classes: Record<'hair' | 'bodySkin' | 'inPhoto', ReducedPlane>;
}

const factor = 4;

export function showHead(head: CutHead, { liner, front }: CostumeLayers): ShownHead {
  const { x, y, width, height, photo } = head;
  const area = { x, y, width, height };
  const before = layerAlpha(front, area);
  if (liner) {
    const lining = layerAlpha(liner, area).data;
    for (let i = 0; i < lining.length; i++) before.data[i] = Math.max(before.data[i]!, lining[i]!);
  }
  const shown = head.alpha.map((alpha, i) => alpha * (1 - before.data[i]!));
  const small = (plane: Plane) => reduce(plane, factor);
  return {
    area,
    face: head.faces[0]!,
    shown: small(planeOf(shown, area)),
    before: small(before),
    guest: small(photo.guest),
    classes: {
      hair: small(photo.classes.hair),
      bodySkin: small(photo.classes.bodySkin),
      inPhoto: small(photo.classes.inPhoto),
    },
  };
}

/** Covers a head by somebody who stands in front of it, in place. */
export function hideBehind(
  { area, shown, before }: ShownHead,
  { x, y, width, height, alpha }: Window & { alpha: Float32Array },
): void {
  for (let i = 0; i < shown.data.length; i++) {
    const column = area.x + factor * (i % shown.width) + factor / 2 - x;
    const row = area.y + factor * Math.floor(i / shown.width) + factor / 2 - y;
    if (column < 0 || row < 0 || column >= width || row >= height) continue;
    const cover = alpha[Math.floor(row) * width + Math.floor(column)]!;
    shown.data[i]! *= 1 - cover;
    before.data[i] = Math.max(before.data[i]!, cover);
  }
}

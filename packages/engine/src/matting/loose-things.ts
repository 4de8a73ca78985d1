import type { Face } from '../faces/face.ts';
import { distanceToFace } from '../faces/face-outline.ts';
import { planeOf } from '../pixels/plane.ts';
import { findRegions } from '../pixels/regions.ts';
import type { BodyClasses } from './body-classes.ts';

/** Shares of a thing's outline that touch a hand, and hair or clothes, from which on somebody holds or wears it. */
const leastHeld = 0.04;
const leastWorn = 0.12;

/** How far from the middle of a face things are worn whatever they touch, in face heights: hats, bows, glasses. */
const wornOnHead = 1.3;

/** A thing's border is as wide as the network is uncertain: what it touches begins this many pixels off. */
const border = 2;

/**
 * The share of the background, with the things that nobody holds or wears: a phone in a hand and a bag on a shoulder
 * belong to people, a cup on a table does not.
 */
export function backgroundOf({ width, height, shares }: BodyClasses, faces: readonly Face[]): Float32Array {
  const { background, hair, bodySkin, faceSkin, clothes, things } = shares;
  const mask = things.map((share, i) =>
    share > 0.4 && share > clothes[i]! && share > bodySkin[i]! + faceSkin[i]! ? 1 : 0,
  );
  const { labels, areas } = findRegions(planeOf(mask, { width, height }), 0.5, 'above');
  if (areas.length === 1) return background;
  const outline = new Float32Array(areas.length);
  const held = new Float32Array(areas.length);
  const worn = new Float32Array(areas.length);
  const touch = (label: number, beside: number) => {
    if (labels[beside] === label) return;
    outline[label]!++;
    if (bodySkin[beside]! + faceSkin[beside]! > 0.35) held[label]!++;
    else if (hair[beside]! + clothes[beside]! > 0.35) worn[label]!++;
  };
  const onHead = new Set<number>();
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const label = labels[i]!;
      if (label === 0) continue;
      if (distanceToFace(faces, x, y) < wornOnHead) onHead.add(label);
      if (x >= border) touch(label, i - border);
      if (x < width - border) touch(label, i + border);
      if (y >= border) touch(label, i - border * width);
      if (y < height - border) touch(label, i + border * width);
    }
  }
  const isLoose = areas.map(
    (_, label) =>
      label > 0 &&
      !onHead.has(label) &&
      held[label]! < leastHeld * outline[label]! &&
      held[label]! + worn[label]! < leastWorn * outline[label]!,
  );
  return background.map((share, i) => (isLoose[labels[i]!] ? share + things[i]! : share));
}

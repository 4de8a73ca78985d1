import { planeOf } from '../pixels/plane.ts';
import { findRegions } from '../pixels/regions.ts';
import type { BodyClasses } from './body-classes.ts';

/** Shares of a thing's outline that touch a hand, and hair or clothes, from which on somebody holds or wears it. */
const leastHeld = 0.04;
const leastWorn = 0.2;

/** Regions of fewer pixels are the network's uncertainty, not things. */
const leastPixels = 12;

/**
 * The share of the background, with the things that nobody holds or wears: a phone in a hand and a bag on a shoulder
 * belong to people, a cup on a table does not.
 */
export function backgroundOf({ width, height, shares }: BodyClasses): Float32Array {
  const { background, hair, bodySkin, faceSkin, clothes, things } = shares;
  const mask = things.map((share, i) =>
    share > 0.4 && share > clothes[i]! && share > bodySkin[i]! + faceSkin[i]! ? 1 : 0,
  );
  const { labels, areas } = findRegions(planeOf(mask, { width, height }), 0.5, 'above');
  if (areas.length === 1) return background;
  const outline = new Float32Array(areas.length);
  const held = new Float32Array(areas.length);
  const worn = new Float32Array(areas.length);
  const look = (label: number, beside: number) => {
    if (labels[beside] === label) return;
    outline[label]!++;
    if (bodySkin[beside]! + faceSkin[beside]! > 0.35) held[label]!++;
    else if (hair[beside]! + clothes[beside]! > 0.4) worn[label]!++;
  };
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    if (label === 0) continue;
    const x = i % width;
    if (x > 0) look(label, i - 1);
    if (x < width - 1) look(label, i + 1);
    if (i >= width) look(label, i - width);
    if (i + width < labels.length) look(label, i + width);
  }
  const isLoose = areas.map(
    (area, label) =>
      label > 0 &&
      area >= leastPixels &&
      held[label]! < leastHeld * outline[label]! &&
      held[label]! + worn[label]! < leastWorn * outline[label]!,
  );
  return background.map((share, i) => (isLoose[labels[i]!] ? share + things[i]! : share));
}

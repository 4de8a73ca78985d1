import { drawingOrder } from '../compose/framing-together.ts';
import type { Placement, Size } from '../pixels/plane.ts';
import { clamp } from '../pixels/scalar.ts';
import type { Costume } from './costumes.ts';

/** With more people, faces become too small for a picture in costumes. */
export const mostInCostumes = 7;

/** Where a costume goes on the canvas. */
export interface CostumePlacement extends Placement {
  /** How much longer its lower part is than drawn, so that it reaches the canvas' lower border. */
  stretch: number;
}

export interface CostumeGroup {
  placements: CostumePlacement[];
  /** The people from back to front. */
  order: number[];
  rows: 1 | 2;
}

/** Somebody who wears one of the costumes of a group. */
export interface CostumedGuest {
  costume: Costume;
  isChild: boolean;
}

/** The height of a face as a share of the canvas' height, on a canvas that is wide enough. */
const faceShare = 0.12;

/** The lowest row of the chins, as a share of the canvas' height, as far as costumes and the canvas' width allow. */
const lowestChin = 0.56;

/** From an outer face's middle to the canvas' side, in face heights: a shoulder may lie outside of the picture. */
const leastMargin = 1.15;
const mostMargin = 1.75;

/** The distance of neighbours in face heights. In two rows every second one is seen between the two in front. */
const spacing = { 1: { least: 1.95, most: 2.35 }, 2: { least: 1.2, most: 1.45 } } as const;

/** With faces smaller than this share of what is wanted, people stand in two rows. */
const leastFit = 0.8;

/** How much higher the chins of the back row are, in face heights, and how much smaller it is. */
const backRow = { raised: 0.85, scale: 0.95 };

/** A child's face beside an adult's, and how much lower it is in face heights. */
const child = { scale: 0.92, lowered: 0.2 };

/** Where a costume may be stretched, in face heights below the chin: nothing of note is drawn there. */
export const stretchedFrom = 1.4;
const mostStretch = 1.6;

/**
 * Places people in costumes side by side, in their order: faces of one height, neighbours overlapping, every costume
 * that is seen down to the lower border reaching it. A group that would become too small in one row stands in two.
 */
export function arrangeCostumes(guests: readonly CostumedGuest[], canvas: Size): CostumeGroup {
  const { width, height } = canvas;
  const count = guests.length;
  const shortest = Math.min(...guests.map(({ costume }) => lengthOf(costume)));
  const wide = width > height ? 1.55 : width === height ? 1.25 : 1;
  const wanted = Math.max(faceShare * wide * height, ((1 - lowestChin) * height) / shortest);
  const fitIn = (rows: 1 | 2) => width / ((count - 1) * spacing[rows].least + 2 * leastMargin);
  const rows = count > 2 && fitIn(1) < leastFit * wanted ? 2 : 1;
  const unit = Math.min(wanted, fitIn(rows));
  const { least, most } = spacing[rows];
  const apart = unit * clamp((width / unit - 2 * mostMargin) / (count - 1), least, most);
  const inBack = (i: number) => rows === 2 && i % 2 === 1;
  const raised = (i: number) => (rows === 2 ? (inBack(i) ? backRow.raised : 0) : i % 2 === 1 ? 0.1 : 0);
  // Who stands in the back between two others is hidden from their shoulders down; at the end of a row nobody is.
  const highest = rows === 2 && count % 2 === 1 ? 0 : raised(1);
  const chin = chinRow({ shortest, unit, raised: raised(1), highest }, canvas);
  const placements = guests.map(({ costume, isChild }, i) => {
    const size = (isChild ? child.scale : 1) * (inBack(i) ? backRow.scale : 1);
    const scale = (unit * size) / costume.head.faceHeight;
    const chinX = width / 2 + (i - (count - 1) / 2) * apart;
    const chinY = chin - (raised(i) - (isChild ? child.lowered : 0)) * unit;
    const shown = (height + 2 - chinY) / (unit * size);
    const stretch = clamp((shown - stretchedFrom) / (lengthOf(costume) - stretchedFrom), 1, mostStretch);
    const [x, y] = costume.head.chin;
    return { scale, x: chinX - x * scale, y: chinY - y * scale, stretch };
  });
  return { placements, rows, order: drawingOrder(count, inBack) };
}

interface Rows {
  /** The shortest costume, in face heights below the chin. */
  shortest: number;
  unit: number;
  /** How far faces of the back row are above those of the front row, and the highest that reach the lower border. */
  raised: number;
  highest: number;
}

/** The row of the front row's chins: hair keeps a sixth of the canvas above it where the costumes are long enough. */
function chinRow({ shortest, unit, raised, highest }: Rows, { height }: Size): number {
  const wanted = 0.16 * height + (1.5 + raised) * unit;
  const lowest = lowestChin * height + highest * unit;
  // A back row is a little smaller than the unit, and a child is too.
  const reach = (stretch: number) =>
    height + (highest - (stretchedFrom + (shortest - stretchedFrom) * stretch) * 0.92) * unit;
  return Math.max(wanted, Math.min(reach(1), Math.max(lowest, reach(mostStretch))));
}

/** How far a costume reaches below the chin, in face heights. */
function lengthOf({ canvas, head }: Costume): number {
  return (canvas.height - head.chin[1]) / head.faceHeight;
}

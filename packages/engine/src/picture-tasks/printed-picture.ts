import { ratioOf, type Size } from '@guise/contract/families/canvas.ts';
import sharp from 'sharp';
import { once } from '../runtime/once.ts';
import { clearParts } from './clear-parts.ts';
import { coverageWithBoxes, hiddenShare, type OverlayCoverage, overlaps, readCoverage } from './coverage.ts';
import { cropAroundHeads, headsBox, pixelsOfBox, whole } from './crop-around-heads.ts';
import { type LocatedPeople, locatePeople, type ShareBox } from './locate-people.ts';
import type { PixelBox } from './print-layout.ts';

/** A picture that is printed, with what the event has laid and written over it. */
export interface PictureToPrint {
  file: string;
  overlay: string | null;
  /** Where texts are written over it. */
  written: readonly ShareBox[];
}

/** What is known of it, read when it is first needed. */
export interface PrintedPicture extends PictureToPrint {
  size(): Promise<Size>;
  people(): Promise<LocatedPeople>;
  /** What is laid or written over it; null for nothing. */
  coverage(): Promise<OverlayCoverage | null>;
}

export function printedPicture(picture: PictureToPrint): PrintedPicture {
  const { file, overlay, written } = picture;
  return {
    ...picture,
    size: once(async () => {
      const { width, height } = await sharp(file).metadata();
      return { width, height };
    }),
    people: once(() => locatePeople(file)),
    coverage: once(async () => {
      const laid = overlay === null ? null : await readCoverage(overlay);
      return written.length === 0 ? laid : coverageWithBoxes(laid, written);
    }),
  };
}

/** The part of a picture that a panel of this shape shows; null where all of it is shown, with paper beside it. */
export async function cropForPanel(picture: PrintedPicture, cropShape: number): Promise<ShareBox | null> {
  const { width, height } = await picture.size();
  const shape = width / height;
  // A picture of the panel's own shape is shown as it is, overlay included.
  if (Math.abs(Math.log(shape / cropShape)) < 0.03) return whole;
  const { picture: searched, people } = await picture.people();
  // Of a painted picture no face may be found: then the part is kept in which faces usually are.
  const keep = people.length > 0 ? headsBox(people, searched) : clearParts[ratioOf(width, height)];
  return cropAroundHeads({ shape, cropShape, keep, overlay: await picture.coverage() });
}

/** A picture as it is pasted into a panel: cropped where all heads stay whole and an overlay stays out, or whole. */
export async function fitPicture(
  picture: PrintedPicture,
  panel: PixelBox,
): Promise<{ data: Buffer; width: number; height: number }> {
  const crop = await cropForPanel(picture, panel.width / panel.height);
  const source = sharp(picture.file).removeAlpha();
  if (crop) source.extract(pixelsOfBox(crop, await picture.size()));
  const { data, info } = await source
    .resize({ width: panel.width, height: panel.height, fit: crop ? 'cover' : 'inside' })
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** A code is moved by this share of its side at a time, up to these shares of the picture. */
const step = 0.25;
const farthest = { up: 0.5, inwards: 0.15 };

/**
 * Moves a code that lies on a picture up and inwards from its corner, or from the other one, until it hides no head and
 * nothing that is laid or written over the picture: to the nearest such place, if there is one.
 */
export async function placeCode(code: PixelBox, panel: PixelBox, picture: PrintedPicture): Promise<PixelBox> {
  const shown = await shownIn(picture, panel);
  const coverage = await picture.coverage();
  const { people, picture: searched } = await picture.people();
  const heads = people.map((face) => headsBox([face], searched));
  const by = step * code.height;
  const movesTo = (most: number) => Array.from({ length: Math.floor(most / by) + 1 }, (_, i) => i * by);
  const moves = movesTo(farthest.up * panel.height)
    .flatMap((up) => movesTo(farthest.inwards * panel.width).map((inwards) => ({ up, inwards })))
    .toSorted((a, b) => Math.hypot(a.up, a.inwards) - Math.hypot(b.up, b.inwards));
  const left = 2 * panel.x + panel.width - code.x - code.width;
  const places = [
    ...moves.map(({ up, inwards }) => ({ ...code, x: code.x - inwards, y: code.y - up })),
    ...moves.map(({ up, inwards }) => ({ ...code, x: left + inwards, y: code.y - up })),
  ];
  const isFree = (place: PixelBox) => {
    const box = shareOf(place, shown);
    return (
      !heads.some((head) => overlaps(head, box)) &&
      (coverage === null || hiddenShare(coverage, box, 'rectangle') === 0)
    );
  };
  return places.find(isFree) ?? code;
}

/** Where a whole picture would lie on the paper whose shown part is in the panel. */
async function shownIn(picture: PrintedPicture, panel: PixelBox): Promise<PixelBox> {
  const crop = await cropForPanel(picture, panel.width / panel.height);
  if (crop) {
    const [width, height] = [panel.width / crop.width, panel.height / crop.height];
    return { x: panel.x - crop.x * width, y: panel.y - crop.y * height, width, height };
  }
  const size = await picture.size();
  const scale = Math.min(panel.width / size.width, panel.height / size.height);
  const [width, height] = [scale * size.width, scale * size.height];
  return { x: panel.x + (panel.width - width) / 2, y: panel.y + (panel.height - height) / 2, width, height };
}

const shareOf = (box: PixelBox, of: PixelBox): ShareBox => ({
  x: (box.x - of.x) / of.width,
  y: (box.y - of.y) / of.height,
  width: box.width / of.width,
  height: box.height / of.height,
});

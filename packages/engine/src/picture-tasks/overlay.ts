import type { Ratio } from '@guise/contract/common.ts';
import type { OverlayText } from '@guise/contract/events/print-template.ts';
import { canvasSizes, ratioOf, type Size } from '@guise/contract/families/canvas.ts';
import sharp, { type Sharp } from 'sharp';
import { provenance } from '../runtime/provenance.ts';
import { cannotMake } from '../runtime/render-error.ts';
import { clearParts } from './clear-parts.ts';
import { hiddenShare, overlaps, readCoverage } from './coverage.ts';
import { cropAroundHeads, headsBox, pixelsOfBox, whole } from './crop-around-heads.ts';
import { faceBoxOf, locatePeople, type ShareBox } from './locate-people.ts';
import { drawInBox, filledText, type TextContent } from './placed-text.ts';
import type { PixelBox } from './print-layout.ts';

/** How far the shape of an overlay or a result may be from that of its canvas. */
const mostStretch = 0.01;
/** What of the clear part, or of a face, an overlay may hide: the edge of a frame that somebody leans into. */
const mostHidden = { clearPart: 0.01, face: 0.03 };

export interface OverlayToPrepare {
  file: string;
  ratio: Ratio;
  /** Where the overlay is written at the size of its canvas. */
  output: string;
}

/** Refuses what cannot be laid over pictures, in words for whoever drew it. */
export async function prepareOverlay({ file, ratio, output }: OverlayToPrepare): Promise<null> {
  const { format, width, height, hasAlpha } = await sharp(file).metadata();
  const canvas = canvasSizes[ratio];
  const wanted = `${canvas.width} × ${canvas.height} pixels`;
  if (format !== 'png') throw cannotMake('The overlay must be a PNG file.');
  if (Math.abs(Math.log((width / height) * (canvas.height / canvas.width))) > mostStretch) {
    throw cannotMake(
      `The overlay has ${width} × ${height} pixels, which is not the shape of ${ratio} pictures: send ${wanted}.`,
    );
  }
  if (width < canvas.width / 2) {
    throw cannotMake(`The overlay has ${width} × ${height} pixels, which is too few: send ${wanted}.`);
  }
  const coverage = hasAlpha ? await readCoverage(file) : null;
  if (!coverage?.alpha.some((alpha) => alpha < 255)) {
    throw cannotMake('The overlay has no transparent part: everything would be hidden behind it.');
  }
  if (coverage.alpha.every((alpha) => alpha === 0))
    throw cannotMake('The overlay is transparent everywhere: there is nothing to see of it.');
  if (hiddenShare(coverage, clearParts[ratio], 'rectangle') > mostHidden.clearPart)
    throw cannotMake(clearPartSentence(clearParts[ratio]));
  await sharp(file)
    .resize({ ...canvas, fit: 'fill' })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toFile(output);
  return null;
}

function clearPartSentence({ x, y, width, height }: ShareBox): string {
  const percent = (share: number) => `${Math.round(share * 100)}%`;
  return (
    'The overlay covers the part of the picture where faces are. Keep it clear ' +
    `from ${percent(x)} to ${percent(x + width)} of the width, counted from the left, ` +
    `and from ${percent(y)} to ${percent(y + height)} of the height, counted from the top.`
  );
}

export interface OverlayToLay {
  /** A result. */
  file: string;
  /** Overlays of an event, as `prepareOverlay` wrote them. */
  overlays: Partial<Record<Ratio, string>>;
  /** Shapes that guests are offered. A result of another one has the shape of its photo, and may be cropped to these. */
  offered: readonly Ratio[];
  /** Written over it, also where there is no overlay. */
  written?: WrittenTexts | null;
  /** Where the result with its overlay is written. */
  output: string;
}

/** Texts that an event writes over its pictures, and what stands in their places. */
export interface WrittenTexts {
  texts: readonly OverlayText[];
  content: TextContent;
}

/** Which overlay was laid over a result, or why none was. */
export interface OverlayResult {
  ratio: Ratio;
  refused?: 'covers a face' | 'none of this shape';
  /** Whether the result had another shape than the canvas. */
  cropped?: boolean;
  /** Whether there is no overlay of this shape, and texts were written all the same. */
  hasTextAlone?: boolean;
}

/**
 * Lays an overlay over a result, unless it would hide a face. A result in the shape of a camera's photo is cropped
 * around the heads to that of the overlay.
 */
export async function layOverlay(wanted: OverlayToLay): Promise<OverlayResult> {
  const { file, overlays, written, output } = wanted;
  const { width, height } = await sharp(file).metadata();
  const size = { width, height };
  const own = ratioOf(width, height);
  const ratios = ratiosToTry(size, wanted);
  if (ratios.length === 0 && !written) return { ratio: own, refused: 'none of this shape' };
  const { people, picture } = await locatePeople(file);
  const heads = people.map((face) => faceBoxOf(face, picture));
  for (const ratio of ratios) {
    const canvas = canvasSizes[ratio];
    const keep = people.length > 0 ? headsBox(people, picture) : clearParts[ratio];
    const crop = cropToCanvas(size, canvas, keep);
    if (!crop) continue;
    const overlay = overlays[ratio]!;
    const coverage = await readCoverage(overlay);
    const shown = heads.map((head) => shownHeadOf(head, crop));
    if (shown.some((head) => hiddenShare(coverage, head, 'ellipse') > mostHidden.face))
      return { ratio, refused: 'covers a face' };
    const cut = sharp(file)
      .removeAlpha()
      .extract(pixelsOfBox(crop, size))
      .resize({ ...canvas, fit: 'fill' });
    const drawn = written ? drawTexts(written, canvas, shown) : null;
    await encodeWith(cut, [overlay, ...(drawn ? [drawn] : [])], output);
    return { ratio, ...(crop !== whole && { cropped: true }) };
  }
  const drawn = written ? drawTexts(written, size, heads) : null;
  if (!drawn) return { ratio: own, refused: 'none of this shape' };
  await encodeWith(sharp(file).removeAlpha(), [drawn], output);
  return { ratio: own, hasTextAlone: true };
}

export interface TextsToWrite {
  file: string;
  ratio: Ratio;
  written: WrittenTexts;
  output: string;
}

/** Crops a photo to a canvas and writes texts over it, to see what they come to on a picture. */
export async function writeTexts({ file, ratio, written, output }: TextsToWrite): Promise<null> {
  const { width, height } = await sharp(file).metadata();
  const { people, picture } = await locatePeople(file);
  const keep = people.length > 0 ? headsBox(people, picture) : clearParts[ratio];
  const canvas = canvasSizes[ratio];
  const crop = cropToCanvas({ width, height }, canvas, keep) ?? whole;
  const heads = people.map((face) => shownHeadOf(faceBoxOf(face, picture), crop));
  const drawn = drawTexts(written, canvas, heads);
  const cut = sharp(file)
    .extract(pixelsOfBox(crop, { width, height }))
    .resize({ ...canvas, fit: 'cover' });
  await encodeWith(cut, drawn ? [drawn] : [], output);
  return null;
}

/** Those that have an overlay: the result's own, or else those that are offered, the nearest shape first. */
function ratiosToTry({ width, height }: Size, { overlays, offered }: OverlayToLay): Ratio[] {
  const own = ratioOf(width, height);
  if (overlays[own] !== undefined) return [own];
  if (offered.includes(own)) return [];
  const change = (ratio: Ratio) =>
    Math.abs(Math.log((width / height) * (canvasSizes[ratio].height / canvasSizes[ratio].width)));
  return offered
    .filter((ratio) => overlays[ratio] !== undefined)
    .toSorted((one, other) => change(one) - change(other));
}

/** The part of a picture that has the shape of a canvas, or null where heads or pixels do not suffice for it. */
function cropToCanvas(size: Size, canvas: Size, keep: ShareBox): ShareBox | null {
  const [shape, cropShape] = [size.width / size.height, canvas.width / canvas.height];
  const isCanvas = Math.abs(Math.log(shape / cropShape)) <= mostStretch;
  const crop = isCanvas ? whole : cropAroundHeads({ shape, cropShape, keep, overlay: null });
  return crop && crop.width * size.width >= canvas.width / 2 ? crop : null;
}

async function encodeWith(
  picture: Sharp,
  layers: readonly (string | Buffer)[],
  output: string,
): Promise<void> {
  await picture
    .composite(layers.map((input) => ({ input })))
    .withXmp(provenance)
    .png({ compressionLevel: 3, adaptiveFiltering: true })
    .toFile(output);
}

/** White with a dark edge is read on any picture. */
const edge = 'stroke="#000000" stroke-opacity="0.55" paint-order="stroke" stroke-linejoin="round"';

/** The texts of an event for a picture of this size, as SVG, without those over a head; null where none is left. */
function drawTexts(
  { texts, content }: WrittenTexts,
  { width, height }: Size,
  heads: readonly ShareBox[],
): Buffer | null {
  const clear = texts.filter((box) => !heads.some((head) => overlaps(box, head)));
  const drawn = clear.map(({ text, colour, ...box }) => {
    const pixels = pixelsOfShare(box, { width, height });
    return drawInBox(filledText(text, content), pixels, colour ?? '#ffffff');
  });
  if (drawn.every((svg) => svg === '')) return null;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g ${edge} stroke-width="60">${drawn.join('')}</g></svg>`,
  );
}

function pixelsOfShare({ x, y, width, height }: ShareBox, size: Size): PixelBox {
  return {
    x: x * size.width,
    y: y * size.height,
    width: Math.min(width, 1 - x) * size.width,
    height: Math.min(height, 1 - y) * size.height,
  };
}

/** A face with the hair above the forehead, where the crop shows it. */
const shownHeadOf = ({ x, y, width, height }: ShareBox, crop: ShareBox): ShareBox => ({
  x: (x - 0.05 * width - crop.x) / crop.width,
  y: (y - 0.25 * height - crop.y) / crop.height,
  width: (1.1 * width) / crop.width,
  height: (1.3 * height) / crop.height,
});

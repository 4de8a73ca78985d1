import { writeFile } from 'node:fs/promises';
import type { EventBranding } from '@guise/contract/events/events.ts';
import type { PrintLayout, PrintTemplate } from '@guise/contract/events/print-template.ts';
import { ratioOf } from '@guise/contract/families/canvas.ts';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import { provenance } from '../runtime/provenance.ts';
import { clearParts } from './clear-parts.ts';
import { readCoverage } from './coverage.ts';
import { cropAroundHeads, headsBox, pixelsOfBox, whole } from './crop-around-heads.ts';
import { canDraw, drawText, readLetters } from './lettering.ts';
import { locatePeople, type ShareBox } from './locate-people.ts';
import { writePdf } from './pdf.ts';
import { drawInBox, filledText } from './placed-text.ts';
import {
  type PixelBox,
  type PlacedText,
  pixelsPerInch,
  type Sheet,
  sheetFor,
  sheetOfTemplate,
} from './print-layout.ts';
import { drawCode } from './qr-code.ts';

export interface PicturePrint {
  /** Different pictures of a guest, the wanted one first; only a strip takes more than that one. */
  pictures: { file: string; overlay: string | null }[];
  layout: PrintLayout;
  /** In place of the layout's own places; its paper is that of the layout. */
  template: PrintTemplate | null;
  format: 'png' | 'pdf' | 'jpeg';
  branding: Pick<EventBranding, 'background' | 'text' | 'accent'>;
  /** The event's name, and when it is. */
  title: string;
  date: string;
  /** What stands for what the guest gave, by detail. */
  words?: Readonly<Record<string, string>>;
  /** What the QR code on it says; null for none. */
  code: string | null;
  /** Where the print is written. */
  output: string;
}

/** Lays pictures out on a sheet of paper at 300 dpi. */
export async function printPicture(print: PicturePrint): Promise<null> {
  const { width, height } = await sharp(print.pictures[0]!.file).metadata();
  const pictures = print.pictures.length;
  const content = { shape: width / height, pictures, hasCode: print.code !== null };
  const sheet = print.template ? sheetOfTemplate(print.template, pictures) : sheetFor(print.layout, content);
  const colours = coloursOf(print.branding);
  const panels = await placePictures(print, sheet);
  const drawn = [
    ...sheet.bands.map((band) => drawBand(band, print, colours)),
    ...sheet.texts.map((text) => drawPlacedText(text, print, colours)),
    ...(print.code === null ? [] : sheet.codes.map((box) => drawCode(print.code!, box))),
  ];
  const paper = { width: sheet.width, height: sheet.height, channels: 3, background: colours.paper } as const;
  const laidOut = sharp({ create: paper }).composite([
    ...panels,
    ...(drawn.length > 0 ? [{ input: svgOf(sheet, drawn), left: 0, top: 0 }] : []),
  ]);
  await writeFile(print.output, await encodePrint(laidOut, sheet, print));
  return null;
}

const svgOf = ({ width, height }: Sheet, parts: readonly string[]) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`,
  );

async function encodePrint(laidOut: Sharp, sheet: Sheet, print: PicturePrint): Promise<Buffer> {
  switch (print.format) {
    case 'pdf':
      return pdfOf(laidOut, sheet, print);
    case 'jpeg':
      return jpegOf(laidOut.withMetadata({ density: pixelsPerInch }).withXmp(provenance));
    case 'png':
      return pngOf(laidOut);
  }
}

const jpegOf = (laidOut: Sharp) => laidOut.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer();

async function pngOf(laidOut: Sharp): Promise<Buffer> {
  return laidOut
    .withMetadata({ density: pixelsPerInch })
    .withXmp(provenance)
    .png({ compressionLevel: 3, adaptiveFiltering: true })
    .toBuffer();
}

async function pdfOf(laidOut: Sharp, { width, height }: Sheet, { title }: PicturePrint): Promise<Buffer> {
  const jpeg = await jpegOf(laidOut);
  return writePdf({ jpeg, width, height, pixelsPerInch, title, metadata: provenance });
}

/** Each picture in each of its panels. Those of strips have one size, so that a picture is cut out once for all. */
async function placePictures(
  { pictures }: PicturePrint,
  { panels, shown }: Sheet,
): Promise<OverlayOptions[]> {
  const cut = new Map<string, ReturnType<typeof fitPicture>>();
  return Promise.all(
    panels.map(async (panel, i) => {
      const key = `${shown[i]} ${panel.width} ${panel.height}`;
      if (!cut.has(key)) cut.set(key, fitPicture(pictures[shown[i]!]!, panel));
      const { data, width, height } = await cut.get(key)!;
      return {
        input: data,
        left: panel.x + Math.round((panel.width - width) / 2),
        top: panel.y + Math.round((panel.height - height) / 2),
      };
    }),
  );
}

/** A picture for a panel: cropped where all heads stay whole and an overlay stays out, or whole within it. */
async function fitPicture(
  { file, overlay }: PicturePrint['pictures'][number],
  panel: PixelBox,
): Promise<{ data: Buffer; width: number; height: number }> {
  const { width, height } = await sharp(file).metadata();
  const panelShape = panel.width / panel.height;
  const crop = await cropFor(file, overlay, { shape: width / height, cropShape: panelShape });
  const source = sharp(file).removeAlpha();
  if (crop) source.extract(pixelsOfBox(crop, { width, height }));
  const { data, info } = await source
    .resize({ width: panel.width, height: panel.height, fit: crop ? 'cover' : 'inside' })
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

async function cropFor(
  file: string,
  overlay: string | null,
  { shape, cropShape }: { shape: number; cropShape: number },
): Promise<ShareBox | null> {
  // A picture of the panel's own shape is shown as it is, overlay included.
  if (Math.abs(Math.log(shape / cropShape)) < 0.03) return whole;
  const { picture, people } = await locatePeople(file);
  // Of a painted picture no face may be found: then the part is kept in which faces usually are.
  const keep =
    people.length > 0 ? headsBox(people, picture) : clearParts[ratioOf(picture.width, picture.height)];
  return cropAroundHeads({
    shape,
    cropShape,
    keep,
    overlay: overlay === null ? null : await readCoverage(overlay),
  });
}

interface Colours {
  paper: string;
  ink: string;
  accent: string;
}

/** Ink that was not chosen is black or white, whichever is seen on the paper. */
function coloursOf({ background, text, accent }: PicturePrint['branding']): Colours {
  const paper = background ?? '#ffffff';
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(paper.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  const isLight = 0.299 * red + 0.587 * green + 0.114 * blue > 140;
  const ink = text ?? (isLight ? '#1a1a1a' : '#ffffff');
  return { paper, ink, accent: accent ?? ink };
}

/** A text of a template, as large as its part of the paper allows. What cannot be drawn is left out. */
function drawPlacedText(placed: PlacedText, print: PicturePrint, { ink }: Colours): string {
  return drawInBox(filledText(placed.text, print), placed, placed.colour ?? ink);
}

const rule = { width: 72, height: 6 };

/** The event's name over its date, with a rule of the accent's colour between them. What cannot be drawn is left out. */
function drawBand(band: PixelBox, { title, date }: PicturePrint, { ink, accent }: Colours): string {
  const font = readLetters(`${title} ${date}`);
  const [hasTitle, hasDate] = [title, date].map((text) => text.trim() !== '' && canDraw(font, text));
  const x = band.x + band.width / 2;
  const dateHeight = hasDate ? Math.min(64, Math.round(0.17 * band.height)) : 0;
  const space = Math.round(0.07 * band.height);
  const titleArea = {
    x,
    y: 0,
    width: 0.94 * band.width,
    height: band.height - dateHeight - 3 * space - rule.height,
  };
  const largest = Math.min(0.5 * band.height, 120);
  // Drawn from 0 and then moved, so that what there is stands in the middle of the band.
  const name = hasTitle ? drawText(font, title, titleArea, { colour: ink, largest, lines: 3 }) : null;
  const ruleTop = name ? name.bottom + space : 0;
  const dateTop = ruleTop + rule.height + space;
  const dateArea = { x, y: dateTop, width: band.width, height: dateHeight };
  const when = hasDate
    ? drawText(font, date, dateArea, { colour: ink, largest: dateHeight, lines: 1 })
    : null;
  const bottom = when?.bottom ?? ruleTop + rule.height;
  const top = band.y + (band.height - bottom) / 2;
  const line = `<rect x="${x - rule.width / 2}" y="${ruleTop}" width="${rule.width}" height="${rule.height}" fill="${accent}"/>`;
  return `<g transform="translate(0 ${top.toFixed(2)})">${name?.svg ?? ''}${line}${when?.svg ?? ''}</g>`;
}

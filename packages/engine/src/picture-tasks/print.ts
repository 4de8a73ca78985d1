import { writeFile } from 'node:fs/promises';
import type { EventBranding } from '@guise/contract/events/events.ts';
import { type PrintLayout, type PrintTemplate, stripLayouts } from '@guise/contract/events/print-template.ts';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import { provenance } from '../runtime/provenance.ts';
import { drawableText, drawText, readLetters } from './lettering.ts';
import { writePdf } from './pdf.ts';
import { drawInBox, filledText } from './placed-text.ts';
import {
  type PixelBox,
  type PlacedText,
  pixelsPerInch,
  type Sheet,
  sheetFor,
  sheetOfTemplate,
  stripPanelShape,
} from './print-layout.ts';
import {
  cropForPanel,
  fitPicture,
  type PictureToPrint,
  type PrintedPicture,
  placeCode,
  printedPicture,
} from './printed-picture.ts';
import { drawCode } from './qr-code.ts';

export interface PicturePrint {
  /** Different pictures of a guest, the wanted one first; only a strip takes more than that one. */
  pictures: PictureToPrint[];
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
  const pictures = print.pictures.map(printedPicture);
  const sheet = await sheetOf(print, pictures);
  const colours = coloursOf(print.branding);
  const panels = await placePictures(pictures, sheet);
  const [panel] = sheet.panels;
  const codes =
    sheet.isFilled && panel && print.code !== null
      ? await Promise.all(sheet.codes.map((code) => placeCode(code, panel, pictures[0]!)))
      : sheet.codes;
  const drawn = [
    ...sheet.bands.map((band) => drawBand(band, print, colours)),
    ...sheet.texts.map((text) => drawPlacedText(text, print, colours)),
    ...(print.code === null ? [] : codes.map((box) => drawCode(print.code!, box))),
  ];
  const paper = { width: sheet.width, height: sheet.height, channels: 3, background: colours.paper } as const;
  const laidOut = sharp({ create: paper }).composite([
    ...panels,
    ...(drawn.length > 0 ? [{ input: svgOf(sheet, drawn), left: 0, top: 0 }] : []),
  ]);
  await writeFile(print.output, await encodePrint(laidOut, sheet, print));
  return null;
}

async function sheetOf(print: PicturePrint, pictures: readonly PrintedPicture[]): Promise<Sheet> {
  if (print.template) return sheetOfTemplate(print.template, pictures.length);
  const { width, height } = await pictures[0]!.size();
  const crops = stripLayouts.includes(print.layout)
    ? await Promise.all(pictures.map((picture) => cropForPanel(picture, stripPanelShape)))
    : [];
  return sheetFor(print.layout, {
    shape: width / height,
    pictures: pictures.length,
    hasCode: print.code !== null,
    isWhole: crops.includes(null),
  });
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
  pictures: readonly PrintedPicture[],
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
  const [name, when] = [drawableText(font, title), drawableText(font, date)];
  const x = band.x + band.width / 2;
  const dateHeight = when !== '' ? Math.min(64, Math.round(0.17 * band.height)) : 0;
  const space = Math.round(0.07 * band.height);
  const titleArea = {
    x,
    y: 0,
    width: 0.94 * band.width,
    height: band.height - dateHeight - 3 * space - rule.height,
  };
  const largest = Math.min(0.5 * band.height, 120);
  // Drawn from 0 and then moved, so that what there is stands in the middle of the band.
  const drawnName = name !== '' ? drawText(font, name, titleArea, { colour: ink, largest, lines: 3 }) : null;
  const ruleTop = drawnName ? drawnName.bottom + space : 0;
  const dateTop = ruleTop + rule.height + space;
  const dateArea = { x, y: dateTop, width: band.width, height: dateHeight };
  const drawnDate =
    when !== '' ? drawText(font, when, dateArea, { colour: ink, largest: dateHeight, lines: 1 }) : null;
  const bottom = drawnDate?.bottom ?? ruleTop + rule.height;
  const top = band.y + (band.height - bottom) / 2;
  const line = `<rect x="${x - rule.width / 2}" y="${ruleTop}" width="${rule.width}" height="${rule.height}" fill="${accent}"/>`;
  return `<g transform="translate(0 ${top.toFixed(2)})">${drawnName?.svg ?? ''}${line}${drawnDate?.svg ?? ''}</g>`;
}

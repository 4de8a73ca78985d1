import type { PrintLayout } from '@guise/contract/events/print-template.ts';
import {
  type PrintItem,
  type PrintTemplate,
  paperSizes,
  stripLayouts,
} from '@guise/contract/events/print-template.ts';
import { ratioOf } from '@guise/contract/families/canvas.ts';

export interface PixelBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A sheet of paper: where pictures are, where the name of the event stands, and where a QR code does. */
export interface Sheet {
  width: number;
  height: number;
  panels: PixelBox[];
  bands: PixelBox[];
  codes: PixelBox[];
  /** Of templates: texts beside the bands. */
  texts: PlacedText[];
  /** Which picture each panel shows, from 0. */
  shown: number[];
  /** Whether a picture fills the paper, so that codes lie on it. */
  isFilled: boolean;
}

/** A text and the part of the paper that it is drawn in. */
export interface PlacedText extends PixelBox {
  text: string;
  colour: string | undefined;
}

/** What is to be laid out. */
export interface SheetContent {
  /** The width of the first picture by its height. */
  shape: number;
  /** On a strip, so many different ones. */
  pictures: number;
  hasCode: boolean;
  /** Whether one of them cannot be cropped to a panel of a strip, and is shown whole. */
  isWhole: boolean;
}

export const pixelsPerInch = 300;

/** What a printer may cut off at each edge stays free of letters and of the edges of panels. */
const margin = 42;
const gap = 24;
/** Two thirds of an inch: the modules of a code for 70 letters are 0.35 mm wide, which phones read at arm's length. */
const codeSide = 200;
const largeCodeSide = 280;

type UsualSheet = Omit<Sheet, 'texts' | 'shown' | 'isFilled'>;

/** The usual sheet of a layout. A guest with fewer pictures than panels sees them again. */
export function sheetFor(layout: PrintLayout, content: SheetContent): Sheet {
  const sheet = usualSheet(layout, content);
  const shown = sheet.panels.map((_, i) => i % content.pictures);
  const isFilled = sheet.bands.length === 0;
  const usual = { ...sheet, texts: [], shown, isFilled };
  return layout === 'two_strips' ? twice(usual) : usual;
}

/** The sheet of a template for a guest with so many pictures. */
export function sheetOfTemplate({ paper, lies, items }: PrintTemplate, pictures: number): Sheet {
  const { width: short, height: long } = paperSizes[paper];
  const [width, height] = lies && !stripLayouts.includes(paper) ? [long, short] : [short, long];
  const boxOf = (item: PrintItem): PixelBox => ({
    x: Math.round(item.x * width),
    y: Math.round(item.y * height),
    width: Math.round(Math.min(item.width, 1 - item.x) * width),
    height: Math.round(Math.min(item.height, 1 - item.y) * height),
  });
  const panels = items.filter((item) => item.kind === 'picture');
  const sheet: Sheet = {
    width,
    height,
    panels: panels.map(boxOf),
    shown: panels.map(({ number }) => (number - 1) % pictures),
    isFilled: false,
    bands: [],
    codes: items.filter(({ kind }) => kind === 'code').map((item) => squareIn(boxOf(item))),
    texts: items
      .filter((item) => item.kind === 'text')
      .map((item) => ({ ...boxOf(item), text: item.text, colour: item.colour })),
  };
  return paper === 'two_strips' ? twice(sheet) : sheet;
}

/** The largest square in the middle of a box. */
function squareIn({ x, y, width, height }: PixelBox): PixelBox {
  const side = Math.min(width, height);
  return {
    x: x + Math.round((width - side) / 2),
    y: y + Math.round((height - side) / 2),
    width: side,
    height: side,
  };
}

function usualSheet(layout: PrintLayout, content: SheetContent): UsualSheet {
  switch (layout) {
    case '4x6':
      return card(1200, 1800, content);
    case 'a6':
      return card(1240, 1748, content);
    case 'a5':
      return card(1748, 2480, content);
    case 'square':
      return filled(1200, 1200, content);
    case '2x6':
    case 'two_strips':
      return strip(content);
  }
}

/** Filled by the picture, with the code in a corner. */
function filled(width: number, height: number, { hasCode }: SheetContent): UsualSheet {
  const side = codeSide + gap;
  const code = { x: width - margin - side, y: height - margin - side, width: side, height: side };
  return { width, height, panels: [{ x: 0, y: 0, width, height }], bands: [], codes: hasCode ? [code] : [] };
}

/** Lying or standing, filled by the picture; one that is nearly square has the event's name below it. */
function card(short: number, long: number, content: SheetContent): UsualSheet {
  const ratio = ratioOf(content.shape, 1);
  if (ratio === 'landscape') return filled(long, short, content);
  if (ratio === 'portrait') return filled(short, long, content);
  const side = short - 2 * margin;
  const panel = {
    x: margin,
    y: margin,
    width: side,
    height: Math.round(side / Math.max(content.shape, 0.9)),
  };
  const below = panel.y + panel.height;
  const band = { x: margin, y: below, width: side, height: long - below - margin };
  return { width: short, height: long, panels: [panel], ...splitBand(band, content, largeCodeSide) };
}

/** The code is at the right end of a band, and the name of the event beside it. */
function splitBand(
  band: PixelBox,
  { hasCode }: SheetContent,
  largest: number,
): Pick<Sheet, 'bands' | 'codes'> {
  if (!hasCode) return { bands: [band], codes: [] };
  const side = Math.min(largest, band.height);
  const code = {
    x: band.x + band.width - side,
    y: band.y + Math.round((band.height - side) / 2),
    width: side,
    height: side,
  };
  return { bands: [{ ...band, width: band.width - side - gap }], codes: [code] };
}

const stripWidth = 600;
const panelWidth = stripWidth - 2 * margin;
/** By how many panels a strip has. */
const panelHeights = { 2: 734, 3: 472, 4: Math.round(panelWidth / 1.5) };
/** The shape of the panels of a strip that upright and square pictures are cropped to. */
export const stripPanelShape = panelWidth / panelHeights[3];

/**
 * Three panels that are nearly square, or four that have the shape of landscape pictures. Upright pictures that are
 * shown whole have two, unless there are more of them: in one that is nearly square they would be small.
 */
function strip(content: SheetContent): UsualSheet {
  const ratio = ratioOf(content.shape, 1);
  const isTall = ratio === 'portrait' && content.isWhole && content.pictures <= 2;
  const count = content.pictures >= 4 || ratio === 'landscape' ? 4 : isTall ? 2 : 3;
  const [width, height] = [stripWidth, 1800];
  const panelHeight = panelHeights[count];
  const panels = Array.from({ length: count }, (_, i) => ({
    x: margin,
    y: margin + i * (panelHeight + gap),
    width: panelWidth,
    height: panelHeight,
  }));
  const top = margin + count * (panelHeight + gap);
  const band = { x: margin, y: top, width: panelWidth, height: height - top - margin };
  return { width, height, panels, ...splitBand(band, content, codeSide) };
}

/** The same sheet beside itself, to be cut apart. */
function twice(sheet: Sheet): Sheet {
  const { width, panels, bands, codes, texts, shown } = sheet;
  const both = <Box extends PixelBox>(boxes: Box[]) => [
    ...boxes,
    ...boxes.map((box) => ({ ...box, x: box.x + width })),
  ];
  return {
    ...sheet,
    width: 2 * width,
    panels: both(panels),
    bands: both(bands),
    codes: both(codes),
    texts: both(texts),
    shown: [...shown, ...shown],
  };
}
